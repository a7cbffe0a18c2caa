//! What the ranks of programs do: those of traces, and those that are generated.

use std::sync::Arc;

use drowse_core::model::units::FlopRate;
use drowse_core::workload::communicators::Communicators;
use drowse_core::workload::operation::{Collective, Operation, OperationSource};
use drowse_core::workload::programs::{Application, Iterate};
use drowse_experiment::{Program, WorkloadSpec};
use drowse_traces::{ComputeModel, Trace};

use crate::support::{case, root};

/// The operations of each rank of a program, and its communicators.
pub struct Listed {
    pub ranks: Vec<Vec<Operation>>,
    pub communicators: Arc<Communicators>,
}

/// Returns the operations of each rank of a trace in `traces/`.
pub fn traced(name: &str) -> Vec<Vec<Operation>> {
    of_trace(&format!("traces/{name}.tar.zst")).ranks
}

/// Returns what the ranks of a trace in this repository do.
pub fn of_trace(path: &str) -> Listed {
    let trace = Trace::open(root(path)).unwrap();
    let flops_per_second = FlopRate(10_000_000_000);
    let compute = ComputeModel { flops_per_second, scale: 1.0, drop_multiples: None, wait_multiples: None };
    listed(trace.operations(compute).as_mut())
}

/// Returns the operations of each rank of an application with these keys.
pub fn generated(keys: &str) -> Vec<Vec<Operation>> {
    of_app(keys).ranks
}

/// Returns what the ranks of an application with these keys do.
pub fn of_app(keys: &str) -> Listed {
    let case = case(&format!("[network]\nkind = \"torus\"\ndims = [8, 8]\n[[job]]\napp = {{ {keys} }}\n"));
    let WorkloadSpec::Jobs(jobs) = &case.workload else { panic!("a job") };
    let Program::App(phases) = &jobs[0].program else { panic!("an app") };
    listed(&mut Iterate::new(Arc::new(Application::new(phases.clone()).unwrap()), 1))
}

fn listed(source: &mut dyn OperationSource) -> Listed {
    let ranks = source.ranks();
    let of_a_rank = |rank| {
        let mut operations = Vec::new();
        while {
            let before = operations.len();
            source.refill(rank, &mut operations).unwrap();
            operations.len() > before
        } {}
        operations
    };
    Listed { ranks: (0..ranks).map(of_a_rank).collect(), communicators: source.communicators() }
}

/// A call, without tags, names of requests, and times.
#[derive(Debug, PartialEq, Eq)]
pub enum Call {
    Send(u32, u64),
    Start(u32, u64),
    Receive(u32),
    Post(u32),
    Wait,
    WaitAll,
    Collective(Collective),
}

/// Returns the calls of each rank.
pub fn calls(ranks: Vec<Vec<Operation>>) -> Vec<Vec<Call>> {
    ranks.into_iter().map(|operations| operations.into_iter().filter_map(call).collect()).collect()
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
