//! `job.collectives`: the algorithms of collective operations by name.

use std::num::NonZeroU32;

use drowse_core::model::units::Bytes;
use drowse_core::workload::algorithms::{self, Algorithms};
use schemars::JsonSchema;
use serde::Deserialize;

use crate::diagnostic::Diagnostic;
use crate::keys::{Keys, join};
use crate::quantity::Quantity;

/// The shortest segment: what is cut into more takes too much memory.
const SHORTEST: Bytes = Bytes(4 << 10);

/// The most channels: as many as NCCL has.
const MOST_CHANNELS: u32 = 64;

/// The algorithms of collective operations. What is not named is chosen by Open MPI's fixed rules.
#[derive(Clone, Copy, Deserialize, JsonSchema, Default)]
#[serde(deny_unknown_fields)]
pub struct Collectives {
    /// The rules that choose an algorithm where none is named. Default: `"classic"`.
    #[serde(default)]
    rules: Rules,
    /// Algorithm of barriers. Default: by the rules.
    barrier: Option<Barrier>,
    /// Algorithm of broadcasts. Default: by the rules.
    bcast: Option<Bcast>,
    /// Algorithm of reductions to a root. Default: by the rules.
    reduce: Option<Reduce>,
    /// Algorithm of reductions to all ranks. Default: by the rules.
    allreduce: Option<Allreduce>,
    /// Algorithm of gathers of equal blocks. Default: by the rules.
    gather: Option<Gather>,
    /// Algorithm of scatters of equal blocks. Default: by the rules.
    scatter: Option<Scatter>,
    /// Algorithm of allgathers, of blocks of one size or several. Default: by the rules.
    allgather: Option<Allgather>,
    /// Algorithm of alltoalls of equal blocks. Default: by the rules.
    alltoall: Option<Alltoall>,
    /// Algorithm of alltoalls of blocks of several sizes. Default: by the rules.
    alltoallv: Option<Alltoallv>,
    /// Algorithm of reduce-scatters. Default: by the rules.
    reduce_scatter: Option<ReduceScatter>,
    /// The size of the segments in which data goes along a tree or chain that is named here, and of NCCL's chunks; at
    /// least 4 KiB. Default: 32 KiB along chains and binary trees; 512 KiB or less with NCCL's algorithms; elsewhere
    /// whole messages.
    #[schemars(extend("examples" = ["64 KiB"]))]
    segment: Option<Quantity<Bytes>>,
    /// The channels over which `nccl-ring` and `double-binary-tree` share the data; at most 64. Default: 1.
    channels: Option<NonZeroU32>,
}

impl Collectives {
    /// Returns the algorithms; `path` is that of the table.
    pub fn algorithms(self, keys: &Keys, path: &str) -> Result<Algorithms, Diagnostic> {
        let segment = self.segment.map(|segment| segment.0);
        if let Some(segment) = segment.filter(|&segment| segment < SHORTEST) {
            let path = join(path, "segment");
            let message = format!("`{path}` = {} B is too short", segment.0);
            return Err(keys.error(&path, message, "write at least \"4 KiB\""));
        }
        let channels = self.channels.map(NonZeroU32::get);
        if let Some(channels) = channels.filter(|&channels| channels > MOST_CHANNELS) {
            let path = join(path, "channels");
            let message = format!("`{path}` = {channels} is too many");
            return Err(keys.error(&path, message, format!("write at most {MOST_CHANNELS}")));
        }
        Ok(Algorithms {
            rules: match self.rules {
                Rules::Classic => algorithms::Rules::Classic,
                Rules::OpenMpi41 => algorithms::Rules::OpenMpi41,
            },
            barrier: self.barrier.map(Into::into),
            bcast: self.bcast.map(Into::into),
            reduce: self.reduce.map(Into::into),
            allreduce: self.allreduce.map(Into::into),
            gather: self.gather.map(Into::into),
            scatter: self.scatter.map(Into::into),
            allgather: self.allgather.map(Into::into),
            alltoall: self.alltoall.map(Into::into),
            alltoallv: self.alltoallv.map(Into::into),
            reduce_scatter: self.reduce_scatter.map(Into::into),
            segment: segment.map(|segment| segment.0),
            channels,
        })
    }
}

/// Rules that choose an algorithm by ranks and bytes.
#[derive(Clone, Copy, Deserialize, JsonSchema, Default)]
enum Rules {
    /// The fixed rules of Open MPI 1.4 to 4.0.
    #[default]
    #[serde(rename = "classic")]
    Classic,
    /// The fixed rules of Open MPI 4.1.
    #[serde(rename = "4.1")]
    OpenMpi41,
}

