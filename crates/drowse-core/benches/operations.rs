//! Speed of applications in operations: `cargo bench -p drowse-core --bench operations`.
//!
//! Each has 65,536 ranks, or as many as it can; 16 of them list all of their operations, or 2^16 each.

#![expect(clippy::unwrap_used, reason = "a bench that cannot run has nothing to say")]

use std::hint::black_box;
use std::sync::Arc;

use criterion::{BatchSize, BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};

use drowse_core::model::units::Time;
use drowse_core::workload::application::{Application, Iterate, Phase, Work};
use drowse_core::workload::chains::{
    AllToAll, Batch, Benchmark, Butterfly, Cells, Chain, Cube, Graph500, Gromacs, Hpcg, Inference, Job, Keys, Lengths,
    Linpack, Lulesh, MapReduce, Mesh, Model, Molecules, NBodies, Namd, Npb, Parallelism, Part, Pool, Popularity,
    Published, RandomAccess, Serving, Sharding, Speed, Sums, Sweep3d, Training, Transformer, Waves,
};
use drowse_core::workload::graph::{Cg, Class, Ft, Graph, Mg, Multipartition, Random, Solver, Stencil};
use drowse_core::workload::operation::{Operation, OperationSource, SendMode};

const RANKS: u32 = 1 << 16;
const LISTED: u32 = 16;
const MOST: usize = 1 << 16;

/// The applications and their names.
fn applications() -> Vec<(&'static str, Work)> {
    let npb = |benchmark| Chain::from(Npb::new(benchmark, Part::Iteration));
    let molecules = Molecules { atoms: 1 << 25, patches: [64, 32, 32], grid: [512; 3] };
    let cube = Cube { atoms: 1 << 24, side: 100_000, cutoff: 900 };
    let training = Training {
        shares: Parallelism { tensor: 8, pipeline: 64, data: 128, ..Parallelism::default() },
        model: Model::plain(64, 8_192),
        batch: Batch { sequence: 4_096, micro_batch: 1, micro_batches: 8 },
        element: 2,
        gradient: 2,
        rate: None,
        sums: Sums::Rings,
        sharding: Sharding::None,
        tensor_bandwidth: None,
        sequence_parallel: false,
    };
    let pool = Pool { groups: 4_095, tensor: 8 };
    let serving = Serving {
        model: Published::Llama3Of70B.model(),
        element: 2,
        prefill: pool,
        decode: pool,
        batch: 64,
        requests: 1 << 16,
        gap: Time(10_000_000),
        prompt: 1_024,
        output: 64,
        lengths: Lengths::Exponential,
        speed: Speed { flops: 400_000_000_000_000, memory: 3_350_000_000_000 },
        seed: 1,
    };
    let collectives = Training { sums: Sums::Overlapping, ..training };
    let cells = Cells { cells: [1_280, 1_280, 150], angles: 6, planes: 10, batch: 3 };
    let job = Job { mappers: RANKS, reducers: RANKS, tasks: 1, bytes: 1 << 20, replicas: 3 };
    let keys = Keys { number: 1 << 20, popularity: Popularity::Zipf, seed: 1 };
    let chains: Vec<(&'static str, Chain)> = vec![
        ("all-to-all-in-turn", AllToAll::new(RANKS, 1, 8).unwrap().into()),
        ("butterfly", Butterfly::new(RANKS, 8, false).unwrap().into()),
        ("mesh", Mesh::new(vec![256, 256], false, 8).unwrap().into()),
        ("n-bodies", NBodies::new(RANKS, 8).unwrap().into()),
        ("random-waves", Waves::new(RANKS, 1 << 20, 1 << 10, 8, 1).unwrap().into()),
        ("bt", npb(Benchmark::Multipartition(Multipartition::new(Solver::BlockTridiagonal, RANKS, Class::E).unwrap()))),
        ("cg", npb(Benchmark::Cg(Cg::new(RANKS, Class::E).unwrap()))),
        ("ft", npb(Benchmark::Ft(Ft::new(RANKS, Class::E).unwrap()))),
        ("mg", npb(Benchmark::Mg(Mg::new(RANKS, Class::E).unwrap()))),
        ("graph500", Graph500::new(RANKS, 30, 7).unwrap().into()),
        ("linpack", Linpack::new([256, 256], 100_000, 64).unwrap().into()),
        ("random-access", RandomAccess::new(RANKS, 1 << 20, 1 << 10, 1).unwrap().into()),
        ("namd", Namd::new(RANKS, molecules, Some(4)).unwrap().into()),
        ("gromacs", Gromacs::new([64, 32, 32], cube, 10, 64).unwrap().into()),
        ("hpcg", Hpcg::new([64, 32, 32], [104; 3]).unwrap().into()),
        ("lulesh", Lulesh::new(40 * 40 * 40, 30).unwrap().into()),
        ("sweep3d", Sweep3d::new([256, 256], cells).unwrap().into()),
        ("mapreduce", MapReduce::new(RANKS, job, keys).unwrap().into()),
        ("transformer", Transformer::new(training).unwrap().into()),
        ("inference", Inference::new(serving).unwrap().into()),
        ("transformer, collectives", Transformer::new(collectives).unwrap().into()),
    ];
    let graphs = [
        ("stencil", Graph::Stencil(Stencil::new(vec![256, 256], true, 8).unwrap())),
        ("random", Graph::Random(Random::new(RANKS, 8, None, 8, 1).unwrap())),
    ];
    let chains = chains.into_iter().map(|(name, chain)| (name, Work::Chain(chain)));
    chains.chain(graphs.map(|(name, graph)| (name, Work::Graph(graph)))).collect()
}

/// Lists operations of some ranks, and returns their number.
fn list(application: &Arc<Application>, operations: &mut Vec<Operation>) -> usize {
    let mut source = Iterate::new(Arc::clone(application), 1);
    let mut listed = 0;
    for rank in (0..RANKS).step_by((RANKS / LISTED) as usize) {
        let mut of_rank = 0;
        while of_rank < MOST {
            operations.clear();
            source.refill(rank, operations).unwrap();
            if black_box(&*operations).is_empty() {
                break;
            }
            of_rank += operations.len();
        }
        listed += of_rank;
    }
    listed
}

fn operations(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("operations");
    group.sample_size(10);
    for (name, work) in applications() {
        let phase = Phase { work, iterations: 100, compute: Time(1_000_000).into(), mode: SendMode::Ready };
        let application = Arc::new(Application::new(vec![phase]).unwrap());
        group.throughput(Throughput::Elements(list(&application, &mut Vec::new()) as u64));
        group.bench_function(BenchmarkId::from_parameter(name), |bencher| {
            bencher.iter_batched(Vec::new, |mut list_of| list(&application, &mut list_of), BatchSize::PerIteration);
        });
    }
    group.finish();
}

criterion_group!(benches, operations);
criterion_main!(benches);
