//! Programs run several times in a row.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use drowse_core::model::ids::NodeId;
use drowse_core::model::units::{Bytes, Time};
use drowse_core::workload::operation::{Collective, Operation, OperationSource, SourceError};
use drowse_core::workload::repeat::Repeat;
use drowse_core::workload::{Job, Workload};

use crate::common::*;

fn repeated(times: u32, ranks: &[Vec<Operation>]) -> Box<dyn OperationSource> {
    let ranks = ranks.to_vec();
    Box::new(Repeat::new(times, move || Box::new(Program::new(ranks.clone()))))
}

fn makespan(times: u32, ranks: &[Vec<Operation>]) -> Time {
    let network = mesh(&[4], 1, 1);
    let placement = (0..ranks.len() as u32).map(NodeId).collect();
    let job = Job { name: "repeated".into(), source: repeated(times, ranks), placement, start: Time::ZERO };
    run(&network, &config(&network, 3), Workload::Jobs(vec![job])).makespan.unwrap()
}

/// Returns all operations of a rank.
pub fn all(source: &mut dyn OperationSource, rank: u32) -> Vec<Operation> {
    let mut operations = Vec::new();
    loop {
        let before = operations.len();
        source.refill(rank, &mut operations).unwrap();
        if operations.len() == before {
            return operations;
        }
    }
}

/// Two ranks with the same program end at the same time, here on a clock edge. So the second run equals the first,
/// later.
#[test]
fn symmetric_runs_take_exactly_as_long_each() {
    let rank = |other| vec![compute(Time(1_600 * 50)), irecv(other, 0, 1), isend(other, 0, 640, 2), Operation::WaitAll];
    let ranks = [rank(1), rank(0)];
    let once = makespan(1, &ranks);
    // A wire of one cycle, two hops of four, 40 flits.
    assert_eq!(once, Time(1_600 * (50 + 1 + 8 + 40)));
    for times in [2, 3, 10] {
        assert_eq!(makespan(times, &ranks), Time(once.0 * u64::from(times)), "{times} runs");
    }
}

/// With a barrier at the end, no rank begins a run before all have ended their work in the run before. So n runs take
/// at most n times as long, because no rank starts after the end of the run before, and at least n times the slowest
/// rank's own work.
#[test]
fn runs_that_end_in_a_barrier_follow_each_other() {
    let barrier = Operation::collective(Collective::Barrier);
    let work = [50u64, 10, 400, 3].map(|cycles| compute(Time(1_600 * cycles)));
    let ranks = work.map(|work| vec![work, barrier.clone()]);
    let once = makespan(1, &ranks).0;
    for times in [2, 3, 7] {
        let all = makespan(times, &ranks).0;
        assert!((1_600 * 400 * u64::from(times)..=once * u64::from(times)).contains(&all), "{times} runs: {all}");
    }
}

/// Requests of two runs have different names, and a request without a wait remains pending.
#[test]
fn names_of_requests_differ_between_runs() {
    let rank = vec![irecv(0, 0, 4), isend(0, 0, 8, 1), wait(4), Operation::WaitAll];
    let twice = all(repeated(2, std::slice::from_ref(&rank)).as_mut(), 0);
    let second = vec![irecv(0, 0, 9), isend(0, 0, 8, 6), wait(9), Operation::WaitAll];
    let iteration = [Operation::Iteration];
    assert_eq!(twice, [&iteration, &rank[..], &iteration, &second].concat());
}

/// A run does not wait for a pending rendezvous send of the run before that has the same name.
#[test]
fn a_wait_means_the_request_of_its_own_run() {
    let network = mesh(&[3], 1, 1);
    let mut config = config(&network, 3);
    config.node.eager_limit = Bytes(100);
    let millisecond = Time::from_us(1_000);
    let first = vec![irecv(2, 1, 0), wait(0), isend(1, 0, 1_000, 0)];
    let slow = vec![compute(millisecond), recv(0)];
    let source = repeated(3, &[first, slow, vec![Operation::send(0, 1, 8)]]);
    let placement = (0..3).map(NodeId).collect();
    let job = Job { name: "pending".into(), source, placement, start: Time::ZERO };
    let record = run(&network, &config, Workload::Jobs(vec![job]));
    assert_eq!(record.warnings, []);
    assert!(record.ranks[0].finish < millisecond, "it waits only for rank 2");
    assert!(record.ranks[1].finish > Time(3 * millisecond.0));
}

/// Where the program marks its iterations, runs add no marks.
#[test]
fn marks_are_left_to_the_program() {
    let program = vec![compute(Time(1)), Operation::Iteration, compute(Time(2))];
    let ranks = vec![program.clone()];
    let mut source = Repeat::new(2, move || Box::new(Program::new(ranks.clone()))).unmarked();
    assert_eq!(all(&mut source, 0), [program.clone(), program].concat());
}

/// A program that counts its live instances, and warns.
struct Counted(Program, Arc<AtomicUsize>);

impl OperationSource for Counted {
    fn ranks(&self) -> u32 {
        self.0.ranks()
    }

    fn refill(&mut self, rank: u32, operations: &mut Vec<Operation>) -> Result<(), SourceError> {
        self.0.refill(rank, operations)
    }

    fn warnings(&self) -> Vec<String> {
        vec!["3 polls were left out".into()]
    }
}

impl Drop for Counted {
    fn drop(&mut self) {
        self.1.fetch_sub(1, Ordering::Relaxed);
    }
}

#[test]
fn runs_are_kept_only_while_a_rank_is_in_them() {
    let live = Arc::new(AtomicUsize::new(0));
    let counter = Arc::clone(&live);
    let make = move || -> Box<dyn OperationSource> {
        counter.fetch_add(1, Ordering::Relaxed);
        let work = vec![compute(Time(1)), compute(Time(2))];
        Box::new(Counted(Program::new(vec![work.clone(), work, vec![]]), Arc::clone(&counter)))
    };
    let mut source = Repeat::new(1_000, make);
    assert_eq!(all(&mut source, 2), [], "a rank without work has none in any run");
    for _ in 0..1_000 {
        for rank in [0, 1] {
            let mut operations = Vec::new();
            source.refill(rank, &mut operations).unwrap();
            source.refill(rank, &mut operations).unwrap();
            assert_eq!(operations, [Operation::Iteration, compute(Time(1)), compute(Time(2))]);
        }
        assert!(live.load(Ordering::Relaxed) <= 2);
    }
    assert_eq!(all(&mut source, 0), []);
    assert_eq!(all(&mut source, 1), []);
    assert_eq!(live.load(Ordering::Relaxed), 0);
    assert_eq!(source.warnings(), ["3 polls were left out (in each of 1000 runs)"]);
}

#[test]
fn empty_programs_are_repeated_at_once() {
    let mut source = repeated(u32::MAX, &[vec![], vec![]]);
    assert_eq!((all(source.as_mut(), 0), all(source.as_mut(), 1)), (vec![], vec![]));
}
