//! A run whose jobs a scheduler starts.

use drowse_core::engine::{self, Failure, Progress, Simulation};
use drowse_core::measure::Record;
use drowse_core::model::config::Config;
use drowse_core::model::units::{Bytes, Time};
use drowse_core::power::StallTimer;
use drowse_core::topology::Network;
use drowse_core::workload::operation::{Collective, Operation};
use drowse_core::workload::scheduler::{Allocation, Kind, Request, Rules, Scheduler};
use drowse_core::workload::{Job, Workload};
use proptest::prelude::*;

use crate::common::*;
use crate::partitions::{adaptive, check};
use crate::random_programs::{Program as Drawn, program};
use crate::scheduler::drive;

pub fn rules(kind: Kind, allocation: Allocation, delay: u64) -> Rules {
    Rules { kind, allocation, whole_nodes: false, delay: Time(delay), suspend: None, seed: 3 }
}

/// Makes a workload of programs with their arrivals on nodes with so many cores.
pub fn scheduled(network: &Network, cores: u32, rules: Rules, programs: Vec<(u64, Vec<Vec<Operation>>)>) -> Workload {
    let request = |(arrival, ranks): &(u64, Vec<Vec<Operation>>)| Request {
        arrival: Time(*arrival),
        ranks: ranks.len() as u32,
        nodes: 0,
        estimate: Time::from_us(20),
    };
    let scheduler = Scheduler::new(rules, network.nodes, cores, programs.iter().map(request).collect()).unwrap();
    let job = |(number, (arrival, ranks)): (usize, (u64, Vec<Vec<Operation>>))| Job {
        name: format!("job {number}"),
        source: Box::new(Program::new(ranks)),
        placement: Vec::new(),
        start: Time(arrival),
    };
    Workload::Scheduled(programs.into_iter().enumerate().map(job).collect(), scheduler)
}

/// Returns starts and ends of all jobs.
fn spans(record: &Record) -> Vec<(u64, u64)> {
    record.jobs.iter().map(|job| (job.start.0, job.finish.0)).collect()
}

/// Jobs that only compute, by hand: two nodes, which are free 2 us after a job. The second job wants both and can start
/// at 12 us. Backfilling lets the third overtake it if by its estimate its node is free by then.
#[test]
fn computing_jobs_by_hand() {
    let network = torus(&[2], 1, 1);
    let config = config(&network, 3);
    let us = |us: u64| vec![compute(Time::from_us(us))];
    let programs = || vec![(0, vec![us(10)]), (1_000, vec![us(5), us(6)]), (2_000, vec![us(7)])];
    let run = |kind, estimates: [u64; 3]| {
        let Workload::Scheduled(jobs, _) =
            scheduled(&network, 1, rules(kind, Allocation::Linear, 2_000_000), programs())
        else {
            unreachable!()
        };
        let request = |(job, estimate): (&Job, u64)| Request {
            arrival: job.start,
            ranks: job.source.ranks(),
            nodes: 0,
            estimate: Time::from_us(estimate),
        };
        let requests = jobs.iter().zip(estimates).map(request).collect();
        let rules = rules(kind, Allocation::Linear, 2_000_000);
        let scheduler = Scheduler::new(rules, network.nodes, 1, requests).unwrap();
        spans(&run(&network, &config, Workload::Scheduled(jobs, scheduler)))
    };
    let us = |spans: [(u64, u64); 3]| spans.map(|(start, end)| (start * 1_000, end * 1_000));
    let in_order = us([(0, 10_000), (12_000, 18_000), (20_000, 27_000)]);
    assert_eq!(run(Kind::FirstComeFirstServed, [10, 6, 7]), in_order);
    assert_eq!(run(Kind::EasyBackfilling, [10, 6, 7]), us([(0, 10_000), (12_000, 18_000), (2, 7_002)]));
    assert_eq!(run(Kind::EasyBackfilling, [10, 6, 10]), in_order, "2 ns + 10 us + 2 us is after 12 us");
}

