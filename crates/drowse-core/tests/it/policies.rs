//! All policies on random small experiments: what must hold of a run whatever decides when channels sleep.

use std::num::NonZeroU16;

use drowse_core::measure::Record;
use drowse_core::model::config::{Config, SleepSelection};
use drowse_core::model::ids::ChannelId;
use drowse_core::model::units::{Bytes, Time};
use drowse_core::power::{
    Bound, ByClass, ClassPolicy, Coalescing, CoalescingLimits, DynamicFastwake, HindsightPolicy, Learning, LinkState,
    LinkTimers, Oracle, PerfBound, Predictive, Split, StallTimer, Timers, Trunk, TrunkPolicy as _, Width, trunk::Off,
};
use drowse_core::routing::RoutingKind;
use drowse_core::topology::{Geometry, Network};
use drowse_core::workload::Workload;
use drowse_core::workload::traffic::{Count, Traffic};
use proptest::prelude::*;

use crate::audit::{run_in, without_events};
use crate::common::*;
use crate::random::{Sleep, any_machine, lengths, pair, pattern, pattern_on, program, rules, sleep};

/// A policy of some kind, made of random numbers.
#[derive(Clone, Copy, Debug)]
pub struct Drawn {
    kind: u8,
    frames: u32,
    times: (u64, u64),
}

pub fn drawn() -> impl Strategy<Value = Vec<Drawn>> {
    let times = (0u64..200_000, 1u64..200_000);
    let one = (0u8..10, 1u32..6, times).prop_map(|(kind, frames, times)| Drawn { kind, frames, times });
    prop::collection::vec(one, 5)
}

pub fn policy(network: &Network, config: &Config, drawn: &[Drawn]) -> ByClass {
    let class = |(class, drawn): (usize, &Drawn)| {
        let Some(states) = config.classes[class].states else { return ClassPolicy::StallTimer(Timers::NEVER) };
        let (first, second) = drawn.times;
        match drawn.kind {
            0 => ClassPolicy::StallTimer(Timers { shallow: Time(first), deep: Time(first + second) }),
            1 => {
                let limits = CoalescingLimits { frames: drawn.frames, timeout: Time(second) };
                ClassPolicy::Coalescing(Coalescing { limits })
            }
            2 => ClassPolicy::Oracle(Oracle::new(states)),
            3 | 4 => {
                // Loose bounds and quick refreshes, so that short runs sleep and learn anew.
                let bound = Bound { billionths: drawn.frames * 190_000_000, split: Split::Ratio };
                let refresh = NonZeroU16::new(2 + (first % 20) as u16).unwrap();
                let learning = Learning { refresh, correction: second % 2 == 0, ..Learning::new(bound) };
                let two = DynamicFastwake::new(learning, &states).filter(|_| drawn.kind == 4);
                let one = || ClassPolicy::PerfBound(PerfBound { learning, wake: states.deep.wake });
                two.map_or_else(one, ClassPolicy::DynamicFastwake)
            }
            5 | 6 => {
                // Loose thresholds and short windows, so that short runs shed ports and take them back.
                let on = 5_000_000 + 150_000_000 * (drawn.frames - 1);
                let off = if drawn.kind == 5 { Off::Static(on / 2 - 1) } else { Off::ByPorts(900_000_000) };
                ClassPolicy::Trunk(Trunk {
                    window: Time(1 + first / 2),
                    on,
                    off,
                    backlog: Time(second),
                    steps: drawn.frames as u8,
                })
            }
            9 => ClassPolicy::Predictive(Predictive::new(190_000_000 * drawn.frames, Some(Time(second)), states)),
            7 => {
                let on = 5_000_000 + 150_000_000 * (drawn.frames - 1);
                let thresholds = Trunk {
                    window: Time(1 + first / 2),
                    on,
                    off: Off::Static(on / 2 - 1),
                    backlog: Time(second),
                    steps: 1,
                };
                ClassPolicy::Width(Width { lanes: 2 << (first % 4), thresholds })
            }
            _ => {
                let timers = (0..network.channels())
                    .map(|c| Timers { shallow: Time::NEVER, deep: Time(first * u64::from(c % 3)) });
                ClassPolicy::Table(LinkTimers::new(timers.collect()))
            }
        }
    };
    ByClass::new(drawn.iter().take(network.classes.len()).enumerate().map(class).collect())
}

