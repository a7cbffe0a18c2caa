//! The runtime system in command of a whole run: what goes off, when, and what that costs.

use std::num::NonZeroU32;

use drowse_core::measure::{ChannelRecord, Record, Warning};
use drowse_core::model::config::Config;
use drowse_core::model::ids::{ChannelId, NodeId};
use drowse_core::model::sleep_state::{SleepState, SleepStates};
use drowse_core::model::units::{Bytes, Time};
use drowse_core::power::runtime::{Detect, Mode, Rules, Runtime};
use drowse_core::power::{ByClass, ClassPolicy, LinkState, Timers};
use drowse_core::topology::Network;
use drowse_core::workload::operation::Operation;
use drowse_core::workload::{Job, Workload};

use crate::common::*;
use crate::partitions::adaptive;

const US: u64 = 1_000_000;
const CLOCK: u64 = 1_600;

const RULES: Rules = Rules {
    mode: Mode::Basic,
    learn: NonZeroU32::new(2).unwrap(),
    margin: Time::from_us(5),
    overhead: Time::from_us(20),
    slowdown_billionths: 10_000_000_000,
    notification: None,
    detection: Detect::Free,
    balancing: None,
};

/// Channels between switches are commanded; those of nodes stay on.
fn policy(network: &Network, rules: Rules) -> ByClass {
    policy_with(network, rules, &STATES)
}

fn policy_with(network: &Network, rules: Rules, states: &SleepStates) -> ByClass {
    let class = |class| match class {
        0 => ClassPolicy::StallTimer(Timers::NEVER),
        _ => ClassPolicy::Runtime(Runtime::new(rules, states)),
    };
    ByClass::new((0..network.classes.len()).map(class).collect())
}

/// A rank's iteration: it computes, sends to one rank and receives from another.
fn exchange(compute_us: u64, to: u32, from: u32) -> Vec<Operation> {
    let messages = [irecv(from, 0, 1), isend(to, 0, 1_600, 2), Operation::WaitAll];
    [Operation::Iteration, compute(Time(compute_us * US))].into_iter().chain(messages).collect()
}

/// Ranks 0 to n - 1, on these nodes. In each iteration a rank sends to the one that is `shift` further on.
fn shifts(name: &str, nodes: &[u32], start: Time, shifts: &[u32]) -> Job {
    let n = nodes.len() as u32;
    let program = |rank| {
        let iteration = |&shift: &u32| exchange(100, (rank + shift) % n, (rank + n - shift) % n);
        shifts.iter().flat_map(iteration).collect()
    };
    let source = Box::new(Program::new((0..n).map(program).collect()));
    Job { name: name.into(), source, placement: nodes.iter().map(|&node| NodeId(node)).collect(), start }
}

/// Returns the record, which must be the same for any partition.
fn run_partitioned(network: &Network, config: &Config, policy: &ByClass, workload: impl Fn() -> Workload) -> Record {
    let whole = run_with(network, config, policy, workload());
    let config = Config { audit: false, ..config.clone() };
    for parts in [1, 2, 3, 5] {
        let cut = run_in(parts, network, &config, policy, workload());
        assert_eq!(without_events(cut), without_events(whole.clone()), "{parts} parts");
    }
    whole
}

fn switch_channels(network: &Network) -> impl Iterator<Item = usize> {
    (0..network.channels()).filter(|&c| !network.is_node_channel(ChannelId(c))).map(|c| c as usize)
}

/// The first edge at which a command given at a time takes effect: after the overhead and a hop.
fn effect(config: &Config, at: Time) -> u64 {
    (at.0 + 20 * US + config.classes[0].hop.0).next_multiple_of(CLOCK)
}

fn off_from(channel: &ChannelRecord, measured: Time, off: u64) {
    let [on, entering, shallow, deep, waking, ..] = channel.residency;
    let enter = STATES.deep.enter;
    assert_eq!((on.0, entering, shallow, waking), (off, enter, Time::ZERO, Time::ZERO));
    assert_eq!(deep, measured - Time(off) - enter);
}

/// Channels that no packet crosses are off from the command to the end; the others are on. Each rank pays one call.
#[test]
fn basic_saves_what_is_not_used() {
    let network = torus(&[4, 4], 1, 1);
    let nodes: Vec<u32> = (0..16).collect();
    for config in [config(&network, 3), adaptive(&network, 3)] {
        let workload = || Workload::Jobs(vec![shifts("ring", &nodes, Time::ZERO, &[4; 8])]);
        let record = run_partitioned(&network, &config, &policy(&network, RULES), workload);
        let on = run(&network, &config, workload());
        assert_eq!(record.makespan, on.makespan.map(|makespan| makespan + Time::from_us(20)));
        let runtime = record.runtime.unwrap();
        // One row further on: one channel of each switch up the second dimension, of four.
        assert_eq!((runtime.commanded, runtime.marked, runtime.woken), (64, 16, 0));
        assert_eq!((runtime.jobs[0].iterations, runtime.jobs[0].notifications), (8, 16));
        let off = effect(&config, runtime.jobs[0].learned_at.unwrap());
        let mut used = 0;
        for channel in switch_channels(&network).map(|channel| &record.channels[channel]) {
            if channel.packets > 0 {
                used += 1;
                assert_eq!(channel.time_in(LinkState::On), record.measured);
            } else {
                off_from(channel, record.measured, off);
            }
        }
        assert_eq!(used, 16);
        assert_eq!(record.warnings, []);
    }
}

