//! Iterations that are extrapolated, against runs in which all are simulated.

use std::sync::Arc;

use drowse_core::engine;
use drowse_core::measure::{CriticalPath, RankRecord, RankTimes, Record, Waits};
use drowse_core::model::config::Config;
use drowse_core::model::extrapolate::Extrapolate;
use drowse_core::model::ids::NodeId;
use drowse_core::model::unit::{FlowModel, Unit};
use drowse_core::model::units::Time;
use drowse_core::power::trunk::{Off, Trunk};
use drowse_core::power::{ClassPolicy, Policy, Predictive, StallTimer, Timers};
use drowse_core::topology::Network;
use drowse_core::workload::listed::Listed;
use drowse_core::workload::operation::{Operation, OperationSource, Repeats, SourceError};
use drowse_core::workload::programs::{Application, Iterate, Phase, Phased, Stencil};
use drowse_core::workload::repeat::Repeat;
use drowse_core::workload::stretched::Stretched;
use drowse_core::workload::{Job, Workload};

use crate::common::*;
use crate::flows::by_flows;
use crate::repeat::all;

/// Iterations that differ by no more than a thousandth are alike.
const RULES: Extrapolate = Extrapolate { within_billionths: 1_000_000, after: 2 };

/// Returns the same machine on which iterations are extrapolated.
fn extrapolating(config: &Config) -> Config {
    extrapolating_by(RULES, config)
}

fn extrapolating_by(rules: Extrapolate, config: &Config) -> Config {
    let model = FlowModel { extrapolate: Some(rules), ..FlowModel::default() };
    Config { unit: Unit::Flow(model), ..config.clone() }
}

/// A ring of ranks that compute for some clock cycles and exchange some bytes with both neighbours.
fn ring(ranks: u32, bytes: u64, cycles: u64, iterations: u32) -> Box<dyn OperationSource> {
    let stencil = Phased(Stencil::new(vec![ranks], true, bytes).unwrap());
    let phase = Phase::new(stencil, iterations, Time(1_600 * cycles));
    Box::new(Iterate::new(Arc::new(Application::new(vec![phase]).unwrap()), 1))
}

fn job_on(source: Box<dyn OperationSource>, nodes: impl Iterator<Item = u32>, start: u64) -> Job {
    Job { name: "job".into(), source, placement: nodes.map(NodeId).collect(), start: Time(start) }
}

/// Runs jobs whole and extrapolated.
fn both<P: Policy>(network: &Network, config: &Config, policy: &P, jobs: impl Fn() -> Vec<Job>) -> [Record; 2] {
    [by_flows(config), extrapolating(config)].map(|config| checked(network, &config, policy, jobs()))
}

/// Runs jobs; what is counted of channels and ranks adds up.
fn checked<P: Policy>(network: &Network, config: &Config, policy: &P, jobs: Vec<Job>) -> Record {
    let record = run_with(network, config, policy, Workload::Jobs(jobs));
    for channel in &record.channels {
        let states = channel.residency.iter().map(|time| time.0).sum::<u64>();
        assert_eq!(states, record.measured.0, "states of a channel");
    }
    let start = record.jobs.iter().map(|job| job.start.0).min().unwrap();
    for rank in &record.ranks {
        assert!(rank.times.total().0 <= rank.finish.0 - start);
        let waits = rank.times.sending + rank.times.receiving + rank.times.collectives;
        assert_eq!(rank.times.waits.total(), waits, "waits by cause");
    }
    record
}

/// Returns what is to be the same in both, whatever was simulated. For what ranks wait, and what leads to their ends,
/// may alternate from one iteration to the next, although nothing else does.
fn facts(record: &Record) -> impl PartialEq + std::fmt::Debug {
    let packets = (record.packets_injected, record.packets_delivered, record.hops);
    let of_rank = |rank: &RankRecord| {
        let times = RankTimes { waits: Waits::default(), ..rank.times };
        (times, rank.path.total(), rank.path.computing, RankRecord { times, path: CriticalPath::NOTHING, ..*rank })
    };
    let ranks: Vec<_> = record.ranks.iter().map(of_rank).collect();
    let jobs: Vec<_> = record.jobs.iter().map(|job| (job.start, job.finish, job.path.total())).collect();
    (record.makespan, record.measured, packets, record.channels.clone(), ranks, jobs)
}

fn stall(deep_us: u64, network: &Network) -> StallTimer {
    let timers = Timers { shallow: Time::from_us(5), deep: Time::from_us(deep_us) };
    StallTimer { timers: vec![timers; network.classes.len()] }
}

