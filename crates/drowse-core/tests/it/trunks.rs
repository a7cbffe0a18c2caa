//! Trunks that shed ports on tiny networks, to the picosecond.
//!
//! Windows of 10 us end at edges of the clock of 1,600 ps.

use drowse_core::measure::Record;
use drowse_core::model::config::{Config, OutputQueues, Queues};
use drowse_core::model::units::{BitRate, Bytes, Time};
use drowse_core::power::ClassPolicy;
use drowse_core::power::trunk::{Off, Trunk};
use drowse_core::topology::Network;
use drowse_core::workload::Workload;

use crate::common::*;
use crate::sleeping::residency;

const US: u64 = 1_000_000;
const ENTER: u64 = 2_880_000;
const WAKE: u64 = 4_480_000;
const POLICY: Trunk = Trunk {
    window: Time(10 * US),
    on: 650_000_000,
    off: Off::ByPorts(900_000_000),
    // Never.
    backlog: Time(1_000_000 * US),
    steps: 1,
};

/// Queues at outputs for four packets of each virtual channel.
const AT_OUTPUTS: Queues = Queues::Output(OutputQueues { room_flits: 32, speedup: 2, paths: 1 });

/// Two switches with `nodes` nodes each and a trunk of four ports, whose channels may go off.
fn pair(nodes: u32) -> (Network, Config) {
    let network = mesh(&[2], 4, nodes);
    let mut config = config(&network, 1);
    config.classes[0].states = None;
    config.classes[1].states = Some(STATES);
    (network, config)
}

fn run_shedding(network: &Network, config: &Config, policy: Trunk, workload: Workload) -> Record {
    run_with(network, config, &everywhere(network, ClassPolicy::Trunk(policy)), workload)
}

/// The channels from the first switch to the second, and those back.
fn trunk(network: &Network, back: bool) -> Vec<usize> {
    let first = channel_of(network, u32::from(back), 0, !back);
    (first..first + 4).collect()
}

fn ports_off(record: &Record, network: &Network, back: bool) -> Vec<[u64; 5]> {
    trunk(network, back).into_iter().map(|channel| residency(record, channel)).collect()
}

/// Nothing is sent: a port goes off at the end of each window until one is left.
#[test]
fn an_idle_trunk_sheds_a_port_a_window() {
    let (network, mut config) = pair(1);
    for queues in [Queues::Input, AT_OUTPUTS] {
        config.switch.queues = queues;
        let record = run_shedding(&network, &config, POLICY, job(vec![vec![compute(Time(100 * US))]], &[0]));
        let off_at = |at: u64| [at * US, ENTER, 0, (100 - at) * US - ENTER, 0];
        let expected = vec![[100 * US, 0, 0, 0, 0], off_at(30), off_at(20), off_at(10)];
        assert_eq!(ports_off(&record, &network, false), expected);
        assert_eq!(ports_off(&record, &network, true), expected);
    }
}

/// Four nodes send 60 cycles before a window ends that was idle else. Their first packets come to the switch in a cycle,
/// and all ask for the same link, so that one crosses in each cycle: the one to link 3 comes last, after 1 + 3 cycles,
/// and is behind the crossbar after one more. At the end of the window, this link goes off. What is in its queues cannot
/// leave it for another: it sends that without a pause, and then goes to sleep. The links that stay on take the rest.
#[test]
fn a_port_first_sends_what_is_in_its_queues() {
    let (network, mut config) = pair(4);
    config.switch.queues = AT_OUTPUTS;
    config.classes[0].bandwidth = BitRate(4 * config.classes[1].bandwidth.0);
    let begin = 10 * US - 96_000;
    let sender = |rank: u32| vec![compute(Time(begin)), send(rank + 4, 16 * 1_024)];
    let ranks = (0..8u32).map(|rank| if rank < 4 { sender(rank) } else { vec![recv(rank - 4), compute(Time(US))] });
    let record = run_shedding(&network, &config, POLICY, job(ranks.collect(), &[0, 1, 2, 3, 4, 5, 6, 7]));
    let links = trunk(&network, false);
    let flits: Vec<u64> = links.iter().map(|&link| record.channels[link].flits).collect();
    assert_eq!(flits.iter().sum::<u64>(), 4 * 1_024);
    let sent_until = begin + (1 + 3 + 1 + flits[3]) * 1_600;
    assert!(sent_until > 10 * US);
    let rest = record.measured.0 - sent_until - ENTER;
    assert_eq!(residency(&record, links[3]), [sent_until, ENTER, 0, rest, 0]);
}

