//! How ranks spend their time, and the critical path of programs.

use drowse_core::measure::{CriticalPath, RankTimes, Record, Waits};
use drowse_core::model::config::{Overheads, SleepSelection};
use drowse_core::model::units::{BitRate, Bytes, Time};
use drowse_core::power::StallTimer;
use drowse_core::topology::{Ideal, TopologySpec};
use drowse_core::workload::operation::{Collective, Operation};
use proptest::prelude::*;

use crate::common::*;
use crate::random_programs::program;

const LATENCY: Time = Time::from_us(2);

/// Runs ranks on an ideal network where a message takes 2 us and 1 ns a byte; those of 1,000 B and more ask first, and
/// a rank is busy for 100 ns with a message.
fn on_ideal(ranks: Vec<Vec<Operation>>, nodes: &[u32]) -> Record {
    let bandwidth = BitRate::from_bytes_per_second(1_000_000_000);
    let network = TopologySpec::Ideal(Ideal { nodes: 8, latency: LATENCY, bandwidth }).build().unwrap();
    let mut config = config(&network, 1);
    config.node.eager_limit = Bytes(1_000);
    config.node.receive_overhead = Time::from_ns(100);
    run(&network, &config, job(ranks, nodes))
}

fn ns(ns: u64) -> Time {
    Time::from_ns(ns)
}

const NOTHING: CriticalPath = CriticalPath::NOTHING;

/// A chain of three ranks: the last waits for the second, which waits for the first and computes.
#[test]
fn a_chain() {
    let first = vec![compute(ns(5_000)), send(1, 500)];
    let second = vec![compute(ns(1_000)), recv(0), compute(ns(3_000)), send(2, 100)];
    let third = vec![recv(1), compute(ns(700))];
    let record = on_ideal(vec![first, second, third], &[0, 1, 2]);
    let times: Vec<RankTimes> = record.ranks.iter().map(|rank| rank.times).collect();
    let nothing = RankTimes::default();
    assert_eq!(times[0], RankTimes { computing: ns(5_000), ..nothing });
    // It waits from 1 us until 5 + 2 + 0.5 us.
    let overhead = ns(100);
    let waits = Waits { partner_working: ns(4_000), network: ns(2_500), ..Waits::default() };
    assert_eq!(times[1], RankTimes { computing: ns(4_000), receiving: ns(6_500), overhead, waits, ..nothing });
    // While the last waits, the second waits until 7.5 us, and then works.
    let receiving = ns(7_500 + 100 + 3_000 + 2_100);
    let [partner_waiting, partner_working, network] = [7_500, 3_100, 2_100].map(ns);
    let waits = Waits { partner_waiting, partner_working, network, ..Waits::default() };
    let third = RankTimes { computing: ns(700), receiving, overhead, waits, ..nothing };
    assert_eq!(times[2], third);
    // The second rank's first computing is not on the path: the first rank's is.
    let path =
        CriticalPath { computing: ns(5_000 + 3_000 + 700), overhead: ns(200), network: ns(2_500 + 2_100), ..NOTHING };
    assert_eq!(record.jobs[0].path, path);
    assert_eq!(record.ranks[1].path, CriticalPath { computing: ns(8_000), overhead, network: ns(2_500), ..NOTHING });
}

/// A message that is there already is no cause; one of a late receiver waits for that receiver.
#[test]
fn the_rank_that_comes_last_is_the_cause() {
    let record = on_ideal(vec![vec![send(1, 8)], vec![compute(ns(9_000)), recv(0)]], &[0, 1]);
    assert_eq!(record.jobs[0].path, CriticalPath { computing: ns(9_000), overhead: ns(100), ..NOTHING });
    // A large send waits for its receiver: that computes, answers, and the data leaves.
    let record = on_ideal(vec![vec![send(1, 5_000)], vec![compute(ns(9_000)), recv(0)]], &[0, 1]);
    let left = CriticalPath { computing: ns(9_000), network: ns(2_000 + 5_000), ..NOTHING };
    assert_eq!((record.ranks[0].path, record.ranks[0].finish), (left, ns(16_000)));
    let waits = Waits { partner_working: ns(9_000), network: ns(7_000), ..Waits::default() };
    assert_eq!(record.ranks[0].times, RankTimes { sending: ns(16_000), waits, ..RankTimes::default() });
    let got = CriticalPath { network: ns(2_000 + 7_000), overhead: ns(100), ..left };
    assert_eq!(record.jobs[0].path, got);
    // An early receiver: the request, the answer and the data.
    let record = on_ideal(vec![vec![compute(ns(9_000)), send(1, 5_000)], vec![recv(0)]], &[0, 1]);
    let path = CriticalPath { computing: ns(9_000), network: ns(2_000 + 2_000 + 7_000), overhead: ns(100), ..NOTHING };
    assert_eq!(record.jobs[0].path, path);
    let waits = Waits { partner_working: ns(9_000), network: ns(11_000), ..Waits::default() };
    assert_eq!(record.ranks[1].times.waits, waits);
}

