//! All-to-all in both orders, which the paper leaves open: all nodes send to the first node, then to the second, as a
//! generator with two plain loops writes it; or each sends to the next node first, so that all send to different ones.

use super::effectiveness::{on_nodes, relative};
use super::performance::{ALL_TO_ALL, all, trees};
use super::runs::{Case, Runs};
use super::tree::Tree;
use crate::comparison::Comparison;

/// Returns all-to-all by both orders on trees of so many levels.
pub fn cases(levels: u32) -> Vec<Case> {
    trees(levels).into_iter().flat_map(orders).collect()
}

/// Returns the runs of a tree: to the first node first, and to the next node first.
fn orders(tree: Tree) -> impl Iterator<Item = Case> {
    let all_to_all = all(tree.levels).filter(|workload| workload.name == ALL_TO_ALL);
    all_to_all.flat_map(move |workload| [workload, workload.to_next_first()].map(|order| Case::new(tree, order, 1)))
}

/// Tells the times of both on the thin trees.
pub fn comparisons(levels: u32, runs: &Runs) -> Vec<Comparison> {
    let of_tree = |tree: Tree| {
        let whole = tree.whole();
        orders(tree).zip(["the first node", "the next node"]).map(move |(case, first)| {
            let (times, on_whole) = (runs.times(case).text(), runs.times(case.on(whole)).text());
            let place = format!("{}, {}", on_nodes("Order of AA", tree), tree.name());
            let quantity = format!("time of AA, {} = 1, to {first} first", whole.name());
            Comparison::own(place, quantity, "1", relative(case, whole, runs), format!("{times} over {on_whole}"))
        })
    };
    trees(levels).into_iter().skip(1).flat_map(of_tree).collect()
}
