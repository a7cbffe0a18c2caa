//! Which regular network a graph is, or almost is, and where it differs.
//!
//! Trees are recognised whatever the order of their switches: by levels, and by which switches of two levels are joined.
//! Tori and meshes are recognised by the numbers of their switches: in the order of the file, or of their names. HyperX,
//! full meshes, dragonflies and Dragonfly+ are recognised in any order: by lines or groups of switches that are all
//! joined, and by leaves that have the same spines.

mod cabling;
mod dragonfly;
mod grid;
mod groups;
mod hyperx;
mod tree;

use drowse_core::topology::Graph;

use cabling::Cabling;

/// A regular network that a graph is, but for some cables.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Recognised {
    /// The section `[network]` that builds it; `None` where no kind has its numbers.
    pub section: Option<String>,
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
    // Of several as near, the first: in a dragonfly it is not compared which switch has which links to other groups.
    let all: [fn(&Cabling<'_>) -> Option<Recognised>; 4] = [tree::find, grid::find, hyperx::find, dragonfly::find];
    let found = all.iter().filter_map(|find| find(&cabling));
    let best = found.min_by_key(|found| found.deviations.len())?;
    (best.deviations.len() * MOST <= cabling.pairs().len()).then_some(best)
}

/// Returns the value that most have; of several as frequent, the least.
fn usual(values: impl Iterator<Item = u32>) -> Option<u32> {
    let mut counts = std::collections::BTreeMap::new();
    values.for_each(|value| *counts.entry(value).or_insert(0u32) += 1);
    counts.into_iter().max_by_key(|&(value, count)| (count, std::cmp::Reverse(value))).map(|(value, _)| value)
}

/// Writes a key with a number for each dimension: one number where all are the same, nothing where all are 1.
fn same_or_list(key: &str, numbers: &[u32]) -> String {
    match numbers {
        [first, rest @ ..] if rest.iter().all(|other| other == first) => {
            if *first == 1 {
                String::new()
            } else {
                format!("{key} = {first}\n")
            }
        }
        _ => format!("{key} = {}\n", list(numbers)),
    }
}

/// Writes a list of numbers as experiments do.
fn list(numbers: &[u32]) -> String {
    format!("[{}]", numbers.iter().map(u32::to_string).collect::<Vec<_>>().join(", "))
}
