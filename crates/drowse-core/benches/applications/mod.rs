//! Every kind of application, with 65,536 ranks or as many as it takes.

use drowse_core::model::units::Time;
use drowse_core::workload::application::Work;
use drowse_core::workload::chains::{
    AllToAll, Batch, Benchmark, BinaryTree, Butterfly, Cells, Chain, Cube, Graph500, Gromacs, Hpcg, Inference, Isam,
    Job, Keys, Lengths, Linpack, Lulesh, MapReduce, Mesh, Model, Molecules, NBodies, Namd, Npb, OneAndAll, Order,
    Parallelism, Part, Pool, Popularity, Published, RandomAccess, Serving, Sharding, Speed, Sums, Sweep3d, Training,
    Transformer, Wavefront, Waves, Way,
};
use drowse_core::workload::graph::{
    self, Cg, Class, Ft, Graph, Is, Lu, Mg, Milc, Multipartition, Permutation, Random, Rule, Solver, Stencil,
};

/// Ranks of each, where the kind has no limit of its own.
pub const RANKS: u32 = 1 << 16;

/// The applications and their names.
pub fn all() -> Vec<(&'static str, Work)> {
    let npb = |benchmark| Chain::from(Npb::new(benchmark, Part::Iteration));
    let squares = |solver| Benchmark::Multipartition(Multipartition::new(solver, RANKS, Class::E).unwrap());
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
        ("all-to-all-in-turn", AllToAll::new(RANKS, 1, 8, Order::FromNext).unwrap().into()),
        ("binary-tree", BinaryTree::new(RANKS, 8).unwrap().into()),
        ("butterfly", Butterfly::new(RANKS, 8, false).unwrap().into()),
        ("mesh", Mesh::new(vec![256, 256], false, 8).unwrap().into()),
        ("wavefront", Wavefront::new(vec![256, 256], 8).unwrap().into()),
        ("one-to-all", OneAndAll::new(Way::OneToAll, RANKS, 0, 8).unwrap().into()),
        ("all-to-one", OneAndAll::new(Way::AllToOne, RANKS, 0, 8).unwrap().into()),
        ("n-bodies", NBodies::new(RANKS, 8).unwrap().into()),
        ("random-waves", Waves::new(RANKS, 1 << 20, 1 << 10, 8, 1).unwrap().into()),
        ("bt", npb(squares(Solver::BlockTridiagonal))),
        ("sp", npb(squares(Solver::ScalarPentadiagonal))),
        ("ep", npb(Benchmark::Ep(RANKS))),
        // Each rank has at least one of the 1,024 buckets.
        ("is", npb(Benchmark::Is(Is::new(1 << 10, Class::D).unwrap()))),
        // Each rank has at least 4 of 1,020 points in each dimension.
        ("lu", npb(Benchmark::Lu(Lu::new(1 << 14, Class::E).unwrap()))),
        ("cg", npb(Benchmark::Cg(Cg::new(RANKS, Class::E).unwrap()))),
        ("ft", npb(Benchmark::Ft(Ft::new(RANKS, Class::E).unwrap()))),
        ("mg", npb(Benchmark::Mg(Mg::new(RANKS, Class::E).unwrap()))),
        ("graph500", Graph500::new(RANKS, 30, 7).unwrap().into()),
        ("linpack", Linpack::new([256, 256], 1 << 14, 64).unwrap().into()),
        ("random-access", RandomAccess::new(RANKS, RANKS, 1 << 10, 1).unwrap().into()),
        ("namd", Namd::new(RANKS, molecules, Some(4)).unwrap().into()),
        ("gromacs", Gromacs::new([64, 32, 32], cube, 10, 64).unwrap().into()),
        ("isam", Isam::new(RANKS).unwrap().into()),
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
        ("milc", Graph::Milc(Milc::new(vec![16; 4], [8; 4], 2).unwrap())),
        // An iteration of a graph has at most 2^25 messages.
        ("all-to-all", Graph::AllToAll(graph::AllToAll::new(1 << 12, 8).unwrap())),
        ("permutation", Graph::Permutation(Permutation::new(RANKS, Rule::BitReversal, 1, 8, 1).unwrap())),
        ("random", Graph::Random(Random::new(RANKS, 8, None, 8, 1).unwrap())),
    ];
    let chains = chains.into_iter().map(|(name, chain)| (name, Work::Chain(chain)));
    chains.chain(graphs.map(|(name, graph)| (name, Work::Graph(graph)))).collect()
}
