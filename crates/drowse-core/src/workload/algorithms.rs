//! The algorithms of collective operations by name, and the rules that choose where none is named.

use serde::{Deserialize, Serialize};

use super::own_algorithms::OwnAlgorithms;
use crate::model::units::Bytes;

/// The algorithms of collective operations. What is not named is chosen by Open MPI's fixed rules. An algorithm that needs
/// a power of two, or an even number, of ranks gives way to another with as many steps where there are none.
///
/// ```
/// use drowse_core::workload::algorithms::{Algorithms, Allreduce};
/// use drowse_core::workload::collectives::expand_in;
/// use drowse_core::workload::communicators::{ALL, Communicators};
/// use drowse_core::workload::operation::{Collective, Operation};
/// use drowse_core::model::units::Time;
///
/// let sum = Collective::Allreduce { bytes: 8_000, count: 1_000, compute: Time::ZERO };
/// let sends = |algorithm| {
///     let (ranks, mut operations) = (Communicators::of(8), Vec::new());
///     let algorithms = Algorithms { allreduce: Some(algorithm), ..Algorithms::default() };
///     expand_in(&ranks, &algorithms, None, ALL, 0, &sum, &mut operations);
///     let bytes = operations.iter().filter_map(|it| matches!(it, Operation::Send { .. }).then(|| it.largest()));
///     bytes.collect::<Vec<u64>>()
/// };
/// // All data to a partner at each doubled distance; or an eighth at a time, twice around the ring.
/// assert_eq!(sends(Allreduce::RecursiveDoubling), [8_000; 3]);
/// assert_eq!(sends(Allreduce::Ring), [1_000; 2 * (8 - 1)]);
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Algorithms {
    /// The rules that choose an algorithm where none is named. Default: `"classic"`.
    #[serde(default)]
    pub rules: Rules,
    /// Algorithm of barriers. Default: by the rules.
    #[cfg_attr(feature = "schema", schemars(extend("x-kinds" = "barrier")))]
    pub barrier: Option<Barrier>,
    /// Algorithm of broadcasts. Default: by the rules.
    #[cfg_attr(feature = "schema", schemars(extend("x-kinds" = "bcast")))]
    pub bcast: Option<Bcast>,
    /// Algorithm of reductions to a root. Default: by the rules.
    #[cfg_attr(feature = "schema", schemars(extend("x-kinds" = "reduce")))]
    pub reduce: Option<Reduce>,
    /// Algorithm of reductions to all ranks. Default: by the rules.
    #[cfg_attr(feature = "schema", schemars(extend("x-kinds" = "allreduce")))]
    pub allreduce: Option<Allreduce>,
    /// Algorithm of gathers of equal blocks. Default: by the rules.
    #[cfg_attr(feature = "schema", schemars(extend("x-kinds" = "gather")))]
    pub gather: Option<Gather>,
    /// Algorithm of scatters of equal blocks. Default: by the rules.
    #[cfg_attr(feature = "schema", schemars(extend("x-kinds" = "scatter")))]
    pub scatter: Option<Scatter>,
    /// Algorithm of allgathers, of blocks of one size or several. Default: by the rules.
    #[cfg_attr(feature = "schema", schemars(extend("x-kinds" = "allgather")))]
    pub allgather: Option<Allgather>,
    /// Algorithm of alltoalls of equal blocks. Default: by the rules.
    #[cfg_attr(feature = "schema", schemars(extend("x-kinds" = "alltoall")))]
    pub alltoall: Option<Alltoall>,
    /// Algorithm of alltoalls of blocks of several sizes. Default: by the rules.
    pub alltoallv: Option<Alltoallv>,
    /// Algorithm of reduce-scatters. Default: by the rules.
    #[cfg_attr(feature = "schema", schemars(extend("x-kinds" = "reduce_scatter")))]
    pub reduce_scatter: Option<ReduceScatter>,
    /// The size of the segments in which data goes along a tree or chain that is named here, and of NCCL's chunks; at
    /// least 4 KiB in experiments. Default: 32 KiB along chains and binary trees; 512 KiB or less with NCCL's algorithms;
    /// elsewhere whole messages.
    #[cfg_attr(feature = "schema", schemars(extend("examples" = ["64 KiB"])))]
    pub segment: Option<Bytes>,
    /// The channels over which `nccl-ring` and `double-binary-tree` share the data. Default: 1.
    #[cfg_attr(feature = "schema", schemars(range(min = 1, max = 64)))]
    pub channels: Option<u32>,
    /// Algorithms of other crates, which come before all these.
    #[serde(skip_deserializing, skip_serializing_if = "OwnAlgorithms::is_empty")]
    #[cfg_attr(feature = "schema", schemars(skip))]
    pub own: OwnAlgorithms,
}

