//! Communication graphs: which rank sends how much to which, without times (Totoni et al. 2014, section 2.4).
//!
//! A graph is asked rank by rank: it lists what that rank sends in one iteration of its program. No list of all pairs
//! is made, so graphs of hundreds of thousands of ranks need no memory. [`Graph::to_all`] states separately what every
//! rank sends to every other, so that it can be counted without visiting each pair.
//!
//! The formulas of the NAS Parallel Benchmarks are those of their programs (version 3.3, MPI). A test compares them
//! with traces. Messages of collective operations are those of their expansion in [`super::collectives`].
//!
//! To add a graph: its file that implements `Communication`, a variant of [`Graph`], and a line in `Graph::member`.

mod all_to_all;
mod cg;
mod error;
mod flow;
mod ft;
mod is;
mod lu;
mod mg;
mod milc;
mod multipartition;
mod npb;
mod permutation;
mod random;
mod stencil;

pub use all_to_all::AllToAll;
pub use cg::Cg;
pub use error::GraphError;
pub(in crate::workload) use error::{MOST_RANKS, check, power_of_two};
use flow::Communication;
pub use flow::{Flow, sent};
pub use ft::Ft;
pub use is::Is;
pub use lu::Lu;
pub use mg::Mg;
pub use milc::Milc;
pub use multipartition::{Multipartition, Solver};
pub use npb::Class;
pub use permutation::{Permutation, Rule};
pub use random::{Random, Region};
pub use stencil::Stencil;
pub(in crate::workload) use stencil::check_dims;

/// A communication graph.
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
    AllToAll(AllToAll),
    /// Every rank sends to some others, drawn at random.
    Random(Random),
    /// Every rank sends to one, and receives from one.
    Permutation(Permutation),
}

impl Graph {
    /// Makes the graph in which every rank sends a message to every other.
    pub fn all_to_all(ranks: u32, bytes: u64) -> Result<Graph, GraphError> {
        AllToAll::new(ranks, bytes).map(Graph::AllToAll)
    }

    /// Returns the number of ranks.
    pub fn ranks(&self) -> u32 {
        self.member().ranks()
    }

    /// Calls `visit` with what a rank sends in one iteration, except what it sends to all. A destination may come
    /// several times.
    pub fn flows(&self, rank: u32, visit: &mut dyn FnMut(Flow)) {
        self.member().flows(rank, visit);
    }

    /// Returns the size of the message that every rank sends to every other in one iteration, if there is one.
    pub fn to_all(&self) -> Option<u64> {
        self.member().to_all()
    }

    /// Returns the graph behind the variant. The virtual call is per rank, not per message.
    fn member(&self) -> &dyn Communication {
        match self {
            Graph::Stencil(graph) => graph,
            Graph::Milc(graph) => graph,
            Graph::Cg(graph) => graph,
            Graph::Mg(graph) => graph,
            Graph::Lu(graph) => graph,
            Graph::Multipartition(graph) => graph,
            Graph::Ft(graph) => graph,
            Graph::Is(graph) => graph,
            Graph::AllToAll(graph) => graph,
            Graph::Random(graph) => graph,
            Graph::Permutation(graph) => graph,
        }
    }
}

#[cfg(test)]
mod tests;
