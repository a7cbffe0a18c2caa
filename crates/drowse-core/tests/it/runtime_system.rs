//! The runtime system by itself: notifications by hand, and the commands that must follow.

use std::num::NonZeroU32;

use drowse_core::model::config::Config;
use drowse_core::model::ids::{ChannelId, NodeId};
use drowse_core::model::units::{Bytes, Time};
use drowse_core::power::runtime::{
    Command, CommandKind, Detect, Mode, Notification, NotificationKind, Rules, RuntimeSystem, Says, Telling,
};
use drowse_core::topology::Network;

use crate::common::*;

const US: u64 = 1_000_000;

fn rules(mode: Mode) -> Rules {
    Rules {
        mode,
        learn: NonZeroU32::new(2).unwrap(),
        margin: Time::from_us(5),
        overhead: Time::from_us(20),
        slowdown_billionths: 50_000_000,
        notification: None,
        detection: Detect::Free,
        balancing: None,
    }
}

/// A ring of four switches with a node each; only channels between switches are commanded.
fn ring() -> (Network, Config) {
    let network = torus(&[4], 1, 1);
    let config = config(&network, 1);
    (network, config)
}

fn runtime_system<'a>(network: &'a Network, config: &Config, mode: Mode, jobs: &[&[u32]]) -> RuntimeSystem<'a> {
    with_rules(network, config, rules(mode), jobs)
}

fn with_rules<'a>(network: &'a Network, config: &Config, rules: Rules, jobs: &[&[u32]]) -> RuntimeSystem<'a> {
    let jobs: Vec<Vec<NodeId>> = jobs.iter().map(|nodes| nodes.iter().map(|&node| NodeId(node)).collect()).collect();
    let only_switches = |class: u8| (class != 0).then_some(rules);
    RuntimeSystem::new(network, config, only_switches, &jobs).unwrap()
}

/// The overhead, and a hop of two cycles.
const DELAY: u64 = 20 * US + 3_200;

fn begin(at: u64, rank: u32, number: u32) -> Notification {
    Notification { at: Time(at), what: NotificationKind::Iteration { rank, number } }
}

fn pair(at: u64, job: u32, iteration: u32, from: u32, to: u32) -> Notification {
    Notification { at: Time(at), what: NotificationKind::Pair { job, iteration, from: NodeId(from), to: NodeId(to) } }
}

fn woken(at: u64, channel: usize) -> Notification {
    Notification { at: Time(at), what: NotificationKind::Woken { channel: ChannelId(channel as u32) } }
}

fn gap(since: u64, until: u64, channel: usize) -> Notification {
    Notification {
        at: Time(until),
        what: NotificationKind::Gap { channel: ChannelId(channel as u32), since: Time(since) },
    }
}

fn told(from: u32, to: u32, round: u32, says: Says) -> Telling {
    Telling { job: 0, round, from: NodeId(from), to: NodeId(to), says }
}

fn notify(system: &mut RuntimeSystem<'_>, notifications: &[Notification]) -> Vec<Command> {
    system.notify(&mut notifications.to_vec()).collect()
}

/// The channels that are turned, and the one time at which all are.
fn turned(commands: &[Command], at: u64) -> (Vec<usize>, Vec<usize>) {
    let (mut on, mut off) = (Vec::new(), Vec::new());
    for command in commands {
        assert_eq!(command.at, Time(at), "{command:?}");
        match command.what {
            CommandKind::Channel { channel, on: true } => on.push(channel.index()),
            CommandKind::Channel { channel, on: false } => off.push(channel.index()),
            CommandKind::Learn { .. } | CommandKind::Schedule { .. } | CommandKind::Notify { .. } => {}
            CommandKind::All { .. } | CommandKind::Allow { .. } | CommandKind::Level { .. } => {
                panic!("a governor's {command:?}")
            }
        }
    }
    (on, off)
}

