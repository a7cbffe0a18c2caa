//! Each crate depends only on those above it in the list of ARCHITECTURE.md. Dependencies of tests may run anywhere.

use super::finding::Finding;
use super::tree::Tree;
use crate::failure::{Failure, Outcome};

const PAGE: &str = "ARCHITECTURE.md";
const SECTION: &str = "## Map: crates";

/// Finds crates that depend on one that is below them in the list, and crates that the list does not have.
pub fn check(tree: &Tree) -> Outcome<Vec<Finding>> {
    let page = tree.texts.get(PAGE).ok_or_else(|| Failure::new(format!("{PAGE}: it is not there")))?;
    let order = order(page);
    let place = |name: &str| order.iter().position(|other| other == name);
    let mut found = Vec::new();
    for (file, text) in tree.texts.iter().filter(|(file, _)| is_manifest(file)) {
        let name = file.rsplit('/').nth(1).unwrap_or_default();
        let Some(own) = place(name) else {
            let message = format!("the crate {name} is not in the list of {PAGE}: add it below all that it imports");
            found.push(Finding { key: name.to_owned(), extent: 1, file: file.clone(), line: 1, message });
            continue;
        };
        for (line, other) in dependencies(text) {
            if place(&other).is_some_and(|other| other >= own) {
                let message = format!("{name} imports {other}, which is not above it in {PAGE}: turn the arrow round");
                let key = format!("{name} -> {other}");
                found.push(Finding { key, extent: 1, file: file.clone(), line, message });
            }
        }
    }
    Ok(found)
}

fn is_manifest(file: &str) -> bool {
    file == "xtask/Cargo.toml"
        || (file.starts_with("crates/") && file.matches('/').count() == 2 && file.ends_with("/Cargo.toml"))
}

/// Returns the crates of the list in their order.
fn order(page: &str) -> Vec<String> {
    let section = page.lines().skip_while(|line| *line != SECTION).skip(1).take_while(|line| !line.starts_with("## "));
    section.filter_map(|line| Some(line.strip_prefix("- `")?.split_once('`')?.0.to_owned())).collect()
}

/// Returns what a manifest names under `[dependencies]`, with its lines.
fn dependencies(manifest: &str) -> Vec<(usize, String)> {
    let mut inside = false;
    let mut found = Vec::new();
    for (at, line) in manifest.lines().enumerate() {
        if line.starts_with('[') {
            inside = line.ends_with("dependencies]") && !line.contains("dev-");
        } else if inside && let Some(name) = line.split([' ', '.', '=']).next().filter(|name| !name.is_empty()) {
            found.push((at + 1, name.to_owned()));
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_arrow_upward_and_a_crate_without_a_place_are_found() {
        let page = "## Map: crates\n\n- `low`: it.\n  More.\n- `high`: it.\n\n## Map: more\n\n- `other`: no crate.\n";
        let tree = Tree::of(&[
            (PAGE, page),
            ("crates/low/Cargo.toml", "[package]\nname = \"low\"\n[dependencies]\nhigh.workspace = true\n"),
            (
                "crates/high/Cargo.toml",
                "[dependencies]\nlow = { workspace = true }\n[dev-dependencies]\nhigh.path = \".\"\n",
            ),
            ("crates/new/Cargo.toml", ""),
        ]);
        let found: Vec<String> = check(&tree).unwrap().iter().map(ToString::to_string).collect();
        assert_eq!(
            found,
            [
                "crates/low/Cargo.toml:4: low imports high, which is not above it in ARCHITECTURE.md: turn the arrow round",
                "crates/new/Cargo.toml:1: the crate new is not in the list of ARCHITECTURE.md: add it below all that it imports",
            ]
        );
    }
}
