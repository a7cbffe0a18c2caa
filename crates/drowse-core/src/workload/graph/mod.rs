//! Communication graphs: which rank sends how much to which, without times (Totoni et al. 2014, section 2.4).
//!
//! A graph is asked rank by rank and says what that rank sends in one iteration of its program; no list of all pairs is ever
//! made, so that graphs of hundreds of thousands of ranks cost nothing but the asking. What every rank sends to every other
//! alike is told apart ([`Graph::to_all`]), so that it can be counted without asking for each pair.
//!
//! The formulas of the NAS Parallel Benchmarks are those of their programs (version 3.3, MPI); a test holds them against
//! traces. Messages of collective operations are those that [`super::collectives`] expands them to.

mod cg;
mod ft;
mod is;
mod lu;
mod mg;
mod milc;
mod multipartition;
mod npb;
mod random;
mod stencil;

use std::ops::RangeInclusive;

pub use cg::Cg;
pub use ft::Ft;
pub use is::Is;
pub use lu::Lu;
pub use mg::Mg;
pub use milc::Milc;
pub use multipartition::{Multipartition, Solver};
pub use npb::Class;
pub use random::Random;
pub use stencil::Stencil;

use super::collectives::{self, Member};
use super::operation::{Collective, Operation};

/// Messages of one size from a rank to another.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Flow {
    /// The receiving rank; it may be the sender itself.
    pub to: u32,
    /// How many messages.
    pub messages: u64,
    /// The size of each.
    pub bytes: u64,
}

/// A communication graph. One variant per file of this folder, but for the simplest.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Graph {
    /// A grid whose ranks send to their neighbours.
    Stencil(Stencil),
    /// Lattice QCD in four dimensions.
    Milc(Milc),
    /// NPB CG: conjugate gradients.
    Cg(Cg),
    /// NPB MG: a multigrid solver.
    Mg(Mg),
    /// NPB LU: a wavefront solver.
    Lu(Lu),
    /// NPB BT and SP: line solvers in all three dimensions.
    Multipartition(Multipartition),
    /// NPB FT: a Fourier transform.
    Ft(Ft),
    /// NPB IS: an integer sort.
    Is(Is),
    /// Every rank sends to every other.
    AllToAll {
        /// Number of ranks.
        ranks: u32,
        /// The size of each message.
        bytes: u64,
    },
    /// Every rank sends to some others, drawn at random.
    Random(Random),
}

/// Why there is no such graph.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{key} = {value} is out of range: {reason}")]
pub struct GraphError {
    /// The experiment key, within its application.
    pub key: &'static str,
    /// What was given.
    pub value: String,
    /// What is allowed.
    pub reason: String,
}

impl Graph {
    /// Makes the graph in which every rank sends a message to every other.
    pub fn all_to_all(ranks: u32, bytes: u64) -> Result<Graph, GraphError> {
        check("ranks", ranks, 1..=MOST_RANKS)?;
        Ok(Graph::AllToAll { ranks, bytes })
    }

    /// Returns the number of ranks.
    pub fn ranks(&self) -> u32 {
        match self {
            Graph::Stencil(stencil) => stencil.ranks(),
            Graph::Milc(milc) => milc.ranks(),
            Graph::Cg(cg) => cg.ranks(),
            Graph::Mg(mg) => mg.ranks(),
            Graph::Lu(lu) => lu.ranks(),
            Graph::Multipartition(solver) => solver.ranks(),
            Graph::Ft(ft) => ft.ranks(),
            Graph::Is(is) => is.ranks(),
            Graph::AllToAll { ranks, .. } => *ranks,
            Graph::Random(random) => random.ranks(),
        }
    }

    /// Returns `visit` what a rank sends in one iteration, beside what it sends to all; a destination may come several times.
    pub fn flows(&self, rank: u32, visit: &mut dyn FnMut(Flow)) {
        match self {
            Graph::Stencil(stencil) => stencil.flows(rank, visit),
            Graph::Milc(milc) => milc.flows(rank, visit),
            Graph::Cg(cg) => cg.flows(rank, visit),
            Graph::Mg(mg) => mg.flows(rank, visit),
            Graph::Lu(lu) => lu.flows(rank, visit),
            Graph::Multipartition(solver) => solver.flows(rank, visit),
            Graph::Ft(ft) => ft.flows(rank, visit),
            Graph::Is(is) => is.flows(rank, visit),
            Graph::AllToAll { .. } => {}
            Graph::Random(random) => random.flows(rank, visit),
        }
    }

    /// Returns the size of the message that every rank sends to every other in one iteration, if it does.
    pub fn to_all(&self) -> Option<u64> {
        match self {
            Graph::Ft(ft) => ft.to_all(),
            Graph::Is(is) => Some(is.to_all()),
            Graph::AllToAll { bytes, .. } => Some(*bytes),
            _ => None,
        }
    }
}

/// The largest number of ranks.
const MOST_RANKS: u32 = 1 << 28;

/// Returns `visit` the messages that one rank sends in a collective operation.
fn collective(operation: &Collective, rank: u32, size: u32, visit: &mut dyn FnMut(Flow)) {
    let mut operations = Vec::new();
    collectives::expand(operation, Member { rank, size }, &mut operations);
    for operation in operations {
        if let Some(flow) = sent(&operation) {
            visit(flow);
        }
    }
}

/// Returns the message that an operation sends.
pub fn sent(operation: &Operation) -> Option<Flow> {
    match *operation {
        Operation::Send { to, bytes, .. } | Operation::Isend { to, bytes, .. } => Some(Flow { to, messages: 1, bytes }),
        _ => None,
    }
}

/// Refuses a number out of its range.
fn check(key: &'static str, value: u32, range: RangeInclusive<u32>) -> Result<(), GraphError> {
    if range.contains(&value) {
        return Ok(());
    }
    let reason = format!("write a number from {} to {}", range.start(), range.end());
    Err(GraphError { key, value: value.to_string(), reason })
}

/// Refuses a number of ranks that is no power of two, and gives its logarithm.
fn power_of_two(ranks: u32, most: u32) -> Result<u32, GraphError> {
    if ranks.is_power_of_two() && ranks <= most {
        return Ok(ranks.ilog2());
    }
    let reason = format!("write a power of two of at most {most}, as the program demands");
    Err(GraphError { key: "ranks", value: ranks.to_string(), reason })
}

/// Returns how many of `length` places part `index` of `parts` has: the first parts are larger where they differ.
fn share(length: u64, parts: u32, index: u32) -> u64 {
    let (parts, index) = (u64::from(parts), u64::from(index));
    length / parts + u64::from(index < length % parts)
}

/// The size of a number of Fortran's type `double precision`.
const DOUBLE: u64 = 8;

#[cfg(test)]
mod tests;
