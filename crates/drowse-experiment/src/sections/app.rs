//! `job.app`: an application: in each iteration ranks compute, and send the messages of a communication graph or take the
//! steps of a chained program. Or several, one after the other.

use drowse_core::model::units::{Bytes, Time};
use drowse_core::workload::application::{Computing, Phase, Work};
use drowse_core::workload::chains::{Chain, Way};
use drowse_core::workload::graph::{Graph, GraphError, Milc, Random, Region, Stencil};
use drowse_core::workload::operation::SendMode;
use schemars::JsonSchema;
use serde::Deserialize;

use super::chains::{self, RawBodies, RawButterfly, RawGrid, RawGroups, RawMesh, RawRanks, RawRoot, RawWaves};
use super::codes::{
    self, RawGraph500, RawGromacs, RawHpcg, RawIsam, RawLinpack, RawLulesh, RawMapReduce, RawNamd, RawRandomAccess,
    RawSweep3d,
};
use super::computing::{self, RawDistribution};
use super::inference::{self, InferenceKeys};
use super::npb::{self, Npb, Parts, RawEp, RawNpb};
use super::permutation::RawPermutation;
use super::transformer::{self, TransformerKeys};
use crate::diagnostic::Diagnostic;
use crate::keys::{Keys, join};
use crate::node::Node;
use crate::quantity::Quantity;

/// An application, resolved.
pub struct App {
    /// The kind of its first phase, as it is written.
    pub kind: &'static str,
    pub phases: Vec<Phase>,
}

/// An application: in each iteration, ranks compute, and then send each other messages.
#[derive(JsonSchema)]
#[serde(deny_unknown_fields)]
#[expect(dead_code, reason = "only its schema is used: `kind` is read before the other keys")]
pub struct AppKeys {
    /// How many times the ranks do it. Default: 1; for programs of the NAS Parallel Benchmarks with `order = "program"` as
    /// many as their class says, for `hpcg` 50.
    #[schemars(range(min = 1))]
    iterations: Option<u32>,
    /// Time that each rank computes in an iteration.
    #[schemars(extend("default" = "0 ns"))]
    compute: Option<Quantity<Time>>,
    /// How much ranks differ in what they compute, in all iterations alike: a share of `compute`.
    #[schemars(extend("default" = 0.0), range(min = 0, max = 1))]
    imbalance: Option<f64>,
    /// How much the iterations of a rank differ in what it computes: a share of `compute`.
    #[schemars(extend("default" = 0.0), range(min = 0, max = 1))]
    jitter: Option<f64>,
    /// How imbalance and jitter are drawn, from the seed of the job.
    #[schemars(extend("default" = "uniform"))]
    distribution: Option<RawDistribution>,
    /// How sends complete, as MPI's four kinds of sends. Default: `standard`; for programs with steps `ready`, since
    /// they send before they receive, but for those of the NAS Parallel Benchmarks, `hpcg`, `lulesh` and `sweep3d`.
    mode: Option<RawMode>,
    #[serde(flatten)]
    kind: KindKeys,
}

