//! The NAS Parallel Benchmarks in `job.app`: a graph of each iteration, or the whole program.

use drowse_core::workload::application::Work;
use drowse_core::workload::chains::{Benchmark, Chain, Part};
use drowse_core::workload::graph::{Cg, Class, Ft, Graph, GraphError, Is, Lu, Mg, Multipartition, Solver};
use schemars::JsonSchema;
use serde::Deserialize;

use crate::diagnostic::Diagnostic;
use crate::keys::Keys;
use crate::node::Node;

/// A program of the NAS Parallel Benchmarks.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct RawNpb {
    /// Ranks.
    #[schemars(extend("examples" = [64]))]
    ranks: u32,
    /// Class of the problem's size.
    #[schemars(extend("examples" = ["A"]))]
    class: RawClass,
    /// In which order an iteration sends its messages.
    #[schemars(extend("default" = "at-once"))]
    order: Option<RawOrder>,
}

/// EP of the NAS Parallel Benchmarks. Its class changes only how long ranks compute.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct RawEp {
    /// Ranks.
    #[schemars(extend("examples" = [64]))]
    ranks: u32,
}

/// The order of messages.
#[derive(Clone, Copy, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
enum RawOrder {
    /// All messages of an iteration at once, those of its collectives included.
    AtOnce,
    /// That of the program, with its waits and collectives, its set-up and its verification.
    Program,
}

/// The classes of the NAS Parallel Benchmarks, from the smallest to the largest.
#[derive(Clone, Copy, Deserialize, JsonSchema)]
enum RawClass {
    S,
    W,
    A,
    B,
    C,
    D,
    E,
}

/// The programs.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Npb {
    Bt,
    Cg,
    Ep,
    Ft,
    Is,
    Lu,
    Mg,
    Sp,
}

/// What the ranks do, and how often.
pub(super) type Parts = Vec<(Work, u32)>;

/// Reads the keys of a program: a graph that is iterated, or its parts.
pub(super) fn parts(
    npb: Npb,
    node: Node<'_>,
    iterations: Option<u32>,
    keys: &Keys,
) -> Result<Result<Parts, GraphError>, Diagnostic> {
    if npb == Npb::Ep {
        let RawEp { ranks } = node.read(keys)?;
        return Ok(Benchmark::ep(ranks).map(|ep| program(ep, iterations.unwrap_or(1))));
    }
    let RawNpb { ranks, class, order } = node.read(keys)?;
    let class = Class::from(class);
    Ok(npb.graph(ranks, class).map(|graph| match (order, benchmark(&graph)) {
        (Some(RawOrder::Program), Some(benchmark)) => {
            program(benchmark, iterations.unwrap_or_else(|| npb.iterations(class)))
        }
        _ => vec![(Work::Graph(graph), iterations.unwrap_or(1))],
    }))
}

/// Returns the parts of a program that iterates so often, at least once.
fn program(benchmark: Benchmark, iterations: u32) -> Parts {
    let times = [(Part::SetUp, 1), (Part::Iteration, iterations - 1), (Part::Last, 1), (Part::End, 1)];
    let part = |(part, times)| {
        let npb = drowse_core::workload::chains::Npb::new(benchmark, part);
        (Work::Chain(Chain::from(npb)), times)
    };
    times.into_iter().filter(|&(_, times)| times > 0).map(part).collect()
}

/// Returns the program of a graph.
fn benchmark(graph: &Graph) -> Option<Benchmark> {
    match *graph {
        Graph::Multipartition(program) => Some(Benchmark::Multipartition(program)),
        Graph::Cg(program) => Some(Benchmark::Cg(program)),
        Graph::Ft(program) => Some(Benchmark::Ft(program)),
        Graph::Is(program) => Some(Benchmark::Is(program)),
        Graph::Lu(program) => Some(Benchmark::Lu(program)),
        Graph::Mg(program) => Some(Benchmark::Mg(program)),
        _ => None,
    }
}

impl Npb {
    /// Makes the graph of an iteration.
    fn graph(self, ranks: u32, class: Class) -> Result<Graph, GraphError> {
        let solver = |solver| Multipartition::new(solver, ranks, class).map(Graph::Multipartition);
        match self {
            Npb::Mg => Mg::new(ranks, class).map(Graph::Mg),
            Npb::Lu => Lu::new(ranks, class).map(Graph::Lu),
            Npb::Bt => solver(Solver::BlockTridiagonal),
            Npb::Sp => solver(Solver::ScalarPentadiagonal),
            Npb::Ft => Ft::new(ranks, class).map(Graph::Ft),
            Npb::Is => Is::new(ranks, class).map(Graph::Is),
            Npb::Cg | Npb::Ep => Cg::new(ranks, class).map(Graph::Cg),
        }
    }

    /// Returns the iterations of a class, S to E.
    fn iterations(self, class: Class) -> u32 {
        let by_class = match self {
            Npb::Bt => [60, 200, 200, 200, 200, 250, 250],
            Npb::Cg => [15, 15, 15, 75, 75, 100, 100],
            Npb::Ep => [1; 7],
            Npb::Ft => [6, 6, 6, 20, 20, 25, 25],
            Npb::Is => [10; 7],
            Npb::Lu => [50, 300, 250, 250, 250, 300, 300],
            Npb::Mg => [4, 4, 4, 20, 20, 50, 50],
            Npb::Sp => [100, 400, 400, 400, 400, 500, 500],
        };
        by_class[class as usize]
    }
}

impl From<RawClass> for Class {
    fn from(class: RawClass) -> Self {
        match class {
            RawClass::S => Class::S,
            RawClass::W => Class::W,
            RawClass::A => Class::A,
            RawClass::B => Class::B,
            RawClass::C => Class::C,
            RawClass::D => Class::D,
            RawClass::E => Class::E,
        }
    }
}
