//! Programs of the NAS Parallel Benchmarks against traces of these programs: every call of every rank, in order.

use drowse_core::workload::operation::Collective;

use crate::programs::{self, Call, calls};

fn traced(name: &str) -> Vec<Vec<Call>> {
    calls(programs::traced(name))
}

fn generated(kind: &str, ranks: u32, iterations: u32) -> Vec<Vec<Call>> {
    let class = if kind == "ep" { "" } else { ", class = \"A\", order = \"program\"" };
    calls(programs::generated(&format!("kind = \"{kind}\", ranks = {ranks}, iterations = {iterations}{class}")))
}

fn assert_same(kind: &str, ranks: u32, iterations: u32, trace: &str) {
    let (generated, traced) = (generated(kind, ranks, iterations), traced(trace));
    assert_eq!(generated.len(), traced.len());
    for (rank, (generated, traced)) in generated.iter().zip(&traced).enumerate() {
        for (number, (one, other)) in generated.iter().zip(traced).enumerate() {
            assert_eq!(one, other, "{trace}: rank {rank}, call {number}");
        }
        assert_eq!(generated.len(), traced.len(), "{trace}: rank {rank}");
    }
}

#[test]
fn programs_call_what_their_traces_do() {
    for (kind, ranks, iterations) in [
        ("bt", 16, 10),
        ("bt", 64, 10),
        ("cg", 16, 3),
        ("cg", 64, 3),
        ("ft", 16, 6),
        ("ft", 64, 6),
        ("lu", 16, 10),
        ("lu", 64, 10),
        ("mg", 16, 4),
        ("mg", 64, 4),
        ("sp", 16, 10),
    ] {
        assert_same(kind, ranks, iterations, &format!("{kind}.A.{ranks}"));
    }
    assert_same("ep", 64, 1, "ep.W.64");
}

/// The keys of IS are random: its blocks differ by a few keys, and the model's do not. All else is the same.
#[test]
fn is_differs_in_its_blocks_only() {
    for ranks in [16, 64] {
        let (generated, traced) = (generated("is", ranks, 10), traced(&format!("is.A.{ranks}")));
        for (one, other) in generated.iter().flatten().zip(traced.iter().flatten()) {
            match (one, other) {
                (
                    Call::Collective(Collective::Alltoallv { bytes: one }),
                    Call::Collective(Collective::Alltoallv { bytes: other }),
                ) => {
                    let near = |(&one, &other): (&u64, &u64)| one.abs_diff(other) * 3 < one;
                    assert!(one.iter().zip(other).all(near), "{one:?} {other:?}");
                    let sums = [one, other].map(|bytes| bytes.iter().sum::<u64>());
                    assert!(sums[0].abs_diff(sums[1]) * 100 <= sums[0], "{sums:?}");
                }
                _ => assert_eq!(one, other),
            }
        }
        assert!(generated.iter().map(Vec::len).eq(traced.iter().map(Vec::len)));
    }
}
