//! The keys of benchmarks and scientific codes in `job.app`.

use drowse_core::workload::chains::{Graph500, Isam, Linpack, RandomAccess};
use schemars::JsonSchema;
use serde::Deserialize;

use super::chains::{Made, made};

/// The keys of Graph500.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct RawGraph500 {
    /// Ranks.
    #[schemars(extend("examples" = [64]))]
    ranks: u32,
    /// The graph has 2^`scale` vertices.
    #[schemars(extend("default" = 20), range(min = 1, max = 48))]
    scale: Option<u32>,
    /// How often a search expands its front; the last time in vain.
    #[schemars(extend("default" = 7), range(min = 1, max = 1000))]
    levels: Option<u32>,
}

/// The keys of ISAM.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct RawIsam {
    /// Ranks.
    #[schemars(extend("examples" = [64]))]
    ranks: u32,
}

/// The keys of Linpack.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct RawLinpack {
    /// Rows and columns of ranks, P and Q; the rows are a power of two.
    #[schemars(extend("examples" = [[8, 8]]))]
    grid: [u32; 2],
    /// Equations, N.
    #[schemars(extend("examples" = [2048]), extend("x-hint" = "the equations"), range(min = 1, max = 10_000_000))]
    size: u32,
    /// Rows and columns of a block, NB.
    #[schemars(extend("default" = 64), range(min = 1, max = 4096))]
    block: Option<u32>,
}

/// The keys of MPI Random Access.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct RawRandomAccess {
    /// Ranks, at least 2.
    #[schemars(extend("examples" = [64]), range(min = 2))]
    ranks: u32,
    /// Updates that each rank makes, at least one for each rank.
    #[schemars(extend("examples" = [4096]), extend("x-hint" = "the updates of a rank"), range(min = 2, max = 1_073_741_824))]
    updates: u32,
    /// Updates that a rank looks ahead.
    #[schemars(extend("default" = 1024), range(min = 1, max = 1_073_741_824))]
    ahead: Option<u32>,
}

pub(super) fn graph500(RawGraph500 { ranks, scale, levels }: RawGraph500) -> Made {
    made(Graph500::new(ranks, scale.unwrap_or(20), levels.unwrap_or(7)))
}

pub(super) fn isam(RawIsam { ranks }: RawIsam) -> Made {
    made(Isam::new(ranks))
}

pub(super) fn linpack(RawLinpack { grid, size, block }: RawLinpack) -> Made {
    made(Linpack::new(grid, size, block.unwrap_or(64)))
}

pub(super) fn random_access(RawRandomAccess { ranks, updates, ahead }: RawRandomAccess, seed: u64) -> Made {
    made(RandomAccess::new(ranks, updates, ahead.unwrap_or(1_024), seed))
}
