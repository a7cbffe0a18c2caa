//! What is recorded of each interval of a run, against the record of the whole: both count the same by other ways.

use drowse_core::engine::{Progress, Simulation};
use drowse_core::measure::over_time::{ClassInterval, OverTime};
use drowse_core::measure::series::IntervalLength;
use drowse_core::measure::{ProbeOptions, Record};
use drowse_core::model::config::{Config, Overheads};
use drowse_core::model::ids::ChannelId;
use drowse_core::model::units::{Bytes, Time};
use drowse_core::power::{Probe, StallTimer};
use drowse_core::topology::Network;
use drowse_core::workload::Workload;
use proptest::prelude::*;

use crate::common::*;
use crate::random_programs::program;
use crate::sleeping::{row, sends, timers};
use crate::small;

/// Checks that intervals follow each other up to the end of the measured time, and sum to the record.
pub fn check_sums(network: &Network, record: &Record) {
    let Some(OverTime { intervals, length, .. }) = &record.over_time else { panic!("nothing was recorded") };
    let mut end = Time::ZERO;
    for (number, interval) in intervals.iter().enumerate() {
        assert_eq!(interval.from, end);
        assert!(interval.length == *length || number + 1 == intervals.len(), "{interval:?}");
        end = interval.from + interval.length;
    }
    assert_eq!(end, record.measured);
    let mut channels = vec![0; network.classes.len()];
    (0..network.channels()).for_each(|channel| channels[usize::from(network.channel_class(ChannelId(channel)))] += 1);
    for interval in intervals {
        for (class, &channels) in interval.classes.iter().zip(&channels) {
            let busy_or_asleep = class.sending + class.asleep.iter().sum::<u128>();
            assert!(busy_or_asleep <= channels * u128::from(interval.length.0), "{class:?} of {channels} channels");
        }
    }
    let mut whole = vec![ClassInterval::default(); network.classes.len()];
    for (channel, record) in (0..).map(ChannelId).zip(&record.channels) {
        let class = &mut whole[usize::from(network.channel_class(channel))];
        class.asleep.iter_mut().zip(&record.residency[1..]).for_each(|(sum, time)| *sum += u128::from(time.0));
        class.flits += record.flits;
        class.packets += record.packets;
    }
    for (number, whole) in whole.iter().enumerate() {
        let of_class = || intervals.iter().map(|interval| &interval.classes[number]);
        let asleep = std::array::from_fn(|state| of_class().map(|class| class.asleep[state]).sum::<u128>());
        let (flits, packets) = (of_class().map(|class| class.flits).sum(), of_class().map(|class| class.packets).sum());
        let sums = ClassInterval { asleep, flits, packets, ..ClassInterval::default() };
        assert_eq!(sums, *whole, "class {number}");
    }
    let of_ranks = |time: fn(&drowse_core::measure::RankTimes) -> u64| -> u128 {
        record.ranks.iter().map(|rank| u128::from(time(&rank.times))).sum()
    };
    let busy = of_ranks(|times| times.computing.0 + times.overhead.0);
    let waiting = of_ranks(|times| times.sending.0 + times.receiving.0 + times.collectives.0);
    assert_eq!(intervals.iter().map(|interval| interval.busy).sum::<u128>(), busy);
    assert_eq!(intervals.iter().map(|interval| interval.waiting).sum::<u128>(), waiting);
    let [free, off] = record.free_nodes.map_or([0; 2], |times| [times.on, times.off]);
    assert_eq!(intervals.iter().map(|interval| interval.free).sum::<u128>(), free);
    assert_eq!(intervals.iter().map(|interval| interval.off).sum::<u128>(), off);
}