/// Makes packets see which ports trunks have shed. Both ends of links go together only where they hear of each other
/// within a window.
pub fn see_trunks(config: &mut Config, policy: &ByClass) {
    let sheds = policy.classes().iter().any(|class| matches!(class, ClassPolicy::Trunk(_)));
    if sheds && config.sleep.selection == SleepSelection::Blind {
        config.sleep.selection = SleepSelection::Awake;
    }
    let hears = |class: usize, window: Time| window.0 >= config.classes[class].latency.0 + 3 * config.switch.clock.0;
    let windows = (0..config.classes.len()).filter_map(|class| Some((class, policy.trunk_window(class as u8)?)));
    config.sleep.both &= windows.into_iter().all(|(class, window)| hears(class, window));
}

fn assert_residencies(record: &Record) {
    for (channel, counted) in record.channels.iter().enumerate() {
        let sum: u64 = counted.residency.iter().map(|time| time.0).sum();
        assert_eq!(sum, record.measured.0, "channel {channel}: {counted:?}");
        assert!(counted.delayed_messages > 0 || counted.time_lost == Time::ZERO, "channel {channel}: {counted:?}");
    }
}

/// Of every trunk that sheds ports, one port is on all the time.
fn assert_connected(record: &Record, network: &Network, policy: &ByClass) {
    let trunks = network.trunks();
    for (port, first) in (0..).zip(&trunks) {
        let class = usize::from(network.channel_class(ChannelId(port)));
        if first.0 == port && matches!(policy.classes()[class], ClassPolicy::Trunk(_)) {
            let mut members = (0..network.ports()).filter(|&member| trunks[member as usize].0 == port);
            let on =
                |member: u32| record.channels[member as usize].residency[LinkState::On as usize] == record.measured;
            assert!(members.any(on), "trunk of port {port}");
        }
    }
}

/// Removes what channels did while they did not send.
fn without_sleep(record: Record) -> Record {
    let mut record = without_events(record);
    for channel in &mut record.channels {
        (channel.residency, channel.wakes) = ([Time::ZERO; LinkState::COUNT], 0);
    }
    record
}

proptest! {
    #![proptest_config(proptest_config(150))]

    #[test]
    fn programs(
        machine in any_machine(),
        sleep in sleep(),
        program in program(),
        (drawn, both) in (drawn(), any::<bool>()),
        parts in 2usize..6,
    ) {
        let network = machine.network();
        let mut config = machine.config(&network, &sleep);
        config.node.eager_limit = Bytes(program.eager_limit);
        pair(&mut config, both);
        let policy = policy(&network, &config, &drawn);
        see_trunks(&mut config, &policy);
        let workload = || program.workload(&network, Time::ZERO);
        let record = run_with(&network, &config, &policy, workload());
        prop_assert_eq!(record.packets_injected, record.packets_delivered);
        assert_residencies(&record);
        assert_connected(&record, &network, &policy);
        config.audit = false;
        let cut = run_in(parts, &network, &config, &policy, workload());
        prop_assert_eq!(without_events(cut), without_events(record.clone()));

        // The same packets on routes of the same lengths as without sleep, unless queues decide, or the order of
        // packets decides which draws which route.
        let always_on = StallTimer::always_on(network.classes.len());
        let on = run_with(&network, &config, &always_on, workload());
        prop_assert_eq!(record.packets_delivered, on.packets_delivered);
        let draws = matches!(network.geometry, Geometry::Groups(_)) || config.routing == RoutingKind::Valiant;
        if !draws && !matches!(config.routing, RoutingKind::Ugal | RoutingKind::Progressive) {
            prop_assert_eq!(record.hops, on.hops);
        }
        prop_assert_eq!(record.packet_latency.count(), on.packet_latency.count());

        // Channels judged by hindsight have not slept.
        let oracles = config.classes.iter().map(|class| match class.states {
            Some(states) => ClassPolicy::Oracle(Oracle::new(states)),
            None => ClassPolicy::StallTimer(Timers::NEVER),
        });
        let oracle = ByClass::new(oracles.collect());
        let judged = run_with(&network, &config, &oracle, workload());
        assert_residencies(&judged);
        prop_assert_eq!(without_sleep(judged), without_sleep(on));
    }

    #[test]
    fn open_loops(
        machine in any_machine(),
        sleep in sleep(),
        load in 1u32..=30,
        pattern in pattern(),
        packets in lengths(),
        cycles in (0u64..300, 1u64..600),
        (drawn, both) in (drawn(), any::<bool>()),
        parts in 2usize..6,
    ) {
        let network = machine.network();
        let mut config = machine.config(&network, &sleep);
        pair(&mut config, both);
        let policy = policy(&network, &config, &drawn);
        see_trunks(&mut config, &policy);
        let bits_per_cycle = config.classes[0].bandwidth.0 as f64 * machine.clock as f64 / 1e12;
        let message_bits = (machine.flit * 8) as f64 * packets.mean_flits(&config.switch);
        let traffic = Traffic {
            pattern: pattern_on(&network, pattern, false),
            packets,
            load: f64::from(load) / 100.0 * (0.999 * message_bits / bits_per_cycle).min(1.0),
            include_self: false,
            count: Count::Generated,
            warmup: Time(cycles.0 * machine.clock),
            measure: Time(cycles.1 * machine.clock),
            drain: true,
        };
        let workload = || Workload::OpenLoop(traffic.clone());
        let record = run_with(&network, &config, &policy, workload());
        assert_residencies(&record);
        assert_connected(&record, &network, &policy);
        config.audit = false;
        let cut = run_in(parts, &network, &config, &policy, workload());
        prop_assert_eq!(without_events(cut), without_events(record));
    }
}

