//! Jobs that start again until all others have ended.

use drowse_core::engine::{Failure, Simulation};
use drowse_core::measure::Record;
use drowse_core::model::config::{Config, Overheads};
use drowse_core::model::ids::NodeId;
use drowse_core::model::units::{Bytes, Time};
use drowse_core::power::StallTimer;
use drowse_core::workload::again::Again;
use drowse_core::workload::operation::{Collective, Operation, OperationSource};
use drowse_core::workload::{Job, Workload};
use proptest::prelude::*;

use crate::common::*;
use crate::partitions::{adaptive, check};

/// A cycle of the switch clock.
const CYCLE: u64 = 1_600;

fn again(ranks: Vec<Vec<Operation>>) -> Box<dyn OperationSource> {
    Box::new(Again::new(move || Box::new(Program::new(ranks.clone()))))
}

fn once(ranks: Vec<Vec<Operation>>) -> Box<dyn OperationSource> {
    Box::new(Program::new(ranks))
}

fn job(name: &str, source: Box<dyn OperationSource>, first: u32, start: u64) -> Job {
    let placement = (0..source.ranks()).map(|rank| NodeId(first + rank)).collect();
    Job { name: name.into(), source, placement, start: Time(start * CYCLE) }
}

fn cycles(cycles: u64) -> Operation {
    compute(Time(cycles * CYCLE))
}

fn run_jobs(jobs: Vec<Job>) -> Record {
    let network = mesh(&[8], 1, 1);
    run(&network, &config(&network, 3), Workload::Jobs(jobs))
}

/// A repetition takes 100 cycles and starts 64 after the one before: the k-th ends at 164 k - 64 cycles. Of a run of 1,000
/// cycles six have ended; the seventh has run for 80 cycles when the run ends, 64 after the other job.
#[test]
fn whole_repetitions_by_hand() {
    let record = run_jobs(vec![
        job("other", once(vec![vec![cycles(1_000)]]), 0, 0),
        job("load", again(vec![vec![cycles(100)]]), 1, 0),
    ]);
    assert_eq!(record.makespan, Some(Time(1_000 * CYCLE)));
    assert_eq!(record.measured, Time(1_064 * CYCLE));
    let [other, load] = &record.jobs[..] else { panic!("{:?}", record.jobs) };
    assert_eq!((other.again, other.repetitions, other.finish), (false, 1, Time(1_000 * CYCLE)));
    assert_eq!((load.again, load.repetitions, load.finish), (true, 6, Time(1_064 * CYCLE)));
    let times = record.ranks[1].times;
    assert_eq!((times.computing, times.collectives), (Time(680 * CYCLE), Time(384 * CYCLE)));
    assert_eq!(times.waits.partner_working, Time(384 * CYCLE));
}

/// One that ends in the cycles after the other job is not whole; one that ends with it is.
#[test]
fn the_end_of_the_others_counts() {
    for (others, whole) in [(919, 5), (920, 6), (921, 6), (1_083, 6), (1_084, 7)] {
        let record = run_jobs(vec![
            job("load", again(vec![vec![cycles(100)]]), 1, 0),
            job("other", once(vec![vec![cycles(others)]]), 0, 0),
        ]);
        assert_eq!(record.jobs[0].repetitions, whole, "{others} cycles");
    }
}

/// The job starts again when its last rank has ended, and has at the beginning what it had at the first.
#[test]
fn ranks_wait_for_the_last_of_their_job() {
    let load = vec![vec![cycles(10), send(1, 16)], vec![cycles(100), recv(0)]];
    let record = run_jobs(vec![job("other", once(vec![vec![cycles(1_000)]]), 4, 0), job("load", again(load), 0, 0)]);
    assert_eq!(record.jobs[1].repetitions, 6);
    // The seventh repetition has sent, too.
    assert_eq!(record.ranks[1].messages, 7);
    assert_eq!(record.ranks[1].times.computing, Time(70 * CYCLE));
    assert_eq!(record.warnings, []);
}

/// Nothing holds up a rank that only sends: it waits for its job.
#[test]
fn a_rank_that_only_sends_does_not_run_away() {
    let load = vec![vec![send(1, 16)], vec![cycles(100), recv(0)]];
    let record = run_jobs(vec![job("other", once(vec![vec![cycles(1_000)]]), 4, 0), job("load", again(load), 0, 0)]);
    assert_eq!((record.jobs[1].repetitions, record.ranks[1].messages), (6, 7));
}

/// A job that starts when all is over, and one without operations.
#[test]
fn jobs_that_do_nothing() {
    let record = run_jobs(vec![
        job("other", once(vec![vec![cycles(100)]]), 0, 0),
        job("late", again(vec![vec![cycles(1)]]), 1, 10_000),
        job("empty", again(vec![vec![], vec![]]), 2, 0),
    ]);
    assert_eq!(record.measured, Time(164 * CYCLE));
    assert_eq!((record.jobs[1].repetitions, record.jobs[1].start), (0, Time(10_000 * CYCLE)));
    assert_eq!(record.jobs[1].finish, record.jobs[1].start);
    // At 0 and at 64 cycles.
    assert_eq!(record.jobs[2].repetitions, 2);
}