/// The applications with their keys.
#[derive(JsonSchema)]
#[serde(tag = "kind", rename_all = "kebab-case")]
#[expect(dead_code, reason = "only its schema is used: `kind` is read before the other keys")]
enum KindKeys {
    /// A grid of ranks that send to their neighbours.
    Stencil(RawStencil),
    /// MILC, lattice QCD on a periodic grid of four dimensions.
    Milc(RawMilc),
    /// CG of the NAS Parallel Benchmarks: conjugate gradients.
    Cg(RawNpb),
    /// MG of the NAS Parallel Benchmarks: multigrid.
    Mg(RawNpb),
    /// LU of the NAS Parallel Benchmarks: a wavefront solver.
    Lu(RawNpb),
    /// BT of the NAS Parallel Benchmarks: a block-tridiagonal solver.
    Bt(RawNpb),
    /// SP of the NAS Parallel Benchmarks: a scalar pentadiagonal solver.
    Sp(RawNpb),
    /// FT of the NAS Parallel Benchmarks: a three-dimensional FFT.
    Ft(RawNpb),
    /// IS of the NAS Parallel Benchmarks: an integer sort.
    Is(RawNpb),
    /// EP of the NAS Parallel Benchmarks: random numbers, and sums of what was counted.
    Ep(RawEp),
    /// Every rank sends to every other.
    AllToAll(RawAllToAll),
    /// Every rank sends to others that are drawn at random.
    Random(RawRandom),
    /// Every rank sends to one, and receives from one.
    Permutation(RawPermutation),
    /// Every rank sends to every other, one after the other, and then receives from all.
    AllToAllInTurn(RawGroups),
    /// A reduction to rank 0 over a binary tree.
    BinaryTree(RawRanks),
    /// Exchanges with the ranks that differ in one bit of their numbers, bit by bit.
    Butterfly(RawButterfly),
    /// Every rank sends to its neighbours on an open grid or a torus, one after the other, and then receives.
    Mesh(RawMesh),
    /// A sweep from one corner of an open grid to the other: each rank receives from its lower neighbours, computes, and
    /// sends to its higher ones.
    Wavefront(RawGrid),
    /// Messages between random ranks, in waves: a rank ends a wave before it begins its next one.
    RandomWaves(RawWaves),
    /// One rank sends to every other, one after the other.
    OneToAll(RawRoot),
    /// One rank receives from every other, one after the other.
    AllToOne(RawRoot),
    /// Bodies of each rank travel half way round a ring of ranks, each of which computes their forces, and return.
    NBodies(RawBodies),
    /// Breadth-first searches of Graph500, `replicated-csr`: one in an iteration.
    Graph500(RawGraph500),
    /// High Performance Linpack: one solution in an iteration.
    Linpack(RawLinpack),
    /// MPI Random Access of HPC Challenge: all updates in an iteration.
    RandomAccess(RawRandomAccess),
    /// NAMD: molecular dynamics on patches of atoms.
    Namd(RawNamd),
    /// GROMACS: molecular dynamics on a grid of cells.
    Gromacs(RawGromacs),
    /// The climate model ISAM by itself, which computes and sends nothing.
    Isam(RawIsam),
    /// HPCG: an iteration of conjugate gradients with multigrid.
    Hpcg(RawHpcg),
    /// LULESH: a time step of shock hydrodynamics on a cube of ranks.
    Lulesh(RawLulesh),
    /// ASCI Sweep3D: neutron transport, swept from the eight corners of a grid of cells in an iteration.
    Sweep3d(RawSweep3d),
    /// MapReduce: mappers send to all reducers, as much as these have keys; one job in an iteration.
    Mapreduce(RawMapReduce),
    /// The training of a transformer whose layers, sequences and matrices are shared among ranks.
    Transformer(TransformerKeys),
    /// The serving of a transformer by ranks that read prompts and ranks that make answers.
    Inference(InferenceKeys),
}

/// How sends complete.
#[derive(Clone, Copy, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
enum RawMode {
    /// At once below `node.eager_limit`; a larger message asks first, and its send is complete when it has left.
    Standard,
    /// When the message has left, which asks first.
    Synchronous,
    /// At once.
    Buffered,
    /// At once below `node.eager_limit`, else when the message has left; it never asks.
    Ready,
}

#[derive(Clone, Copy, Deserialize)]
#[serde(rename_all = "kebab-case")]
enum Kind {
    Stencil,
    Milc,
    Cg,
    Mg,
    Lu,
    Bt,
    Sp,
    Ft,
    Is,
    Ep,
    AllToAll,
    Random,
    Permutation,
    AllToAllInTurn,
    BinaryTree,
    Butterfly,
    Mesh,
    Wavefront,
    RandomWaves,
    OneToAll,
    AllToOne,
    NBodies,
    Graph500,
    Linpack,
    RandomAccess,
    Namd,
    Gromacs,
    Isam,
    Hpcg,
    Lulesh,
    Sweep3d,
    Mapreduce,
    Transformer,
    Inference,
}

/// The keys of a stencil.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct RawStencil {
    /// Ranks in each dimension, 1 to 10 of them.
    #[schemars(extend("examples" = [[8, 8]]))]
    dims: Vec<u32>,
    /// Whether the grid is closed to a torus.
    #[schemars(extend("default" = true))]
    periodic: Option<bool>,
    /// Size of each message to a neighbour.
    #[schemars(extend("examples" = ["8 KiB"]))]
    bytes: Quantity<Bytes>,
}

/// The keys of MILC.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct RawMilc {
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
struct RawAllToAll {
    /// Ranks.
    #[schemars(extend("examples" = [64]))]
    ranks: u32,
    /// Size of each message.
    #[schemars(extend("examples" = ["8 KiB"]))]
    bytes: Quantity<Bytes>,
}

/// The keys of a random graph.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct RawRandom {
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
    bytes: Quantity<Bytes>,
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

