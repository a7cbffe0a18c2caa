//! Residencies of channels against an independent replay, which walks from phase to phase.

use std::sync::Mutex;

use drowse_core::model::ids::ChannelId;
use drowse_core::model::units::Time;
use drowse_core::power::{Idle, LinkState, SleepPolicy, SleepState, SleepStates, StallTimer, Timers};
use proptest::prelude::*;

use crate::common::*;
use crate::sleeping::*;

/// Replays one channel from the times at which it is asked for and used: a state machine that walks from phase to
/// phase.
struct Replay {
    timers: Timers,
    states: SleepStates,
    idle_since: u64,
    asleep: [u64; 5],
    wakes: u64,
    idles: Vec<u64>,
}

impl Replay {
    fn new(timers: Timers, states: SleepStates) -> Self {
        Replay { timers, states, idle_since: 0, asleep: [0; 5], wakes: 0, idles: Vec::new() }
    }

    /// Lists the phases of an idle period: state, length, how long waking from it takes.
    fn phases(&self) -> Vec<(LinkState, u64, u64)> {
        let (Timers { shallow, deep }, SleepStates { shallow: s, deep: d, .. }) = (self.timers, self.states);
        let deep_sleep = [(LinkState::Entering, d.enter.0, d.wake.0), (LinkState::Deep, u64::MAX, d.wake.0)];
        let mut phases = vec![(LinkState::On, shallow.0.min(deep.0), 0)];
        if shallow < deep {
            let in_shallow = if deep == Time::NEVER { u64::MAX } else { deep.0.saturating_sub(shallow.0 + s.enter.0) };
            phases.push((LinkState::Entering, s.enter.0, s.wake.0));
            phases.push((LinkState::Shallow, in_shallow, s.wake.0));
        }
        phases.extend(deep_sleep);
        phases
    }

    /// Idles until time `t` and returns the state, how much of it is left, and how long waking takes.
    fn idle_until(&mut self, t: u64) -> (LinkState, u64, u64) {
        let mut left = t - self.idle_since;
        for (state, length, wake) in self.phases() {
            self.asleep[state as usize] += left.min(length);
            if left < length {
                return (state, length - left, wake);
            }
            left -= length;
        }
        unreachable!("the last phase never ends")
    }

    /// Somebody asks at time `t`; returns when the channel is on.
    fn ask(&mut self, t: u64) -> u64 {
        if t <= self.idle_since {
            return t;
        }
        self.idles.push(t - self.idle_since);
        let (state, left, wake) = self.idle_until(t);
        let from = match state {
            LinkState::On => return t,
            LinkState::Entering => {
                self.asleep[state as usize] += left;
                t + left
            }
            _ => t,
        };
        self.wakes += 1;
        self.asleep[LinkState::Waking as usize] += wake;
        from + wake
    }

    /// Returns residencies and wakes of a run that ends at time `end`.
    fn finish(mut self, end: u64) -> ([u64; 5], u64) {
        if end > self.idle_since {
            self.idle_until(end);
        }
        self.asleep[0] = end - self.asleep[1..].iter().sum::<u64>();
        (self.asleep, self.wakes)
    }

    /// Sends messages as a NIC does, handed over at their times; returns flits and start of each packet.
    fn nic(&mut self, messages: &[(u64, u64)]) -> Vec<(u64, u64)> {
        let mut packets = Vec::new();
        for &(at, flits) in messages {
            let mut free = self.ask(at).max(self.idle_since);
            let mut left = flits;
            while left > 0 {
                packets.push((left.min(8), free));
                free += left.min(8) * CYCLE;
                left -= left.min(8);
            }
            self.idle_since = free;
        }
        packets
    }