proptest! {
    #![proptest_config(proptest_config(50))]

    /// Runtime-controlled channels: the same results for any partition, and the same packets as without control.
    #[test]
    fn commanded_channels(
        machine in any_machine(),
        sleep in sleep(),
        program in program(),
        rules in rules(),
        parts in 2usize..6,
    ) {
        let network = machine.network();
        let mut config = machine.config(&network, &sleep);
        config.node.eager_limit = Bytes(program.eager_limit);
        let policy = Sleep::runtime_controlled(&config, rules);
        let workload = || program.iterating(&network, 5);
        let record = run_with(&network, &config, &policy, workload());
        assert_residencies(&record);
        prop_assert_eq!(record.makespan, Some(record.measured), "commands after the end change nothing");
        // Some networks have no channels that may sleep.
        if let Some(runtime) = &record.runtime {
            prop_assert_eq!(runtime.jobs[0].iterations, 5);
            prop_assert!(runtime.jobs[0].learned_at.is_some());
        }
        config.audit = false;
        for parts in [1, parts] {
            let cut = run_in(parts, &network, &config, &policy, workload());
            prop_assert_eq!(without_events(cut), without_events(record.clone()));
        }
        let on = run_with(&network, &config, &StallTimer::always_on(network.classes.len()), workload());
        // Notifications may come on top, which no latency counts.
        let (with, without) = (record.packets_delivered, on.packets_delivered);
        prop_assert!(with == without || with > without && rules.notification.is_some(), "{with} {without}");
        prop_assert_eq!(record.packet_latency.count(), on.packet_latency.count());
    }
}

/// The oracle chooses the cheapest of three states; by hand at the lengths where the choice changes.
#[test]
fn the_oracle_by_hand() {
    let oracle = Oracle::new(STATES);
    let sleeps = |idle: u64, wakes| oracle.hindsight(0, Time(idle), wakes);
    // Shallow: 250 ns of waking, then 60 %. Deep: 2.88 us and 4.48 us at full power, then 10 %.
    assert_eq!(sleeps(250_000, true), None);
    assert_eq!(sleeps(250_001, true), Some(LinkState::Shallow));
    // 0.25 + 0.6 (t - 0.25) = 7.36 + 0.1 (t - 7.36) at t = 13.048 us.
    assert_eq!(sleeps(13_047_999, true), Some(LinkState::Shallow));
    assert_eq!(sleeps(13_048_000, true), Some(LinkState::Shallow));
    assert_eq!(sleeps(13_048_001, true), Some(LinkState::Deep));
    // The last idle period needs no waking: 0.6 t = 2.88 + 0.1 (t - 2.88) at t = 5.184 us.
    assert_eq!(sleeps(1, false), Some(LinkState::Shallow));
    assert_eq!(sleeps(5_184_000, false), Some(LinkState::Shallow));
    assert_eq!(sleeps(5_184_001, false), Some(LinkState::Deep));
}