/// One node sends all the time, as much as one port carries. Of four ports 0.25 are busy: below 0.9 x 0.65 x 3/4 = 0.44
/// one goes off; of three 0.33, below 0.9 x 0.65 x 2/3 = 0.39; of two 0.5, above 0.29 and below 0.65: these stay.
#[test]
fn a_steady_load_ends_at_the_ports_that_it_needs() {
    let (network, config) = pair(1);
    let bytes = 2_000_000;
    let workload = job(vec![vec![send(1, bytes)], vec![recv(0)]], &[0, 1]);
    let record = run_shedding(&network, &config, POLICY, workload);
    let ports = ports_off(&record, &network, false);
    let all = record.measured.0;
    assert!(all >= 200 * US);
    assert_eq!([ports[0][0], ports[1][0]], [all; 2], "{ports:?}");
    // Those that go off send at most one packet more, of 8 flits.
    for (port, at) in [(2, 20), (3, 10)] {
        assert!((at * US..at * US + 8 * 1_600).contains(&ports[port][0]), "{ports:?}");
        assert_eq!(ports[port][1], ENTER);
    }
    assert_eq!(record.channels.iter().map(|channel| channel.wakes).sum::<u64>(), 0);
}

/// The load of the test above comes once three ports are off: one is busy all the time, so that another goes on at the
/// end of the window.
#[test]
fn a_port_goes_on_when_the_load_grows() {
    let (network, config) = pair(1);
    let sender = vec![compute(Time(40 * US)), send(1, 1_000_000)];
    let record = run_shedding(&network, &config, POLICY, job(vec![sender, vec![recv(0)]], &[0, 1]));
    let ports = ports_off(&record, &network, false);
    let wakes: Vec<u64> = trunk(&network, false).into_iter().map(|channel| record.channels[channel].wakes).collect();
    assert_eq!(wakes, [0, 1, 0, 0]);
    assert_eq!(ports[0][0], record.measured.0);
    // The rendezvous takes some hundred nanoseconds of the window from 40 to 50 us, which is busy all the same.
    let deep = 50 * US - 30 * US - ENTER;
    assert_eq!(ports[1][1..], [ENTER, 0, deep, WAKE]);
}

/// Nodes send at once before the end of a window that was idle else: what waits, not what was sent, switches a port on.
#[test]
fn a_backlog_switches_a_port_on() {
    for queues in [Queues::Input, AT_OUTPUTS] {
        backlog_switches_ports_on(queues);
    }
}

fn backlog_switches_ports_on(queues: Queues) {
    let (network, mut config) = pair(4);
    config.switch.queues = queues;
    // A fifth of a window of 100 us is not much.
    let quiet = Trunk { window: Time(100 * US), ..POLICY };
    let backlogged = Trunk { backlog: Time(US), ..quiet };
    let ranks: Vec<_> = (0..8u32)
        .map(|rank| match rank {
            0..4 => vec![compute(Time(398 * US)), send(rank + 4, 60_000)],
            _ => vec![recv(rank - 4)],
        })
        .collect();
    let nodes: Vec<u32> = (0..8).collect();
    let run = |policy: Trunk| run_shedding(&network, &config, policy, job(ranks.clone(), &nodes));
    let wakes = |record: &Record| trunk(&network, false).into_iter().map(|c| record.channels[c].wakes).sum::<u64>();
    let (without, with) = (run(quiet), run(backlogged));
    // What waits in the four input ports is 6 us for one port and 2 us for three: all that are off go on at once.
    let at_once = run(Trunk { steps: 3, ..backlogged });
    assert_eq!([&without, &with, &at_once].map(wakes), [0, 1, 3]);
    assert!(at_once.makespan < with.makespan && with.makespan < without.makespan);
    // 240,000 bytes through one port of 10 GB/s.
    assert!(without.makespan.unwrap().0 >= 398 * US + 24 * US);
}