/// Rank 0 on node 0 and rank 1 on node 1 learn for two iterations of 100 us.
fn learn_two(system: &mut RuntimeSystem<'_>) -> Vec<Command> {
    let mut notifications = vec![pair(10, 0, 0, 0, 1), pair(20, 0, 1, 1, 0)];
    for number in 0..=2 {
        let start = u64::from(number) * 100 * US;
        notifications.extend([begin(start, 0, number), begin(start + US, 1, number)]);
    }
    notify(system, &notifications)
}

fn all_switch_channels(network: &Network) -> Vec<usize> {
    (0..network.channels()).filter(|&c| !network.is_node_channel(ChannelId(c))).map(|c| c as usize).collect()
}

#[test]
fn what_no_pair_crosses_goes_off_when_the_last_rank_has_learned() {
    let (network, config) = ring();
    let mut system = runtime_system(&network, &config, Mode::Basic, &[&[0, 1]]);
    let commands = learn_two(&mut system);
    let used = [channel_of(&network, 0, 0, true), channel_of(&network, 1, 0, false)];
    let unused: Vec<usize> = all_switch_channels(&network).into_iter().filter(|c| !used.contains(c)).collect();
    assert_eq!(turned(&commands, 201 * US + DELAY), (Vec::new(), unused));
    let record = system.record();
    assert_eq!((record.commanded, record.marked), (8, 2));
    let job = record.jobs[0];
    // Each node notifies the other's switch.
    assert_eq!((job.iterations, job.notifications, job.learned_at), (3, 2, Some(Time(201 * US))));
    assert_eq!(job.learned.length(), Some(Time(100 * US)));
}

/// Where notifications are messages, nothing goes off before the last of them has come.
#[test]
fn switches_are_notified_by_messages() {
    let (network, config) = ring();
    let bytes = Bytes(64);
    let rules = Rules { notification: Some(bytes), ..rules(Mode::Basic) };
    let mut system = with_rules(&network, &config, rules, &[&[0, 1]]);
    let telling = |(from, to)| told(from, to, 1, Says::Used);
    let notify_by = |from, to| CommandKind::Notify { telling: telling((from, to)), bytes };
    let expected = [notify_by(0, 1), notify_by(1, 0)].map(|what| Command { at: Time(201 * US + DELAY), what });
    assert_eq!(learn_two(&mut system), expected);
    let come = |at, pair| [Notification { at: Time(at), what: NotificationKind::Notified(telling(pair)) }];
    assert_eq!(notify(&mut system, &come(250 * US, (0, 1))), []);
    let (on, off) = turned(&notify(&mut system, &come(260 * US, (1, 0))), 260 * US + DELAY);
    assert_eq!((on, off.len()), (Vec::new(), 6));
    assert_eq!(system.record().jobs[0].notifications, 2);
}

/// Where they learn by messages that all have come, too, each takes a call of the software. Node 1 tells node 0 with what
/// it has received, which is nothing yet; node 0 asks again, and then all know.
#[test]
fn nodes_learn_by_messages_that_all_have_come() {
    let (network, config) = ring();
    let bytes = Bytes(64);
    let rules = Rules { notification: Some(bytes), detection: Detect::Tree, ..rules(Mode::Basic) };
    let mut system = with_rules(&network, &config, rules, &[&[0, 1]]);
    let sent = |at, from, to, says| Command {
        at: Time(at + DELAY),
        what: CommandKind::Notify { telling: told(from, to, 1, says), bytes },
    };
    let learned = 201 * US;
    let first = [(0, 1, Says::Used), (1, 0, Says::Used), (1, 0, Says::Counted)];
    assert_eq!(learn_two(&mut system), first.map(|(from, to, says)| sent(learned, from, to, says)));
    let come = |at, from, to, round, says| {
        [Notification { at: Time(at), what: NotificationKind::Notified(told(from, to, round, says)) }]
    };
    assert_eq!(notify(&mut system, &come(250 * US, 0, 1, 1, Says::Used)), []);
    assert_eq!(notify(&mut system, &come(250 * US, 1, 0, 1, Says::Used)), []);
    // What another round says is no part of this one.
    assert_eq!(notify(&mut system, &come(255 * US, 1, 0, 0, Says::Counted)), []);
    let again = notify(&mut system, &come(260 * US, 1, 0, 1, Says::Counted));
    assert_eq!(again, [sent(260 * US, 0, 1, Says::Again)]);
    let counted = notify(&mut system, &come(300 * US, 0, 1, 1, Says::Again));
    assert_eq!(counted, [sent(300 * US, 1, 0, Says::Counted)]);
    let over = notify(&mut system, &come(340 * US, 1, 0, 1, Says::Counted));
    assert_eq!(over, [sent(340 * US, 0, 1, Says::Over)]);
    let (on, off) = turned(&notify(&mut system, &come(380 * US, 0, 1, 1, Says::Over)), 380 * US + DELAY);
    assert_eq!((on, off.len()), (Vec::new(), 6));
    let job = system.record().jobs[0];
    assert_eq!((job.notifications, job.detecting), (2, 4));
}

