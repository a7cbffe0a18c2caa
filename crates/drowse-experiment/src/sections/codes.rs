//! The keys of benchmarks and scientific codes in `job.app`.

use drowse_core::model::units::Bytes;
use drowse_core::workload::application::Work;
use drowse_core::workload::chains::{
    Cells, Chain, Cube, Graph500, Gromacs, Hpcg, Isam, Job, Keys, Linpack, Lulesh, MapReduce, Molecules, Namd,
    Popularity, RandomAccess, Sweep3d,
};
use drowse_core::workload::graph::GraphError;
use schemars::JsonSchema;
use serde::Deserialize;

use super::chains::{Made, made};
use super::npb::Parts;

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
    /// Edges for each vertex, which set-up and checks send.
    #[schemars(extend("default" = 16), range(min = 1, max = 1024))]
    edge_factor: Option<u32>,
    /// Whether edges are dealt out before the first search.
    #[schemars(extend("default" = false))]
    setup: Option<bool>,
    /// Whether each search is checked, with remote memory emulated by collectives.
    #[schemars(extend("default" = false))]
    validation: Option<bool>,
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

/// The keys of HPCG.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct RawHpcg {
    /// Ranks in each of the three dimensions.
    #[schemars(extend("examples" = [[4, 4, 4]]))]
    dims: [u32; 3],
    /// Points of a rank in each dimension, `nx`, `ny` and `nz`; multiples of 8 up to 4096.
    #[schemars(extend("default" = [104, 104, 104]))]
    local: Option<[u32; 3]>,
}

/// The keys of LULESH.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct RawLulesh {
    /// Ranks, the cube of a number.
    #[schemars(extend("examples" = [64]))]
    ranks: u32,
    /// Elements along each edge of a rank's cube, `-s`.
    #[schemars(extend("default" = 30), range(min = 1, max = 645))]
    side: Option<u32>,
}

/// The keys of Sweep3D.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct RawSweep3d {
    /// Ranks in x and y.
    #[schemars(extend("examples" = [[8, 8]]))]
    grid: [u32; 2],
    /// Cells of all ranks in x, y and z, at least one for each rank.
    #[schemars(extend("default" = [150, 150, 150]))]
    cells: Option<[u32; 3]>,
    /// Angles of an octant, `mm`.
    #[schemars(extend("default" = 6), range(min = 1, max = 1024))]
    angles: Option<u32>,
    /// Planes of a block in z, `mk`.
    #[schemars(extend("default" = 30), range(min = 1, max = 1_048_576))]
    planes: Option<u32>,
    /// Angles of a block, `mmi`, a divisor of `angles`.
    #[schemars(extend("default" = 2), range(min = 1, max = 1024))]
    batch: Option<u32>,
}

/// The keys of MapReduce.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct RawMapReduce {
    /// Ranks.
    #[schemars(extend("examples" = [64]))]
    ranks: u32,
    /// How many of the first ranks map. Default: all.
    #[schemars(range(min = 1))]
    mappers: Option<u32>,
    /// How many of the last ranks reduce. Default: all.
    #[schemars(range(min = 1))]
    reducers: Option<u32>,
    /// Tasks of a mapper.
    #[schemars(extend("default" = 1), range(min = 1, max = 1_048_576))]
    tasks: Option<u32>,
    /// What a task hands to all reducers, up to 32 GiB.
    #[schemars(extend("examples" = ["64 MiB"]))]
    bytes: Bytes,
    /// Keys, which are spread over the reducers at random.
    #[schemars(extend("default" = 10_000), range(min = 1, max = 1_048_576))]
    keys: Option<u32>,
    /// How frequent keys are.
    #[schemars(extend("default" = "equal"))]
    popularity: Option<Popularity>,
    /// Ranks that have the output of a reducer in the end, itself included.
    #[schemars(extend("default" = 1), range(min = 1))]
    replicas: Option<u32>,
}

pub(super) fn graph500(
    RawGraph500 { ranks, scale, levels, edge_factor, setup, validation }: RawGraph500,
    iterations: Option<u32>,
) -> Result<Parts, GraphError> {
    let search = Graph500::new(ranks, scale.unwrap_or(20), levels.unwrap_or(7))?;
    let search = search.with_edge_factor(edge_factor.unwrap_or(16))?;
    let searches = iterations.unwrap_or(1);
    let set_up = (search.set_up(searches), u32::from(setup.unwrap_or(false)));
    let searches = (if validation.unwrap_or(false) { search.checked() } else { search }, searches);
    let work = |(part, times)| (Work::Chain(Chain::from(part)), times);
    Ok([set_up, searches].into_iter().filter(|&(_, times)| times > 0).map(work).collect())
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

/// The iterations of a set: what comes before them, and so many.
pub(super) fn hpcg(RawHpcg { dims, local }: RawHpcg, iterations: Option<u32>) -> Result<Parts, GraphError> {
    let hpcg = Hpcg::new(dims, local.unwrap_or([104; 3]))?;
    let work = |hpcg| Work::Chain(Chain::from(hpcg));
    Ok(vec![(work(hpcg.beginning()), 1), (work(hpcg), iterations.unwrap_or(50))])
}

/// The whole program: the time step of its first iteration is given, so that ranks need not agree on it.
pub(super) fn lulesh(RawLulesh { ranks, side }: RawLulesh, iterations: Option<u32>) -> Result<Parts, GraphError> {
    let lulesh = Lulesh::new(ranks, side.unwrap_or(30))?;
    let others = iterations.unwrap_or(1) - 1;
    let parts = [(lulesh.beginning(), 1), (lulesh.first(), 1), (lulesh, others), (lulesh.end(), 1)];
    let work = |(lulesh, times)| (Work::Chain(Chain::from(lulesh)), times);
    Ok(parts.into_iter().filter(|&(_, times)| times > 0).map(work).collect())
}

pub(super) fn sweep3d(RawSweep3d { grid, cells, angles, planes, batch }: RawSweep3d) -> Made {
    let cells = Cells {
        cells: cells.unwrap_or([150; 3]),
        angles: angles.unwrap_or(6),
        planes: planes.unwrap_or(30),
        batch: batch.unwrap_or(2),
    };
    made(Sweep3d::new(grid, cells))
}

pub(super) fn mapreduce(
    RawMapReduce { ranks, mappers, reducers, tasks, bytes, keys, popularity, replicas }: RawMapReduce,
    seed: u64,
) -> Made {
    let job = Job {
        mappers: mappers.unwrap_or(ranks),
        reducers: reducers.unwrap_or(ranks),
        tasks: tasks.unwrap_or(1),
        bytes: bytes.0,
        replicas: replicas.unwrap_or(1),
    };
    let popularity = popularity.unwrap_or(Popularity::Equal);
    made(MapReduce::new(ranks, job, Keys { number: keys.unwrap_or(10_000), popularity, seed }))
}