/// What waits in the queues of outputs counts, too: they have room for all that four nodes send at once, so that nothing
/// waits at inputs. A quarter of a microsecond later a window ends, with some 350 of 512 flits in the queues of the one
/// port that is on.
#[test]
fn a_backlog_at_outputs_switches_a_port_on() {
    let (network, mut config) = pair(4);
    config.switch.queues = Queues::Output(OutputQueues { room_flits: 1_024, speedup: 4, paths: 1 });
    config.node.eager_limit = Bytes(100_000);
    let begin = 400 * US - US / 4;
    let ranks = (0..8u32).map(|rank| match rank {
        0..4 => vec![compute(Time(begin)), send(rank + 4, 16 * 128), compute(Time(20 * US))],
        _ => vec![recv(rank - 4)],
    });
    let ranks: Vec<_> = ranks.collect();
    let wakes = |backlog| {
        let policy = Trunk { window: Time(100 * US), backlog, ..POLICY };
        let record = run_shedding(&network, &config, policy, job(ranks.clone(), &[0, 1, 2, 3, 4, 5, 6, 7]));
        trunk(&network, false).into_iter().map(|channel| record.channels[channel].wakes).sum::<u64>()
    };
    assert_eq!([US / 5, US].map(|backlog| wakes(Time(backlog))), [1, 0]);
}

/// A cable goes off only where neither end needs it, and on where one does.
#[test]
fn both_ends_of_a_cable_decide() {
    for queues in [Queues::Input, AT_OUTPUTS] {
        both_ends_decide(queues);
    }
}

fn both_ends_decide(queues: Queues) {
    let (network, mut config) = pair(1);
    config.switch.queues = queues;
    let workload = || job(vec![vec![send(1, 1_000_000)], vec![recv(0)]], &[0, 1]);
    let each = run_shedding(&network, &config, POLICY, workload());
    config.sleep.both = true;
    let both = run_shedding(&network, &config, POLICY, workload());
    let asleep = |record: &Record, back| -> Vec<bool> {
        ports_off(record, &network, back).iter().map(|residency| residency[3] > 0).collect()
    };
    assert_eq!(asleep(&each, false), [false, false, true, true]);
    assert_eq!(asleep(&each, true), [false, true, true, true]);
    assert_eq!(asleep(&both, false), [false, false, true, true]);
    assert_eq!(asleep(&both, true), [false, false, true, true]);
    // Nothing is sent the other way: both channels of each cable go off a latency and a cycle after the window, at the
    // same edge.
    let idle = job(vec![vec![compute(Time(100 * US))]], &[0]);
    let record = run_shedding(&network, &config, POLICY, idle);
    assert_eq!(ports_off(&record, &network, false), ports_off(&record, &network, true));
    assert!(asleep(&record, true).iter().skip(1).all(|&asleep| asleep));
}

