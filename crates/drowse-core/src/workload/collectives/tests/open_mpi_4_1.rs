//! The rules of Open MPI 4.1, against what its own decision functions return.
//!
//! `open_mpi_4_1.txt` was made by compiling the decision functions of version 4.1.6 and calling them at both ends of
//! every range of ranks, and at every number of bytes at which their answer changes. A line has an operation, the ranks
//! from and to which it holds, and each number of bytes from which on an algorithm is chosen. Bytes are those of the
//! whole message or of a block, as the function takes them.

use super::super::open_mpi_4_1 as rules;
use super::*;
use crate::model::units::Bytes;
use crate::workload::algorithms::{Allreduce, Bcast, Reduce};

/// Returns the algorithm that runs for a name in Open MPI, whose functions are called without segments and fan-outs:
/// then a chain is a pipeline, a segmented ring gives way to a ring, and an exchange with no limit of requests is
/// linear.
fn translated(operation: &str, name: &str) -> &'static str {
    match (operation, name) {
        ("bcast", "basic_linear") | ("scatter", "linear_nb") => "linear-nonblocking",
        ("bcast" | "reduce", "pipeline" | "chain") => "chain",
        ("bcast", "split_binary_tree") => "split-binary",
        ("bcast", "binary_tree") | ("reduce", "binary") => "binary",
        ("scatter", "binomial") => "binomial-largest-first",
        ("bcast" | "reduce" | "gather", "binomial") => "binomial",
        ("bcast", "knomial") => "knomial",
        ("bcast", "scatter_allgather") => "scatter-allgather",
        ("reduce", "in-order_binary") => "in-order-binary",
        ("reduce", "rabenseifner") => "rabenseifner",
        ("allreduce", "rabenseifner") => "rabenseifner-doubling",
        ("allreduce", "nonoverlapping") => "reduce-bcast",
        ("allreduce" | "allgather" | "allgatherv" | "reduce_scatter", "ring" | "segmented_ring")
        | ("allgatherv", "two_proc") => "ring",
        ("gather", "linear_sync") => "linear-sync",
        ("barrier", "recursive_doubling") => "folded-doubling",
        ("barrier", "bruck") => "dissemination",
        ("barrier", "tree") => "tree",
        ("allgather" | "allgatherv", "bruck") | ("alltoall", "modified_bruck") => "bruck",
        ("allgather" | "allgatherv", "neighbor") => "neighbour-exchange",
        ("allgatherv", "default") => "gather-bcast",
        ("allreduce" | "allgather", "recursive_doubling") | ("allgather", "two_proc") => "recursive-doubling",
        ("alltoall" | "alltoallv", "pairwise") | ("alltoall", "two_proc") => "pairwise",
        ("reduce_scatter", "recursive_halving") => "recursive-halving",
        ("reduce_scatter", "butterfly") => "butterfly",
        ("reduce_scatter", "non-overlapping") => "reduce-scatterv",
        (_, "linear" | "basic_linear" | "linear_sync") => "linear",
        other => panic!("{other:?}"),
    }
}

/// Returns what the rules choose; elements are bytes, and as many as an algorithm may need.
fn chosen(operation: &str, size: u32, bytes: u64) -> &'static str {
    let many = u64::from(size).max(bytes);
    match operation {
        "barrier" => rules::barrier(size).word(),
        "bcast" => rules::bcast(size, bytes, many).word(),
        "reduce" => rules::reduce(size, bytes, many).word(),
        "allreduce" => rules::allreduce(size, bytes, many).word(),
        "gather" => rules::gather(size, bytes).word(),
        "scatter" => rules::scatter(size, bytes).word(),
        "allgather" => rules::allgather(size, bytes).word(),
        "allgatherv" => rules::allgatherv(size, bytes * u64::from(size)).word(),
        "alltoall" => rules::alltoall(size, bytes).word(),
        "alltoallv" => rules::alltoallv(size).word(),
        "reduce_scatter" => rules::reduce_scatter(size, bytes).word(),
        other => panic!("{other}"),
    }
}

/// At both ends of every range of ranks: at each change, one byte before the next, and far beyond the last.
#[test]
fn the_rules_are_those_of_open_mpi() {
    let (mut lines, mut points) = (0, 0);
    for line in include_str!("open_mpi_4_1.txt").lines() {
        let mut words = line.split(' ');
        let (operation, ranks) = (words.next().unwrap(), words.next().unwrap());
        let (first, last) = ranks.split_once('-').unwrap();
        let starts: Vec<(u64, &str)> = words
            .map(|word| word.split_once(':').unwrap())
            .map(|(bytes, name)| (bytes.parse().unwrap(), translated(operation, name)))
            .collect();
        let ends = starts.iter().skip(1).map(|next| next.0 - 1).chain([1 << 35]);
        for (&(bytes, expected), end) in starts.iter().zip(ends) {
            for size in [first, last].map(|size| size.parse().unwrap()) {
                for bytes in [bytes, end] {
                    assert_eq!(chosen(operation, size, bytes), expected, "{operation} of {bytes} B among {size}");
                    points += 1;
                }
            }
        }
        lines += 1;
    }
    assert_eq!((lines, points > 1_000), (99, true), "{points}");
}

/// Too few elements: what Open MPI's algorithms take instead.
#[test]
fn too_few_elements_give_way() {
    // Blocks of 17 elements among 16 to 31 ranks are scattered, those of one rank less are not.
    assert_eq!(
        [rules::bcast(17, 1 << 20, 17), rules::bcast(17, 1 << 20, 16)].map(Bcast::word),
        ["scatter-allgather", "linear-nonblocking"]
    );
    assert_eq!([rules::reduce(3, 7, 2), rules::reduce(3, 7, 1)].map(Reduce::word), ["rabenseifner", "linear"]);
    assert_eq!(
        [rules::allreduce(9, 8_192, 8), rules::allreduce(9, 8_192, 7)].map(Allreduce::word),
        ["rabenseifner-doubling", "linear"]
    );
    assert_eq!(
        [rules::allreduce(6, 15, 6), rules::allreduce(6, 15, 5)].map(Allreduce::word),
        ["ring", "recursive-doubling"]
    );
}

/// The rules choose only where nothing is named, and cut nothing into segments.
#[test]
fn names_go_before_rules() {
    let ours = Algorithms {
        rules: Rules::OpenMpi41,
        reduce: Some(Reduce::Chain),
        segment: Some(Bytes(4_096)),
        ..Algorithms::default()
    };
    let sends = |collective: &Collective| {
        let mut operations = Vec::new();
        expand_by(&ours, collective, Member { rank: 3, size: 4 }, &mut operations);
        let sends = operations.iter().filter(|operation| matches!(operation, Operation::Send { .. }));
        (sends.count(), operations.len())
    };
    let (bytes, count, compute) = (16_384, 16_384, Time::ZERO);
    // The last of a chain sends four segments.
    assert_eq!(sends(&Collective::Reduce { root: 0, bytes, count, compute }), (4, 5));
    // A broadcast of 16 KiB among 4 is linear: one message comes.
    assert_eq!(sends(&Collective::Bcast { root: 0, bytes, count }), (0, 1));
    // By the classic rules it would go down a split binary tree.
    let mut classic = Vec::new();
    expand(&Collective::Bcast { root: 0, bytes, count }, Member { rank: 3, size: 4 }, &mut classic);
    assert!(classic.len() > 4);
}