/// Times that are no clock edges, jobs of no length, and long idle times between arrivals.
#[test]
fn odd_times() {
    let network = torus(&[2, 2], 1, 1);
    let config = config(&network, 3);
    for delay in [1_600, 1_601, 7_777, 1_000_000] {
        let programs = vec![
            (0, vec![vec![], vec![]]),
            (0, vec![vec![compute(Time(1))]; 4]),
            (1_601, vec![vec![], vec![compute(Time(1_600))], vec![]]),
            (1_601, vec![vec![]; 2]),
            (987_654_321_987, vec![vec![compute(Time(17))]; 4]),
            (987_654_321_988, vec![vec![]; 4]),
        ];
        let rules = rules(Kind::FirstComeFirstServed, Allocation::Linear, delay);
        let record = run(&network, &config, scheduled(&network, 1, rules, programs));
        let second = delay;
        let third = second + 1 + delay;
        // Two of the three ranks end at once, but nodes are free when their job has ended.
        let fourth = third + 1_600 + delay;
        let fifth = 987_654_321_987;
        let spans = spans(&record);
        let expected = [
            (0, 0),
            (second, second + 1),
            (third, third + 1_600),
            (fourth, fourth),
            (fifth, fifth + 17),
            (fifth + 17 + delay, fifth + 17 + delay),
        ];
        assert_eq!(spans, expected, "delay {delay}");
    }
}

/// A communicating program: rounds of eager and large messages from anyone, and collectives.
pub fn wildcards(ranks: u32, rounds: u32, salt: u32) -> Vec<Vec<Operation>> {
    let of_rank = |rank: u32| {
        let mut operations = Vec::new();
        for round in 1..=rounds {
            operations.extend([
                Operation::irecv(None, round, 0),
                Operation::isend((rank + round) % ranks, round, u64::from(round * 3_000 + salt), 1),
                Operation::Compute(Time(1_000 * u64::from((rank * round + salt) % 13))),
                Operation::WaitAll,
                Operation::collective(Collective::Allreduce { bytes: 64, count: 8, compute: Time(500) }),
            ]);
        }
        operations
    };
    (0..ranks).map(of_rank).collect()
}

fn mix(network: &Network, kind: Kind, allocation: &Allocation, delay: u64) -> Workload {
    let sizes = [(0, 20), (0, 9), (100, 30), (5_000, 4), (90_000, 16), (90_000, 32), (200_000, 2), (30_000_000, 7)];
    let program = |(salt, (arrival, ranks))| (arrival, wildcards(ranks, 2 + salt % 3, salt));
    let programs = (0..).zip(sizes).map(program).collect();
    let rules = Rules { whole_nodes: delay > 100_000, ..rules(kind, allocation.clone(), delay) };
    scheduled(network, 2, rules, programs)
}

/// A scheduler acts between windows, whose lengths depend on the partitions; what it does must not.
#[test]
fn scheduled_jobs_do_not_depend_on_partitions() {
    let network = torus(&[4, 4], 2, 1);
    let mut config = adaptive(&network, 20);
    config.node.eager_limit = Bytes(5_000);
    config.node.receive_overhead = Time(12_345);
    let policy = StallTimer::uniform(network.classes.len(), Some(Time(0)), Some(Time::from_us(1)));
    let groups = Allocation::by_switch(&network);
    for (kind, allocation, delay) in [
        (Kind::FirstComeFirstServed, Allocation::Random, 1_600),
        (Kind::EasyBackfilling, groups, 30_000),
        (Kind::EasyBackfilling, Allocation::Contiguous, 1_000_000),
        (Kind::RandomSelectable, Allocation::Linear, 1_234_567),
    ] {
        for audit in [true, false] {
            config.audit = audit;
            check(&network, &config, &policy, || mix(&network, kind, &allocation, delay));
        }
    }
}

/// How often a run pauses must not matter.
#[test]
fn pauses_change_nothing() {
    let network = torus(&[4, 4], 2, 1);
    let config = Config { audit: false, ..adaptive(&network, 20) };
    let policy = StallTimer::always_on(network.classes.len());
    let record = |events: u64| {
        let workload = mix(&network, Kind::EasyBackfilling, &Allocation::Linear, 50_000);
        let mut simulation = Simulation::in_partitions(&network, &config, &policy, workload, 2).unwrap();
        while simulation.advance(events).unwrap() != Progress::Done {}
        simulation.into_record()
    };
    assert_eq!(record(1), record(u64::MAX));
}