/// Two nodes tell each other, and node 1 at once what it has received: nothing. Node 0 asks again, is told again, and tells
/// node 1 that all have come. So four messages follow one another, each after a call, and the first of them leaves node 1
/// behind a notification of its length.
#[test]
fn unused_channels_go_off_once_nodes_know_that_all_are_notified() {
    let network = torus(&[4, 4], 1, 1);
    let config = config(&network, 3);
    let bytes = Bytes(64);
    let rules = Rules { notification: Some(bytes), detection: Detect::Tree, ..RULES };
    let workload = || Workload::Jobs(vec![shifts("pair", &[0, 1], Time::ZERO, &[1; 8])]);
    let record = run_partitioned(&network, &config, &policy(&network, rules), workload);
    let runtime = record.runtime.as_ref().unwrap();
    assert_eq!((runtime.jobs[0].notifications, runtime.jobs[0].detecting), (2, 4));
    let two = job(
        vec![vec![isend(1, 0, bytes.0, 1), isend(1, 0, bytes.0, 2), Operation::WaitAll], vec![recv(0); 2]],
        &[1, 0],
    );
    let lone = job(vec![vec![send(1, bytes.0)], vec![recv(0)]], &[1, 0]);
    let [two, lone] = [two, lone].map(|workload| run(&network, &config, workload).makespan.unwrap());
    let sent = |at: Time| Time(effect(&config, at) + CLOCK);
    let mut at = sent(runtime.jobs[0].learned_at.unwrap()) + two;
    for _ in ["again", "counted", "over"] {
        at = sent(at) + lone;
    }
    let off = effect(&config, at);
    let unused =
        switch_channels(&network).map(|channel| &record.channels[channel]).filter(|channel| channel.packets == 0);
    assert_eq!(unused.map(|channel| off_from(channel, record.measured, off)).count(), 62);
}

/// Before iteration 6 a load balancer moves what ranks compute: they send four further on, not one. Where the runtime
/// system acts then, it learns from that iteration on, and links of the old pattern go off when the eighth begins. A
/// surprise comes within the sixth, so that they go off an iteration later.
#[test]
fn links_follow_a_load_balancer() {
    let network = torus(&[4, 4], 1, 1);
    let nodes: Vec<u32> = (0..16).collect();
    let config = config(&network, 3);
    let shifted = [[1; 6], [4; 6]].concat();
    let workload = || Workload::Jobs(vec![shifts("balanced", &nodes, Time::ZERO, &shifted)]);
    let old = channel_of(&network, 1, 0, true);
    let [balanced, surprised] = [NonZeroU32::new(6), None].map(|balancing| {
        let record = run_partitioned(&network, &config, &policy(&network, Rules { balancing, ..RULES }), workload);
        let runtime = record.runtime.unwrap();
        // The second pattern needs a channel of each switch, of which the first uses four: others are woken once.
        assert_eq!((runtime.jobs[0].relearned, runtime.marked, runtime.woken), (1, 16, 12));
        record.channels[old].time_in(LinkState::On)
    });
    let later = surprised - balanced;
    assert!(later > Time::from_us(100) && later < Time::from_us(110), "{later:?}");
}

/// Each node notifies the switch to which it sends, by a message like any other. Channels go off as long after the last
/// of them has come as they do after learning where nobody is notified.
#[test]
fn unused_channels_go_off_once_all_switches_are_notified() {
    let network = torus(&[4, 4], 1, 1);
    let nodes: Vec<u32> = (0..16).collect();
    let config = config(&network, 3);
    let bytes = Bytes(64);
    let rules = Rules { notification: Some(bytes), ..RULES };
    let workload = || Workload::Jobs(vec![shifts("ring", &nodes, Time::ZERO, &[4; 8])]);
    let record = run_partitioned(&network, &config, &policy(&network, rules), workload);
    let counted = run_partitioned(&network, &config, &policy(&network, RULES), workload);
    assert_eq!(record.makespan, counted.makespan);
    assert_eq!(record.packets_delivered, counted.packets_delivered + 16);
    // To send one takes as long as a program that does nothing else.
    let lone = run(&network, &config, job(vec![vec![send(1, bytes.0)], vec![recv(0)]], &[0, 4])).makespan.unwrap();
    let runtime = record.runtime.unwrap();
    let sent = effect(&config, runtime.jobs[0].learned_at.unwrap()) + CLOCK;
    let off = effect(&config, Time(sent) + lone);
    let unused =
        switch_channels(&network).map(|channel| &record.channels[channel]).filter(|channel| channel.packets == 0);
    assert_eq!(unused.map(|channel| off_from(channel, record.measured, off)).count(), 48);
}

