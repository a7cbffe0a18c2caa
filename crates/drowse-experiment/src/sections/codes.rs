//! The keys of benchmarks and scientific codes in `job.app`.

use drowse_core::workload::chains::{Cube, Graph500, Gromacs, Isam, Linpack, Molecules, Namd, RandomAccess};
use drowse_core::workload::graph::GraphError;
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

/// The keys of GROMACS.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct RawGromacs {
    /// Ranks in each of the three dimensions: the grid of cells.
    #[schemars(extend("examples" = [[8, 8, 8]]))]
    dims: [u32; 3],
    /// Atoms, virtual ones included.
    #[schemars(extend("default" = 12_000), range(min = 1))]
    atoms: Option<u32>,
    /// The side of the periodic cube, in nanometres, at most 1,000.
    #[schemars(extend("default" = 5.6), range(min = 0, max = 1000))]
    side: Option<f64>,
    /// How far forces reach, in nanometres.
    #[schemars(extend("default" = 0.9), range(min = 0, max = 1000))]
    cutoff: Option<f64>,
    /// Time steps of an iteration, from one neighbour search to the next.
    #[schemars(extend("default" = 10), range(min = 1, max = 100_000))]
    search: Option<u32>,
    /// Energies that are summed over all ranks in an iteration.
    #[schemars(extend("default" = 64), range(min = 1, max = 1_048_576))]
    energies: Option<u32>,
}

/// The keys of NAMD.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct RawNamd {
    /// Ranks, at most as many as patches.
    #[schemars(extend("examples" = [64]))]
    ranks: u32,
    /// What is simulated.
    #[schemars(extend("default" = "stmv"))]
    system: Option<RawSystem>,
    /// Atoms, instead of those of the system.
    #[schemars(range(min = 1, max = 1_073_741_824))]
    atoms: Option<u32>,
    /// Patches in each dimension, instead of those of the system.
    patches: Option<[u32; 3]>,
    /// Points of the grid of PME in each dimension, instead of those of the system.
    grid: Option<[u32; 3]>,
    /// Time steps of an iteration, of which the first computes far forces with PME. With 0, an iteration is one time step,
    /// and there is no PME.
    #[schemars(extend("default" = 4), range(min = 0, max = 1000))]
    pme: Option<u32>,
}

/// Systems of benchmarks.
#[derive(Clone, Copy, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
enum RawSystem {
    /// The satellite tobacco mosaic virus: 1,066,628 atoms.
    Stmv,
    /// Apolipoprotein A-I: 92,224 atoms.
    Apoa1,
}

impl From<RawSystem> for Molecules {
    fn from(system: RawSystem) -> Self {
        match system {
            RawSystem::Stmv => Molecules { atoms: 1_066_628, patches: [13; 3], grid: [216; 3] },
            RawSystem::Apoa1 => Molecules { atoms: 92_224, patches: [6, 6, 4], grid: [108, 108, 80] },
        }
    }
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

pub(super) fn gromacs(RawGromacs { dims, atoms, side, cutoff, search, energies }: RawGromacs) -> Made {
    let cube = Cube {
        atoms: atoms.unwrap_or(12_000),
        side: picometres("side", side.unwrap_or(5.6))?,
        cutoff: picometres("cutoff", cutoff.unwrap_or(0.9))?,
    };
    made(Gromacs::new(dims, cube, search.unwrap_or(10), energies.unwrap_or(64)))
}

/// Converts nanometres.
fn picometres(key: &'static str, nanometres: f64) -> Result<u32, GraphError> {
    if (0.0..=1_000.0).contains(&nanometres) {
        // At most a million.
        #[expect(clippy::cast_sign_loss, reason = "not negative")]
        return Ok((nanometres * 1e3).round() as u32);
    }
    let reason = "write a number of nanometres from 0 to 1000".into();
    Err(GraphError { key, value: nanometres.to_string(), reason })
}

pub(super) fn namd(RawNamd { ranks, system, atoms, patches, grid, pme }: RawNamd) -> Made {
    let system = Molecules::from(system.unwrap_or(RawSystem::Stmv));
    let molecules = Molecules {
        atoms: atoms.unwrap_or(system.atoms),
        patches: patches.unwrap_or(system.patches),
        grid: grid.unwrap_or(system.grid),
    };
    made(Namd::new(ranks, molecules, Some(pme.unwrap_or(4)).filter(|&pme| pme > 0)))
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