/// A load balancer acts before the iterations 5 and 10: new pairs between are no part of the pattern, and what it has
/// changed is learned then, whether a rank has seen it before or not.
#[test]
fn a_job_learns_anew_where_loads_are_balanced() {
    let (network, config) = ring();
    let rules = Rules { balancing: NonZeroU32::new(5), ..rules(Mode::Basic) };
    let mut system = with_rules(&network, &config, rules, &[&[0, 1]]);
    assert_eq!(turned(&learn_two(&mut system), 201 * US + DELAY).1.len(), 6);
    let both = |number: u32| {
        let start = u64::from(number) * 100 * US;
        [begin(start, 0, number), begin(start + US, 1, number)]
    };
    assert_eq!(notify(&mut system, &both(3)), []);
    assert_eq!(notify(&mut system, &[pair(310 * US, 0, 3, 0, 2)]), [], "a surprise");
    let learn = |at, first| Command { at: Time(at + DELAY), what: CommandKind::Learn { job: 0, first } };
    // The first rank that begins the iteration before knows what is next.
    assert_eq!(notify(&mut system, &both(4)), [learn(400 * US, 5)]);
    assert_eq!(notify(&mut system, &[pair(510 * US, 0, 5, 0, 1)]), []);
    assert_eq!(notify(&mut system, &[both(5), both(6)].concat()), []);
    // Node 1 no longer sends to node 0.
    let (on, off) = turned(&notify(&mut system, &both(7)), 701 * US + DELAY);
    assert_eq!((on, off), (Vec::new(), vec![channel_of(&network, 1, 0, false)]));
    assert_eq!(notify(&mut system, &both(8)), []);
    assert_eq!(notify(&mut system, &both(9)), [learn(900 * US, 10)]);
    assert_eq!(system.record().jobs[0].relearned, 1);
}

/// One that sends before its first iteration, or beside it, is no part of the pattern; ranks that end are not waited
/// for.
#[test]
fn ranks_that_end_are_not_waited_for() {
    let (network, config) = ring();
    let mut system = runtime_system(&network, &config, Mode::Basic, &[&[0, 1]]);
    let finished = |at, rank| Notification { at: Time(at), what: NotificationKind::Finished { rank } };
    let notifications: Vec<Notification> = (0..4).map(|number| begin(u64::from(number) * US, 0, number)).collect();
    assert_eq!(notify(&mut system, &notifications), []);
    let commands = notify(&mut system, &[finished(9 * US, 1)]);
    // No pair at all: everything goes off.
    assert_eq!(turned(&commands, 9 * US + DELAY).1.len(), 8);
    assert!(!system.is_over());
    notify(&mut system, &[finished(10 * US, 0)]);
    assert!(system.is_over());
}