/// Four ports are busy in one direction for 100 us, and nothing goes the other way, whose end has long stopped asking for
/// fewer ports. It asks again when it hears that the other end wants fewer, too: a cable goes off at the end of each
/// window from the one after.
#[test]
fn an_end_that_was_idle_for_long_joins_the_other() {
    let (network, mut config) = pair(4);
    config.sleep.both = true;
    let receiver = |rank: u32| vec![recv(rank - 4), compute(Time(100 * US))];
    let ranks = (0..8u32).map(|rank| if rank < 4 { vec![send(rank + 4, 1_000_000)] } else { receiver(rank) });
    let record = run_shedding(&network, &config, POLICY, job(ranks.collect(), &[0, 1, 2, 3, 4, 5, 6, 7]));
    let end = record.measured.0;
    assert!((200 * US..210 * US).contains(&end), "{end}");
    let (there, back) = (ports_off(&record, &network, false), ports_off(&record, &network, true));
    assert_eq!(there, back);
    // The window to 110 us is busy for a moment only; in that to 120 us both ends ask. A wire's latency and a clock
    // cycle later they know.
    let known = 2 * 1_600 + config.classes[1].latency.0;
    for (port, at) in [(3, 120 * US), (2, 130 * US), (1, 140 * US)] {
        assert!((at..=at + known).contains(&there[port][0]), "{there:?}");
        assert_eq!(there[port][1..], [ENTER, 0, end - ENTER - there[port][0], 0]);
    }
    assert_eq!(there[0], [end, 0, 0, 0, 0]);
}

/// Packets do not wake ports that a trunk has shed, even where they wait.
#[test]
fn packets_wake_no_port() {
    let (network, mut config) = pair(4);
    config.sleep.wake_after = Some(Time(1));
    // Windows so long that all but one port are off, and nothing is decided while packets wait.
    let policy = Trunk { window: Time(500 * US), ..POLICY };
    let ranks: Vec<_> = (0..8u32)
        .map(|rank| match rank {
            0..4 => vec![compute(Time(1_600 * US)), send(rank + 4, 60_000)],
            _ => vec![recv(rank - 4)],
        })
        .collect();
    for queues in [Queues::Input, AT_OUTPUTS] {
        config.switch.queues = queues;
        let record = run_shedding(&network, &config, policy, job(ranks.clone(), &(0..8).collect::<Vec<u32>>()));
        assert_eq!(record.channels.iter().map(|channel| channel.wakes).sum::<u64>(), 0);
        assert!(record.makespan.unwrap().0 >= 1_600 * US + 24 * US);
    }
}

/// Ports that take 25 us to go to sleep: the next one goes off at the end of the first window in which none is going.
#[test]
fn one_port_goes_off_after_the_other() {
    let (network, mut config) = pair(1);
    let mut states = STATES;
    states.deep.enter = Time(25 * US);
    config.classes[1].states = Some(states);
    let record = run_shedding(&network, &config, POLICY, job(vec![vec![compute(Time(100 * US))]], &[0]));
    let off_at = |at: u64| [at * US, 25 * US, 0, (75 - at) * US, 0];
    let expected = vec![[100 * US, 0, 0, 0, 0], off_at(70), off_at(40), off_at(10)];
    assert_eq!(ports_off(&record, &network, false), expected);
}

/// Four nodes send as much as four ports carry while one is going off: it is called back at the end of the window,
/// although something moves, and no other goes off. It wakes once it sleeps, at 35 us.
#[test]
fn a_port_that_is_going_off_may_stay() {
    let (network, mut config) = pair(4);
    let mut states = STATES;
    states.deep.enter = Time(25 * US);
    config.classes[1].states = Some(states);
    let sender = |rank: u32| vec![compute(Time(20 * US)), send(rank + 4, 400_000)];
    let ranks = (0..8u32).map(|rank| if rank < 4 { sender(rank) } else { vec![recv(rank - 4)] });
    let ranks: Vec<_> = ranks.collect();
    for queues in [Queues::Input, AT_OUTPUTS] {
        config.switch.queues = queues;
        let record = run_shedding(&network, &config, POLICY, job(ranks.clone(), &[0, 1, 2, 3, 4, 5, 6, 7]));
        let all = record.measured.0;
        assert!(all > 50 * US);
        let on = [all, 0, 0, 0, 0];
        let called_back = [all - 25 * US - WAKE, 25 * US, 0, 0, WAKE];
        assert_eq!(ports_off(&record, &network, false), [on, on, on, called_back]);
    }
}
