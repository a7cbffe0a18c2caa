//! What a probe records of channels, against the engine's own account: two accounts of the same sleep.
//!
//! The engine settles residencies from time to time, by arithmetic. Here a plain state machine replays the changes of
//! state that a probe records, and adds up how long each state lasts. Both must agree to the picosecond.

use std::collections::BTreeMap;
use std::ops::Range;

use drowse_core::engine::{Progress, Simulation};
use drowse_core::measure::probe::{Change, IdleBin, idle_bin};
use drowse_core::measure::series::IntervalLength;
use drowse_core::measure::waiting::{Cause, Waiting};
use drowse_core::measure::{MessageSizes, ProbeOptions, ProbeRecord, Record};
use drowse_core::model::config::{Config, SleepRules, SleepSelection, VirtualChannels};
use drowse_core::model::ids::ChannelId;
use drowse_core::model::units::{Bytes, Time};
use drowse_core::power::{
    ByClass, ClassPolicy, Coalescing, CoalescingLimits, Idle, LinkState, Oracle, PerState, Policy, Probe, SleepPolicy,
    SleepState, SleepStates, Timers,
};
use drowse_core::routing::RoutingKind;
use drowse_core::topology::{Network, ThinTree, TopologySpec};
use drowse_core::workload::Workload;
use drowse_core::workload::traffic::{Count, Lengths, Pattern, Traffic};
use proptest::prelude::*;

use crate::common::*;
use crate::over_time::check_sums;
use crate::random_programs::program;
use crate::sleeping::{CYCLE, row, sends, timers};
use crate::small;

const ALL: ProbeOptions = ProbeOptions {
    idle_periods: true,
    idle_pairs: true,
    timers: true,
    timeline: true,
    waiting: Some(Time(100_000)),
    message_sizes: true,
    rank_operations: false,
    rank_waits: false,
    wakes: false,
    power: Some(IntervalLength::Of(Time(7_777_777))),
};
const US: u64 = 1_000_000;

/// Runs in `parts` partitions, and returns what was recorded up to the end of the measured time.
fn probe<P: Policy>(
    parts: usize,
    network: &Network,
    config: &Config,
    policy: &P,
    workload: Workload,
    measured: Option<&Range<Time>>,
) -> (Record, Vec<ProbeRecord>) {
    let start = measured.map_or(Time::ZERO, |measured| measured.start);
    let policy = Probe::new(policy, ALL, &config.classes, measured.cloned());
    let mut simulation = Simulation::in_partitions(network, config, &policy, workload, parts).unwrap();
    ALL.power.into_iter().for_each(|length| simulation.record_over_time(length));
    while simulation.advance(1_000).unwrap() != Progress::Done {}
    let (record, states) = simulation.into_record_and_states();
    let end = start + record.measured;
    let seen = states.into_iter().map(|mut state| {
        state.seen.end_at(end);
        state.seen
    });
    (record, seen.collect())
}

/// Adds up how long each state lasts.
fn replay(changes: &[Change], measured: Range<Time>) -> PerState<Time> {
    let mut residency = [Time::ZERO; LinkState::COUNT];
    if measured.is_empty() {
        return residency;
    }
    assert_eq!(changes[0].time, measured.start, "the first row tells the state at the beginning");
    let (mut now, mut state) = (changes[0].time, changes[0].state);
    for change in &changes[1..] {
        assert!(change.time > now && change.time < measured.end && change.state != state, "{changes:?}");
        residency[state as usize] += change.time - now;
        (now, state) = (change.time, change.state);
    }
    residency[state as usize] += measured.end - now;
    residency
}

