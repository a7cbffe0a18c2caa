//! The NAS Parallel Benchmarks in `job.app`: a graph of each iteration, or the whole program.

use drowse_core::workload::application::Work;
use drowse_core::workload::chains::{Benchmark, Chain, Part};
use drowse_core::workload::graph::{Cg, Class, Ft, Graph, GraphError, Is, Lu, Mg, Multipartition, Solver};
use schemars::JsonSchema;
use serde::Deserialize;

/// A program of the NAS Parallel Benchmarks.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct RawNpb {
    /// Ranks.
    #[schemars(extend("examples" = [64]))]
    ranks: u32,
    /// Class of the problem's size.
    #[schemars(extend("examples" = ["A"]))]
    class: Class,
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

/// The programs.
#[derive(Clone, Copy)]
pub(super) enum Npb {
    Bt,
    Cg,
    Ft,
    Is,
    Lu,
    Mg,
    Sp,
}

/// What the ranks do, and how often.
pub(super) type Parts = Vec<(Work, u32)>;

/// Returns a graph that is iterated, or the parts of a program.
pub(super) fn parts(
    npb: Npb,
    RawNpb { ranks, class, order }: RawNpb,
    iterations: Option<u32>,
) -> Result<Parts, GraphError> {
    let graph = npb.graph(ranks, class)?;
    Ok(match (order, benchmark(&graph)) {
        (Some(RawOrder::Program), Some(benchmark)) => {
            program(benchmark, iterations.unwrap_or_else(|| npb.iterations(class)))
        }
        _ => vec![(Work::Graph(graph), iterations.unwrap_or(1))],
    })
}

pub(super) fn ep(RawEp { ranks }: RawEp, iterations: Option<u32>) -> Result<Parts, GraphError> {
    Ok(program(Benchmark::ep(ranks)?, iterations.unwrap_or(1)))
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
            Npb::Cg => Cg::new(ranks, class).map(Graph::Cg),
        }
    }

    /// Returns the iterations of a class, S to E.
    fn iterations(self, class: Class) -> u32 {
        let by_class = match self {
            Npb::Bt => [60, 200, 200, 200, 200, 250, 250],
            Npb::Cg => [15, 15, 15, 75, 75, 100, 100],
            Npb::Ft => [6, 6, 6, 20, 20, 25, 25],
            Npb::Is => [10; 7],
            Npb::Lu => [50, 300, 250, 250, 250, 300, 300],
            Npb::Mg => [4, 4, 4, 20, 20, 50, 50],
            Npb::Sp => [100, 400, 400, 400, 400, 500, 500],
        };
        by_class[class as usize]
    }
}