#[test]
fn a_new_pair_makes_the_job_learn_anew_and_turns_both_channels_of_links() {
    let (network, config) = ring();
    let up = |switch| channel_of(&network, switch, 0, true);
    for wakes in [false, true] {
        let mut system = runtime_system(&network, &config, Mode::Basic, &[&[0, 1]]);
        learn_two(&mut system);
        // A known pair changes nothing; a new one in iteration 3, which rank 1 has not begun yet.
        let notifications = [pair(300 * US, 0, 2, 0, 1), begin(301 * US, 0, 3), pair(310 * US, 0, 3, 0, 2)];
        let commands = notify(&mut system, &notifications);
        let learn = Command { at: Time(310 * US + DELAY), what: CommandKind::Learn { job: 0, first: 4 } };
        assert_eq!(commands, [learn]);
        if wakes {
            notify(&mut system, &[woken(311 * US, up(1))]);
        }
        // What still belongs to iteration 3 is not learned; nor is the pair of node 1 seen again.
        let mut notifications = vec![pair(315 * US, 0, 3, 0, 3), pair(410 * US, 0, 4, 0, 2), begin(320 * US, 1, 3)];
        for number in 4..=6 {
            let start = u64::from(number) * 100 * US;
            notifications.extend([begin(start, 0, number), begin(start + US, 1, number)]);
        }
        let commands = notify(&mut system, &notifications);
        // From even switches, ties go up: 0 -> 1 -> 2. A channel that was woken is on.
        let on = if wakes { vec![] } else { vec![up(1)] };
        let off = vec![channel_of(&network, 1, 0, false)];
        assert_eq!(turned(&commands, 601 * US + DELAY), (on, off));
        let record = system.record();
        assert_eq!((record.jobs[0].relearned, record.woken, record.marked), (1, u64::from(wakes), 2));
        // One notification more by the first pattern's two: the nodes 1 and 2 of the way.
        assert_eq!(record.jobs[0].notifications, 4);
    }
}

/// A wake that was on its way when the channel was commanded off does not make it one that is on.
#[test]
fn a_wake_before_the_command_does_not_count() {
    let (network, config) = ring();
    let up = channel_of(&network, 1, 0, true);
    let mut system = runtime_system(&network, &config, Mode::Basic, &[&[0, 1]]);
    learn_two(&mut system);
    notify(&mut system, &[woken(202 * US, up), begin(301 * US, 0, 3), pair(310 * US, 0, 3, 0, 2)]);
    let mut notifications = vec![pair(410 * US, 0, 4, 0, 2), begin(320 * US, 1, 3)];
    (4..=6)
        .for_each(|k| notifications.extend([begin(k * 100 * US, 0, k as u32), begin(k * 100 * US + US, 1, k as u32)]));
    assert_eq!(turned(&notify(&mut system, &notifications), 601 * US + DELAY).0, [up]);
}

/// What one job uses stays on when another learns, or learns anew.
#[test]
fn jobs_share_the_network() {
    let (network, config) = ring();
    let mut system = runtime_system(&network, &config, Mode::Basic, &[&[0, 1], &[2, 3]]);
    let first = learn_two(&mut system);
    let others = [channel_of(&network, 2, 0, true), channel_of(&network, 3, 0, false)];
    let (_, off) = turned(&first, 201 * US + DELAY);
    assert!(others.iter().all(|channel| off.contains(channel)), "the second job is not known yet");
    let mut notifications = vec![pair(10, 1, 0, 2, 3), pair(20, 1, 1, 3, 2)];
    for number in 0..=2 {
        let start = 300 * US + u64::from(number) * US;
        notifications.extend([begin(start, 2, number), begin(start, 3, number)]);
    }
    let commands = notify(&mut system, &notifications);
    assert_eq!(turned(&commands, 302 * US + DELAY), (others.to_vec(), vec![]));
    assert_eq!(system.record().marked, 4);
}