/// Checks all that a probe has recorded against the record, and that the probe changes nothing.
fn check<P: Policy>(
    network: &Network,
    config: &Config,
    policy: &P,
    workload: impl Fn() -> Workload,
    measured: Option<&Range<Time>>,
    parts: usize,
) {
    let (record, seen) = probe(1, network, config, policy, workload(), measured);
    let plain = run_with(network, config, policy, workload());
    let unprobed = Record { message_sizes: MessageSizes::default(), over_time: None, ..record.clone() };
    assert_eq!(without_events(unprobed), without_events(plain), "a probe changes nothing");
    check_sums(network, &record);
    let in_parts = probe(parts, network, config, policy, workload(), measured);
    assert!(in_parts.1 == seen, "{parts} parts");
    assert!(in_parts.0.over_time == record.over_time, "{parts} parts");
    let start = measured.map_or(Time::ZERO, |measured| measured.start);
    for (channel, (counted, seen)) in record.channels.iter().zip(&seen).enumerate() {
        let replayed = replay(&seen.changes, start..start + record.measured);
        assert_eq!(replayed, counted.residency, "channel {channel}: {:?}", seen.changes);
        check_pairs(seen);
        if measured.is_none() {
            let began = |state| seen.changes.iter().filter(|change| change.state == state).count() as u64;
            // A channel requested while it entered sleep may not have begun to wake at the end.
            let not_begun = counted.wakes - began(LinkState::Waking);
            assert!(not_begun <= 1, "channel {channel}: {counted:?} {:?}", seen.changes);
        }
    }
}

/// Every idle period but the last has a next one, and every one but the first is one.
fn check_pairs(seen: &ProbeRecord) {
    let mut ended: BTreeMap<IdleBin, u64> = seen.periods.iter().map(|(&bin, tally)| (bin, tally.count)).collect();
    if let Some(bin) = seen.unfinished {
        *ended.get_mut(&bin).unwrap() -= 1;
    }
    let missing = |sums: &mut BTreeMap<IdleBin, u64>, bins: &dyn Fn(&(IdleBin, IdleBin)) -> IdleBin| {
        for (pair, tally) in &seen.pairs {
            *sums.get_mut(&bins(pair)).unwrap() -= tally.count;
        }
        sums.values().sum::<u64>()
    };
    let any = u64::from(ended.values().sum::<u64>() > 0);
    assert_eq!(missing(&mut ended.clone(), &|pair| pair.0), any);
    assert_eq!(missing(&mut ended, &|pair| pair.1), any);
}

/// A policy whose timers change after every idle period, in no order.
struct Fickle;

impl SleepPolicy for Fickle {
    /// What timers are drawn from, and whether the run has ended.
    type State = (u64, bool);

    fn start(&self, channel: ChannelId, _class: u8) -> (u64, bool) {
        (u64::from(channel.0), false)
    }

    fn timers(&self, _class: u8, state: &(u64, bool)) -> Timers {
        let draw = |factor: u64, below: u64| Time(state.0.wrapping_mul(factor) >> 20 & (below - 1));
        let shallow = draw(0x9e37_79b9_7f4a_7c15, 1 << 13);
        Timers { shallow, deep: shallow + draw(0xbf58_476d_1ce4_e5b9, 1 << 14) }
    }

    fn idle_ended(&self, _class: u8, state: &mut (u64, bool), idle: Idle) {
        state.0 = state.0.wrapping_mul(3).wrapping_add(idle.length().0);
    }

    fn run_ended(&self, _class: u8, state: &mut (u64, bool), _idle: Idle) {
        assert!(!state.1, "a run ends once");
        state.1 = true;
    }
}

drowse_core::sleep_only!(Fickle);

