//! Policies behind others: a policy by class answers as its members do alone, and so does a probed one.

use std::num::{NonZeroU16, NonZeroU32};

use drowse_core::measure::ProbeOptions;
use drowse_core::model::config::ClassModel;
use drowse_core::model::ids::ChannelId;
use drowse_core::model::units::Time;
use drowse_core::power::runtime::{Detect, Mode, Rules};
use drowse_core::power::{
    Bound, Bounded, ByClass, Cap, CapRules, Change, ClassPolicy, Coalescing, CoalescingLimits, CoalescingPolicy,
    DynamicFastwake, GovernedPolicy, GovernorRules, HindsightPolicy, Idle, Learning, LinkState, LinkTimers, Oracle,
    PerfBound, Policy, Predictive, Probe, RandomTimer, Runtime, RuntimePolicy, SleepPolicy, Split, StallTimers,
    Standby, Timers, Trunk, TrunkPolicy, TrunkWindow, Wake, Width, WidthPolicy, trunk::Off,
};

use crate::common::*;

const CHANNEL: ChannelId = ChannelId(3);

fn timers(shallow: u64, deep: u64) -> Timers {
    Timers { shallow: Time::from_us(shallow), deep: Time::from_us(deep) }
}

fn table() -> LinkTimers {
    LinkTimers::new((0..5).map(|channel| timers(channel, channel + 40)).collect())
}

fn coalescing() -> Coalescing {
    Coalescing { limits: CoalescingLimits { frames: 3, timeout: Time::from_us(7) } }
}

fn learning(billionths: u32) -> Learning {
    let bound = Bound { billionths, split: Split::Ratio };
    Learning { refresh: NonZeroU16::new(50).unwrap(), correction: false, ..Learning::new(bound) }
}

fn perfbound() -> PerfBound {
    PerfBound { learning: learning(400_000_000), wake: STATES.deep.wake }
}

fn fastwake() -> DynamicFastwake {
    DynamicFastwake::new(learning(300_000_000), &STATES).unwrap()
}

fn predictive() -> Predictive {
    Predictive::new(500_000_000, Some(Time::from_us(90)), STATES)
}

fn shedding() -> Trunk {
    Trunk {
        window: Time::from_us(10),
        on: 650_000_000,
        off: Off::Static(250_000_000),
        backlog: Time::from_us(4),
        steps: 1,
    }
}

fn narrowing() -> Width {
    Width { lanes: 8, thresholds: Trunk { window: Time::from_us(20), ..shedding() } }
}

fn rules(mode: Mode) -> Rules {
    let (learn, margin, overhead) = (NonZeroU32::new(2).unwrap(), Time::from_us(5), Time::from_us(20));
    Rules {
        mode,
        learn,
        margin,
        overhead,
        slowdown_billionths: 50_000_000,
        notification: None,
        detection: Detect::Free,
        balancing: None,
    }
}

fn runtime(mode: Mode) -> Runtime {
    Runtime::new(rules(mode), &STATES)
}

fn bounded() -> Bounded {
    let (reaction, reserve) = (Time::from_us(5), Time::from_us(20));
    let rules = GovernorRules { bound_billionths: 300_000_000, reaction, reserve };
    Bounded { rules, wake: STATES.deep.wake }
}

fn random_timer() -> RandomTimer {
    RandomTimer::new(3, STATES)
}

fn stall_timers() -> StallTimers {
    StallTimers::new(&[Time::from_us(2), Time::from_us(10), Time::from_us(70)]).unwrap()
}

fn standby() -> Standby {
    let (on, off, every) = (500_000_000, 200_000_000, Time::from_us(30));
    Standby { every, state: LinkState::Fourth, budget: 750_000_000, paths: 1, on, off }
}

fn cap() -> Cap {
    let (window, reaction) = (Time::from_us(40), Time::from_us(2));
    Cap { rules: CapRules { window, reaction, on: 500_000_000, cap: 9_000, spare: 4_000, port: 7, lanes: 2 } }
}

