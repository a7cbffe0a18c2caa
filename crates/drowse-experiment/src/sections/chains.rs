//! The keys of chained programs in `job.app`.

use drowse_core::model::units::Bytes;
use drowse_core::workload::application::Work;
use drowse_core::workload::chains::{
    AllToAll, BinaryTree, Butterfly, Chain, Mesh, NBodies, OneAndAll, Order, Wavefront, Waves, Way,
};
use drowse_core::workload::graph::GraphError;
use schemars::JsonSchema;
use serde::Deserialize;

/// What makes a program, or why there is none.
pub(super) type Made = Result<Work, GraphError>;

/// The keys of an all-to-all in turn.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct RawGroups {
    /// Ranks.
    #[schemars(extend("examples" = [64]))]
    ranks: u32,
    /// Groups of consecutive ranks, each of which sends among itself.
    #[schemars(extend("default" = 1), range(min = 1))]
    groups: Option<u32>,
    /// The order in which a rank sends to the others.
    #[schemars(extend("default" = "from-next"))]
    order: Option<Order>,
    /// Size of each message.
    #[schemars(extend("examples" = ["8 KiB"]))]
    bytes: Bytes,
}

/// The keys of a binary tree.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct RawRanks {
    /// Ranks, a power of two.
    #[schemars(extend("examples" = [64]))]
    ranks: u32,
    /// Size of each message.
    #[schemars(extend("examples" = ["8 KiB"]))]
    bytes: Bytes,
}

/// The keys of a butterfly.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct RawButterfly {
    /// Ranks, a power of two.
    #[schemars(extend("examples" = [64]))]
    ranks: u32,
    /// Size of the first messages.
    #[schemars(extend("examples" = ["8 KiB"]))]
    bytes: Bytes,
    /// Whether messages double from bit to bit, as in an allgather.
    #[schemars(extend("default" = false))]
    growing: Option<bool>,
}

/// The keys of an open grid.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct RawGrid {
    /// Ranks in each dimension, 1 to 10 of them.
    #[schemars(extend("examples" = [[8, 8]]))]
    dims: Vec<u32>,
    /// Size of each message to a neighbour.
    #[schemars(extend("examples" = ["8 KiB"]))]
    bytes: Bytes,
}

/// The keys of neighbours on a grid.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct RawMesh {
    /// Ranks in each dimension, 1 to 10 of them.
    #[schemars(extend("examples" = [[8, 8]]))]
    dims: Vec<u32>,
    /// Whether the grid is closed to a torus.
    #[schemars(extend("default" = false))]
    periodic: Option<bool>,
    /// Size of each message to a neighbour.
    #[schemars(extend("examples" = ["8 KiB"]))]
    bytes: Bytes,
}

/// The keys of one rank and all others.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct RawRoot {
    /// Ranks.
    #[schemars(extend("examples" = [64]))]
    ranks: u32,
    /// The one rank.
    #[schemars(extend("default" = 0), range(min = 0))]
    root: Option<u32>,
    /// Size of each message.
    #[schemars(extend("examples" = ["8 KiB"]))]
    bytes: Bytes,
}

/// The keys of bodies on a ring.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct RawBodies {
    /// Ranks, at least 2.
    #[schemars(extend("examples" = [64]), range(min = 2))]
    ranks: u32,
    /// Size of the bodies of a rank.
    #[schemars(extend("examples" = ["8 KiB"]))]
    bytes: Bytes,
}

/// The keys of random messages in waves.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct RawWaves {
    /// Ranks, at least 2.
    #[schemars(extend("examples" = [64]), range(min = 2))]
    ranks: u32,
    /// Messages of all ranks in an iteration.
    #[schemars(
        extend("examples" = [4096]),
        extend("x-hint" = "the messages of an iteration"),
        range(min = 1, max = 16_777_216)
    )]
    messages: u32,
    /// Messages of a wave; with 1, each waits for the one before wherever they share a rank.
    #[schemars(extend("examples" = [64]), extend("x-hint" = "the messages of a wave"), range(min = 1, max = 16_777_216))]
    wave: u32,
    /// Size of each message.
    #[schemars(extend("examples" = ["1 KiB"]))]
    bytes: Bytes,
}

pub(super) fn made<C: Into<Chain>>(chain: Result<C, GraphError>) -> Made {
    chain.map(|chain| Work::Chain(chain.into()))
}

pub(super) fn all_to_all(RawGroups { ranks, groups, order, bytes }: RawGroups) -> Made {
    made(AllToAll::new(ranks, groups.unwrap_or(1), bytes.0, order.unwrap_or_default()))
}

pub(super) fn binary_tree(RawRanks { ranks, bytes }: RawRanks) -> Made {
    made(BinaryTree::new(ranks, bytes.0))
}

pub(super) fn butterfly(RawButterfly { ranks, bytes, growing }: RawButterfly) -> Made {
    made(Butterfly::new(ranks, bytes.0, growing.unwrap_or(false)))
}

pub(super) fn mesh(RawMesh { dims, periodic, bytes }: RawMesh) -> Made {
    made(Mesh::new(dims, periodic.unwrap_or(false), bytes.0))
}

pub(super) fn one_and_all(way: Way, RawRoot { ranks, root, bytes }: RawRoot) -> Made {
    made(OneAndAll::new(way, ranks, root.unwrap_or(0), bytes.0))
}

pub(super) fn n_bodies(RawBodies { ranks, bytes }: RawBodies) -> Made {
    made(NBodies::new(ranks, bytes.0))
}

pub(super) fn wavefront(RawGrid { dims, bytes }: RawGrid) -> Made {
    made(Wavefront::new(dims, bytes.0))
}

pub(super) fn random_waves(RawWaves { ranks, messages, wave, bytes }: RawWaves, seed: u64) -> Made {
    made(Waves::new(ranks, messages, wave, bytes.0, seed))
}