proptest! {
    #![proptest_config(proptest_config(60))]

    #[test]
    fn programs(
        small in prop::sample::select(small::all()),
        idle in (0u64..5_000, 0u64..300_000),
        program in program(),
        both in any::<bool>(),
        parts in 2usize..6,
    ) {
        let network = small.network();
        let mut config = small.config(&network);
        config.sleep.both = both;
        config.node.eager_limit = Bytes(program.eager_limit);
        let workload = || program.workload(&network, Time::ZERO);
        let timers = timers(Some(idle.0), Some(idle.1));
        let timers = everywhere(&network, ClassPolicy::StallTimer(timers));
        check(&network, &config, &timers, workload, None, parts);
        check(&network, &config, &Fickle, workload, None, parts);
    }

    #[test]
    fn open_loops(
        small in prop::sample::select(small::all()),
        idle in (0u64..5_000, 0u64..300_000),
        load in 1u32..=60,
        cycles in (0u64..300, 1u64..600),
        drain in any::<bool>(),
        parts in 2usize..6,
    ) {
        let network = small.network();
        prop_assume!(network.nodes > 1);
        let config = small.config(&network);
        let traffic = Traffic {
            pattern: Pattern::Uniform,
            packets: Lengths::packets(1),
            load: f64::from(load) / 100.0,
            include_self: false,
            count: Count::Generated,
            warmup: Time(cycles.0 * CYCLE),
            measure: Time(cycles.1 * CYCLE),
            drain,
        };
        let window = traffic.warmup..traffic.warmup + traffic.measure;
        let measured = Some(&window);
        let workload = || Workload::OpenLoop(traffic.clone());
        let timers = timers(Some(idle.0), Some(idle.1));
        let timers = everywhere(&network, ClassPolicy::StallTimer(timers));
        check(&network, &config, &timers, workload, measured, parts);
        check(&network, &config, &Fickle, workload, measured, parts);
    }

    /// With a shallow sleep that is entered at once and in no time, all idle time is spent in it.
    #[test]
    fn idle_time_is_sleep(small in prop::sample::select(small::all()), program in program()) {
        let network = small.network();
        let mut config = small.config(&network);
        let state = SleepState { power: 0.5, enter: Time::ZERO, wake: Time(1_000) };
        config.classes.iter_mut().for_each(|class| class.states = Some(SleepStates::new(state, state)));
        let policy = everywhere(&network, ClassPolicy::StallTimer(timers(Some(0), None)));
        let (record, seen) = probe(1, &network, &config, &policy, program.workload(&network, Time::ZERO), None);
        for (counted, seen) in record.channels.iter().zip(&seen) {
            let (count, idle) = seen.periods.values().fold((0, 0), |(n, time), t| (n + t.count, time + t.idle));
            prop_assert_eq!(idle, u128::from(counted.time_in(LinkState::Shallow).0));
            prop_assert_eq!(count, counted.wakes + u64::from(seen.unfinished.is_some()));
        }
    }
}

/// What is recorded of the channel from the first of two switches to the other, which is requested 20 us and 100 ns
/// after its last use; by hand.
#[test]
fn a_channel_by_hand() {
    let (network, mut config) = row(2);
    config.classes[1].states = Some(STATES);
    let sleeps = timers(Some(2 * US), Some(10 * US));
    let policy = ByClass::new([Timers::NEVER, sleeps].map(ClassPolicy::StallTimer).into());
    // The head is at the switch, at an edge, when it asks at 20 us; the channel is used for one cycle from 24.48 us on.
    let (first, used) = (20 * US, 20 * US + 4_480_000);
    // In deep sleep when asked for; on and asked for again 63 cycles after its last bit.
    let second = used + 64 * 1_600;
    let workload = || sends(1, &[(first - 1_600, 1), (second - 1_600, 1)]);
    let (_, seen) = probe(1, &network, &config, &policy, workload(), None);
    let seen = &seen[channel_of(&network, 0, 0, true)];
    let changes: Vec<(u64, LinkState)> = seen.changes.iter().map(|change| (change.time.0, change.state)).collect();
    let [on, entering, shallow, deep, waking, ..] = LinkState::ALL;
    let expected = [(0, on), (2 * US, shallow), (10 * US, entering), (12_880_000, deep), (first, waking), (used, on)];
    assert_eq!(changes, expected);
    let (long, short, last) = (Time(first), Time(63 * 1_600), Time(4 * 1_600));
    assert_eq!(seen.periods.keys().copied().collect::<Vec<_>>(), [None, idle_bin(long)]);
    let (under, over) = (seen.periods[&None], seen.periods[&idle_bin(long)]);
    assert_eq!((under.count, under.idle, seen.unfinished), (2, u128::from((short.0) + last.0), Some(None)));
    assert_eq!((over.count, over.idle), (1, u128::from(long.0)));
    let pairs: Vec<_> = seen.pairs.iter().map(|(&bins, tally)| (bins, tally.count, tally.idle)).collect();
    assert_eq!(pairs, [((idle_bin(long), None), 1, u128::from(long.0))]);
    // Only the first was long enough to be recorded.
    assert_eq!(seen.timers.iter().map(|at| (at.time, at.timers)).collect::<Vec<_>>(), [(long, sleeps)]);
    // Links that may not sleep are recorded, too; the policy is not asked about them.
    config.classes[1].states = None;
    let (_, seen) = probe(1, &network, &config, &policy, workload(), None);
    let seen = &seen[channel_of(&network, 0, 0, true)];
    assert_eq!((seen.changes.len(), seen.timers.len(), seen.pairs.len()), (1, 0, 1));
    assert_eq!(seen.periods.values().map(|tally| tally.count).sum::<u64>(), 3);
}