impl Algorithms {
    /// Segments of this size are never cut.
    pub const WHOLE: u64 = u64::MAX;
    /// The segments of chains and binary trees where no size is named: short enough to be sent eagerly.
    pub const SEGMENT: u64 = 32 << 10;
    /// The chunks of NCCL's algorithms where no size is named, if the data is long: an eighth of a buffer of 4 MiB, as in
    /// NCCL.
    pub const CHUNK: u64 = 512 << 10;

    /// Returns whether it matters which ranks share a node.
    pub fn follow_nodes(&self) -> bool {
        let hierarchical = self.barrier == Some(Barrier::Hierarchical)
            || self.bcast == Some(Bcast::Hierarchical)
            || self.reduce == Some(Reduce::Hierarchical)
            || self.allreduce == Some(Allreduce::Hierarchical)
            || self.allgather == Some(Allgather::Hierarchical)
            || self.reduce_scatter == Some(ReduceScatter::Hierarchical);
        let nccl = self.bcast == Some(Bcast::NcclRing)
            || self.reduce == Some(Reduce::NcclRing)
            || matches!(self.allreduce, Some(Allreduce::NcclRing | Allreduce::DoubleBinaryTree))
            || self.allgather == Some(Allgather::NcclRing)
            || self.reduce_scatter == Some(ReduceScatter::NcclRing);
        hierarchical || nccl
    }
}