/// Declares the words for the algorithms of an operation.
macro_rules! words {
    ($($(#[$doc:meta])* $name:ident { $($(#[$what:meta])* $word:ident,)* })*) => {
        $(
            $(#[$doc])*
            #[derive(Clone, Copy, Deserialize, JsonSchema)]
            #[serde(rename_all = "kebab-case")]
            enum $name {
                $($(#[$what])* $word,)*
            }

            impl From<$name> for algorithms::$name {
                fn from(named: $name) -> Self {
                    match named {
                        $($name::$word => algorithms::$name::$word,)*
                    }
                }
            }
        )*
    };
}

words! {
    /// How ranks learn that all have come.
    Barrier {
        /// Messages to ranks at doubling distances.
        Dissemination,
        /// Partners at doubling distances exchange messages; dissemination unless there is a power of two of ranks.
        RecursiveDoubling,
        /// The same among a power of two of ranks; each of the others reports to one of these before, and hears from it
        /// in the end.
        FoldedDoubling,
        /// All report to rank 0, which answers.
        Linear,
        /// Up a binomial tree and down again.
        Tree,
        /// By nodes: at one rank of each node, among these, and within the nodes, each by the rules.
        Hierarchical,
    }
    /// How data goes from a root to all.
    Bcast {
        /// The root sends to one rank after the other.
        Linear,
        /// The root sends to all ranks at once.
        LinearNonblocking,
        /// Down a binomial tree.
        Binomial,
        /// Down a tree whose ranks have up to three children for each digit of base 4.
        Knomial,
        /// Down a binary tree.
        Binary,
        /// From each rank to the next.
        Chain,
        /// One half down each half of a binary tree, then exchanged.
        SplitBinary,
        /// Blocks are scattered down a binomial tree, then partners at doubling distances exchange what they have.
        ScatterAllgather,
        /// Blocks are scattered down a binomial tree, then travel around a ring.
        ScatterAllgatherRing,
        /// By nodes: at one rank of each node, among these, and within the nodes, each by the rules.
        Hierarchical,
        /// Along the rings of NCCL from the root on.
        NcclRing,
    }
    /// How data is combined at a root.
    Reduce {
        /// All ranks send to the root.
        Linear,
        /// Up a binomial tree.
        Binomial,
        /// Up a binary tree.
        Binary,
        /// Up a binary tree that keeps the order of ranks, to the last, which sends to the root.
        InOrderBinary,
        /// From each rank to the next.
        Chain,
        /// Partners at doubling distances exchange halves, then blocks go up a binomial tree (Rabenseifner 2004).
        Rabenseifner,
        /// By nodes: at one rank of each node, among these, and within the nodes, each by the rules.
        Hierarchical,
        /// Along the rings of NCCL to the root.
        NcclRing,
    }
    /// How data is combined at all ranks.
    Allreduce {
        /// Partners at doubling distances exchange all data.
        RecursiveDoubling,
        /// Blocks travel around a ring, twice.
        Ring,
        /// A reduction to rank 0, and a broadcast.
        ReduceBcast,
        /// All send to rank 0, which sends to all.
        Linear,
        /// Partners at halving distances exchange halves, then at doubling distances (Rabenseifner 2004).
        Rabenseifner,
        /// The same as in Open MPI: at doubling distances first, then at halving ones.
        RabenseifnerDoubling,
        /// By nodes: at one rank of each node, among these, and within the nodes, each by the rules.
        Hierarchical,
        /// Around the rings of NCCL, twice.
        NcclRing,
        /// Half of the data up and down each of two binary trees of the nodes, as in NCCL (Sanders, Speck and Träff
        /// 2009).
        DoubleBinaryTree,
    }
    /// How blocks go to a root.
    Gather {
        /// All ranks send to the root.
        Linear,
        /// The root asks one rank after the other.
        LinearSync,
        /// Up a binomial tree.
        Binomial,
    }
    /// How blocks go from a root.
    Scatter {
        /// The root sends to one rank after the other.
        Linear,
        /// The root sends to all ranks at once.
        LinearNonblocking,
        /// Down a binomial tree, the smallest subtree first.
        Binomial,
        /// Down a binomial tree, the largest subtree first.
        BinomialLargestFirst,
    }
    /// How blocks go to all ranks.
    Allgather {
        /// Partners at doubling distances exchange what they have; Bruck's algorithm unless there is a power of two of
        /// ranks.
        RecursiveDoubling,
        /// Blocks go to ranks at doubling distances (Bruck et al. 1997).
        Bruck,
        /// Blocks travel around a ring.
        Ring,
        /// Neighbours exchange pairs of blocks; a ring if the number of ranks is odd.
        NeighbourExchange,
        /// All ranks send to rank 0, which broadcasts.
        GatherBcast,
        /// By nodes: at one rank of each node, among these, and within the nodes, each by the rules.
        Hierarchical,
        /// Around the rings of NCCL.
        NcclRing,
    }
    /// How each rank sends to each.
    Alltoall {
        /// All messages at once.
        Linear,
        /// One pair of partners after the other.
        Pairwise,
        /// Blocks travel by the binary digits of their distance (Bruck et al. 1997).
        Bruck,
    }
    /// How each rank sends blocks of several sizes to each.
    Alltoallv {
        /// All messages at once.
        Linear,
        /// One pair of partners after the other.
        Pairwise,
    }
    /// How data is combined and distributed.
    ReduceScatter {
        /// Partners at halving distances exchange halves.
        RecursiveHalving,
        /// Blocks travel around a ring.
        Ring,
        /// Partners at doubling distances exchange halves, then blocks go to their ranks (Träff 2005).
        Butterfly,
        /// A reduction to rank 0, which sends the blocks.
        ReduceScatterv,
        /// By nodes: at one rank of each node, among these, and within the nodes, each by the rules.
        Hierarchical,
        /// Around the rings of NCCL.
        NcclRing,
    }
}