/// A standstill of one job is told, while others have not started.
#[test]
fn a_standstill_beside_jobs_that_wait() {
    let network = torus(&[2], 1, 1);
    let config = config(&network, 3);
    let programs = vec![(0, vec![vec![]]), (0, vec![vec![recv(1)], vec![recv(0)]]), (9, vec![vec![]; 2])];
    let rules = rules(Kind::FirstComeFirstServed, Allocation::Linear, 2_000);
    let policy = StallTimer::always_on(network.classes.len());
    let ran = engine::run(&network, &config, &policy, scheduled(&network, 1, rules, programs)).unwrap();
    let Err(Failure::Deadlock(deadlock)) = ran else { panic!("{ran:?}") };
    let text = deadlock.to_string();
    assert!(text.starts_with("deadlock at") && text.contains("2 ranks wait in a circle"), "{text}");
    assert!(text.contains("job job 1: rank 0 waits to receive from rank 1"), "{text}");
}

#[test]
fn what_does_not_fit_together_is_refused() {
    let network = torus(&[2], 1, 1);
    let config = config(&network, 3);
    let policy = StallTimer::always_on(network.classes.len());
    let programs = || vec![(0, vec![vec![]])];
    let quick = rules(Kind::FirstComeFirstServed, Allocation::Linear, 1_599);
    let refused = engine::run(&network, &config, &policy, scheduled(&network, 1, quick, programs())).unwrap_err();
    assert_eq!(refused.key, "scheduler.delay");
    let slow = || rules(Kind::FirstComeFirstServed, Allocation::Linear, 1_600);
    let Workload::Scheduled(jobs, _) = scheduled(&network, 1, slow(), programs()) else { unreachable!() };
    let Workload::Scheduled(_, other) = scheduled(&network, 1, slow(), vec![(5, vec![vec![]])]) else { unreachable!() };
    let refused = engine::run(&network, &config, &policy, Workload::Scheduled(jobs, other)).unwrap_err();
    assert_eq!(refused.key, "scheduler");
}

proptest! {
    #![proptest_config(proptest_config(60))]

    /// The simulation starts jobs when the scheduler alone would that is told how long they ran.
    #[test]
    fn the_run_follows_the_scheduler(
        drawn in prop::collection::vec((program(), 0u64..3_000_000), 1..6), kind in 0usize..3, delay in 1_600u64..2_000_000,
    ) {
        let network = mesh(&[3, 2], 1, 1);
        let config = config(&network, 3);
        let kind = [Kind::FirstComeFirstServed, Kind::EasyBackfilling, Kind::RandomSelectable][kind];
        let rules = rules(kind, Allocation::RandomNodes, delay);
        let source = |drawn: &Drawn| drawn.source();
        let request = |(drawn, arrival): &(Drawn, u64)| Request {
            arrival: Time(*arrival),
            ranks: drawn.placement.len() as u32,
            nodes: 0, estimate: Time::from_us(5),
        };
        let requests: Vec<Request> = drawn.iter().map(request).collect();
        let most = requests.iter().map(|request| request.ranks).max().unwrap();
        let scheduler = Scheduler::new(rules, network.nodes, most.div_ceil(4), requests).unwrap();
        let job = |(drawn, arrival): &(Drawn, u64)| Job {
            name: String::new(), source: Box::new(source(drawn)), placement: Vec::new(), start: Time(*arrival),
        };
        let jobs = drawn.iter().map(job).collect();
        let record = run(&network, &config, Workload::Scheduled(jobs, scheduler.clone()));
        let times: Vec<u64> = record.jobs.iter().map(|job| (job.finish - job.start).0).collect();
        let first_of = |job: u32| record.jobs[..job as usize].iter().map(|job| job.ranks as usize).sum::<usize>();
        for start in drive(scheduler, &times) {
            let job = &record.jobs[start.job as usize];
            prop_assert_eq!(job.start, start.at);
            let ranks = &record.ranks[first_of(start.job)..][..job.ranks as usize];
            prop_assert!(ranks.iter().map(|rank| rank.node).eq(start.nodes.iter().map(|node| node.0)));
            // The parts of a rank's time sum to its time from the start of its job.
            for rank in ranks {
                prop_assert_eq!(rank.times.total(), rank.finish - job.start);
            }
        }
    }
}