/// Jobs that share no channel: every time, state, packet and byte is that of the whole run. The ring has 8 KiB a
/// message; its iterations take 40 us and more.
#[test]
fn jobs_that_do_not_meet_are_exact() {
    let network = torus(&[8], 1, 1);
    let config = config(&network, 3);
    let jobs = || vec![job_on(ring(8, 8_192, 25_000, 5_000), 0..8, 0)];
    let predictive = ClassPolicy::Predictive(Predictive::new(500_000_000, None, STATES));
    let predictive = everywhere(&network, predictive);
    let [always, timers] = [StallTimer::always_on(network.classes.len()), stall(20, &network)];
    let runs = [
        both(&network, &config, &always, jobs),
        both(&network, &config, &timers, jobs),
        both(&network, &config, &predictive, jobs),
    ];
    for [whole, part] in runs {
        assert_eq!(facts(&part), facts(&whole));
        let done = part.extrapolation.clone().expect("something is extrapolated");
        let skipped = done.skipped[&0];
        // All but the iterations before the two samples, those, and three at the end.
        assert!(skipped > part.makespan.unwrap().0 * 99 / 100, "{skipped} of {:?}", part.makespan);
        assert_eq!((done.intervals, done.difference_billionths), (1, 0));
        assert!(part.events < whole.events / 100, "{} of {}", part.events, whole.events);
    }
}

/// Two rings on two halves of a mesh, one of which starts when the other is held: none is disturbed.
#[test]
fn jobs_come_and_go_beside_each_other() {
    let network = mesh(&[16], 1, 1);
    let config = config(&network, 3);
    let line = |ranks: u32, cycles: u64, iterations| {
        let stencil = Phased(Stencil::new(vec![ranks], false, 8_192).unwrap());
        let phase = Phase::new(stencil, iterations, Time(1_600 * cycles));
        Box::new(Iterate::new(Arc::new(Application::new(vec![phase]).unwrap()), 1))
    };
    let jobs = || vec![job_on(line(8, 25_000, 3_000), 0..8, 0), job_on(line(8, 70_000, 500), 8..16, 1_600 * 1_000_000)];
    let [whole, part] = both(&network, &config, &stall(20, &network), jobs);
    assert_eq!(facts(&part), facts(&whole));
    assert_eq!(part.extrapolation.unwrap().skipped.len(), 2);
}

/// Two jobs meet on every link, in iterations of unequal lengths; one comes while the other is held, and goes before it
/// ends. How they meet depends on the time at which the second starts, to the clock cycle: whole runs, for starts within
/// one iteration of the first job, say how far. Times and energies of the extrapolated run are within theirs, to a
/// hundredth; messages and bytes are the same to the last.
#[test]
fn jobs_that_meet_are_within_the_bound() {
    let network = torus(&[8], 1, 2);
    let config = config(&network, 3);
    let policy = stall(20, &network);
    let jobs = |later: u64| {
        let [even, odd] = [0, 1].map(|of| (0..8).map(move |node| 2 * node + of));
        let start = 1_600 * (20_000_000 + later);
        vec![job_on(ring(8, 20_000, 25_000, 4_000), even, 0), job_on(ring(8, 30_000, 70_000, 1_000), odd, start)]
    };
    // Iterations of jobs that meet are never alike to a thousandth.
    let rules = Extrapolate { within_billionths: Extrapolate::WITHIN_BILLIONTHS, ..RULES };
    let part = checked(&network, &extrapolating_by(rules, &config), &policy, jobs(0));
    let later = (0..4).map(|quarter| 10_000 * quarter);
    let whole: Vec<_> = later.map(|later| checked(&network, &by_flows(&config), &policy, jobs(later))).collect();
    let within = |figure: &dyn Fn(&Record) -> u64| {
        let (ours, theirs) = (figure(&part), || whole.iter().map(figure));
        let (least, most) = (theirs().min().unwrap(), theirs().max().unwrap());
        assert!(ours * 100 >= least * 99 && ours * 100 <= most * 101, "{ours} not in {least} to {most}");
    };
    for job in 0..2 {
        within(&|record| record.jobs[job].finish.0 - record.jobs[job].start.0);
    }
    within(&|record| record.channels.iter().map(|channel| channel.residency[0].0).sum());
    within(&|record| record.packets_injected);
    let sent = |record: &Record| record.ranks.iter().map(|rank| (rank.messages, rank.bytes)).collect::<Vec<_>>();
    assert_eq!(sent(&part), sent(&whole[0]));
    let skipped = part.extrapolation.unwrap().skipped;
    assert_eq!(skipped.len(), 2, "both jobs are extrapolated");
    for (job, skipped) in skipped {
        let times = &part.jobs[job as usize];
        assert!(skipped > (times.finish.0 - times.start.0) / 10 * 9, "{skipped} of {times:?}");
    }
    assert!(part.events < whole[0].events / 20, "{} of {}", part.events, whole[0].events);
}

/// A job that is stopped at its limit, while it would be held, is stopped then.
#[test]
fn limits_are_kept() {
    let network = torus(&[8], 1, 1);
    let config = config(&network, 3);
    let limit = Time(1_600 * 25_000 * 1_000 + 77);
    let jobs = || {
        let stretched = Stretched::new(ring(8, 8_192, 25_000, 5_000), Time::ZERO, 5_000).limited(Some(limit));
        vec![job_on(Box::new(stretched), 0..8, 0)]
    };
    let [whole, part] = both(&network, &config, &stall(20, &network), jobs);
    assert_eq!(part.makespan, Some(limit));
    assert_eq!(facts(&part), facts(&whole));
    assert!(part.events < whole.events / 20);
}

