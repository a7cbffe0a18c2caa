//! The kinds of applications: their keys, and what ranks do.

use std::sync::Arc;

use drowse_core::workload::application::Work;
use drowse_core::workload::chains::{Chain, OtherProgram, PingPong, Program, Way};
use drowse_core::workload::graph::{Graph, GraphError};
use schemars::{JsonSchema, Schema, SchemaGenerator};
use serde::de::DeserializeOwned;

use super::chains::{self, Made, RawBodies, RawButterfly, RawGrid, RawGroups, RawMesh, RawRanks, RawRoot, RawWaves};
use super::codes::{
    self, RawGraph500, RawGromacs, RawHpcg, RawIsam, RawLinpack, RawLulesh, RawMapReduce, RawNamd, RawRandomAccess,
    RawSweep3d,
};
use super::graphs::{self, RawAllToAll, RawMilc, RawRandom, RawStencil};
use super::inference::{self, InferenceKeys};
use super::npb::{self, Npb, Parts, RawEp, RawNpb};
use super::permutation::RawPermutation;
use super::transformer::{self, TransformerKeys};
use crate::diagnostic::Diagnostic;
use crate::keys::Keys;
use crate::node::Node;
use crate::wording;

/// A kind of application.
#[derive(Clone, Copy)]
pub struct Kind {
    /// The word that selects it.
    pub word: &'static str,
    /// What it is.
    pub about: &'static str,
    /// Reads its keys.
    pub read: fn(Node<'_>, &Given<'_>) -> Result<Parts, Refused>,
    /// Makes the schema of its keys.
    pub schema: fn(&mut SchemaGenerator) -> Schema,
}

/// The keys of a program of another crate, beside those that all programs have (`kind`, `iterations`, `compute`, `imbalance`,
/// `jitter`, `distribution`, `mode`).
pub trait ProgramKeys: DeserializeOwned {
    /// The word that selects it (`job.app.kind`).
    const KIND: &'static str;
    /// What it is.
    const ABOUT: &'static str;

    /// Returns the program; what is random is drawn from the seed.
    fn program(self, seed: u64) -> Result<Arc<dyn Program>, GraphError>;
}

fn read<K: ProgramKeys + 'static>(node: Node<'_>, given: &Given<'_>) -> Result<Parts, Refused> {
    let keys: K = node.read(given.keys)?;
    given.iterated(Ok(Chain::Other(OtherProgram(keys.program(given.seed)?)).into()))
}

/// What a kind is given beside its keys.
#[derive(Clone, Copy)]
pub struct Given<'k> {
    /// How often it is iterated, if that is written.
    pub iterations: Option<u32>,
    /// The seed of random graphs.
    pub seed: u64,
    /// Where keys are written.
    pub keys: &'k Keys,
    /// The path of the table.
    pub path: &'k str,
}

/// Why there is no such application.
pub enum Refused {
    /// A key of it is out of range.
    Key(GraphError),
    /// What is to be said is said.
    Said(Diagnostic),
}

impl From<GraphError> for Refused {
    fn from(error: GraphError) -> Self {
        Refused::Key(error)
    }
}

impl From<Diagnostic> for Refused {
    fn from(said: Diagnostic) -> Self {
        Refused::Said(said)
    }
}

impl Given<'_> {
    /// Iterates a piece of work; once where nothing is written.
    fn iterated(&self, work: Made) -> Result<Parts, Refused> {
        Ok(vec![(work?, self.iterations.unwrap_or(1))])
    }
}