/// One policy of each kind.
fn all() -> Vec<ClassPolicy> {
    vec![
        ClassPolicy::StallTimer(timers(2, 10)),
        ClassPolicy::Table(table()),
        ClassPolicy::Coalescing(coalescing()),
        ClassPolicy::Oracle(Oracle::new(STATES)),
        ClassPolicy::PerfBound(perfbound()),
        ClassPolicy::DynamicFastwake(fastwake()),
        ClassPolicy::Predictive(predictive()),
        ClassPolicy::Trunk(shedding()),
        ClassPolicy::Width(narrowing()),
        ClassPolicy::Runtime(runtime(Mode::Scheduled)),
        ClassPolicy::Bounded(bounded()),
        ClassPolicy::StallTimers(stall_timers()),
        ClassPolicy::Standby(standby()),
        ClassPolicy::Cap(cap()),
        ClassPolicy::RandomTimer(random_timer()),
        ClassPolicy::StallTimer(Timers::NEVER),
    ]
}

/// What each of them answers by itself, not as the member of an enum.
fn alone() -> Vec<Vec<String>> {
    vec![
        answers(&timers(2, 10), 0),
        answers(&table(), 1),
        answers(&coalescing(), 2),
        answers(&Oracle::new(STATES), 3),
        answers(&perfbound(), 4),
        answers(&fastwake(), 5),
        answers(&predictive(), 6),
        answers(&shedding(), 7),
        answers(&narrowing(), 8),
        answers(&runtime(Mode::Scheduled), 9),
        answers(&bounded(), 10),
        answers(&stall_timers(), 11),
        answers(&standby(), 12),
        answers(&cap(), 13),
        answers(&random_timer(), 14),
        answers(&Timers::NEVER, 15),
    ]
}

fn idle(since: u64, until: u64) -> Idle {
    Idle { since: Time::from_us(since), until: Time::from_us(until), wake: None }
}

/// Drives one channel of a class through idle periods, messages and commands, and asks all that can be asked.
fn answers<P: Policy>(policy: &P, class: u8) -> Vec<String> {
    let mut state = policy.start(CHANNEL, class);
    let mut told = vec![format!("{:?}", policy.timers(class, &state))];
    policy.allowed(class, &mut state, 200_000_000);
    for (number, busy) in (1..).zip([20, 3, 300, 40, 2, 700]) {
        for _ in 0..3 {
            policy.message(class, &mut state, 2);
        }
        policy.idle_ended(class, &mut state, idle(1_000 * number, 1_000 * number + busy));
        told.push(format!("{:?}", policy.timers(class, &state)));
    }
    for on in [false, true, false] {
        policy.commanded(class, &mut state, on);
        told.push(format!("{:?}", policy.timers(class, &state)));
    }
    let wake = Some(Wake { sleep: LinkState::Deep, from: Time::from_us(9), takes: STATES.deep.wake });
    policy.idle_ended(class, &mut state, Idle { wake, ..idle(20_000, 20_009) });
    told.push(format!("{:?}", policy.timers(class, &state)));
    policy.run_ended(class, &mut state, idle(30_000, 30_400));
    told.push(format!("{:?}", policy.further_timers(class, &state)));
    told.push(format!("{} {:?}", policy.stands_by(class), policy.off_state(class)));
    told.push(format!("{:?}", policy.coalescing(class)));
    told.push(format!("{:?} {}", policy.trunk_window(class), policy.lanes(class)));
    for (busy, backlog) in [(0, 0), (4, 0), (20, 0), (0, 30)] {
        let seen = TrunkWindow { ports: 4, on: 2, busy: Time::from_us(busy), backlog: Time::from_us(backlog) };
        told.push(format!("{:?}", policy.resize(class, &seen)));
    }
    told.push(format!("{:?}", policy.runtime_rules(class)));
    told.push(format!("{:?} {:?}", policy.governor(class), policy.cap(class)));
    for (ns, wakes) in [(100, true), (5_000, true), (6_000, false), (900_000, true)] {
        told.push(format!("{:?}", policy.hindsight(class, Time::from_ns(ns), wakes)));
    }
    told
}

