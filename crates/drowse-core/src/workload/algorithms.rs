//! The algorithms of collective operations by name, for those who do not want the fixed rules to choose.

/// Names an algorithm for some operations; `None` leaves the choice to the rules. An algorithm that needs a power of
/// two, or an even number, of ranks gives way to another with as many steps where there are none.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Algorithms {
    /// Of barriers.
    pub barrier: Option<Barrier>,
    /// Of broadcasts.
    pub bcast: Option<Bcast>,
    /// Of reductions to a root.
    pub reduce: Option<Reduce>,
    /// Of reductions to all.
    pub allreduce: Option<Allreduce>,
    /// Of gathers of equal blocks.
    pub gather: Option<Gather>,
    /// Of scatters of equal blocks.
    pub scatter: Option<Scatter>,
    /// Of allgathers, of blocks of one size or several.
    pub allgather: Option<Allgather>,
    /// Of alltoalls of equal blocks.
    pub alltoall: Option<Alltoall>,
    /// Of reduce-scatters.
    pub reduce_scatter: Option<ReduceScatter>,
    /// The size of the segments in which data goes along a named tree or chain; whole if there is none.
    pub segment: Option<u64>,
}

/// How ranks learn that all have come.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Barrier {
    /// Messages to ranks at doubling distances.
    Dissemination,
    /// Partners at doubling distances exchange messages; dissemination unless there is a power of two of ranks.
    RecursiveDoubling,
}

/// How data goes from a root to all.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Bcast {
    /// The root sends to one rank after the other.
    Linear,
    /// Down a binomial tree.
    Binomial,
    /// Down a binary tree.
    Binary,
    /// From each rank to the next.
    Chain,
    /// One half down each half of a binary tree, then exchanged.
    SplitBinary,
}

/// How data is combined at a root.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reduce {
    /// All ranks send to the root.
    Linear,
    /// Up a binomial tree.
    Binomial,
    /// Up a binary tree.
    Binary,
    /// From each rank to the next.
    Chain,
}

/// How data is combined at all ranks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Allreduce {
    /// Partners at doubling distances exchange all data.
    RecursiveDoubling,
    /// Blocks travel around a ring, twice.
    Ring,
    /// A reduction to rank 0, and a broadcast.
    ReduceBcast,
    /// Partners at halving distances exchange halves, then at doubling distances (Rabenseifner 2004).
    Rabenseifner,
}

/// How blocks go to a root.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Gather {
    /// All ranks send to the root.
    Linear,
    /// Up a binomial tree.
    Binomial,
}

/// How blocks go from a root.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scatter {
    /// The root sends to one rank after the other.
    Linear,
    /// Down a binomial tree.
    Binomial,
}

/// How blocks go to all ranks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Allgather {
    /// Partners at doubling distances exchange what they have; Bruck's algorithm unless there is a power of two of
    /// ranks.
    RecursiveDoubling,
    /// Blocks go to ranks at doubling distances (Bruck et al. 1997).
    Bruck,
    /// Blocks travel around a ring.
    Ring,
    /// Neighbours exchange pairs of blocks; a ring if the number of ranks is odd.
    NeighbourExchange,
}

/// How each rank sends to each.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Alltoall {
    /// All messages at once.
    Linear,
    /// One pair of partners after the other.
    Pairwise,
    /// Blocks travel by the binary digits of their distance (Bruck et al. 1997).
    Bruck,
}

/// How data is combined and distributed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ReduceScatter {
    /// Partners at halving distances exchange halves.
    RecursiveHalving,
    /// Blocks travel around a ring.
    Ring,
}
