//! All imports between files of one target: libraries, programs and examples. Tests and benches are left out.
//!
//! A folder's `mod.rs` has the trait of its members and their registry, and members import the trait. What a module takes of those
//! below it is the registry, as a `mod` declaration is, and no arrow.

use std::collections::BTreeSet;

use super::tree::Tree;
use crate::rust::modules::{Arrow, Target};

/// Returns the imports of all targets.
pub fn arrows(tree: &Tree) -> BTreeSet<Arrow> {
    let read = |file: &str| tree.texts.get(file).cloned();
    let roots = tree.rust().filter(|(file, _)| is_root(file));
    let arrows = roots.flat_map(|(file, _)| Target::load(file, &read).arrows());
    arrows.filter(|arrow| !is_below(&arrow.to, &arrow.from)).collect()
}

/// Whether a file is of a module within that of another.
fn is_below(file: &str, other: &str) -> bool {
    let roots = ["/mod.rs", "/lib.rs", "/main.rs", ".rs"];
    let folder = roots.iter().find_map(|root| other.strip_suffix(root)).unwrap_or(other);
    file.strip_prefix(folder).is_some_and(|rest| rest.starts_with('/'))
}

/// Whether a file is the first of a target.
fn is_root(file: &str) -> bool {
    let parts: Vec<&str> = file.split('/').collect();
    match parts[..] {
        [.., "src", "lib.rs" | "main.rs"] | [.., "examples", _, "main.rs"] => true,
        [.., "examples", last] => last.ends_with(".rs"),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_registry_of_members_is_no_import() {
        assert!(
            is_below("src/a/b.rs", "src/a/mod.rs")
                && is_below("src/a/b.rs", "src/a.rs")
                && is_below("src/a.rs", "src/lib.rs")
        );
        assert!(!is_below("src/a/mod.rs", "src/a/b.rs") && !is_below("src/ab.rs", "src/a.rs"));
    }

    #[test]
    fn targets_begin_where_cargo_looks_for_them() {
        assert!(
            ["crates/x/src/lib.rs", "crates/x/examples/a.rs", "crates/x/examples/a/main.rs"]
                .iter()
                .all(|file| is_root(file))
        );
        assert!(
            ["crates/x/src/a.rs", "crates/x/examples/a/b.rs", "crates/x/tests/it/main.rs"]
                .iter()
                .all(|file| !is_root(file))
        );
    }
}