/// In a class of its own, each kind decides as it does alone.
#[test]
fn each_class_has_its_policy() {
    let policy = ByClass::new(all());
    let expected = alone();
    for (class, expected) in (0..).zip(&expected) {
        assert_eq!(&answers(&policy, class), expected, "class {class}");
        assert_eq!(policy.may_sleep(class), class < 15, "all but always-on");
    }
    // The questions tell the kinds apart.
    for (a, b) in (0..expected.len()).flat_map(|a| (0..a).map(move |b| (a, b))) {
        assert_ne!(expected[a], expected[b], "{a} and {b}");
    }
}

/// A probe lets the policy decide as it does alone.
#[test]
fn a_probed_policy_decides_alone() {
    let policy = ByClass::new(all());
    let wanted = ProbeOptions {
        idle_periods: true,
        idle_pairs: true,
        timers: true,
        timeline: true,
        waiting: None,
        message_sizes: false,
        rank_operations: false,
        rank_waits: false,
        wakes: false,
        power: None,
    };
    let classes = vec![class_model(); all().len()];
    let probe = Probe::new(&policy, wanted, &classes, None);
    for (class, expected) in (0..).zip(&alone()) {
        assert_eq!(&answers(&probe, class), expected, "class {class}");
    }
    for kind in all() {
        let alone = ByClass::new(vec![kind]);
        let probe = Probe::new(&alone, wanted, &classes[..1], None);
        assert_eq!((probe.counts_messages(), probe.judges()), (alone.counts_messages(), alone.judges()), "{alone:?}");
    }
}

fn class_model() -> ClassModel {
    config(&mesh(&[2], 1, 1), 1).classes[1].clone()
}

/// What a policy must know of a run: the shortest idle periods, messages, whether it judges. By the definitions of the
/// kinds: fixed timers learn nothing, bounds ignore periods under 1 us, no sleep of the oracle pays before 250 ns, and
/// a schedule uses gaps from twice 2.88 + 4.48 us on.
#[test]
fn what_policies_must_know() {
    let known: Vec<(Time, bool, bool)> = vec![
        (Time::NEVER, false, false),
        (Time::NEVER, false, false),
        (Time::NEVER, false, false),
        (Time::from_ns(250), false, true),
        (Time::from_us(1), true, false),
        (Time::from_us(1), true, false),
        (Time::ZERO, false, false),
        (Time::NEVER, false, false),
        (Time::NEVER, false, false),
        // Gaps in which a channel goes off and on again.
        (Time::from_ns(2_880 + 4_480), false, false),
        // The governor's channels choose among idle periods as PerfBound's do.
        (Time::from_us(1), false, false),
        (Time::NEVER, false, false),
        (Time::NEVER, false, false),
        (Time::NEVER, false, false),
        // Each period counts: it has a number.
        (Time::ZERO, false, false),
        (Time::NEVER, false, false),
    ];
    for (a, one) in all().iter().zip(&known) {
        for (b, other) in all().iter().zip(&known) {
            let policy = ByClass::new(vec![a.clone(), b.clone()]);
            let told = (policy.shortest_idle(), policy.counts_messages(), policy.judges());
            assert_eq!(told, (one.0.min(other.0), one.1 || other.1, one.2 || other.2), "{a:?} {b:?}");
        }
    }
    assert_eq!(ByClass::new(vec![]).shortest_idle(), Time::NEVER);
    assert_eq!(runtime(Mode::Basic).shortest_idle(), Time::NEVER);
    let uniform = drowse_core::power::StallTimer::uniform(1, None, Some(Time::ZERO));
    assert_eq!(uniform.shortest_idle(), Time::NEVER);
}