/// Reads the table, or a list of them; random graphs are drawn from the seed.
pub fn resolve(node: Node<'_>, keys: &Keys, seed: u64) -> Result<App, Diagnostic> {
    let path = node.path.clone();
    let mut app: Option<App> = None;
    for node in node.items() {
        let path = node.path.clone();
        let (kind, phases) = phases(node, keys, seed)?;
        let app = app.get_or_insert_with(|| App { kind: kind.name(), phases: Vec::new() });
        app.phases.extend(phases);
        let [first, last] = [&app.phases[0], &app.phases[app.phases.len() - 1]].map(|phase| phase.work.ranks());
        if first != last {
            let message = format!("`{path}` has {last} ranks, but the first has {first}");
            return Err(keys.error(&path, message, "all must have the same number: they are run by the same ranks"));
        }
    }
    app.ok_or_else(|| keys.error(&path, "the list of applications is empty", "write one, or several in a row"))
}

/// Reads the table of an application: one phase, or the parts of a program.
fn phases(mut node: Node<'_>, keys: &Keys, seed: u64) -> Result<(Kind, Vec<Phase>), Diagnostic> {
    let path = node.path.clone();
    let kind: Kind = node.require("kind", keys)?.read(keys)?;
    let iterations = node.take("iterations").map(|node| node.read(keys)).transpose()?;
    let iterations = super::in_range(iterations, u32::MAX, keys, &join(&path, "iterations"))?;
    let written: Option<Quantity<Time>> = node.take("compute").map(|node| node.read(keys)).transpose()?;
    let compute = super::repeated(keys, &join(&path, "compute"), written.as_ref().map_or(Time::ZERO, |time| time.0))?;
    let compute = computing::resolve(&mut node, compute, keys, seed)?;
    let mode: Option<RawMode> = node.take("mode").map(|node| node.read(keys)).transpose()?;
    let refuse = |GraphError { key, value, reason }| {
        let key = join(&path, key);
        keys.error(&key, format!("`{key}` = {value} is out of range"), reason)
    };
    let phase = |(work, iterations): (Work, u32)| {
        let default = match &work {
            Work::Graph(_) | Work::Chain(Chain::Npb(_) | Chain::Hpcg(_) | Chain::Lulesh(_) | Chain::Sweep3d(_)) => {
                SendMode::Standard
            }
            Work::Chain(_) => SendMode::Ready,
        };
        let known = known(&work);
        let compute = Computing { time: known.unwrap_or(compute.time), ..compute };
        Phase { work, iterations, compute, mode: mode.map_or(default, SendMode::from) }
    };
    let parts = work(kind, node, iterations, keys, seed)?.map_err(refuse)?;
    if written.is_some() && parts.iter().any(|(work, _)| known(work).is_some()) {
        let key = join(&path, "compute");
        let message = format!("`{key}` is known twice: it follows from `flops_per_second`, too");
        return Err(keys.error(&key, message, "leave out one of both"));
    }
    Ok((kind, parts.into_iter().map(phase).collect()))
}

/// Returns how long ranks compute, if the program knows it.
fn known(work: &Work) -> Option<Time> {
    match work {
        Work::Chain(chain) => chain.time(),
        Work::Graph(_) => None,
    }
}

