//! Communication graphs of the NAS Parallel Benchmarks against traces of these programs.

use std::collections::BTreeMap;

use drowse_core::model::units::FlopRate;
use drowse_core::workload::programs::{Cg, Class, Communication, Flow, Lu, Mg, Multipartition, Solver, sent};
use drowse_traces::{ComputeModel, Trace};

use crate::support::root;

/// Messages and bytes by sender and receiver.
type Pairs = BTreeMap<(u32, u32), (u64, u64)>;

fn add(pairs: &mut Pairs, from: u32, Flow { to, messages, bytes }: Flow) {
    let (count, sum) = pairs.entry((from, to)).or_default();
    *count += messages;
    *sum += messages * bytes;
}

/// What the ranks of a trace send to each other, collective operations left out.
fn traced(name: &str) -> Pairs {
    let trace = Trace::open(root("traces").join(name)).unwrap();
    let compute = ComputeModel {
        flops_per_second: FlopRate(10_000_000_000),
        scale: 1.0,
        drop_multiples: None,
        wait_multiples: None,
    };
    let mut source = trace.operations(compute);
    let mut pairs = Pairs::new();
    for rank in 0..trace.ranks() {
        let mut operations = Vec::new();
        loop {
            let before = operations.len();
            source.refill(rank, &mut operations).unwrap();
            if operations.len() == before {
                break;
            }
        }
        operations.iter().filter_map(sent).for_each(|flow| add(&mut pairs, rank, flow));
    }
    pairs
}

/// What a graph says of so many iterations.
fn drawn(graph: &dyn Communication, iterations: u64) -> Pairs {
    let mut pairs = Pairs::new();
    for rank in 0..graph.ranks() {
        graph.flows(rank, &mut |flow| add(&mut pairs, rank, Flow { messages: flow.messages * iterations, ..flow }));
    }
    pairs
}

/// Takes what a graph says from what a trace does; both must have the same pairs.
fn beyond(trace: &Pairs, graph: &Pairs) -> Pairs {
    assert!(trace.keys().eq(graph.keys()), "the pairs differ");
    let less = |(pair, of_trace): (&(u32, u32), &(u64, u64))| {
        let of_graph = graph[pair];
        let rest = |a: u64, b: u64| a.checked_sub(b).unwrap_or_else(|| panic!("{pair:?}: {of_trace:?}, {of_graph:?}"));
        (*pair, (rest(of_trace.0, of_graph.0), rest(of_trace.1, of_graph.1)))
    };
    trace.iter().map(less).collect()
}

/// Three iterations and one before them, to the byte.
#[test]
fn cg_is_its_trace() {
    for ranks in [16, 64] {
        let graph = Cg::new(ranks, Class::A).unwrap();
        assert_eq!(drawn(&graph, 4), traced(&format!("cg.A.{ranks}.tar.zst")));
    }
}

/// Four iterations and one before them; beside these, four exchanges of the finest grid's faces.
#[test]
fn mg_is_its_trace() {
    let graph = Mg::new(64, Class::A).unwrap();
    let rest = beyond(&traced("mg.A.64.tar.zst"), &drawn(&graph, 5));
    let face = |inner: u64| 8 * inner;
    for ((from, to), (messages, bytes)) in rest {
        if messages == 0 {
            assert_eq!(bytes, 0);
            continue;
        }
        // Four ranks in each dimension: one or three apart is next to each other. A rank has 64^3 points and two more.
        let one = match from.abs_diff(to) {
            1 | 3 => face(64 * 64),
            4 | 12 => face(66 * 64),
            16 | 48 => face(66 * 66),
            other => panic!("{from} and {to} are {other} apart"),
        };
        assert_eq!((messages, bytes), (4, 4 * one), "{from} to {to}");
    }
}

/// Ten iterations and one before them; beside these, one exchange of faces.
#[test]
fn multipartitions_are_their_traces() {
    for (name, ranks, solver) in [
        ("bt", 16, Solver::BlockTridiagonal),
        ("bt", 64, Solver::BlockTridiagonal),
        ("sp", 16, Solver::ScalarPentadiagonal),
    ] {
        let graph = Multipartition::new(solver, ranks, Class::A).unwrap();
        let rest = beyond(&traced(&format!("{name}.A.{ranks}.tar.zst")), &drawn(&graph, 11));
        let side = u64::from(ranks.isqrt());
        // Two layers of five values at the faces of all cells of a rank but one.
        let face = 10 * 8 * (64 / side) * (64 / side) * (side - 1);
        assert!(rest.values().all(|rest| *rest == (1, face)), "{name}, {ranks} ranks: {rest:?}");
    }
}

/// Ten iterations and one before them; beside these, three exchanges of the residual's faces at each border, and a few
/// small messages where some values are summed up over the surface at the end.
#[test]
fn lu_is_its_trace() {
    for ranks in [16u32, 64] {
        let graph = Lu::new(ranks, Class::A).unwrap();
        let rest = beyond(&traced(&format!("lu.A.{ranks}.tar.zst")), &drawn(&graph, 11));
        let face = 10 * 8 * 64 * (64 / u64::from(ranks.isqrt()));
        for (pair, (messages, bytes)) in rest {
            assert!((3..=3 + 4).contains(&messages), "{pair:?}: {messages} messages");
            assert!((3 * face..3 * face + face / 4).contains(&bytes), "{pair:?}: {bytes} bytes");
        }
    }
}