/// What is told of all classes together, kind by kind and beside always-on.
#[test]
fn what_classes_are_together() {
    let never = || ClassPolicy::StallTimer(Timers::NEVER);
    for (kind, policy) in all().into_iter().enumerate() {
        let both = ByClass::new(vec![never(), policy.clone()]);
        assert_eq!(both.classes(), [never(), policy.clone()]);
        assert_eq!(both.holds_messages_back(), kind == 2, "{policy:?}");
        let bound = match kind {
            4 => Some(400_000_000),
            5 | 10 => Some(300_000_000),
            _ => None,
        };
        assert_eq!(both.bound(), bound, "{policy:?}");
        let fixed = match kind {
            0 => Some(vec![Timers::NEVER, timers(2, 10)]),
            15 => Some(vec![Timers::NEVER; 2]),
            _ => None,
        };
        assert_eq!(both.stall_timers(), fixed, "{policy:?}");
    }
    let bounds = |classes: &[usize]| ByClass::new(classes.iter().map(|&kind| all()[kind].clone()).collect()).bound();
    assert_eq!(
        [bounds(&[4, 5]), bounds(&[5, 4]), bounds(&[5, 3])],
        [Some(400_000_000), Some(400_000_000), Some(300_000_000)]
    );
    assert_eq!([bounds(&[4, 0]), bounds(&[6, 5])], [None; 2], "other classes delay without a bound");
    assert_eq!(ByClass::always_on(3).stall_timers(), Some(vec![Timers::NEVER; 3]));
}

/// A policy that notes what it is told.
struct Noting;

impl SleepPolicy for Noting {
    type State = Vec<&'static str>;

    fn start(&self, _channel: ChannelId, _class: u8) -> Self::State {
        Vec::new()
    }

    fn timers(&self, _class: u8, _state: &Self::State) -> Timers {
        Timers::DEEP_AT_ONCE
    }

    fn idle_ended(&self, _class: u8, state: &mut Self::State, _idle: Idle) {
        state.push("idle");
    }

    fn message(&self, _class: u8, state: &mut Self::State, _hops: u8) {
        state.push("message");
    }

    fn run_ended(&self, _class: u8, state: &mut Self::State, _idle: Idle) {
        state.push("end");
    }
}

impl CoalescingPolicy for Noting {
    fn coalescing(&self, _class: u8) -> Option<CoalescingLimits> {
        Some(coalescing().limits)
    }
}

impl TrunkPolicy for Noting {
    fn trunk_window(&self, _class: u8) -> Option<Time> {
        Some(Time::from_us(1))
    }

    fn resize(&self, _class: u8, _seen: &TrunkWindow) -> Change {
        Change::More(1)
    }
}

impl WidthPolicy for Noting {}

impl RuntimePolicy for Noting {
    fn runtime_rules(&self, _class: u8) -> Option<Rules> {
        Some(rules(Mode::Basic))
    }
}

impl GovernedPolicy for Noting {
    fn governor(&self, _class: u8) -> Option<GovernorRules> {
        Some(bounded().rules)
    }

    fn cap(&self, _class: u8) -> Option<CapRules> {
        Some(cap().rules)
    }
}

impl HindsightPolicy for Noting {
    fn hindsight(&self, _class: u8, _idle: Time, _wakes: bool) -> Option<LinkState> {
        Some(LinkState::Deep)
    }
}

/// A policy is not asked about channels that may not sleep, and hears nothing of them.
#[test]
fn channels_that_may_not_sleep_have_no_policy() {
    let classes = [ClassModel { states: None, ..class_model() }, class_model()];
    let wanted = ProbeOptions { idle_periods: true, ..ProbeOptions::default() };
    let probe = Probe::new(&Noting, wanted, &classes, None);
    for class in [0, 1] {
        let sleeps = class == 1;
        let mut state = probe.start(CHANNEL, class);
        assert_eq!(probe.timers(class, &state), if sleeps { Timers::DEEP_AT_ONCE } else { Timers::NEVER });
        probe.message(class, &mut state, 1);
        probe.idle_ended(class, &mut state, idle(0, 5));
        probe.run_ended(class, &mut state, idle(6, 9));
        let told: &[&str] = if sleeps { &["message", "idle", "end"] } else { &[] };
        assert_eq!(state.policy, told);
        assert_eq!(state.seen.periods.values().map(|tally| tally.count).sum::<u64>(), 2, "but the probe does");
        let asked = [
            probe.coalescing(class).is_some(),
            probe.trunk_window(class).is_some(),
            probe.runtime_rules(class).is_some(),
            probe.governor(class).is_some(),
            probe.cap(class).is_some(),
            probe.hindsight(class, Time::from_us(9), true).is_some(),
        ];
        assert_eq!(asked, [sleeps; 6]);
    }
}
