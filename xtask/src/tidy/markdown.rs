//! Pages have the form that `cargo xtask pages` asks for: lines of at most 120 columns, tables and blocks that are whole.

use super::finding::Finding;
use super::tree::Tree;
use crate::failure::Outcome;
use crate::pages::{form, is_ours};

/// Finds faults of form.
pub fn check(tree: &Tree) -> Outcome<Vec<Finding>> {
    let pages = tree.pages().filter(|(page, _)| is_ours(page));
    let found = pages.flat_map(|(page, text)| form::faults(text).into_iter().map(move |fault| (page, fault)));
    let finding = |(page, (line, message)): (&str, (usize, String))| Finding {
        key: format!("{page}:{line}"),
        extent: 1,
        file: page.to_owned(),
        line,
        message,
    };
    Ok(found.map(finding).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_wide_line_is_found_but_not_in_a_table_or_in_pages_of_others() {
        let wide = "x".repeat(121);
        let table = format!("| a |\n|---|\n| {wide} |\n");
        let tree = Tree::of(&[("a.md", &wide), ("b.md", &table), ("crates/drowse-report/assets/c.md", &wide)]);
        let found: Vec<String> = check(&tree).unwrap().iter().map(ToString::to_string).collect();
        assert_eq!(found, ["a.md:1: over 120 columns"]);
    }
}