/// A channel's gap is what is left of the gaps of all iterations, with the margin at both ends and the wake before the
/// second.
#[test]
fn a_schedule_leaves_the_margin_on_both_sides() {
    let (network, config) = ring();
    let (used, back) = (channel_of(&network, 0, 0, true), channel_of(&network, 1, 0, false));
    let mut system = runtime_system(&network, &config, Mode::Scheduled, &[&[0, 1]]);
    // From its user's begins at 0, 100 and 200 us: idle from 30 to 110 us, and from 128 to 209 us. The way back has
    // gaps of the same length, but in one iteration none.
    let gaps = [gap(30 * US, 110 * US, used), gap(128 * US, 209 * US, used), gap(30 * US, 110 * US, back)];
    assert_eq!(notify(&mut system, &[begin(0, 0, 0), begin(US, 1, 0)]), []);
    assert_eq!(notify(&mut system, &gaps[..1]), []);
    assert_eq!(turned(&learn_rest(&mut system), 201 * US + DELAY).1.len(), 6);
    notify(&mut system, &gaps[1..]);
    let commands = notify(&mut system, &[begin(300 * US, 0, 3), begin(301 * US, 1, 3)]);
    let schedule = CommandKind::Schedule { job: 0, from: Some(4) };
    assert_eq!(commands, [Command { at: Time(301 * US + DELAY), what: schedule }]);
    // Last use after 30 us, next after 109 us; 5 us of margin, 4.48 us to wake. The two calls of each iteration delay
    // all by 40 us, and the next use, in the iteration after, by 80 us; but that of iteration 2 has waited for a call
    // of 20 us already.
    let channel = ChannelId(used as u32);
    let command = |at, on| Command { at: Time(at), what: CommandKind::Channel { channel, on } };
    let expected = [command(475 * US, false), command(400 * US + 169 * US - 5 * US - 4_480_000, true)];
    assert_eq!(notify(&mut system, &[begin(400 * US, 0, 4)]), expected);
    // Only its user's iterations count.
    assert_eq!(notify(&mut system, &[begin(401 * US, 1, 4)]), []);
    // A changed pattern ends the schedule.
    notify(&mut system, &[pair(402 * US, 0, 4, 0, 2)]);
    assert_eq!(notify(&mut system, &[begin(500 * US, 0, 5), begin(501 * US, 1, 5)]), []);
}

fn learn_rest(system: &mut RuntimeSystem<'_>) -> Vec<Command> {
    let mut notifications = vec![pair(10, 0, 0, 0, 1), pair(20, 0, 1, 1, 0)];
    for number in 1..=2 {
        let start = u64::from(number) * 100 * US;
        notifications.extend([begin(start, 0, number), begin(start + US, 1, number)]);
    }
    notify(system, &notifications)
}

/// A gap must be longer than both transitions and both margins, 7 us, as in the model of Totoni et al. 2014, which saves
/// up to a delay of half an iteration; and a command takes its time.
#[test]
fn short_gaps_are_left() {
    use drowse_core::power::runtime::{Care, Gap, Rest, rest};
    let us = Time::from_us;
    let care = Care { enter: us(2), wake: us(3), margin: us(1), delay: us(20), overhead: us(0) };
    let channel = ChannelId(7);
    let of = |since, until| {
        let gap = |k: u64| Gap { channel, since: us(100 * k + since), until: us(100 * k + until) };
        rest(channel, &[gap(0), gap(1)], &[us(0), us(100), us(200)], care)
    };
    assert_eq!(of(50, 60), Some(Rest { channel, off: us(51), on: us(56) }));
    assert_eq!(of(50, 58), Some(Rest { channel, off: us(51), on: us(54) }));
    assert_eq!(of(50, 57), None);
    // The command comes after 20 us at the soonest, and leaves time to go off.
    assert_eq!(of(5, 27), Some(Rest { channel, off: us(20), on: us(23) }));
    assert_eq!(of(5, 26), None);
    assert_eq!(of(90, 130), Some(Rest { channel, off: us(91), on: us(126) }));
    // The longer of two gaps; one that begins now after, now before the users begin the next iteration; and none that
    // all have.
    let of = |gaps: &[(u64, u64)]| {
        let gaps: Vec<Gap> =
            gaps.iter().map(|&(since, until)| Gap { channel, since: us(since), until: us(until) }).collect();
        rest(channel, &gaps, &[us(0), us(100), us(200)], care)
    };
    assert_eq!(of(&[(0, 64), (65, 160), (165, 260)]), Some(Rest { channel, off: us(66), on: us(156) }));
    assert_eq!(of(&[(0, 50), (105, 150)]), Some(Rest { channel, off: us(20), on: us(46) }));
    assert_eq!(of(&[(0, 50), (95, 150)]), Some(Rest { channel, off: us(20), on: us(46) }));
    assert_eq!(of(&[(0, 50), (150, 230)]), None);
}