/// The partners change from one iteration to the next: the channels of the new ones wake once and stay on, and after
/// two iterations the old ones go off.
#[test]
fn a_changed_pattern_wakes_what_it_needs_and_is_learned() {
    let network = torus(&[5, 5], 1, 1);
    let config = config(&network, 3);
    let nodes: Vec<u32> = (0..25).collect();
    let pattern = [[5; 5].as_slice(), &[20; 6]].concat();
    let workload = || Workload::Jobs(vec![shifts("turn", &nodes, Time::ZERO, &pattern)]);
    let record = run_partitioned(&network, &config, &policy(&network, RULES), workload);
    let runtime = record.runtime.unwrap();
    let job = runtime.jobs[0];
    assert_eq!((job.relearned, runtime.marked, runtime.woken, job.notifications), (1, 25, 25, 50));
    let first = effect(&config, job.learned_at.unwrap());
    let mut seconds = Vec::new();
    for switch in 0..25 {
        let of = |up| &record.channels[channel_of(&network, switch, 1, up)];
        let (before, after) = (of(true), of(false));
        assert_eq!((before.wakes, before.delayed_messages), (0, 0));
        assert_eq!((after.wakes, after.delayed_messages), (1, 1));
        // Off from the first command until a packet comes, in the sixth iteration.
        assert_eq!(after.time_in(LinkState::Waking), STATES.deep.wake);
        let asleep = after.time_in(LinkState::Deep) + after.time_in(LinkState::Entering);
        assert!(first + asleep.0 > 620 * US && first + asleep.0 < 625 * US, "{asleep:?}");
        seconds.push(before.time_in(LinkState::On).0);
        off_from(before, record.measured, before.time_in(LinkState::On).0);
        for other in [true, false] {
            off_from(&record.channels[channel_of(&network, switch, 0, other)], record.measured, first);
        }
    }
    // Iterations 6 and 7 are learned from: all unused channels go off at one time in iteration 8.
    assert!(
        seconds.iter().all(|&second| second == seconds[0] && second > 840 * US && second < 860 * US),
        "{seconds:?}"
    );
}

/// A second job that starts later wakes the channels that it needs, and they stay on.
#[test]
fn a_job_that_comes_later_is_learned_beside_the_first() {
    let network = torus(&[4, 4], 1, 1);
    let config = config(&network, 3);
    let (low, high): (Vec<u32>, Vec<u32>) = ((0..4).collect(), (8..12).collect());
    let workload = || {
        let jobs = vec![shifts("low", &low, Time::ZERO, &[1; 12]), shifts("high", &high, Time::from_us(500), &[1; 6])];
        Workload::Jobs(jobs)
    };
    let record = run_partitioned(&network, &config, &policy(&network, RULES), workload);
    let runtime = record.runtime.unwrap();
    assert_eq!((runtime.marked, runtime.woken), (8, 4));
    for switch in 0..16 {
        let channel = &record.channels[channel_of(&network, switch, 0, true)];
        let expected = match switch {
            0..4 => (0, true),
            8..12 => (1, true),
            _ => (0, false),
        };
        let stays = channel.time_in(LinkState::On) + Time::from_us(500) > record.measured;
        assert_eq!((channel.wakes, stays), expected, "{switch}");
    }
}

/// With other partners in each iteration, every iteration waits for wakes that take longer than itself; the feedback
/// ends that.
#[test]
fn feedback_gives_up_what_costs_too_much() {
    let network = torus(&[5, 5], 1, 1);
    let mut config = config(&network, 3);
    let mut states = STATES;
    states.deep.wake = Time::from_us(300);
    config.classes.iter_mut().for_each(|class| class.states = Some(states));
    let nodes: Vec<u32> = (0..25).collect();
    // Two and two alike, so that the job learns a pattern and then needs another.
    let pattern: Vec<u32> = (0..40).map(|k| [5, 20, 10, 15][k / 4 % 4]).collect();
    let workload = || Workload::Jobs(vec![shifts("restless", &nodes, Time::ZERO, &pattern)]);
    let rules = Rules { slowdown_billionths: 50_000_000, ..RULES };
    let record = run_partitioned(&network, &config, &policy(&network, rules), workload);
    let bound = record.runtime.unwrap();
    let [(at, Mode::On)] = bound.turned_down[..] else { panic!("{:?}", bound.turned_down) };
    assert_eq!(record.warnings, [Warning::TurnedDown { at, to: Mode::On }]);
    // All channels go on, and none goes off again.
    let last = effect(&config, at) + 300 * US;
    for channel in switch_channels(&network).map(|channel| &record.channels[channel]) {
        assert!(channel.time_in(LinkState::On) + Time(last) >= record.measured, "{channel:?}");
    }
    let unbound = run_with(&network, &config, &policy(&network, RULES), workload());
    assert_eq!(unbound.runtime.unwrap().turned_down, []);
    assert!(unbound.makespan > record.makespan);
}