    /// Sends packets as a switch does, whose heads arrive at their times in one queue; returns flits and start of each.
    fn switch(&mut self, arrivals: &[(u64, u64)]) -> Vec<(u64, u64)> {
        let mut packets = Vec::new();
        let (mut next_edge, mut free) = (0, 0u64);
        for &(flits, head) in arrivals {
            // An edge may grant what becomes free before the next one.
            let edge = head.div_ceil(CYCLE).max(next_edge).max(free / CYCLE);
            let granted = self.ask(edge * CYCLE).div_ceil(CYCLE);
            next_edge = granted + 1;
            let start = free.max(granted * CYCLE);
            free = start + flits * CYCLE;
            self.idle_since = free;
            packets.push((flits, start));
        }
        packets
    }
}

/// A policy that records the idle periods of each class.
struct Diary {
    timers: StallTimer,
    idles: Mutex<[Vec<u64>; 2]>,
}

impl SleepPolicy for Diary {
    type State = ();

    fn start(&self, _: ChannelId, _: u8) {}

    fn timers(&self, class: u8, state: &()) -> Timers {
        self.timers.timers(class, state)
    }

    fn idle_ended(&self, class: u8, (): &mut (), idle: Idle) {
        self.idles.lock().unwrap()[usize::from(class)].push(idle.length().0);
    }
}

drowse_core::sleep_only!(Diary);

fn after(packets: &[(u64, u64)], delay: u64) -> Vec<(u64, u64)> {
    packets.iter().map(|&(flits, start)| (flits, start + delay)).collect()
}

proptest! {
    #![proptest_config(proptest_config(256))]

    /// All three channels of a row of two, over random messages, timers and states, against the replay.
    #[test]
    fn residencies_equal_a_replay(
        gaps in prop::collection::vec((prop_oneof![0u64..3_000, 0u64..100_000, 0u64..3_000_000], 1u64..40), 1..25),
        stalls in prop::collection::vec(prop::option::of(prop_oneof![Just(0u64), 0u64..2_000, 0u64..600_000]), 4),
        enter in (0u64..200_000, 0u64..500_000),
        wake in (1u64..50_000, 1u64..900_000),
    ) {
        let (network, mut config) = row(2);
        config.switch.buffer_flits = 60_000;
        let state = |enter, wake| SleepState { power: 0.3, enter: Time(enter), wake: Time(wake) };
        let states = SleepStates::new(state(enter.0, wake.0), state(enter.1, wake.1));
        config.classes.iter_mut().for_each(|class| class.states = Some(states));
        let class_timers = [timers(stalls[0], stalls[1]), timers(stalls[2], stalls[3])];
        let policy = Diary { timers: StallTimer { timers: class_timers.to_vec() }, idles: Mutex::default() };
        let mut now = 0;
        let messages: Vec<(u64, u64)> = gaps.iter().map(|&(gap, flits)| { now += gap; (now, flits) }).collect();
        let record = run_with(&network, &config, &policy, sends(1, &messages));

        let mut replays = [0, 1, 0].map(|class: usize| Replay::new(class_timers[class], states));
        let injected = replays[0].nic(&messages);
        let crossed = replays[1].switch(&after(&injected, WIRE));
        let ejected = replays[2].switch(&after(&crossed, HOP));
        let &(flits, start) = ejected.last().unwrap();
        let makespan = start + flits * CYCLE + HOP;
        prop_assert_eq!(record.makespan, Some(Time(makespan)));
        let mut node_idles = [&replays[0].idles[..], &replays[2].idles[..]].concat();
        let switch_idles = replays[1].idles.clone();
        let channels = [injection_of(&network, 0), channel_of(&network, 0, 0, true), ejection_of(&network, 1)];
        for (channel, replay) in channels.into_iter().zip(replays) {
            let counted = record.channels[channel];
            prop_assert_eq!((residency(&record, channel), counted.wakes), replay.finish(makespan), "channel {}", channel);
        }
        let [mut node, switch] = policy.idles.into_inner().unwrap();
        prop_assert_eq!(switch, switch_idles);
        node.sort_unstable();
        node_idles.sort_unstable();
        prop_assert_eq!(node, node_idles);
    }
}