/// 5 % slower than what was learned is the bound: at it nothing is done, beyond it the policy goes down, and down
/// again.
#[test]
fn slower_iterations_turn_it_down_step_by_step() {
    let (network, config) = ring();
    for (length, turned_down) in [(105 * US, 0), (105 * US + 1, 2)] {
        let mut system = runtime_system(&network, &config, Mode::Scheduled, &[&[0, 1]]);
        let mut commands = learn_two(&mut system);
        let mut start = 300 * US;
        for number in 3..40 {
            commands.extend(notify(&mut system, &[begin(start, 0, number), begin(start + US, 1, number)]));
            start += length;
        }
        let record = system.record();
        assert_eq!(record.turned_down.len(), turned_down);
        assert_eq!(record.jobs[0].after.length(), Some(Time(length)));
        if turned_down > 0 {
            // Iterations 3, 4 and 5 begin after the commands have taken effect; then 6, 7 and 8, since commands take
            // less than one.
            let begun = |number: u64| Time(300 * US + (number - 3) * length + US);
            assert_eq!(record.turned_down, [(begun(5), Mode::Basic), (begun(8), Mode::On)]);
            let last: Vec<Command> = commands.iter().filter(|c| c.at.0 == begun(8).0 + DELAY).copied().collect();
            assert_eq!(turned(&last, begun(8).0 + DELAY).0.len(), 6, "all that was off goes on");
            let new = pair(start, 0, 40, 0, 3);
            assert_eq!(notify(&mut system, &[new]), [], "it does not learn any more");
        }
    }
}

/// The order in which notifications of a window come does not matter.
#[test]
fn notifications_may_come_in_any_order() {
    let (network, config) = ring();
    let notifications = {
        let mut notifications = vec![pair(10, 0, 0, 0, 1), pair(20, 0, 1, 1, 0), woken(150 * US, 0)];
        for number in 0..=2 {
            notifications.extend([
                begin(u64::from(number) * 100 * US, 0, number),
                begin(u64::from(number) * 101 * US, 1, number),
            ]);
        }
        notifications
    };
    let commands = |notifications: Vec<Notification>| {
        notify(&mut runtime_system(&network, &config, Mode::Basic, &[&[0, 1]]), &notifications)
    };
    let expected = commands(notifications.clone());
    assert!(!expected.is_empty());
    assert_eq!(commands(notifications.iter().rev().copied().collect()), expected);
    let one_by_one = {
        let mut system = runtime_system(&network, &config, Mode::Basic, &[&[0, 1]]);
        let mut sorted = notifications;
        sorted.sort_unstable();
        sorted.iter().flat_map(|&event| notify(&mut system, &[event])).collect::<Vec<_>>()
    };
    assert_eq!(one_by_one, expected);
}

/// A channel that two jobs use is not rested by the schedule of one, which knows nothing of the other's times.
#[test]
fn shared_channels_are_not_rested() {
    let (network, config) = ring();
    let used = channel_of(&network, 0, 0, true);
    for shared in [false, true] {
        // The second job runs on the same nodes, or where it uses none of the first one's channels.
        let other: [u32; 2] = if shared { [0, 1] } else { [2, 3] };
        let mut system = runtime_system(&network, &config, Mode::Scheduled, &[&[0, 1], &other]);
        notify(&mut system, &[begin(0, 0, 0), begin(US, 1, 0), gap(30 * US, 110 * US, used)]);
        learn_rest(&mut system);
        notify(&mut system, &[gap(128 * US, 209 * US, used), begin(300 * US, 0, 3), begin(301 * US, 1, 3)]);
        let mut second = vec![pair(302 * US, 1, 0, other[0], other[1])];
        second.extend((0..=2).flat_map(|number: u32| {
            let at = 302 * US + u64::from(number);
            [begin(at, 2, number), begin(at, 3, number)]
        }));
        notify(&mut system, &second);
        let commands = notify(&mut system, &[begin(400 * US, 0, 4)]);
        let switched: Vec<bool> = commands
            .iter()
            .map(|command| match command.what {
                CommandKind::Channel { channel, on } if channel.index() == used => on,
                _ => panic!("{command:?}"),
            })
            .collect();
        assert_eq!(switched, if shared { vec![] } else { vec![false, true] }, "shared: {shared}");
    }
}