/// Of several messages, the last is the cause; within a node it goes through memory.
#[test]
fn the_last_of_several() {
    let waits = vec![irecv(0, 0, 0), irecv(1, 0, 1), Operation::WaitAll];
    let record = on_ideal(vec![vec![compute(ns(1_000)), send(2, 8)], vec![send(2, 8)], waits], &[0, 1, 2]);
    let path = CriticalPath { computing: ns(1_000), network: ns(2_008), overhead: ns(100), ..NOTHING };
    assert_eq!(record.jobs[0].path, path);
    let memory = on_ideal(vec![vec![send(1, 500)], vec![recv(0)]], &[3, 3]);
    assert_eq!(memory.jobs[0].path, CriticalPath { memory: ns(300 + 50), overhead: ns(100), ..NOTHING });
    assert_eq!(memory.ranks[1].times.waits, Waits { memory: ns(300 + 50), ..Waits::default() });
}

/// Time in collectives is that of waiting in them, whether they block or go on beside the program.
#[test]
fn collectives() {
    let barrier = || Collective::Barrier;
    let delay = |call: Vec<Operation>| vec![[vec![compute(ns(3_000))], call.clone()].concat(), call];
    let times = |record: &Record| record.ranks.iter().map(|rank| rank.times.collectives).collect::<Vec<_>>();
    let blocking = on_ideal(delay(vec![Operation::collective(barrier())]), &[0, 1]);
    // Both exchange a message; that of the second rank is there when the first comes.
    assert_eq!(times(&blocking), [ns(0), ns(5_000)]);
    assert_eq!(
        blocking.jobs[0].path,
        CriticalPath { computing: ns(3_000), network: ns(2_000), overhead: ns(100), ..NOTHING }
    );
    let start = Operation::Icollective { comm: 0, request: 0, collective: Box::new(barrier()) };
    let beside = on_ideal(delay(vec![start, compute(ns(500)), wait(0)]), &[0, 1]);
    assert_eq!(times(&beside), [ns(0), ns(4_500)]);
    let waits = |working| Waits { partner_working: ns(working), network: ns(2_000), ..Waits::default() };
    assert_eq!([blocking.ranks[1].times.waits, beside.ranks[1].times.waits], [waits(3_000), waits(2_500)]);
}

/// Messages back and forth between neighbours whose link sleeps at once when it is idle: each waits for it, and the
/// critical path is what always-on links take, and the wakes.
#[test]
fn wakes_on_the_path() {
    let network = torus(&[4], 1, 1);
    let mut config = config(&network, 3);
    config.node.eager_limit = Bytes(1_024);
    for (bytes, messages) in [(16, 1), (100, 1), (4_000, 3)] {
        let pause = compute(Time::from_us(30));
        let ping = vec![vec![pause.clone(), send(1, bytes), recv(1)]; 5].concat();
        let pong = vec![vec![recv(0), pause, send(0, bytes)]; 5].concat();
        let policy = StallTimer::uniform(network.classes.len(), None, Some(Time::ZERO));
        let run =
            |policy: &StallTimer| run_with(&network, &config, policy, job(vec![ping.clone(), pong.clone()], &[0, 1]));
        let (on, asleep) = (run(&StallTimer::always_on(network.classes.len())), run(&policy));
        let (path, plain) = (asleep.jobs[0].path, on.jobs[0].path);
        assert_eq!(plain.waking, Time::ZERO);
        assert_eq!(asleep.makespan.unwrap() - on.makespan.unwrap(), path.waking, "{bytes} B");
        assert_eq!(path, CriticalPath { waking: path.waking, ..plain }, "{bytes} B");
        // Ten messages, or ten times request, answer and data, each over three channels that sleep deeply or are going
        // to sleep.
        let (wake, channels) = (STATES.deep.wake.0, 10 * 3);
        let most = (wake + STATES.deep.enter.0) * channels * messages;
        assert!((wake * channels..=most).contains(&path.waking.0), "{}", path.waking);
        assert_eq!(asleep.channels.iter().map(|channel| channel.time_lost.0).sum::<u64>(), path.waking.0);
    }
}