/// Ranks that wait for each other in vain are found while others go on, of whichever job.
#[test]
fn standstills_beside_a_load() {
    let network = mesh(&[8], 1, 1);
    let stuck = || vec![vec![recv(1), send(1, 8)], vec![recv(0), send(0, 8)]];
    let busy = || vec![vec![cycles(100), send(1, 8), recv(1)], vec![recv(0), send(0, 8)]];
    for jobs in [
        vec![job("stuck", once(stuck()), 0, 0), job("load", again(busy()), 2, 0)],
        vec![job("stuck", again(stuck()), 0, 0), job("other", once(vec![vec![cycles(1_000_000)]]), 2, 0)],
    ] {
        match try_run(&network, &config(&network, 3), Workload::Jobs(jobs)) {
            Err(Failure::Deadlock(deadlock)) => {
                assert_eq!(deadlock.members.len(), 2);
                assert!(deadlock.members[0].contains("stuck"), "{deadlock}");
                assert!(deadlock.at < Time(10_000 * CYCLE), "{deadlock}");
            }
            other => panic!("{other:?}"),
        }
    }
}

#[test]
fn one_job_must_end() {
    let network = mesh(&[4], 1, 1);
    let config = config(&network, 3);
    let policy = StallTimer::always_on(network.classes.len());
    let jobs = vec![job("a", again(vec![vec![cycles(1)]]), 0, 0), job("b", again(vec![vec![cycles(1)]]), 1, 0)];
    let error = Simulation::new(&network, &config, &policy, Workload::Jobs(jobs)).err().unwrap();
    assert_eq!(error.key, "job.repeat");
}

/// Ranks of a job exchange messages of some size after some computing, and meet in a collective.
fn exchange(ranks: u32, computes: u64, bytes: u64) -> Vec<Vec<Operation>> {
    let program = |rank: u32| {
        let (up, down) = ((rank + 1) % ranks, (rank + ranks - 1) % ranks);
        vec![
            irecv(down, 0, 0),
            cycles(computes * u64::from(rank % 3)),
            isend(up, 0, bytes, 1),
            Operation::WaitAll,
            Operation::collective(Collective::Allreduce { bytes: 16, count: 2, compute: Time(500) }),
        ]
    };
    (0..ranks).map(program).collect()
}

/// What acts between windows does so at the same times, whatever the partitions are.
#[test]
fn repetitions_do_not_depend_on_partitions() {
    let network = torus(&[4, 4], 1, 2);
    let mut config = adaptive(&network, 5);
    config.node.eager_limit = Bytes(10_000);
    let policy = StallTimer::uniform(network.classes.len(), Some(Time(0)), Some(Time::from_us(1)));
    let costs = Overheads { message: Time(1_511), byte: Time(3), gap: Time(2_017), gap_per_byte: Time(1) };
    for overheads in [Overheads::NONE, costs] {
        config.node.overheads = overheads;
        let place = |mut job: Job, shift: u32| {
            job.placement.iter_mut().for_each(|node| *node = NodeId((node.0 * 11 + shift) % network.nodes));
            job
        };
        let workload = || {
            Workload::Jobs(vec![
                place(job("load", again(exchange(10, 500, 3_000)), 0, 3), 0),
                place(job("other", once(exchange(9, 9_000, 50_000)), 10, 0), 0),
                place(job("large", again(exchange(8, 100, 40_000)), 20, 77), 0),
            ])
        };
        check(&network, &config, &policy, workload);
    }
}

proptest! {
    #![proptest_config(proptest_config(64))]

    /// All that ranks do sums to their time, and a job repeats no more often than its computing allows. Audited.
    #[test]
    fn times_sum_to_the_run(
        (ranks, computes, bytes) in (2u32..6, 1u64..400, 0u64..9_000),
        (others, start) in (1u64..20_000, 0u64..3_000),
        slow: bool,
    ) {
        let network = torus(&[4, 3], 1, 1);
        let mut config = Config { audit: true, ..adaptive(&network, 3) };
        config.node.eager_limit = Bytes(4_000);
        config.node.receive_overhead = Time(700);
        if slow {
            config.node.overheads = Overheads { message: Time(1_511), byte: Time(3), gap: Time(2_017), gap_per_byte: Time(1) };
        }
        let load = job("load", again(exchange(ranks, computes, bytes)), 0, start);
        let other = job("other", once(vec![vec![cycles(others), send(1, 100)], vec![recv(0)]]), 8, 0);
        let record = run(&network, &config, Workload::Jobs(vec![load, other]));
        for (rank, start) in record.ranks.iter().zip((0..ranks).map(|_| start).chain([0, 0])) {
            prop_assert_eq!(rank.times.total(), rank.finish.saturating_sub(Time(start * CYCLE)));
            let waits = rank.times.sending + rank.times.receiving + rank.times.collectives;
            prop_assert_eq!(rank.times.waits.total(), waits);
        }
        // The second rank computes once a repetition.
        let room = record.measured.0.saturating_sub(start * CYCLE);
        prop_assert!(record.jobs[0].repetitions * (computes + 64) * CYCLE <= room + 64 * CYCLE);
        let residencies = record.channels.iter().map(|channel| channel.residency.iter().map(|time| time.0).sum::<u64>());
        prop_assert!(residencies.into_iter().all(|sum| sum == record.measured.0));
    }
}