/// A class that coalesces packets takes nothing from the account of the others.
#[test]
fn time_is_lost_beside_a_class_that_coalesces() {
    let (network, mut config) = row(2);
    config.classes.iter_mut().for_each(|class| class.states = Some(STATES));
    let deep = Timers { shallow: Time::NEVER, deep: Time(US) };
    let lost = |switches: ClassPolicy| {
        let policy = ByClass::new(vec![ClassPolicy::StallTimer(deep), switches]);
        let record = run_with(&network, &config, &policy, sends(1, &[(20 * US, 1)]));
        record.channels[injection_of(&network, 0)].time_lost
    };
    let limits = CoalescingLimits { frames: 2, timeout: Time(US) };
    let coalesces = ClassPolicy::Coalescing(Coalescing { limits });
    assert_eq!([lost(ClassPolicy::StallTimer(deep)), lost(coalesces)], [STATES.deep.wake; 2]);
}

/// A message that nobody receives comes to a channel when no rank runs any more; in hindsight, that has slept until
/// then.
#[test]
fn the_oracle_judges_what_outlives_the_programs() {
    let (network, mut config) = row(2);
    let state = SleepState { power: 0.1, enter: Time(1), wake: Time(1) };
    config.classes.iter_mut().for_each(|class| class.states = Some(SleepStates::new(state, state)));
    let oracle = || ClassPolicy::Oracle(Oracle::new(SleepStates::new(state, state)));
    let policy = ByClass::new(vec![oracle(), oracle()]);
    check(&network, &config, &policy, || job(vec![vec![send(1, 16)], vec![]], &[0, 1]), None, 2);
}

/// Packets that ignore sleep and wait for one more wake at each edge are examined more often in partitions, where credits
/// are heard of later. Why they waited is the same.
#[test]
fn causes_do_not_depend_on_partitions() {
    let network = TopologySpec::ThinTree(ThinTree { down: 4, up: 4, levels: 2 }).build().unwrap();
    let mut config = config(&network, 1);
    config.routing = RoutingKind::DModK;
    config.switch.clock = Time(800);
    config.switch.vcs = VirtualChannels { adaptive: 0, escape: 0, any: 4, hop: 0 };
    config.switch.buffer_flits = 8;
    config.sleep = SleepRules { selection: SleepSelection::Blind, wake_after: Some(Time::ZERO), both: true };
    for (class, latency) in config.classes.iter_mut().zip([5_911, 10_401]) {
        class.latency = Time(latency);
        class.hop = Time(2 * latency);
        let state = SleepState { power: 0.5, enter: Time(4_775), wake: Time(112_801) };
        class.states = Some(SleepStates::new(state, state));
    }
    let policy = everywhere(&network, ClassPolicy::StallTimer(timers(Some(182), None)));
    let ranks: u32 = 16;
    for factor in [1, 3, 5, 7, 9, 11] {
        let program = |rank: u32| {
            let to = |message: u32| (rank * factor + 1 + message) % ranks;
            let from = |message: u32| (0..ranks).find(|&other| (other * factor + 1 + message) % ranks == rank);
            let posted = (0..30).filter_map(|m| from(m).map(|from| irecv(from, m, m)));
            let sent = (0..30).flat_map(|m| [isend(to(m), m, 300 + 40 * u64::from(m), 30 + m), compute(Time(90_000))]);
            posted.chain(sent).chain((0..60).map(wait)).collect::<Vec<_>>()
        };
        let workload = || job((0..ranks).map(program).collect(), &(0..ranks).collect::<Vec<_>>());
        let causes = |parts: usize| -> Vec<Waiting> {
            let (_, seen) = probe(parts, &network, &config, &policy, workload(), None);
            seen.iter().map(|seen| seen.waiting).collect()
        };
        let whole = causes(1);
        let total = whole.iter().fold(Waiting::default(), |mut sum, waiting| {
            sum.plus(waiting);
            sum
        });
        assert!(Cause::ALL.into_iter().all(|cause| total[cause] > Time::ZERO), "{total:?}");
        for parts in 2..=6 {
            assert_eq!(causes(parts), whole, "{parts} parts, factor {factor}");
        }
    }
}