/// Iterations that begin before the commands take effect are no fault of theirs: however slow, they turn nothing down
/// and are in no mean.
#[test]
fn iterations_before_the_commands_do_not_count() {
    let (network, config) = ring();
    let mut system = runtime_system(&network, &config, Mode::Basic, &[&[0, 1]]);
    learn_two(&mut system);
    // The commands of 201 us take effect after 221 us. Iteration 3 begins before, and takes four times as long.
    let begins = [215, 600, 700, 800, 900].map(|us| us * US);
    for (number, at) in (3..).zip(begins) {
        notify(&mut system, &[begin(at, 0, number), begin(at + US, 1, number)]);
    }
    let record = system.record();
    assert_eq!(record.turned_down, []);
    assert_eq!((record.jobs[0].after.count, record.jobs[0].after.length()), (3, Some(Time(100 * US))));
}

/// The channels of a schedule rest by the begins of their own users, on whatever nodes these are, and by what was
/// learned last. Ranks 0 and 1 run on nodes 3 and 1; from odd switches, ties go down: packets of rank 0 lead over 3 -> 2 -> 1,
/// which rank 1 does not use, though it begins sooner.
#[test]
fn schedules_follow_their_users_and_are_learned_anew() {
    let (network, config) = ring();
    let used = channel_of(&network, 3, 0, false);
    let mut system = runtime_system(&network, &config, Mode::Scheduled, &[&[3, 1]]);
    assert_eq!((system.delay(), system.rules()), (Time(DELAY), rules(Mode::Scheduled)));
    let begins = |number: u64| {
        let at = 100 * US * number;
        [begin(at, 1, number as u32), begin(at + 10 * US, 0, number as u32)]
    };
    let command = |at, on| Command { at: Time(at), what: CommandKind::Channel { channel: ChannelId(used as u32), on } };
    for first in [0, 5] {
        let base = first * 100 * US;
        let iteration = first as u32;
        let mut notifications = vec![pair(base + 11 * US, 0, iteration, 3, 1), pair(base + US, 0, iteration, 1, 3)];
        // From the begins of rank 0 the channel is idle from 30 to 110 us, and from 28 to 109 us.
        notifications.extend([gap(base + 40 * US, base + 120 * US, used), gap(base + 138 * US, base + 219 * US, used)]);
        (first..=first + 3).for_each(|number| notifications.extend(begins(number)));
        let commands = notify(&mut system, &notifications);
        let from = Some(iteration + 4);
        let schedule = Command { at: Time(base + 310 * US + DELAY), what: CommandKind::Schedule { job: 0, from } };
        assert!(commands.contains(&schedule), "{commands:?}");
        // As in the test above, 10 us later.
        let [sooner, later] = begins(first + 4);
        assert_eq!(notify(&mut system, &[sooner]), []);
        let rest = [command(base + 485 * US, false), command(base + 410 * US + 169 * US - 5 * US - 4_480_000, true)];
        assert_eq!(notify(&mut system, &[later]), rest);
        // A new pair, and all is learned again from the next iteration on.
        let anew = notify(&mut system, &[pair(base + 420 * US, 0, iteration + 4, 3, 0)]);
        let learn = CommandKind::Learn { job: 0, first: iteration + 5 };
        assert_eq!(anew, [Command { at: Time(base + 420 * US + DELAY), what: learn }]);
    }
}