/// A message is late by a wake, but its receiver computes nearly as long: it waits for 1 us more than with links that are
/// on, and so does who waits for it in turn, although the message was later by far.
#[test]
fn a_rank_is_delayed_by_as_much_as_it_has_waited() {
    let network = torus(&[4], 1, 1);
    let mut config = config(&network, 3);
    config.node.eager_limit = Bytes(1_024);
    let policy = StallTimer::uniform(network.classes.len(), None, Some(Time::ZERO));
    let on = StallTimer::always_on(network.classes.len());
    let ranks = |busy: Time| {
        let first = vec![compute(Time::from_us(30)), send(1, 16)];
        vec![first, vec![compute(busy), recv(0), send(2, 16)], vec![recv(1)]]
    };
    // The last two are on one node, whose memory does not sleep.
    let run = |policy: &StallTimer, busy| run_with(&network, &config, policy, job(ranks(busy), &[0, 1, 1])).ranks;
    let ends = [&on, &policy].map(|policy| run(policy, Time::ZERO)[1].finish);
    let delay = Time::from_us(1);
    assert!(ends[1] - ends[0] > delay + delay, "three channels wake");
    let busy = ends[1] - delay;
    let (plain, ranks) = (run(&on, busy), run(&policy, busy));
    for rank in [1, 2] {
        assert_eq!(ranks[rank].finish - plain[rank].finish, delay);
        assert_eq!(ranks[rank].times.waits.waking, delay, "rank {rank}");
    }
}

proptest! {
    #![proptest_config(proptest_config(30))]

    /// The parts of a rank's time, and those of what led to its end, are the time from its job's start to its end.
    /// Links that do not sleep are on no path. Nothing that a path names exceeds what there is of it.
    #[test]
    fn parts_sum_to_the_whole(
        program in program(),
        start in 0u64..1_000_000,
        deep in prop::option::of(0u64..3_000_000),
        selection in prop::sample::select(vec![SleepSelection::Awake, SleepSelection::LeastDelay, SleepSelection::Blind]),
        overhead in 0u64..50_000,
        costs in prop::option::of((0u64..50_000, 0u64..300, 0u64..50_000, 0u64..300)),
    ) {
        let network = torus(&[3, 3], 1, 1);
        let mut config = config(&network, 3);
        config.node.eager_limit = Bytes(program.eager_limit);
        config.node.receive_overhead = Time(overhead);
        let costs = costs.unwrap_or_default();
        let [message, byte, gap, gap_per_byte] = [costs.0, costs.1, costs.2, costs.3].map(Time);
        config.node.overheads = Overheads { message, byte, gap, gap_per_byte };
        config.sleep.selection = selection;
        let policy = StallTimer::uniform(network.classes.len(), None, deep.map(Time));
        let record = run_with(&network, &config, &policy, program.workload(&network, Time(start)));
        // Collectives that do not block compute beside their rank, 1 ns for a message, of which each pair has at most one
        // in a step.
        let pairs = (program.placement.len() * program.placement.len() * program.steps.len()) as u64;
        let computed = record.ranks.iter().map(|rank| rank.times.computing.0).sum::<u64>() + pairs * 1_000;
        for rank in &record.ranks {
            let lasted = rank.finish.saturating_sub(Time(start));
            prop_assert_eq!(rank.times.total(), lasted);
            let RankTimes { sending, receiving, collectives, waits, .. } = rank.times;
            prop_assert_eq!(waits.total(), sending + receiving + collectives);
            prop_assert!(deep.is_some() || waits.waking == Time::ZERO);
            prop_assert_eq!(rank.path.total(), lasted);
            prop_assert!(rank.path.computing.0 <= computed);
            prop_assert!(deep.is_some() || rank.path.waking == Time::ZERO);
        }
        let last = record.ranks.iter().map(|rank| rank.finish).max();
        prop_assert_eq!(Some(record.jobs[0].path.total() + Time(start)), last.filter(|&last| last > Time(start)).or(Some(Time(start))));
    }
}
