//! For which wakes of links messages wait, on a row of switches and in random programs.

use drowse_core::engine::{Progress, Simulation};
use drowse_core::measure::wakes::{Wake, Wakes};
use drowse_core::measure::{ProbeOptions, Record};
use drowse_core::model::config::Config;
use drowse_core::model::ids::ChannelId;
use drowse_core::model::units::{Bytes, Time};
use drowse_core::power::{ByClass, Probe, StallTimer};
use drowse_core::topology::Network;
use drowse_core::workload::Workload;
use proptest::prelude::*;

use crate::common::*;
use crate::random_programs::program;
use crate::sleeping::{CYCLE, HOP, WIRE, row, sends, timers};
use crate::small;

const US: u64 = 1_000_000;
/// Waking from deep sleep.
const WAKE: u64 = 4_480_000;

fn recorded(
    (network, config): (&Network, &Config),
    policy: &ByClass,
    workload: Workload,
    parts: usize,
) -> (Record, Wakes) {
    let wanted = ProbeOptions { wakes: true, ..ProbeOptions::default() };
    let policy = Probe::new(policy, wanted, &config.classes, None);
    let mut simulation = Simulation::in_partitions(network, config, &policy, workload, parts).unwrap();
    simulation.record_wakes();
    while simulation.advance(1_000).unwrap() != Progress::Done {}
    let wakes = simulation.take_wakes();
    (simulation.into_record(), wakes)
}

/// The channel between two switches sleeps after 10 us, and messages come at 30 and at 60 us: each wakes it, and waits for
/// the whole wake. The second has idled since the last bit of the first.
#[test]
fn two_messages_that_wake_a_link() {
    let (network, mut config) = row(2);
    config.classes[1].states = Some(STATES);
    let policy = by_class(&StallTimer { timers: vec![timers(None, None), timers(None, Some(10 * US))] });
    let messages = [(30 * US - WIRE, 5), (60 * US - WIRE, 1)];
    let (record, seen) = recorded((&network, &config), &policy, sends(1, &messages), 1);
    let Wakes { wakes, left_out, .. } = &seen;
    let delayed = &seen.causes.delayed;
    let there = channel_of(&network, 0, 0, true);
    assert_eq!((record.channels[there].wakes, *left_out), (2, 0));
    let timers = timers(None, Some(10 * US));
    let wake = |at: u64, idle_since: u64, number| Wake {
        channel: there as u32,
        awake: Time(at + WAKE),
        waited: Time(WAKE),
        idle_since: Time(idle_since),
        timers,
        message: (0, number),
    };
    let first_gone = 30 * US + WAKE + 5 * CYCLE;
    let numbers: Vec<u32> = wakes.iter().map(|wake| wake.message.1).collect();
    assert_eq!(wakes, &[wake(30 * US, 0, numbers[0]), wake(60 * US, first_gone, numbers[1])]);
    // The messages by their names.
    let sent: Vec<_> =
        delayed.iter().map(|message| (message.from_rank, message.to_rank, message.bytes, message.sent.0)).collect();
    assert_eq!(sent, [(0, 1, 80, 30 * US - WIRE), (0, 1, 16, 60 * US - WIRE)]);
    assert_eq!(delayed[1].came.0, 60 * US + WAKE + HOP + CYCLE + HOP);
    assert!(delayed.iter().all(|message| message.delayed == Time(WAKE) && !message.is_control));
    assert_eq!(
        delayed.iter().map(|message| message.name).collect::<Vec<_>>(),
        numbers.iter().map(|&number| (0, number)).collect::<Vec<_>>()
    );
    // Both are on the critical path: the receiver waits for one after the other.
    let legs = seen.path(1, record.ranks[1].finish).unwrap();
    let ends: Vec<_> = legs.iter().map(|leg| (leg.by, leg.rank, leg.sent.0)).collect();
    assert_eq!(ends[0], (0, 1, 60 * US - WIRE));
    assert!(seen.is_on(&wakes[1], &legs) && !seen.is_on(&wakes[0], &legs), "the sender goes on without an answer");
}

proptest! {
    #![proptest_config(proptest_config(40))]

    /// What is recorded of each channel sums to what it has lost, in any partitions; recording changes nothing.
    #[test]
    fn waits_sum_to_the_time_lost(
        small in prop::sample::select(small::all()),
        idle in (0u64..5_000, 0u64..300_000),
        program in program(),
        parts in 2usize..6,
    ) {
        let network = small.network();
        let mut config = small.config(&network);
        config.node.eager_limit = Bytes(program.eager_limit);
        let policy = by_class(&StallTimer::uniform(network.classes.len(), Some(Time(idle.0)), Some(Time(idle.1))));
        let workload = || program.workload(&network, Time::ZERO);
        let (record, wakes) = recorded((&network, &config), &policy, workload(), 1);
        prop_assert_eq!(wakes.left_out, 0);
        for (channel, counted) in (0..).map(ChannelId).zip(&record.channels) {
            let of_channel = wakes.wakes.iter().filter(|wake| wake.channel == channel.0);
            prop_assert_eq!(of_channel.map(|wake| wake.waited.0).sum::<u64>(), counted.time_lost.0);
        }
        prop_assert!(wakes.wakes.iter().all(|wake| wakes.message(wake).is_some()));
        // The messages on the way to the last end take what the critical path says.
        let (last, rank) = record.ranks.iter().enumerate().rev().max_by_key(|(_, rank)| rank.finish).unwrap();
        let legs = wakes.path(last as u32, rank.finish).unwrap();
        let carried: u64 = legs.iter().map(|leg| (leg.at - leg.sent).0).sum();
        prop_assert_eq!(carried, (rank.path.network + rank.path.memory + rank.path.waking).0, "{:?} {:#?} {:?}", rank, legs, wakes.causes.causes);
        let (_, in_parts) = recorded((&network, &config), &policy, workload(), parts);
        prop_assert_eq!(&in_parts, &wakes);
        let plain = run_with(&network, &config, &policy, workload());
        prop_assert_eq!(without_events(record), without_events(plain));
    }
}