/// Declares algorithms and their names.
macro_rules! named {
    ($($(#[$doc:meta])* $name:ident { $($(#[$what:meta])* $algorithm:ident = $word:literal,)* })*) => {
        $(
            $(#[$doc])*
            #[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
            #[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
            pub enum $name {
                $($(#[$what])* #[serde(rename = $word)] $algorithm,)*
            }

            impl $name {
                /// All of them.
                pub const ALL: &[Self] = &[$(Self::$algorithm,)*];

                /// Returns its name.
                pub const fn word(self) -> &'static str {
                    match self {
                        $(Self::$algorithm => $word,)*
                    }
                }
            }
        )*
    };
}

/// The rules that choose an algorithm by ranks and bytes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub enum Rules {
    /// The fixed rules of Open MPI 1.4 to 4.0.
    #[default]
    #[serde(rename = "classic")]
    Classic,
    /// The fixed rules of Open MPI 4.1.
    #[serde(rename = "4.1")]
    OpenMpi41,
}

named! {
    /// How ranks learn that all have come.
    Barrier {
        /// Messages to ranks at doubling distances.
        Dissemination = "dissemination",
        /// Partners at doubling distances exchange messages; dissemination unless there is a power of two of ranks.
        RecursiveDoubling = "recursive-doubling",
        /// Recursive doubling among a power of two of ranks; each of the others reports to one of these before, and hears
        /// from it in the end.
        FoldedDoubling = "folded-doubling",
        /// All report to rank 0, which answers.
        Linear = "linear",
        /// Up a binomial tree and down again.
        Tree = "tree",
        /// By nodes: at one rank of each node, among these, and within the nodes, each by the rules.
        Hierarchical = "hierarchical",
    }
    /// How data goes from a root to all.
    Bcast {
        /// The root sends to one rank after the other.
        Linear = "linear",
        /// The root sends to all ranks at once.
        LinearNonblocking = "linear-nonblocking",
        /// Down a binomial tree.
        Binomial = "binomial",
        /// Down a tree whose ranks have up to three children for each digit of base 4.
        Knomial = "knomial",
        /// Down a binary tree.
        Binary = "binary",
        /// From each rank to the next.
        Chain = "chain",
        /// One half down each half of a binary tree, then exchanged.
        SplitBinary = "split-binary",
        /// Blocks are scattered down a binomial tree, then partners at doubling distances exchange what they have.
        ScatterAllgather = "scatter-allgather",
        /// Blocks are scattered down a binomial tree, then travel around a ring.
        ScatterAllgatherRing = "scatter-allgather-ring",
        /// By nodes: at one rank of each node, among these, and within the nodes, each by the rules.
        Hierarchical = "hierarchical",
        /// Along the rings of NCCL from the root on.
        NcclRing = "nccl-ring",
    }
    /// How data is combined at a root.
    Reduce {
        /// All ranks send to the root.
        Linear = "linear",
        /// Up a binomial tree.
        Binomial = "binomial",
        /// Up a binary tree.
        Binary = "binary",
        /// Up a binary tree that keeps the order of ranks, to the last, which sends to the root.
        InOrderBinary = "in-order-binary",
        /// From each rank to the next.
        Chain = "chain",
        /// Partners at doubling distances exchange halves, then blocks go up a binomial tree (Rabenseifner 2004).
        Rabenseifner = "rabenseifner",
        /// By nodes: at one rank of each node, among these, and within the nodes, each by the rules.
        Hierarchical = "hierarchical",
        /// Along the rings of NCCL to the root.
        NcclRing = "nccl-ring",
    }
    /// How data is combined at all ranks.
    Allreduce {
        /// Partners at doubling distances exchange all data.
        RecursiveDoubling = "recursive-doubling",
        /// Blocks travel around a ring, twice.
        Ring = "ring",
        /// A reduction to rank 0, and a broadcast.
        ReduceBcast = "reduce-bcast",
        /// All send to rank 0, which sends to all.
        Linear = "linear",
        /// Partners at halving distances exchange halves, then at doubling distances (Rabenseifner 2004).
        Rabenseifner = "rabenseifner",
        /// Rabenseifner's algorithm as in Open MPI: at doubling distances first, then at halving ones.
        RabenseifnerDoubling = "rabenseifner-doubling",
        /// By nodes: at one rank of each node, among these, and within the nodes, each by the rules.
        Hierarchical = "hierarchical",
        /// Around the rings of NCCL, twice.
        NcclRing = "nccl-ring",
        /// Half of the data up and down each of two binary trees of the nodes, as in NCCL (Sanders, Speck and Träff
        /// 2009).
        DoubleBinaryTree = "double-binary-tree",
    }
    /// How blocks go to a root.
    Gather {
        /// All ranks send to the root.
        Linear = "linear",
        /// The root asks one rank after the other.
        LinearSync = "linear-sync",
        /// Up a binomial tree.
        Binomial = "binomial",
    }
    /// How blocks go from a root.
    Scatter {
        /// The root sends to one rank after the other.
        Linear = "linear",
        /// The root sends to all ranks at once.
        LinearNonblocking = "linear-nonblocking",
        /// Down a binomial tree, the smallest subtree first.
        Binomial = "binomial",
        /// Down a binomial tree, the largest subtree first.
        BinomialLargestFirst = "binomial-largest-first",
    }
    /// How blocks go to all ranks.
    Allgather {
        /// Partners at doubling distances exchange what they have; Bruck's algorithm unless there is a power of two of
        /// ranks.
        RecursiveDoubling = "recursive-doubling",
        /// Blocks go to ranks at doubling distances (Bruck et al. 1997).
        Bruck = "bruck",
        /// Blocks travel around a ring.
        Ring = "ring",
        /// Neighbours exchange pairs of blocks; a ring if the number of ranks is odd.
        NeighbourExchange = "neighbour-exchange",
        /// All ranks send to rank 0, which broadcasts.
        GatherBcast = "gather-bcast",
        /// By nodes: at one rank of each node, among these, and within the nodes, each by the rules.
        Hierarchical = "hierarchical",
        /// Around the rings of NCCL.
        NcclRing = "nccl-ring",
    }
    /// How each rank sends to each.
    Alltoall {
        /// All messages at once.
        Linear = "linear",
        /// One pair of partners after the other.
        Pairwise = "pairwise",
        /// Blocks travel by the binary digits of their distance (Bruck et al. 1997).
        Bruck = "bruck",
    }
    /// How each rank sends blocks of several sizes to each.
    Alltoallv {
        /// All messages at once.
        Linear = "linear",
        /// One pair of partners after the other.
        Pairwise = "pairwise",
    }
    /// How data is combined and distributed.
    ReduceScatter {
        /// Partners at halving distances exchange halves.
        RecursiveHalving = "recursive-halving",
        /// Blocks travel around a ring.
        Ring = "ring",
        /// Partners at doubling distances exchange halves, then blocks go to their ranks (Träff 2005).
        Butterfly = "butterfly",
        /// A reduction to rank 0, which sends the blocks.
        ReduceScatterv = "reduce-scatterv",
        /// By nodes: at one rank of each node, among these, and within the nodes, each by the rules.
        Hierarchical = "hierarchical",
        /// Around the rings of NCCL.
        NcclRing = "nccl-ring",
    }
}