/// Runs with intervals of a length.
pub fn recorded(
    network: &Network,
    config: &Config,
    policy: &StallTimer,
    workload: Workload,
    (length, parts): (IntervalLength, usize),
) -> Record {
    let wanted = ProbeOptions { power: Some(length), ..ProbeOptions::default() };
    let policy = by_class(policy);
    let policy = Probe::new(&policy, wanted, &config.classes, None);
    let mut simulation = Simulation::in_partitions(network, config, &policy, workload, parts).unwrap();
    simulation.record_over_time(length);
    while simulation.advance(1_000).unwrap() != Progress::Done {}
    simulation.into_record()
}

const US: u64 = 1_000_000;

/// The channel from the first of two switches to the other, deep asleep after 10 us idle; it enters for 2.88 us, and
/// wakes for 4.48 us when a packet comes at 20 us. In intervals of 4 us, by hand.
#[test]
fn a_channel_by_hand() {
    let (network, mut config) = row(2);
    config.classes[1].states = Some(drowse_core::power::SleepStates::SARAVANAN_2018);
    let policy = StallTimer { timers: vec![timers(None, None), timers(None, Some(10 * US))] };
    let workload = sends(1, &[(20 * US - 1_600, 1)]);
    let length = IntervalLength::Of(Time(4 * US));
    let record = recorded(&network, &config, &policy, workload, (length, 1));
    check_sums(&network, &record);
    let over_time = record.over_time.unwrap();
    // The channel back does the same but for the wake, and sleeps on.
    let of_class = over_time.intervals.iter().map(|interval| interval.classes[1].asleep);
    let of_class: Vec<[u128; 4]> =
        of_class.map(|[entering, shallow, deep, waking, ..]| [entering, shallow, deep, waking]).collect();
    let both = |time: u64| u128::from(2 * time);
    let (last, first_enters) = (record.measured.0 - 24 * US, both(2 * US));
    assert_eq!(of_class[..3], [[0; 4], [0; 4], [first_enters, 0, 0, 0]]);
    assert_eq!(of_class[3], [both(880_000), 0, both(3_120_000), 0]);
    assert_eq!(of_class[4], [0, 0, both(4 * US), 0]);
    assert_eq!(of_class[5], [0, 0, u128::from(4 * US), u128::from(4 * US)]);
    assert_eq!(of_class[6], [0, 0, u128::from(last), 480_000]);
    let packets: Vec<u64> = over_time.intervals.iter().map(|interval| interval.classes[1].packets).collect();
    assert_eq!(packets, [0, 0, 0, 0, 0, 0, 1]);
}

fn lengths() -> impl Strategy<Value = IntervalLength> {
    prop_oneof![Just(IntervalLength::OfRun), (1u64..50_000_000).prop_map(|ps| IntervalLength::Of(Time(ps)))]
}

proptest! {
    #![proptest_config(proptest_config(40))]

    /// Ranks with overheads, in intervals of any length, in any partitions.
    #[test]
    fn ranks_and_links(
        small in prop::sample::select(small::all()),
        idle in (0u64..5_000, 0u64..300_000),
        program in program(),
        length in lengths(),
        costs in prop::option::of((0u64..50_000, 0u64..300, 0u64..50_000, 0u64..300)),
        parts in 2usize..6,
    ) {
        let network = small.network();
        let mut config = small.config(&network);
        config.node.eager_limit = Bytes(program.eager_limit);
        let costs = costs.unwrap_or_default();
        let [message, byte, gap, gap_per_byte] = [costs.0, costs.1, costs.2, costs.3].map(Time);
        config.node.overheads = Overheads { message, byte, gap, gap_per_byte };
        let policy = StallTimer::uniform(network.classes.len(), Some(Time(idle.0)), Some(Time(idle.1)));
        let workload = || program.workload(&network, Time::ZERO);
        let record = recorded(&network, &config, &policy, workload(), (length, 1));
        check_sums(&network, &record);
        let other = recorded(&network, &config, &policy, workload(), (length, parts));
        prop_assert_eq!(&other.over_time, &record.over_time);
        let plain = run_with(&network, &config, &policy, workload());
        let without = Record { over_time: None, ..record };
        prop_assert_eq!(without_events(without), without_events(plain));
    }
}