/// Reads the keys of a kind.
fn work(
    kind: Kind,
    node: Node<'_>,
    iterations: Option<u32>,
    keys: &Keys,
    seed: u64,
) -> Result<Result<Parts, GraphError>, Diagnostic> {
    let graph = Work::Graph;
    let work = match kind {
        Kind::Stencil => {
            let RawStencil { dims, periodic, bytes } = node.read(keys)?;
            Stencil::new(dims, periodic.unwrap_or(true), bytes.0.0).map(Graph::Stencil).map(graph)
        }
        Kind::Milc => {
            let RawMilc { dims, local, sums } = node.read(keys)?;
            Milc::new(dims, local.unwrap_or([8; 4]), sums.unwrap_or(0)).map(Graph::Milc).map(graph)
        }
        Kind::AllToAll => {
            let RawAllToAll { ranks, bytes } = node.read(keys)?;
            Graph::all_to_all(ranks, bytes.0.0).map(graph)
        }
        Kind::Random => {
            let share = join(&node.path, "region.share");
            let RawRandom { ranks, degree, region, bytes } = node.read(keys)?;
            let region = region.map(|RawRegion { ranks, share: of }| {
                Ok(Region { ranks, share: super::billionths(super::share(keys, &share, of)?) })
            });
            Random::new(ranks, degree, region.transpose()?, bytes.0.0, seed).map(Graph::Random).map(graph)
        }
        Kind::Permutation => node.read::<RawPermutation>(keys)?.graph(seed).map(Graph::Permutation).map(graph),
        Kind::AllToAllInTurn => chains::all_to_all(node.read(keys)?),
        Kind::BinaryTree => chains::binary_tree(node.read(keys)?),
        Kind::Butterfly => chains::butterfly(node.read(keys)?),
        Kind::Mesh => chains::mesh(node.read(keys)?),
        Kind::Wavefront => chains::wavefront(node.read(keys)?),
        Kind::RandomWaves => chains::random_waves(node.read(keys)?, seed),
        Kind::OneToAll => chains::one_and_all(Way::OneToAll, node.read(keys)?),
        Kind::AllToOne => chains::one_and_all(Way::AllToOne, node.read(keys)?),
        Kind::NBodies => chains::n_bodies(node.read(keys)?),
        Kind::Bt => return npb::parts(Npb::Bt, node, iterations, keys),
        Kind::Cg => return npb::parts(Npb::Cg, node, iterations, keys),
        Kind::Ep => return npb::parts(Npb::Ep, node, iterations, keys),
        Kind::Ft => return npb::parts(Npb::Ft, node, iterations, keys),
        Kind::Is => return npb::parts(Npb::Is, node, iterations, keys),
        Kind::Lu => return npb::parts(Npb::Lu, node, iterations, keys),
        Kind::Mg => return npb::parts(Npb::Mg, node, iterations, keys),
        Kind::Sp => return npb::parts(Npb::Sp, node, iterations, keys),
        Kind::Graph500 => return Ok(codes::graph500(node.read(keys)?, iterations)),
        Kind::Linpack => codes::linpack(node.read(keys)?),
        Kind::RandomAccess => codes::random_access(node.read(keys)?, seed),
        Kind::Namd => codes::namd(node.read(keys)?),
        Kind::Gromacs => codes::gromacs(node.read(keys)?),
        Kind::Isam => codes::isam(node.read(keys)?),
        Kind::Hpcg => return Ok(codes::hpcg(node.read(keys)?, iterations)),
        Kind::Lulesh => return Ok(codes::lulesh(node.read(keys)?, iterations)),
        Kind::Sweep3d => codes::sweep3d(node.read(keys)?),
        Kind::Mapreduce => codes::mapreduce(node.read(keys)?, seed),
        Kind::Transformer => transformer::transformer(node, keys)?,
        Kind::Inference => inference::inference(node, keys, seed)?,
    };
    Ok(work.map(|work| vec![(work, iterations.unwrap_or(1))]))
}

impl Kind {
    const fn name(self) -> &'static str {
        match self {
            Kind::Stencil => "stencil",
            Kind::Milc => "milc",
            Kind::Cg => "cg",
            Kind::Mg => "mg",
            Kind::Lu => "lu",
            Kind::Bt => "bt",
            Kind::Sp => "sp",
            Kind::Ft => "ft",
            Kind::Is => "is",
            Kind::Ep => "ep",
            Kind::AllToAll => "all-to-all",
            Kind::Random => "random",
            Kind::Permutation => "permutation",
            Kind::AllToAllInTurn => "all-to-all-in-turn",
            Kind::BinaryTree => "binary-tree",
            Kind::Butterfly => "butterfly",
            Kind::Mesh => "mesh",
            Kind::Wavefront => "wavefront",
            Kind::RandomWaves => "random-waves",
            Kind::OneToAll => "one-to-all",
            Kind::AllToOne => "all-to-one",
            Kind::NBodies => "n-bodies",
            Kind::Graph500 => "graph500",
            Kind::Linpack => "linpack",
            Kind::RandomAccess => "random-access",
            Kind::Namd => "namd",
            Kind::Gromacs => "gromacs",
            Kind::Isam => "isam",
            Kind::Hpcg => "hpcg",
            Kind::Lulesh => "lulesh",
            Kind::Sweep3d => "sweep3d",
            Kind::Mapreduce => "mapreduce",
            Kind::Transformer => "transformer",
            Kind::Inference => "inference",
        }
    }
}

impl From<RawMode> for SendMode {
    fn from(mode: RawMode) -> Self {
        match mode {
            RawMode::Standard => SendMode::Standard,
            RawMode::Synchronous => SendMode::Synchronous,
            RawMode::Buffered => SendMode::Buffered,
            RawMode::Ready => SendMode::Ready,
        }
    }
}
