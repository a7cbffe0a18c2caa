//! Imports between folders run one way. Where ARCHITECTURE.md lists folders "from the bottom up", they run down this list; a folder
//! of which it says "Imports nothing else of the crate" imports nothing else.

use std::collections::{BTreeMap, BTreeSet};

use super::circles::circles;
use super::finding::Finding;
use super::imports::arrows;
use super::tree::Tree;
use crate::failure::Outcome;
use crate::rust::modules::Arrow;

const PAGE: &str = "ARCHITECTURE.md";

/// Finds folders that import each other, and imports against an order that ARCHITECTURE.md states.
pub fn check(tree: &Tree) -> Outcome<Vec<Finding>> {
    let arrows = arrows(tree);
    let page = tree.texts.get(PAGE).map_or("", String::as_str);
    let mut found = mutual(&arrows);
    for order in orders(page) {
        found.extend(against(&order, &arrows));
    }
    Ok(found)
}

/// Folders of one folder that import each other.
fn mutual(arrows: &BTreeSet<Arrow>) -> Vec<Finding> {
    let mut by_parent: BTreeMap<&str, BTreeSet<(&str, &str)>> = BTreeMap::new();
    for arrow in arrows {
        if let Some((parent, from, to)) = part(&arrow.from, &arrow.to) {
            by_parent.entry(parent).or_default().insert((from, to));
        }
    }
    let mut found = Vec::new();
    for (parent, pairs) in &by_parent {
        for circle in circles(pairs) {
            let names: Vec<&str> = circle.iter().copied().collect();
            let within = |arrow: &&Arrow| {
                part(&arrow.from, &arrow.to)
                    .is_some_and(|(other, from, to)| other == *parent && circle.contains(from) && circle.contains(to))
            };
            let imports: Vec<&Arrow> = arrows.iter().filter(within).collect();
            let mut message =
                format!("folders of {parent} import each other: {}: imports run one way", names.join(", "));
            for arrow in imports.iter().take(12) {
                message += &format!("\n    {}:{} takes {} of {}", arrow.from, arrow.line, arrow.name, arrow.to);
            }
            let (file, line) = imports.first().map_or((String::new(), 1), |arrow| (arrow.from.clone(), arrow.line));
            found.push(Finding {
                key: format!("{parent} {}", names.join(" ")),
                extent: circle.len(),
                file,
                line,
                message,
            });
        }
    }
    found
}

/// Returns where two paths part, if both go on into folders there: the folder, and the two.
fn part<'a>(from: &'a str, to: &'a str) -> Option<(&'a str, &'a str, &'a str)> {
    let common = from.bytes().zip(to.bytes()).take_while(|(one, other)| one == other).count();
    let start = from[..common].rfind('/')? + 1;
    let first = from[start..].split_once('/')?.0;
    let second = to[start..].split_once('/')?.0;
    (first != second).then_some((&from[..start - 1], first, second))
}

/// Entries of a folder from the bottom up; several may stand at one height.
#[derive(Debug, PartialEq, Eq)]
struct Order {
    folder: String,
    heights: Vec<Vec<String>>,
    /// Whether the first entry is the only one that is said of, and imports nothing else.
    is_bottom: bool,
}

/// Reads the orders that the page states.
fn orders(page: &str) -> Vec<Order> {
    let mut found = Vec::new();
    let mut root = String::new();
    let lines: Vec<&str> = page.lines().collect();
    for (at, line) in lines.iter().enumerate() {
        if let Some(name) = line.strip_prefix("## Map: `").and_then(|rest| rest.strip_suffix('`')) {
            root = format!("crates/{name}");
        } else if let Some((name, said)) = line.strip_prefix("- `").and_then(|rest| rest.split_once("/`")) {
            if said.contains("Imports nothing else of the crate") {
                found.push(Order { folder: root.clone(), heights: vec![vec![format!("{name}/")]], is_bottom: true });
            } else if said.contains("from the bottom up") {
                let nested = lines[at + 1..].iter().take_while(|line| line.starts_with("  "));
                let heights = nested.filter_map(|line| line.strip_prefix("  - ")).map(entries).collect();
                found.push(Order { folder: format!("{root}/{name}"), heights, is_bottom: false });
            }
        }
    }
    found
}

/// Returns the files and folders with which an item begins.
fn entries(item: &str) -> Vec<String> {
    let head = item.split_once(": ").map_or(item, |(head, _)| head);
    let names = head.split('`').skip(1).step_by(2);
    names.filter(|name| name.ends_with('/') || name.ends_with(".rs")).map(str::to_owned).collect()
}

/// Finds imports that run up an order.
fn against(order: &Order, arrows: &BTreeSet<Arrow>) -> Vec<Finding> {
    let mut found: BTreeMap<String, Finding> = BTreeMap::new();
    for arrow in arrows {
        let inside =
            |file: &str| file.strip_prefix(&order.folder).and_then(|rest| rest.strip_prefix('/')).map(str::to_owned);
        let (Some(from), Some(to)) = (inside(&arrow.from), inside(&arrow.to)) else { continue };
        let height = |file: &str| {
            order.heights.iter().position(|names| {
                names.iter().any(|name| file == name || (name.ends_with('/') && file.starts_with(name)))
            })
        };
        let rises = match (height(&from), height(&to)) {
            (Some(from), Some(to)) => to > from,
            (Some(_), None) => order.is_bottom,
            _ => false,
        };
        if rises {
            let key = format!("{} -> {}", arrow.from, arrow.to);
            let message =
                format!("takes {} of {}, which {PAGE} puts above it: turn the import round", arrow.name, arrow.to);
            let finding = Finding { key: key.clone(), extent: 0, file: arrow.from.clone(), line: arrow.line, message };
            found.entry(key).or_insert(finding).extent += 1;
        }
    }
    found.into_values().collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    const MAP: &str = "## Map: `x/src`\n\n- `low/`: ids. Imports nothing else of the crate.\n\
                       - `high/`: all, from the bottom up:\n  - `a.rs`, `b/`: two;\n  - `c/` (why): one.\n\n## Next\n";

    #[test]
    fn orders_are_read_from_the_page() {
        let heights = vec![vec!["a.rs".to_owned(), "b/".to_owned()], vec!["c/".to_owned()]];
        let low = Order { folder: "crates/x/src".to_owned(), heights: vec![vec!["low/".to_owned()]], is_bottom: true };
        assert_eq!(orders(MAP), [low, Order { folder: "crates/x/src/high".to_owned(), heights, is_bottom: false }]);
    }

    #[test]
    fn imports_upward_and_folders_that_import_each_other_are_found() {
        let tree = Tree::of(&[
            (PAGE, MAP),
            ("crates/x/src/lib.rs", "mod low;\nmod high;"),
            ("crates/x/src/low/mod.rs", "use crate::high::b::B;"),
            ("crates/x/src/high/mod.rs", "pub mod b;\npub mod c;"),
            ("crates/x/src/high/b/mod.rs", "use super::c::C;\npub struct B;"),
            ("crates/x/src/high/c/mod.rs", "use super::b::B;\npub struct C;"),
        ]);
        let found = check(&tree).unwrap();
        let keys: Vec<&str> = found.iter().map(|finding| finding.key.as_str()).collect();
        assert_eq!(
            keys,
            [
                "crates/x/src/high b c",
                "crates/x/src/low/mod.rs -> crates/x/src/high/b/mod.rs",
                "crates/x/src/high/b/mod.rs -> crates/x/src/high/c/mod.rs",
            ]
        );
    }
}