/// Lists kinds, each with what makes its parts of its keys.
macro_rules! kinds {
    ($($word:literal = $Keys:ty, $make:expr, $about:literal;)*) => {
        &[
            $(Kind {
                word: $word,
                about: $about,
                read: |node, given| {
                    let make: fn($Keys, &Given<'_>) -> Result<Parts, Refused> = $make;
                    make(node.read(given.keys)?, given)
                },
                schema: <$Keys>::json_schema,
            },)*
        ]
    };
}

/// Those whose keys are read in one piece.
static PLAIN: &[Kind] = kinds! {
    "stencil" = RawStencil, |keys, given| given.iterated(graphs::stencil(keys)),
        "A grid of ranks that send to their neighbours.";
    "milc" = RawMilc, |keys, given| given.iterated(graphs::milc(keys)),
        "MILC, lattice QCD on a periodic grid of four dimensions.";
    "cg" = RawNpb, |keys, given| Ok(npb::parts(Npb::Cg, keys, given.iterations)?),
        "CG of the NAS Parallel Benchmarks: conjugate gradients.";
    "mg" = RawNpb, |keys, given| Ok(npb::parts(Npb::Mg, keys, given.iterations)?),
        "MG of the NAS Parallel Benchmarks: multigrid.";
    "lu" = RawNpb, |keys, given| Ok(npb::parts(Npb::Lu, keys, given.iterations)?),
        "LU of the NAS Parallel Benchmarks: a wavefront solver.";
    "bt" = RawNpb, |keys, given| Ok(npb::parts(Npb::Bt, keys, given.iterations)?),
        "BT of the NAS Parallel Benchmarks: a block-tridiagonal solver.";
    "sp" = RawNpb, |keys, given| Ok(npb::parts(Npb::Sp, keys, given.iterations)?),
        "SP of the NAS Parallel Benchmarks: a scalar pentadiagonal solver.";
    "ft" = RawNpb, |keys, given| Ok(npb::parts(Npb::Ft, keys, given.iterations)?),
        "FT of the NAS Parallel Benchmarks: a three-dimensional FFT.";
    "is" = RawNpb, |keys, given| Ok(npb::parts(Npb::Is, keys, given.iterations)?),
        "IS of the NAS Parallel Benchmarks: an integer sort.";
    "ep" = RawEp, |keys, given| Ok(npb::ep(keys, given.iterations)?),
        "EP of the NAS Parallel Benchmarks: random numbers, and sums of what was counted.";
    "all-to-all" = RawAllToAll, |keys, given| given.iterated(graphs::all_to_all(keys)),
        "Every rank sends to every other.";
    "random" = RawRandom, |keys, given| given.iterated(graphs::random(keys, given.seed, given.keys, given.path)?),
        "Every rank sends to others that are drawn at random.";
    "permutation" = RawPermutation, |keys, given| given.iterated(keys.graph(given.seed).map(Graph::Permutation).map(Work::Graph)),
        "Every rank sends to one, and receives from one.";
    "all-to-all-in-turn" = RawGroups, |keys, given| given.iterated(chains::all_to_all(keys)),
        "Every rank sends to every other, one after the other, and then receives from all.";
    "binary-tree" = RawRanks, |keys, given| given.iterated(chains::binary_tree(keys)),
        "A reduction to rank 0 over a binary tree.";
    "butterfly" = RawButterfly, |keys, given| given.iterated(chains::butterfly(keys)),
        "Exchanges with the ranks that differ in one bit of their numbers, bit by bit.";
    "mesh" = RawMesh, |keys, given| given.iterated(chains::mesh(keys)),
        "Every rank sends to its neighbours on an open grid or a torus, one after the other, and then receives.";
    "wavefront" = RawGrid, |keys, given| given.iterated(chains::wavefront(keys)),
        "A sweep from one corner of an open grid to the other: each rank receives from its lower neighbours, computes, and sends to its higher ones.";
    "random-waves" = RawWaves, |keys, given| given.iterated(chains::random_waves(keys, given.seed)),
        "Messages between random ranks, in waves: a rank ends a wave before it begins its next one.";
    "one-to-all" = RawRoot, |keys, given| given.iterated(chains::one_and_all(Way::OneToAll, keys)),
        "One rank sends to every other, one after the other.";
    "all-to-one" = RawRoot, |keys, given| given.iterated(chains::one_and_all(Way::AllToOne, keys)),
        "One rank receives from every other, one after the other.";
    "ping-pong" = PingPong, |keys, given| given.iterated(chains::made(keys.checked())),
        "Pairs of ranks send a message there and back, one pair beside the other.";
    "n-bodies" = RawBodies, |keys, given| given.iterated(chains::n_bodies(keys)),
        "Bodies of each rank travel half way round a ring of ranks, each of which computes their forces, and return.";
    "graph500" = RawGraph500, |keys, given| Ok(codes::graph500(keys, given.iterations)?),
        "Breadth-first searches of Graph500, `replicated-csr`: one in an iteration.";
    "linpack" = RawLinpack, |keys, given| given.iterated(codes::linpack(keys)),
        "High Performance Linpack: one solution in an iteration.";
    "random-access" = RawRandomAccess, |keys, given| given.iterated(codes::random_access(keys, given.seed)),
        "MPI Random Access of HPC Challenge: all updates in an iteration.";
    "namd" = RawNamd, |keys, given| given.iterated(codes::namd(keys)),
        "NAMD: molecular dynamics on patches of atoms.";
    "gromacs" = RawGromacs, |keys, given| given.iterated(codes::gromacs(keys)),
        "GROMACS: molecular dynamics on a grid of cells.";
    "isam" = RawIsam, |keys, given| given.iterated(codes::isam(keys)),
        "The climate model ISAM by itself, which computes and sends nothing.";
    "hpcg" = RawHpcg, |keys, given| Ok(codes::hpcg(keys, given.iterations)?),
        "HPCG: an iteration of conjugate gradients with multigrid.";
    "lulesh" = RawLulesh, |keys, given| Ok(codes::lulesh(keys, given.iterations)?),
        "LULESH: a time step of shock hydrodynamics on a cube of ranks.";
    "sweep3d" = RawSweep3d, |keys, given| given.iterated(codes::sweep3d(keys)),
        "ASCI Sweep3D: neutron transport, swept from the eight corners of a grid of cells in an iteration.";
    "mapreduce" = RawMapReduce, |keys, given| given.iterated(codes::mapreduce(keys, given.seed)),
        "MapReduce: mappers send to all reducers, as much as these have keys; one job in an iteration.";
};

/// Those whose keys contain those of a model.
static MODELS: [Kind; 2] = [
    Kind {
        word: "transformer",
        about: "The training of a transformer whose layers, sequences and matrices are shared among ranks.",
        read: |node, given| given.iterated(transformer::transformer(node, given.keys)?),
        schema: TransformerKeys::json_schema,
    },
    Kind {
        word: "inference",
        about: "The serving of a transformer by ranks that read prompts and ranks that make answers.",
        read: |node, given| given.iterated(inference::inference(node, given.keys, given.seed)?),
        schema: InferenceKeys::json_schema,
    },
];

/// All that are known here.
pub fn all() -> impl Iterator<Item = &'static Kind> {
    PLAIN.iter().chain(&MODELS)
}

impl Kind {
    /// Returns the kind of a program of another crate.
    pub const fn of<K: ProgramKeys + JsonSchema + 'static>() -> Self {
        Kind { word: K::KIND, about: K::ABOUT, read: read::<K>, schema: K::json_schema }
    }

    /// Takes the kind out of a table; it is one of these.
    pub fn take<'k>(node: &mut Node<'_>, kinds: &'k [Kind], keys: &Keys) -> Result<&'k Kind, Diagnostic> {
        let written = node.require("kind", keys)?;
        let path = written.path.clone();
        let word: String = written.read(keys)?;
        let words = || kinds.iter().map(|kind| kind.word).collect::<Vec<_>>();
        let found = kinds.iter().find(|kind| kind.word == word);
        found.ok_or_else(|| wording::unknown_word(keys, &path, &word, &words()))
    }
}