/// A program whose first rank cannot end an iteration before another has begun the next one: a rank that is held makes
/// it wait for ever. The job is let go, and simulated whole.
#[test]
fn ranks_that_cannot_be_held_go_on() {
    /// Each iteration of rank 0 receives what rank 1 sends in its next one.
    struct Ahead([u32; 2]);
    const COUNT: u32 = 60;

    impl OperationSource for Ahead {
        fn ranks(&self) -> u32 {
            2
        }

        fn refill(&mut self, rank: u32, operations: &mut Vec<Operation>) -> Result<(), SourceError> {
            let begun = &mut self.0[rank as usize];
            if *begun < COUNT {
                *begun += 1;
                operations.extend([Operation::Iteration, compute(Time::from_us(10))]);
                match (rank, *begun) {
                    (0, COUNT) | (1, 1) => {}
                    (0, _) => operations.push(recv(1)),
                    _ => operations.push(send(0, 64)),
                }
            }
            Ok(())
        }

        fn repeats(&self) -> Option<Repeats> {
            Some(Repeats { every: 1, left: u64::from(COUNT - self.0[0].max(self.0[1])) })
        }
    }

    let network = torus(&[4], 1, 1);
    let config = config(&network, 3);
    let jobs = || vec![job_on(Box::new(Ahead([0; 2])), 0..2, 0)];
    let [whole, part] = both(&network, &config, &stall(20, &network), jobs);
    assert!(part.extrapolation.unwrap().skipped.is_empty());
    let [ours, theirs] = [part.makespan.unwrap().0, whole.makespan.unwrap().0];
    assert!(ours >= theirs && ours - theirs < Time::from_us(100).0, "{ours} {theirs}");
}

/// What is left out of the next iterations of each rank is left out, wherever ranks are.
#[test]
fn sources_leave_out_iterations() {
    let application = || {
        let phase = |iterations, us| {
            let stencil = Phased(Stencil::new(vec![2], true, 64).unwrap());
            Phase::new(stencil, iterations, Time::from_us(us))
        };
        Arc::new(Application::new(vec![phase(2, 1), phase(3, 5)]).unwrap())
    };
    let one =
        || Box::new(Listed::new(vec![vec![compute(Time(7)), send(1, 8)], vec![recv(0)]])) as Box<dyn OperationSource>;
    let make: [Box<dyn Fn() -> Box<dyn OperationSource>>; 3] = [
        Box::new(move || Box::new(Iterate::new(application(), 20))),
        Box::new(move || Box::new(Repeat::new(100, one))),
        Box::new(move || Box::new(Stretched::new(Box::new(Repeat::new(100, one)), Time(1_000), 100))),
    ];
    let marks =
        |operations: &[Operation]| operations.iter().filter(|of| matches!(of, Operation::Iteration)).count() as u64;
    for make in make {
        let (mut whole, mut source) = (make(), make());
        let mut read = [Vec::new(), Vec::new()];
        source.refill(0, &mut read[0]).unwrap();
        let Repeats { every, left } = source.repeats().expect("iterations repeat");
        let whole = [0, 1].map(|rank| all(whole.as_mut(), rank));
        assert!(left >= 40 && left <= 100 - marks(&read[0]), "{left} after {}", marks(&read[0]));
        let leave_out = left / u64::from(every) * u64::from(every);
        source.leave_out(leave_out);
        for rank in 0..2 {
            read[rank as usize].extend(all(source.as_mut(), rank));
            let read = &read[rank as usize];
            assert_eq!(marks(read), marks(&whole[rank as usize]) - leave_out, "rank {rank}");
            // Its end is that of the whole program, but for names of requests.
            let ends = |operations: &[Operation]| operations.last().cloned();
            assert_eq!(ends(read), ends(&whole[rank as usize]));
        }
        assert!(source.repeats().is_none_or(|repeats| repeats.left == 0));
    }
}

/// What does not go with it is refused, with the key to change.
#[test]
fn refusals_name_their_keys() {
    let network = torus(&[4], 2, 1);
    let config = extrapolating(&Config { audit: false, ..config(&network, 3) });
    let jobs = || Workload::Jobs(vec![job_on(ring(4, 64, 100, 3), 0..4, 0)]);
    let off = Off::ByPorts(900_000_000);
    let trunk = Trunk { window: Time::from_us(10), on: 650_000_000, off, backlog: Time::from_us(100), steps: 1 };
    let refused = engine::check(&network, &config, &trunk, &jobs()).unwrap_err();
    assert_eq!(refused.key, "power.policy");
    assert!(refused.reason.contains("trunks are examined by windows"), "{}", refused.reason);
    engine::check(&network, &config, &stall(20, &network), &jobs()).unwrap();
}
