//! The end of simulated time: no sum of lengths that users give overflows, and what goes on after it is an error.

use drowse_core::engine::{Failure, Longest, Progress, Simulation, TooLong};
use drowse_core::model::config::Config;
use drowse_core::model::units::{BitRate, Bytes, Time};
use drowse_core::power::StallTimer;
use drowse_core::topology::Network;
use drowse_core::workload::Workload;
use drowse_core::workload::operation::{Collective, MOST_BYTES, Operation};

use crate::common::{compute, config, job, recv, run, send, started, torus, try_run};

fn ring() -> (Network, Config) {
    let network = torus(&[4], 1, 1);
    let config = config(&network, 3);
    (network, config)
}

/// Runs in some partitions.
fn in_partitions(partitions: usize, workload: Workload) -> Result<Time, Failure> {
    let (network, mut config) = ring();
    // An audit takes windows of one bucket.
    config.audit = partitions == 1;
    let policy = StallTimer::always_on(network.classes.len());
    let mut simulation = Simulation::in_partitions(&network, &config, &policy, workload, partitions).unwrap();
    loop {
        if simulation.advance(u64::MAX)? == Progress::Done {
            return Ok(simulation.into_record().makespan.unwrap());
        }
    }
}

/// Each computation is as long as one may be; 30 of them are more than 64 bits of picoseconds hold.
#[test]
fn computations_that_add_up() {
    let ranks = || vec![vec![compute(Time::LONGEST); 30], vec![compute(Time::from_us(1)); 3]];
    for partitions in [1, 2, 4] {
        let failure = in_partitions(partitions, job(ranks(), &[0, 3])).unwrap_err();
        // The eighteenth computation would end after the end.
        let longest = Some(Longest { time: Time(18 * Time::LONGEST.0), number: 0, job: "test".into(), rank: 0 });
        assert_eq!(failure, Failure::TooLong(TooLong { longest }));
    }
}

#[test]
fn lengths_of_any_size() {
    let one = |length| vec![vec![compute(Time::from_us(1)), compute(length)], vec![]];
    for length in [Time(Time::END.0 + 1), Time(u64::MAX - 1), Time::NEVER] {
        for period in [1, 1_600, Time::from_us(1_000_000).0] {
            let (network, mut config) = ring();
            config.switch.clock = Time(period);
            config.classes.iter_mut().for_each(|class| class.hop = class.hop.max(Time(period)));
            let failure = try_run(&network, &config, job(one(length), &[0, 1])).unwrap_err();
            assert!(matches!(failure, Failure::TooLong(_)), "{length:?}, {period}: {failure}");
            let beyond = started(job(one(Time::ZERO), &[0, 1]), length);
            let failure = try_run(&network, &config, beyond).unwrap_err();
            assert!(matches!(failure, Failure::TooLong(_)), "{length:?}, {period}: {failure}");
        }
    }
}

/// Up to its end, time is simulated to the picosecond.
#[test]
fn the_last_picosecond() {
    let (network, config) = ring();
    let ends_at = |end: u64| {
        let first = Time(end / 2);
        job(vec![vec![compute(first), compute(Time(end - first.0))], vec![]], &[0, 1])
    };
    assert_eq!(run(&network, &config, ends_at(Time::END.0)).makespan, Some(Time::END));
    assert_eq!(Time::END.0 % config.switch.clock.0, 0, "it is at an edge");
    assert!(try_run(&network, &config, ends_at(Time::END.0 + 1)).is_err());
}

/// Within a node, where a message takes as long as it is, whatever the rate.
#[test]
fn messages_through_slow_memory() {
    let (network, mut config) = ring();
    config.node.memory_bandwidth = BitRate(1);
    config.node.eager_limit = Bytes(u64::MAX);
    let ranks = vec![vec![send(1, MOST_BYTES); 100], vec![recv(0); 100]];
    let failure = try_run(&network, &config, job(ranks, &[2, 2])).unwrap_err();
    assert!(matches!(failure, Failure::TooLong(_)), "{failure}");
}

#[test]
fn more_than_a_call_can_name() {
    let (network, config) = ring();
    let bytes = MOST_BYTES + 1;
    let operations = [
        (send(1, bytes), "send"),
        (Operation::isend(1, 0, bytes, 0), "isend"),
        (Operation::collective(Collective::Bcast { root: 0, bytes, count: bytes }), "bcast"),
        (Operation::collective(Collective::Allreduce { bytes, count: 1, compute: Time::ZERO }), "allreduce"),
        (Operation::collective(Collective::Alltoallv { bytes: [0, bytes].into() }), "alltoallv"),
    ];
    for (operation, name) in operations {
        let failure = try_run(&network, &config, job(vec![vec![operation], vec![]], &[0, 1])).unwrap_err();
        let expected = "rank 0 sends 34359738369 B at once, and the most is 34359738368 B (32 GiB); send less: `";
        assert!(failure.to_string().starts_with(&format!("{expected}{name} ")), "{failure}");
    }
}
