//! Benchmarks against traces of them.

use std::ops::RangeInclusive;

use drowse_core::workload::operation::{Collective, Operation};

use crate::programs::{generated, traced};

/// After its set-up (nine collectives), Graph500 with scale 14 on 64 ranks searches four times. Each search of the trace
/// expands its front five times. Edges go to random vertices, so that set-up sends as many in the mean.
#[test]
fn graph500_calls_what_its_trace_does() {
    let collectives = |ranks: Vec<Vec<Operation>>| -> Vec<Vec<Collective>> {
        let of_a_rank = |operations: Vec<Operation>| {
            let collective = |operation| match operation {
                Operation::Collective { collective, .. } => Some(collective),
                _ => None,
            };
            operations.into_iter().filter_map(collective).collect()
        };
        ranks.into_iter().map(of_a_rank).collect()
    };
    let searches = collectives(generated("kind = \"graph500\", ranks = 64, scale = 14, levels = 5, iterations = 4"));
    let traced = collectives(traced("graph500.64"));
    for (generated, traced) in searches.iter().zip(&traced) {
        assert_eq!(generated, &traced[9..]);
    }
    let set_up = "kind = \"graph500\", ranks = 64, scale = 14, levels = 5, iterations = 4, setup = true";
    for (generated, traced) in collectives(generated(set_up)).iter().zip(&traced) {
        let is_sum = |collective: &Collective| matches!(collective, Collective::Allreduce { .. });
        assert_eq!(generated.iter().map(is_sum).collect::<Vec<_>>(), traced.iter().map(is_sum).collect::<Vec<_>>());
        assert_eq!(generated[7], traced[7]);
        let [Collective::Alltoallv { bytes: ours }, Collective::Alltoallv { bytes: theirs }] =
            [&generated[8], &traced[8]]
        else {
            panic!("{:?}", traced[8])
        };
        // A few edges join a vertex with itself, and are not sent. The trace does not know their size, and has 1 B for each.
        let [ours, theirs] = [ours, theirs].map(|sizes| sizes.iter().sum::<u64>());
        let edges = ours / 16;
        assert!((edges * 99 / 100..=edges).contains(&theirs), "{edges} {theirs}");
    }
}

/// What ranks send with these tags: to whom, and how much.
fn sent(ranks: &[Vec<Operation>], tags: RangeInclusive<u32>) -> Vec<Vec<(u32, u64)>> {
    let of_a_rank = |operations: &Vec<Operation>| {
        let sent = |operation: &Operation| match *operation {
            Operation::Send { to, tag, bytes, .. } if tags.contains(&tag) => Some((to, bytes)),
            _ => None,
        };
        operations.iter().filter_map(sent).collect()
    };
    ranks.iter().map(of_a_rank).collect()
}

/// Every message of HPL with N = 2048 on 8 x 8 processes, in the order of its rank: those that find pivots, and those that
/// solve the triangular system, to the byte; panels by receiver, since the trace does not know the size of their type.
/// What swaps send depends on the pivots that are found, which here are as many in each row of processes. In the trace
/// they are not, and what is moved to make them even is 6 % more.
#[test]
fn linpack_sends_what_its_trace_does() {
    let (generated, traced) = (generated("kind = \"linpack\", grid = [8, 8], size = 2048"), traced("hpl.64"));
    let is_pivot = |&(_, bytes): &(u32, u64)| [4 + 64, 4 + 2 * 64].contains(&(bytes / 8));
    let pivots = |ranks: Vec<Vec<(u32, u64)>>| -> Vec<Vec<(u32, u64)>> {
        ranks.into_iter().map(|sent| sent.into_iter().filter(is_pivot).collect()).collect()
    };
    assert_eq!(sent(&generated, 0..=0), pivots(sent(&traced, 1_001..=1_001)));
    let receivers = |ranks: Vec<Vec<(u32, u64)>>| -> Vec<Vec<u32>> {
        ranks.into_iter().map(|sent| sent.into_iter().map(|(to, _)| to).collect()).collect()
    };
    assert_eq!(receivers(sent(&generated, 1..=1)), receivers(sent(&traced, 2_001..=3_000)));
    assert_eq!(sent(&generated, 3..=4), sent(&traced, 3_001..=9_000));
    let swapped = |ranks: Vec<Vec<(u32, u64)>>| ranks.into_iter().flatten().map(|(_, bytes)| bytes).sum::<u64>() as f64;
    let (all, ours) = (swapped(sent(&traced, 1_001..=1_001)), swapped(sent(&generated, 2..=2)));
    let theirs = all - swapped(pivots(sent(&traced, 1_001..=1_001)));
    assert!((0.94..1.0).contains(&(ours / theirs)), "{ours} {theirs}");
}
