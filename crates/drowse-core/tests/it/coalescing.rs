//! Channels that coalesce packets before they wake, to the picosecond; terms are those of `sleeping`.

use drowse_core::measure::Record;
use drowse_core::model::config::VirtualChannels;
use drowse_core::model::units::Time;
use drowse_core::power::{ByClass, ClassPolicy, Coalescing, CoalescingLimits, LinkState, Timers};
use drowse_core::routing::RoutingKind;
use drowse_core::workload::Workload;

use crate::common::*;
use crate::sleeping::*;

const US: u64 = 1_000_000;
const ENTER: u64 = 2_880_000;
const WAKE: u64 = 4_480_000;

/// Only this class coalesces; nothing else sleeps.
fn coalescing(class: usize, frames: u32, timeout: u64) -> ByClass {
    let mut classes = vec![ClassPolicy::StallTimer(Timers::NEVER); 2];
    classes[class] =
        ClassPolicy::Coalescing(Coalescing { limits: CoalescingLimits { frames, timeout: Time(timeout) } });
    ByClass::new(classes)
}

/// Runs messages, given by time and flits, from node 0 to the other of two switches in a row, whose channels of a class
/// coalesce.
fn run_row(class: usize, frames: u32, timeout: u64, messages: &[(u64, u64)]) -> (Record, usize) {
    let (network, mut config) = row(2);
    config.classes[class].states = Some(STATES);
    config.switch.buffer_flits = 60_000;
    let record = run_with(&network, &config, &coalescing(class, frames, timeout), sends(1, messages));
    let channel = if class == 0 { injection_of(&network, 0) } else { channel_of(&network, 0, 0, true) };
    (record, channel)
}

/// A single packet waits for the timeout, at a NIC and at a switch.
#[test]
fn a_lone_packet_waits_for_the_timeout() {
    let at = 20 * US;
    // The NIC sends once its channel is on; the ejection channel sleeps and coalesces, too.
    let (record, channel) = run_row(0, 2, 10 * US, &[(at, 1)]);
    let leaves = at + 10 * US + WAKE;
    let edge = |t: u64| t.div_ceil(CYCLE) * CYCLE;
    let at_last_switch = edge(edge(leaves + WIRE) + HOP);
    let ejected = edge(at_last_switch + 10 * US) + WAKE;
    assert_eq!(record.makespan, Some(Time(edge(ejected) + CYCLE + HOP)));
    let counted = record.channels[channel];
    assert_eq!((counted.wakes, counted.delayed_messages, counted.time_lost), (1, 1, Time(10 * US + WAKE)));
    assert_eq!(counted.time_in(LinkState::Waking), Time(WAKE));

    let (record, channel) = run_row(1, 2, 10 * US, &[(at - WIRE, 1)]);
    let granted = edge(edge(at + 10 * US) + WAKE);
    assert_eq!(record.makespan, Some(Time(granted + HOP + CYCLE + HOP)));
    let counted = record.channels[channel];
    assert_eq!((counted.wakes, counted.delayed_messages), (1, 1));
    // On from the wake until the packet has left, asleep again at once.
    let asleep = at + 10 * US - ENTER;
    assert_eq!(counted.time_in(LinkState::Waking), Time(WAKE));
    assert!(counted.time_in(LinkState::Deep) >= Time(asleep - 1));
}

/// Enough packets wake the channel before the timeout: at once where they come together, with the last where they do
/// not.
#[test]
fn enough_packets_wake_the_channel() {
    let at = 20 * US;
    // Three packets of 8 flits are one message, and are there at once for the NIC.
    let (record, channel) = run_row(0, 3, 100 * US, &[(at, 24)]);
    assert_eq!(record.channels[channel].time_lost, Time(WAKE));
    // The second message comes 2 us later and makes two frames, then the channel wakes.
    let (record, channel) = run_row(0, 2, 100 * US, &[(at, 8), (at + 2 * US, 8)]);
    let counted = record.channels[channel];
    assert_eq!((counted.wakes, counted.packets), (1, 2));
    assert_eq!(counted.time_lost, Time(2 * US + WAKE));
    // In a switch, packets behind the head count: the second wakes the channel 2 us after the first asked.
    let (record, channel) = run_row(1, 2, 100 * US, &[(at - WIRE, 8), (at + 2 * US - WIRE, 8)]);
    let counted = record.channels[channel];
    assert_eq!((counted.wakes, counted.packets), (1, 2));
    let woken = 2 * US;
    assert!(counted.time_lost.0.abs_diff(woken + WAKE) <= CYCLE, "{:?}", counted.time_lost);
    // With one frame it equals immediate sleep.
    let at_once = ClassPolicy::StallTimer(Timers { shallow: Time::NEVER, deep: Time::ZERO });
    let naive = ByClass::new(vec![ClassPolicy::StallTimer(Timers::NEVER), at_once]);
    let (network, mut config) = row(2);
    config.classes[1].states = Some(STATES);
    let messages = || -> Workload { sends(1, &[(at, 8), (at + 2 * US, 8), (at + 30 * US, 20)]) };
    let one = run_with(&network, &config, &coalescing(1, 1, 100 * US), messages());
    assert_eq!(one, run_with(&network, &config, &naive, messages()));
}

