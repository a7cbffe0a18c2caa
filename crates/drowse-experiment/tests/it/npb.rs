//! Programs of the NAS Parallel Benchmarks against traces of these programs: every call of every rank, in order.

use std::fs;
use std::sync::Arc;

use drowse_core::model::units::FlopRate;
use drowse_core::workload::application::{Application, Iterate};
use drowse_core::workload::operation::{Collective, Operation, OperationSource};
use drowse_experiment::{Program, WorkloadSpec, load_case};
use drowse_traces::{ComputeModel, Trace};

use crate::support::root;

/// A call, without tags, names of requests, and times.
#[derive(Debug, PartialEq, Eq)]
enum Call {
    Send(u32, u64),
    Start(u32, u64),
    Receive(u32),
    Post(u32),
    Wait,
    WaitAll,
    Collective(Collective),
}

/// Returns the calls of each rank.
fn calls(source: &mut dyn OperationSource) -> Vec<Vec<Call>> {
    let ranks = source.ranks();
    let of_a_rank = |rank| {
        let mut operations = Vec::new();
        while {
            let before = operations.len();
            source.refill(rank, &mut operations).unwrap();
            operations.len() > before
        } {}
        operations.into_iter().filter_map(call).collect()
    };
    (0..ranks).map(of_a_rank).collect()
}

fn call(operation: Operation) -> Option<Call> {
    match operation {
        Operation::Send { to, bytes, .. } => Some(Call::Send(to, bytes)),
        Operation::Isend { to, bytes, .. } => Some(Call::Start(to, bytes)),
        Operation::Recv { from, .. } => from.map(Call::Receive),
        Operation::Irecv { from, .. } => from.map(Call::Post),
        Operation::Wait { .. } => Some(Call::Wait),
        Operation::WaitAll => Some(Call::WaitAll),
        Operation::Collective { collective, .. } => Some(Call::Collective(collective)),
        _ => None,
    }
}

fn traced(name: &str) -> Vec<Vec<Call>> {
    let trace = Trace::open(root("traces").join(format!("{name}.tar.zst"))).unwrap();
    let flops_per_second = FlopRate(10_000_000_000);
    let compute = ComputeModel { flops_per_second, scale: 1.0, drop_multiples: None, wait_multiples: None };
    calls(trace.operations(compute).as_mut())
}

fn generated(kind: &str, ranks: u32, iterations: u32) -> Vec<Vec<Call>> {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("x.toml");
    let class = if kind == "ep" { "" } else { ", class = \"A\", order = \"program\"" };
    let app = format!("{{ kind = \"{kind}\", ranks = {ranks}, iterations = {iterations}{class} }}");
    fs::write(&path, format!("[network]\nkind = \"torus\"\ndims = [8, 8]\n[[job]]\napp = {app}\n")).unwrap();
    let case = load_case(&path, &[]).unwrap_or_else(|error| panic!("{error}"));
    let WorkloadSpec::Jobs(jobs) = &case.workload else { panic!("a job") };
    let Program::App(phases) = &jobs[0].program else { panic!("an app") };
    calls(&mut Iterate::new(Arc::new(Application::new(phases.clone()).unwrap()), 1))
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
