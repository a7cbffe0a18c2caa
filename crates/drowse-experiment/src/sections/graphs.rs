//! The keys of communication graphs in `job.app`.

use drowse_core::model::units::Bytes;
use drowse_core::workload::application::Work;
use drowse_core::workload::graph::{Graph, Milc, Random, Region, Stencil};
use schemars::JsonSchema;
use serde::Deserialize;

use super::chains::Made;
use crate::diagnostic::Diagnostic;
use crate::keys::{Keys, join};

/// The keys of a stencil.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct RawStencil {
    /// Ranks in each dimension, 1 to 10 of them.
    #[schemars(extend("examples" = [[8, 8]]))]
    dims: Vec<u32>,
    /// Whether the grid is closed to a torus.
    #[schemars(extend("default" = true))]
    periodic: Option<bool>,
    /// Size of each message to a neighbour.
    #[schemars(extend("examples" = ["8 KiB"]))]
    bytes: Bytes,
}

/// The keys of MILC.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct RawMilc {
    /// Ranks in each of the four dimensions.
    #[schemars(extend("examples" = [[4, 4, 4, 4]]))]
    dims: Vec<u32>,
    /// Sites of a rank in each dimension; even numbers from 4 to 1024.
    #[schemars(extend("default" = [8, 8, 8, 8]))]
    local: Option<[u32; 4]>,
    /// Sums over all ranks in an iteration.
    #[schemars(extend("default" = 0), range(max = 1000))]
    sums: Option<u32>,
}

/// The keys of an all-to-all.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct RawAllToAll {
    /// Ranks.
    #[schemars(extend("examples" = [64]))]
    ranks: u32,
    /// Size of each message.
    #[schemars(extend("examples" = ["8 KiB"]))]
    bytes: Bytes,
}

/// The keys of a random graph.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct RawRandom {
    /// Ranks, at least 2.
    #[schemars(extend("examples" = [64]), range(min = 2))]
    ranks: u32,
    /// Messages that each rank sends, each to a rank drawn anew.
    #[schemars(extend("examples" = [4]), extend("x-hint" = "the messages of each rank"), range(min = 1, max = 65_536))]
    degree: u32,
    /// Ranks to which some messages go on purpose. Default: none.
    region: Option<RawRegion>,
    /// Size of each message.
    #[schemars(extend("examples" = ["8 KiB"]))]
    bytes: Bytes,
}

/// A hot region.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct RawRegion {
    /// The first so many ranks, at least 2.
    #[schemars(extend("examples" = [8]), extend("x-hint" = "the ranks of the region"), range(min = 2))]
    ranks: u32,
    /// Share of the messages that go to the region; the rest goes to all ranks, those of the region included.
    #[schemars(extend("examples" = [0.25]), extend("x-hint" = "the share of messages"), range(min = 0, max = 1))]
    share: f64,
}

pub(super) fn stencil(RawStencil { dims, periodic, bytes }: RawStencil) -> Made {
    Stencil::new(dims, periodic.unwrap_or(true), bytes.0).map(Graph::Stencil).map(Work::Graph)
}

pub(super) fn milc(RawMilc { dims, local, sums }: RawMilc) -> Made {
    Milc::new(dims, local.unwrap_or([8; 4]), sums.unwrap_or(0)).map(Graph::Milc).map(Work::Graph)
}

pub(super) fn all_to_all(RawAllToAll { ranks, bytes }: RawAllToAll) -> Made {
    Graph::all_to_all(ranks, bytes.0).map(Work::Graph)
}

pub(super) fn random(raw: RawRandom, seed: u64, keys: &Keys, path: &str) -> Result<Made, Diagnostic> {
    let RawRandom { ranks, degree, region, bytes } = raw;
    let region = region.map(|RawRegion { ranks, share }| {
        let share = super::share(keys, &join(path, "region.share"), share)?;
        Ok(Region { ranks, share: super::billionths(share) })
    });
    let region = region.transpose()?;
    Ok(Random::new(ranks, degree, region, bytes.0, seed).map(Graph::Random).map(Work::Graph))
}