/// Sends two messages of a packet, 2 us apart, from some nodes to others, one rank on each.
fn pairs(from: &[u32], to: &[u32]) -> Workload {
    let send = |to| send(to, 8 * 16);
    let senders = (0..from.len() as u32).map(|i| i + from.len() as u32);
    let senders = senders.map(|to| vec![compute(Time(20 * US)), send(to), compute(Time(2 * US)), send(to)]);
    let receivers = (0..to.len() as u32).map(|from| vec![recv(from), recv(from)]);
    job(senders.chain(receivers).collect(), &[from, to].concat())
}

/// Every NIC counts its own messages: the second, 2 us later, makes two frames.
#[test]
fn every_nic_counts_its_messages() {
    let network = mesh(&[3], 1, 2);
    let config = config(&network, 1);
    for (from, to) in (0..6).flat_map(|from| (0..6).map(move |to| (from, to))).filter(|(from, to)| from != to) {
        let record = run_with(&network, &config, &coalescing(0, 2, 100 * US), pairs(&[from], &[to]));
        let counted = record.channels[injection_of(&network, from)];
        assert_eq!((counted.wakes, counted.packets, counted.delayed_messages), (1, 2, 1), "{from} to {to}");
        assert_eq!(counted.time_lost, Time(2 * US + WAKE), "{from} to {to}");
    }
}

/// A switch counts the packets of all its input queues, be they more than 64: of the nodes with the lowest and the
/// highest ports, at either switch, with a queue for each node and with four.
#[test]
fn packets_of_all_queues_count() {
    const NODES: u32 = 90;
    let network = mesh(&[2], 1, NODES);
    for (vcs, switch) in [(1, 0), (1, 1), (4, 0), (4, 1)] {
        let mut config = config(&network, 1);
        config.switch.vcs = VirtualChannels::grid(0, vcs);
        let channel = channel_of(&network, switch, 0, switch == 0);
        let there = |node: u32| switch * NODES + node;
        for senders in [vec![0, 1], vec![0, 89], vec![17, 40], vec![70, 88], vec![3, 20, 35, 50, 65, 80]] {
            let from: Vec<u32> = senders.iter().map(|&node| there(node)).collect();
            let to: Vec<u32> = senders.iter().map(|&node| (1 - switch) * NODES + node).collect();
            // The last message of all wakes the channel, before the timeout; with one frame more nothing does.
            for (more, waits) in [(0, 2 * US), (1, 100 * US)] {
                let frames = 2 * senders.len() as u32 + more;
                let policy = coalescing(1, frames, 100 * US);
                let record = run_with(&network, &config, &policy, pairs(&from, &to));
                let counted = record.channels[channel];
                assert_eq!((counted.wakes, counted.packets), (1, 2 * senders.len() as u64), "{from:?}");
                // Each first message waits so long, and each second one 2 us less where it heads a queue of its own.
                let second = if vcs == 1 { 0 } else { waits - 2 * US + WAKE };
                let expected = senders.len() as u64 * (waits + WAKE + second);
                let lost = counted.time_lost.0;
                assert!(lost.abs_diff(expected) <= CYCLE * u64::from(frames), "{lost} with {from:?}, {frames} frames");
                let on = record.makespan.unwrap().0 - 20 * US;
                assert!((waits + WAKE..waits + WAKE + US).contains(&on), "{on} with {from:?}, {frames} frames");
            }
        }
    }
}

/// In a square, packets that wait for a busy output request the other one, which sleeps and coalesces; they leave by the
/// first, and nothing waits for the other any more. A packet that needs it 180 us later waits for the whole timeout.
#[test]
fn packets_that_leave_by_another_output_are_not_waited_for() {
    let network = mesh(&[2, 2], 1, 2);
    let mut config = config(&network, 1);
    config.routing = RoutingKind::Adaptive;
    config.switch.vcs = VirtualChannels::grid(1, 1);
    config.sleep.wake_after = Some(Time(1));
    let limits = CoalescingLimits { frames: 1_000, timeout: Time(50 * US) };
    let never = ClassPolicy::StallTimer(Timers::NEVER);
    let policy = ByClass::new(vec![never.clone(), ClassPolicy::Coalescing(Coalescing { limits }), never]);
    // Two nodes of one corner send to the opposite one at once; then one of them to the corner beside it.
    let burst = |to: u32| (0..10).map(move |_| send(to, 8 * 16));
    let first = [compute(Time(20 * US))].into_iter().chain(burst(2)).chain([compute(Time(180 * US)), send(4, 8 * 16)]);
    let second = [compute(Time(20 * US))].into_iter().chain(burst(3));
    let receivers = [vec![recv(0); 10], vec![recv(1); 10], vec![recv(0)]];
    let ranks = [vec![first.collect(), second.collect()], receivers.to_vec()].concat();
    let record = run_with(&network, &config, &policy, job(ranks, &[0, 1, 6, 7, 2]));
    let counted = record.channels[channel_of(&network, 0, 0, true)];
    assert_eq!((counted.wakes, counted.packets, counted.delayed_messages), (1, 1, 1));
    assert!(counted.time_lost.0.abs_diff(50 * US + WAKE) <= CYCLE, "{:?}", counted.time_lost);
    assert!(record.makespan.unwrap().0 > (20 + 180 + 50) * US + WAKE);
}
