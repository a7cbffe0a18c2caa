//! Which regular network a graph is, or almost is, and where it differs.
//!
//! Trees are recognised whatever the order of their switches: by levels, and by which switches of two levels are joined.
//! Tori and meshes are recognised by the numbers of their switches: in the order of the file, or of their names.

mod cabling;
mod grid;
mod tree;

use drowse_core::topology::Graph;

use cabling::Cabling;

/// A regular network that a graph is, but for some cables.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Recognised {
    /// The section `[network]` that builds it.
    pub section: String,
    /// What it is, in words.
    pub words: String,
    /// How the graph differs, a line each: cables that are missing, cables beside the others, nodes more or fewer.
    pub deviations: Vec<String>,
}

/// The most deviations, as a share of all pairs of switches that are joined.
const MOST: usize = 5;

/// Finds the regular network that a graph is or almost is: at most every fifth pair of joined switches differs.
pub fn recognise(graph: &Graph) -> Option<Recognised> {
    let cabling = Cabling::new(graph);
    let found = [tree::find(&cabling), grid::find(&cabling)].into_iter().flatten();
    let best = found.min_by_key(|found| found.deviations.len())?;
    (best.deviations.len() * MOST <= cabling.pairs().len()).then_some(best)
}

/// Returns the value that most have; of several as frequent, the least.
fn usual(values: impl Iterator<Item = u32>) -> Option<u32> {
    let mut counts = std::collections::BTreeMap::new();
    values.for_each(|value| *counts.entry(value).or_insert(0u32) += 1);
    counts.into_iter().max_by_key(|&(value, count)| (count, std::cmp::Reverse(value))).map(|(value, _)| value)
}

/// Writes a list of numbers as experiments do.
fn list(numbers: &[u32]) -> String {
    format!("[{}]", numbers.iter().map(u32::to_string).collect::<Vec<_>>().join(", "))
}
