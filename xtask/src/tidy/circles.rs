//! No two files import each other, by however many others. The number of a circle is that of its files.

use std::collections::{BTreeMap, BTreeSet};

use super::finding::Finding;
use super::imports::arrows;
use super::tree::Tree;
use crate::failure::Outcome;
use crate::rust::modules::Arrow;

/// How many imports a message names.
const NAMED: usize = 12;

/// Finds the circles of files.
pub fn check(tree: &Tree) -> Outcome<Vec<Finding>> {
    let arrows = arrows(tree);
    let pairs = arrows.iter().map(|arrow| (arrow.from.as_str(), arrow.to.as_str())).collect();
    Ok(circles(&pairs).into_iter().map(|circle| finding(&circle, &arrows)).collect())
}

fn finding(circle: &BTreeSet<&str>, arrows: &BTreeSet<Arrow>) -> Finding {
    let inside = |arrow: &&Arrow| circle.contains(arrow.from.as_str()) && circle.contains(arrow.to.as_str());
    let within: Vec<&Arrow> = arrows.iter().filter(inside).collect();
    let mut message =
        format!("{} files import each other: move what several need into a file below them", circle.len());
    for arrow in within.iter().take(NAMED) {
        message += &format!("\n    {}:{} takes {} of {}", arrow.from, arrow.line, arrow.name, arrow.to);
    }
    if within.len() > NAMED {
        message += &format!("\n    and {} more", within.len() - NAMED);
    }
    let first = circle.first().map_or("", |file| file);
    let line = within.iter().find(|arrow| arrow.from == first).map_or(1, |arrow| arrow.line);
    Finding { key: first.to_owned(), extent: circle.len(), file: first.to_owned(), line, message }
}

/// Returns the groups of two and more that reach each other, each in order.
pub fn circles<'a>(arrows: &BTreeSet<(&'a str, &'a str)>) -> Vec<BTreeSet<&'a str>> {
    let mut next: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
    for (from, to) in arrows {
        next.entry(from).or_default().push(to);
    }
    let reached: BTreeMap<&str, BTreeSet<&str>> = next.keys().map(|from| (*from, reachable(from, &next))).collect();
    let mut placed = BTreeSet::new();
    let mut found = Vec::new();
    for (from, reaches) in &reached {
        let comes_back = |to: &&&str| reached.get(**to).is_some_and(|back| back.contains(from));
        let circle: BTreeSet<&str> = reaches.iter().filter(comes_back).copied().collect();
        if circle.len() > 1 && placed.insert(circle.first().copied()) {
            found.push(circle);
        }
    }
    found
}

fn reachable<'a>(from: &str, next: &BTreeMap<&'a str, Vec<&'a str>>) -> BTreeSet<&'a str> {
    let mut reached = BTreeSet::new();
    let mut open = vec![from];
    while let Some(at) = open.pop() {
        for to in next.get(at).into_iter().flatten() {
            if reached.insert(*to) {
                open.push(to);
            }
        }
    }
    reached
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_circle_by_way_of_a_third_file_is_found_with_its_imports() {
        let tree = Tree::of(&[
            ("crates/x/src/lib.rs", "mod a;\nmod b;\nmod c;\nmod d;"),
            ("crates/x/src/a.rs", "//! Text.\nuse crate::b::B;\npub struct A;"),
            ("crates/x/src/b.rs", "pub struct B(crate::c::C);"),
            ("crates/x/src/c.rs", "pub struct C(super::a::A);"),
            ("crates/x/src/d.rs", "use super::a::A;"),
        ]);
        let found = check(&tree).unwrap();
        assert_eq!(found.len(), 1);
        assert_eq!((found[0].extent, found[0].key.as_str(), found[0].line), (3, "crates/x/src/a.rs", 2));
        assert!(found[0].message.contains("crates/x/src/c.rs:1 takes A of crates/x/src/a.rs"), "{}", found[0].message);
    }

    #[test]
    fn arrows_that_only_run_down_make_no_circle() {
        let arrows = BTreeSet::from([("a", "b"), ("a", "c"), ("b", "c"), ("c", "d")]);
        assert_eq!(circles(&arrows), Vec::<BTreeSet<&str>>::new());
    }
}
