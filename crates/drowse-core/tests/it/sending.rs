//! When channels send, in intervals of a run, by hand: from the first bit of a packet to its last.
//!
//! Times of hops are those of [`crate::sleeping`].

use drowse_core::engine::{Progress, Simulation};
use drowse_core::measure::over_time::IntervalRecord;
use drowse_core::measure::series::IntervalLength;
use drowse_core::measure::{ProbeOptions, Record};
use drowse_core::model::config::Config;
use drowse_core::model::units::Time;
use drowse_core::power::trunk::{Off, Trunk};
use drowse_core::power::{ByClass, ClassPolicy, Probe, SleepStates, StallTimer, Width};
use drowse_core::topology::Network;
use drowse_core::workload::Workload;
use drowse_core::workload::traffic::{Count, Lengths, Pattern, Traffic};

use crate::common::*;
use crate::sleeping::{CYCLE, HOP, WIRE, row, sends, timers};

const US: u64 = 1_000_000;

/// Runs with intervals of a length, in some partitions; with open-loop traffic, in its measured time.
fn recorded(
    (network, config): (&Network, &Config),
    policy: &ByClass,
    workload: Workload,
    length: u64,
    parts: usize,
) -> Record {
    let measured = match &workload {
        Workload::OpenLoop(traffic) => Some(traffic.warmup..traffic.warmup + traffic.measure),
        _ => None,
    };
    let length = IntervalLength::Of(Time(length));
    let wanted = ProbeOptions { power: Some(length), ..ProbeOptions::default() };
    let policy = Probe::new(policy, wanted, &config.classes, measured);
    let mut simulation = Simulation::in_partitions(network, config, &policy, workload, parts).unwrap();
    simulation.record_over_time(length);
    while simulation.advance(1_000).unwrap() != Progress::Done {}
    simulation.into_record()
}

fn intervals(record: &Record) -> &[IntervalRecord] {
    &record.over_time.as_ref().unwrap().intervals
}

/// Returns how long the channels of a class send in each interval.
fn sending(record: &Record, class: usize) -> Vec<u64> {
    intervals(record).iter().map(|interval| interval.classes[class].sending as u64).collect()
}

fn always_on(network: &Network) -> ByClass {
    by_class(&StallTimer::always_on(network.classes.len()))
}

/// A message of 100 flits leaves its node for 160 ns from 48 ns on, the first switch from a wire later on, and the second
/// one from a hop later on. In intervals of 50 ns.
#[test]
fn a_message_over_one_link() {
    let (network, config) = row(2);
    let record = recorded((&network, &config), &always_on(&network), sends(1, &[(48_000, 100)]), 50_000, 1);
    let (leaves, crosses) = (48_000, 48_000 + WIRE);
    let comes = crosses + HOP;
    assert_eq!(record.measured, Time(comes + 160_000 + HOP));
    let of_nodes = |at: u64| [leaves, comes].map(|from| at.clamp(from, from + 160_000) - from).iter().sum::<u64>();
    let expected: Vec<u64> = (0..5).map(|bin| of_nodes((bin + 1) * 50_000) - of_nodes(bin * 50_000)).collect();
    assert_eq!(expected, [2_000, 97_200, 100_000, 100_000, 20_800]);
    assert_eq!(sending(&record, 0), expected);
    assert_eq!(sending(&record, 1), [400, 50_000, 50_000, 50_000, 9_600]);
    let halves = recorded((&network, &config), &always_on(&network), sends(1, &[(48_000, 100)]), 50_000, 2);
    assert_eq!(halves.over_time, record.over_time);
}

/// A channel that wakes for a packet sends it afterwards: neither is in the time of the other. It sleeps from 10 us on,
/// is requested at 20 us, and is awake 4.48 us later.
#[test]
fn a_packet_that_wakes_a_link() {
    let (network, mut config) = row(2);
    config.classes[1].states = Some(SleepStates::SARAVANAN_2018);
    let policy = by_class(&StallTimer { timers: vec![timers(None, None), timers(None, Some(10 * US))] });
    let record = recorded((&network, &config), &policy, sends(1, &[(20 * US - WIRE, 1)]), 4 * US, 1);
    assert_eq!(sending(&record, 1), [0, 0, 0, 0, 0, 0, CYCLE]);
    // The other channel of the link sleeps on.
    let last = &intervals(&record)[6];
    assert_eq!(last.classes[1].asleep[2..4], [u128::from(last.length.0), 480_000]);
}

/// Two nodes send as much as they can over one link: it sends all the time, in each interval of the measured time, which
/// begins and ends amid packets.
#[test]
fn a_full_link_sends_all_the_time() {
    let network = mesh(&[2], 1, 2);
    let config = config(&network, 1);
    let traffic = Traffic {
        pattern: Pattern::Complement,
        packets: Lengths::packets(1),
        load: 1.0,
        include_self: false,
        count: Count::Generated,
        warmup: Time(1_600 * 1_003 + 7),
        measure: Time(1_600 * 501 + 3),
        drain: false,
    };
    for parts in 1..3 {
        let traffic = Workload::OpenLoop(traffic.clone());
        let record = recorded((&network, &config), &always_on(&network), traffic, 9_999, parts);
        let whole: Vec<u64> = intervals(&record).iter().map(|interval| 2 * interval.length.0).collect();
        assert_eq!(sending(&record, 1), whole, "{parts} parts");
    }
}

/// Lanes that go off carry nothing from then on. Half of four go off at 10 us, in the middle of a packet of 8 flits, and
/// half of the others at 20 us. Then a packet takes four times as long, on one lane of four.
#[test]
fn lanes_that_are_off_do_not_send() {
    let (network, mut config) = row(2);
    config.classes[1].states = Some(STATES);
    let thresholds = Trunk {
        window: Time(10 * US),
        on: 650_000_000,
        off: Off::Static(250_000_000),
        backlog: Time(1_000_000 * US),
        steps: 1,
    };
    let policy = everywhere(&network, ClassPolicy::Width(Width { lanes: 4, thresholds }));
    let messages = [(10 * US - 4 * CYCLE - WIRE, 8), (100 * US - WIRE, 8)];
    let record = recorded((&network, &config), &policy, sends(1, &messages), 10 * US, 1);
    let sending = sending(&record, 1);
    assert_eq!(sending[..2], [4 * CYCLE, 4 * CYCLE / 2]);
    assert!(sending[2..10].iter().all(|&sending| sending == 0));
    assert_eq!(sending[10..], [8 * CYCLE]);
}