/// Two nodes compute for 500 us and then exchange. In each iteration the channel between them is off for the gap less
/// the margins and the transitions; no packet waits, and the ranks pay two calls.
#[test]
fn a_schedule_rests_channels_between_their_uses() {
    let network = mesh(&[2], 1, 1);
    let config = config(&network, 3);
    let iterations = 10;
    let program = |other| (0..iterations).flat_map(|_| exchange(500, other, other)).collect();
    let workload = || job(vec![program(1), program(0)], &[0, 1]);
    let rules = Rules { mode: Mode::Scheduled, ..RULES };
    let record = run_partitioned(&network, &config, &policy(&network, rules), workload);
    let runtime = record.runtime.unwrap();
    assert_eq!((runtime.marked, runtime.woken, &*runtime.turned_down), (2, 0, &[][..]));
    // Learned after iterations 0 and 1; the gap that begins in 1 is known when 3 begins; then all from 4 on. The last
    // command on would come after the end.
    let scheduled = iterations - 4;
    let on = run(&network, &config, workload());
    let overhead = Time::from_us(20 * (1 + 2 * scheduled));
    assert_eq!(record.makespan, on.makespan.map(|makespan| makespan + overhead));
    let length = runtime.jobs[0].learned.length().unwrap();
    let sends = Time::from_ns(160);
    let gap = length - sends + Time::from_us(2 * 20);
    let rest = gap - Time::from_us(2 * 5) - STATES.deep.wake - STATES.deep.enter;
    for switch in 0..2 {
        let channel = &record.channels[channel_of(&network, switch, 0, switch == 0)];
        assert_eq!((channel.delayed_messages, channel.wakes), (0, scheduled - 1));
        let rests = Time(rest.0 * (scheduled - 1));
        let (deep, tolerance) = (channel.time_in(LinkState::Deep), 2 * CLOCK * scheduled);
        assert!(deep.0.abs_diff(rests.0) <= tolerance, "{deep:?} {rests:?}");
    }
}

/// In iterations of 500 us a schedule saves up to a delay of nearly half of them, as in the model of Totoni et al. 2014,
/// section 6: both transitions and both margins take less than the gap.
#[test]
fn a_schedule_saves_up_to_a_delay_of_half_an_iteration() {
    let network = mesh(&[2], 1, 1);
    let program = |other| (0..10).flat_map(|_| exchange(500, other, other)).collect();
    for (delay_us, saves) in [(100, true), (130, true), (240, true), (260, false)] {
        let delay = Time::from_us(delay_us);
        let states = SleepStates::new(STATES.shallow, SleepState { power: 0.1, enter: delay, wake: delay });
        let mut config = config(&network, 3);
        config.classes.iter_mut().for_each(|class| class.states = Some(states));
        let rules = Rules { mode: Mode::Scheduled, ..RULES };
        let policy = policy_with(&network, rules, &states);
        let record = run_with(&network, &config, &policy, job(vec![program(1), program(0)], &[0, 1]));
        for channel in switch_channels(&network).map(|channel| &record.channels[channel]) {
            assert_eq!((channel.wakes > 0, channel.delayed_messages), (saves, 0), "{delay_us} us");
            assert_eq!(channel.time_in(LinkState::Deep) > Time::ZERO, saves, "{delay_us} us");
        }
    }
}

/// Nothing is learned from programs without iterations, or with too few: all channels stay on, and a warning says so.
#[test]
fn without_iterations_links_stay_on() {
    let network = torus(&[4], 1, 1);
    let config = config(&network, 3);
    let program = |other| vec![send(other, 100), recv(other)];
    let none = || job(vec![program(1), program(0)], &[0, 1]);
    let few = || Workload::Jobs(vec![shifts("test", &[0, 1], Time::ZERO, &[1, 1])]);
    for (workload, iterations) in [(&none as &dyn Fn() -> Workload, 0), (&few, 2)] {
        let record = run_with(&network, &config, &policy(&network, RULES), workload());
        assert_eq!(record.warnings, [Warning::NotLearned { job: "test".into(), iterations }]);
        assert!(record.channels.iter().all(|channel| channel.time_in(LinkState::On) == record.measured));
    }
}
