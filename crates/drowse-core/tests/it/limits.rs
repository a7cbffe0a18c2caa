//! Jobs that are stopped at their limits: when, what their ranks have done by then, and what it does to others.

use drowse_core::engine::{Progress, Simulation};
use drowse_core::measure::{Record, Warning};
use drowse_core::model::config::Config;
use drowse_core::model::ids::NodeId;
use drowse_core::model::units::Time;
use drowse_core::power::StallTimer;
use drowse_core::topology::Network;
use drowse_core::workload::listed::Listed;
use drowse_core::workload::operation::Operation;
use drowse_core::workload::stretched::Stretched;
use drowse_core::workload::{Job, Workload};

use crate::common::{compute, config, recv, send, torus};

/// Makes a job that is stopped after a time, a rank on each of these nodes.
fn limited(name: &str, ranks: Vec<Vec<Operation>>, nodes: &[u32], limit: Option<Time>) -> Job {
    let source = Stretched::new(Box::new(Listed::new(ranks)), Time::ZERO, 0).limited(limit);
    let placement = nodes.iter().copied().map(NodeId).collect();
    Job { name: name.into(), source: Box::new(source), placement, start: Time::from_us(1) }
}

fn run(network: &Network, config: &Config, jobs: Vec<Job>, partitions: usize) -> Record {
    let policy = StallTimer::always_on(network.classes.len());
    let mut simulation = Simulation::in_partitions(network, config, &policy, Workload::Jobs(jobs), partitions).unwrap();
    while simulation.advance(u64::MAX).unwrap() != Progress::Done {}
    simulation.into_record()
}

/// Rank 0 computes for 3 us and sends, again and again; rank 1 receives.
fn endless() -> Vec<Vec<Operation>> {
    let sends = std::iter::repeat_n([compute(Time::from_us(3)), send(1, 100_000)], 1_000).flatten();
    vec![sends.collect(), vec![recv(0); 1_000]]
}

#[test]
fn ranks_end_at_the_limit() {
    let network = torus(&[4], 1, 1);
    for audit in [true, false] {
        let mut config = config(&network, 3);
        config.audit = audit;
        let limit = Time::from_us(1_000);
        let record = run(&network, &config, vec![limited("endless", endless(), &[0, 2], Some(limit))], 1);
        let end = Time::from_us(1_001);
        assert_eq!(record.makespan, Some(end));
        for rank in &record.ranks {
            assert_eq!(rank.finish, end);
            let times = rank.times;
            let spent = times.computing + times.overhead + times.sending + times.receiving + times.collectives;
            assert_eq!(spent, limit, "{rank:?}");
            assert_eq!(rank.path.total(), limit);
        }
        assert_eq!(record.warnings, [Warning::Stopped { jobs: 1 }], "what it did not receive is no fault of its own");
    }
}

/// One that ends by itself, at its limit or before it, is as without a limit.
#[test]
fn a_limit_that_is_not_reached_changes_nothing() {
    let network = torus(&[4], 1, 1);
    let config = config(&network, 3);
    let ranks = || vec![vec![compute(Time::from_us(50)), send(1, 10)], vec![recv(0), compute(Time::from_us(5))]];
    let free = run(&network, &config, vec![limited("free", ranks(), &[0, 1], None)], 1);
    let takes = free.makespan.unwrap() - Time::from_us(1);
    for limit in [takes, takes + Time(1), Time::END, Time::NEVER] {
        let record = run(&network, &config, vec![limited("free", ranks(), &[0, 1], Some(limit))], 1);
        assert_eq!((record.makespan, &record.ranks), (free.makespan, &free.ranks), "{limit:?}");
        assert!(record.warnings.is_empty());
    }
    let record = run(&network, &config, vec![limited("free", ranks(), &[0, 1], Some(takes - Time(1)))], 1);
    assert_eq!(record.warnings, [Warning::Stopped { jobs: 1 }]);
}

/// Other jobs go on, and shards agree.
#[test]
fn others_go_on() {
    let network = torus(&[8], 1, 1);
    let config = config(&network, 3);
    let other = || vec![vec![compute(Time::from_us(300)), send(1, 10)], vec![recv(0)]];
    let jobs = || {
        let stopped = limited("endless", endless(), &[0, 4], Some(Time::from_us(200)));
        vec![stopped, limited("other", other(), &[1, 5], None)]
    };
    let one = run(&network, &config, jobs(), 1);
    let ends: Vec<Time> = one.jobs.iter().map(|job| job.finish).collect();
    assert_eq!(ends[0], Time::from_us(201));
    assert!(ends[1] > Time::from_us(301));
    for partitions in [2, 4] {
        let many = run(&network, &config, jobs(), partitions);
        assert_eq!((&many.ranks, &many.jobs, &many.channels), (&one.ranks, &one.jobs, &one.channels));
    }
}

/// Ranks that wait for a message that never comes are stopped, too; without the limit they would wait without end.
#[test]
fn ranks_that_wait_in_vain() {
    let network = torus(&[4], 1, 1);
    let config = config(&network, 3);
    let ranks = vec![vec![recv(1)], vec![recv(0)]];
    let record = run(&network, &config, vec![limited("stuck", ranks, &[0, 1], Some(Time::from_us(9)))], 1);
    assert_eq!(record.makespan, Some(Time::from_us(10)));
    assert!(record.ranks.iter().all(|rank| rank.times.receiving == Time::from_us(9)));
}
