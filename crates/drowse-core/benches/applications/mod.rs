//! Every kind of application, with 65,536 ranks or as many as it takes.

use drowse_core::model::units::Time;
use drowse_core::workload::programs::{
    AllToAll, Batch, BinaryTree, Butterfly, Cells, Cg, Class, Cube, Destinations, Ep, Ft, Graph500, Gromacs, Hpcg,
    Inference, Is, Isam, Job, Keys, Lengths, Linpack, Lu, Lulesh, MapReduce, Mg, Milc, Model, Molecules,
    Multipartition, NBodies, Namd, Npb, OneAndAll, Parallelism, Part, Permutation, Phased, Pool, Popularity, Published,
    Random, RandomAccess, Rule, Serving, Sharding, Solver, Speed, Stencil, Sums, Sweep3d, Training, Transformer,
    Wavefront, Waves, Way, Work,
};

/// Ranks of each, where the kind has no limit of its own.
pub const RANKS: u32 = 1 << 16;

/// The applications and their names.
pub fn all() -> Vec<(&'static str, Work)> {
    let squares = |solver| Npb::new(Multipartition::new(solver, RANKS, Class::E).unwrap(), Part::Iteration).into();
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
    vec![
        ("all-to-all, program", AllToAll::in_groups(RANKS, 1, 8, Destinations::FromNext).unwrap().into()),
        ("binary-tree", BinaryTree::new(RANKS, 8).unwrap().into()),
        ("butterfly", Butterfly::new(RANKS, 8, false).unwrap().into()),
        ("stencil, program", Stencil::new(vec![256, 256], false, 8).unwrap().into()),
        ("wavefront", Wavefront::new(vec![256, 256], 8).unwrap().into()),
        ("one-to-all", OneAndAll::new(Way::OneToAll, RANKS, 0, 8).unwrap().into()),
        ("all-to-one", OneAndAll::new(Way::AllToOne, RANKS, 0, 8).unwrap().into()),
        ("n-bodies", NBodies::new(RANKS, 8).unwrap().into()),
        ("random-waves", Waves::new(RANKS, 1 << 20, 1 << 10, 8, 1).unwrap().into()),
        ("bt", squares(Solver::BlockTridiagonal)),
        ("sp", squares(Solver::ScalarPentadiagonal)),
        ("ep", Npb::new(Ep::new(RANKS).unwrap(), Part::Iteration).into()),
        // Each rank has at least one of the 1,024 buckets.
        ("is", Npb::new(Is::new(1 << 10, Class::D).unwrap(), Part::Iteration).into()),
        // Each rank has at least 4 of 1,020 points in each dimension.
        ("lu", Npb::new(Lu::new(1 << 14, Class::E).unwrap(), Part::Iteration).into()),
        ("cg", Npb::new(Cg::new(RANKS, Class::E).unwrap(), Part::Iteration).into()),
        ("ft", Npb::new(Ft::new(RANKS, Class::E).unwrap(), Part::Iteration).into()),
        ("mg", Npb::new(Mg::new(RANKS, Class::E).unwrap(), Part::Iteration).into()),
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
        ("stencil", Phased(Stencil::new(vec![256, 256], true, 8).unwrap()).into()),
        ("milc", Phased(Milc::new(vec![16; 4], [8; 4], 2).unwrap()).into()),
        // An iteration of a graph has at most 2^25 messages.
        ("all-to-all", Phased(AllToAll::new(1 << 12, 8).unwrap()).into()),
        ("permutation", Phased(Permutation::new(RANKS, Rule::BitReversal, 1, 8, 1).unwrap()).into()),
        ("random", Phased(Random::new(RANKS, 8, None, 8, 1).unwrap()).into()),
    ]
}
