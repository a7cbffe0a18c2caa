//! Another policy for each link class: what an experiment file may ask for.

use super::class_policy::{ClassPolicy, Memory};
use super::policy::{
    CapRules, Change, CoalescingLimits, CoalescingPolicy, FurtherTimers, GovernedPolicy, GovernorRules,
    HindsightPolicy, Idle, Rules, RuntimePolicy, SleepPolicy, Timers, TrunkPolicy, TrunkWindow, WidthPolicy,
};
use crate::model::ids::ChannelId;
use crate::model::link_state::LinkState;
use crate::model::units::Time;

/// A policy for each link class, in the order of the network's classes.
#[derive(Clone, Debug, PartialEq)]
pub struct ByClass {
    classes: Vec<ClassPolicy>,
    /// Some class is judged by hindsight.
    judges: bool,
    /// Some class counts messages.
    counts: bool,
    /// The length of the shortest idle period that matters to some class.
    shortest: Time,
}

/// What a policy remembers of a channel, with the timers that follow from it, which are asked for at every packet.
#[derive(Clone, Debug)]
pub struct ChannelState {
    timers: Timers,
    memory: Memory,
}

impl ByClass {
    /// Takes the policy of each class.
    pub fn new(classes: Vec<ClassPolicy>) -> Self {
        ByClass {
            judges: classes.iter().any(ClassPolicy::judges),
            counts: classes.iter().any(ClassPolicy::counts_messages),
            shortest: classes.iter().map(ClassPolicy::shortest_idle).min().unwrap_or(Time::NEVER),
            classes,
        }
    }

    /// Creates the policy under which no channel of `classes` classes ever sleeps (`kind = "always-on"`).
    pub fn always_on(classes: usize) -> Self {
        ByClass::new(vec![ClassPolicy::StallTimer(Timers::NEVER); classes])
    }

    /// Returns the policy of each class.
    pub fn classes(&self) -> &[ClassPolicy] {
        &self.classes
    }

    /// Returns the rules of each class that is under a cap, to complete them.
    pub fn caps_mut(&mut self) -> impl Iterator<Item = (usize, &mut CapRules)> {
        self.classes.iter_mut().enumerate().filter_map(|(class, policy)| match policy {
            ClassPolicy::Cap(cap) => Some((class, &mut cap.rules)),
            _ => None,
        })
    }

    /// Returns the rules of the first class that is under a cap.
    pub fn capped(&self) -> Option<&CapRules> {
        self.classes.iter().find_map(|policy| match policy {
            ClassPolicy::Cap(cap) => Some(&cap.rules),
            _ => None,
        })
    }

    /// Returns whether some class delays messages on purpose. That makes longer idle periods than the oracle knows of.
    pub fn holds_messages_back(&self) -> bool {
        (0..).zip(&self.classes).any(|(class, policy)| policy.coalescing(class).is_some())
    }

    /// Returns the bound on the time lost to waking, in billionths of the run time: the largest of all classes. `None`
    /// where a class may delay messages without a bound, or none has one.
    pub fn bound(&self) -> Option<u32> {
        let mut largest = None;
        for policy in &self.classes {
            match policy {
                ClassPolicy::PerfBound(policy) => largest = largest.max(Some(policy.learning.bound.billionths)),
                ClassPolicy::DynamicFastwake(policy) => largest = largest.max(Some(policy.bound().billionths)),
                ClassPolicy::Bounded(policy) => largest = largest.max(Some(policy.rules.bound_billionths)),
                ClassPolicy::Oracle(_) | ClassPolicy::StallTimer(Timers::NEVER) => {}
                _ => return None,
            }
        }
        largest
    }

    /// Returns the stall timers of all classes, if all have such.
    pub fn stall_timers(&self) -> Option<Vec<Timers>> {
        let timers = |class: &ClassPolicy| match class {
            ClassPolicy::StallTimer(timers) => Some(*timers),
            _ => None,
        };
        self.classes.iter().map(timers).collect()
    }

    #[inline]
    fn of(&self, class: u8) -> &ClassPolicy {
        &self.classes[usize::from(class)]
    }
}

impl SleepPolicy for ByClass {
    type State = ChannelState;

    fn start(&self, channel: ChannelId, class: u8) -> ChannelState {
        let policy = self.of(class);
        let memory = policy.start(channel, class);
        ChannelState { timers: policy.timers(class, &memory), memory }
    }

    #[inline]
    fn timers(&self, _class: u8, state: &ChannelState) -> Timers {
        state.timers
    }

    fn further_timers(&self, class: u8, state: &ChannelState) -> FurtherTimers {
        self.of(class).further_timers(class, &state.memory)
    }

    fn may_sleep(&self, class: u8) -> bool {
        self.of(class).may_sleep(class)
    }

    #[inline]
    fn shortest_idle(&self) -> Time {
        self.shortest
    }

    #[inline]
    fn counts_messages(&self) -> bool {
        self.counts
    }

    fn idle_ended(&self, class: u8, state: &mut ChannelState, idle: Idle) {
        let policy = self.of(class);
        policy.idle_ended(class, &mut state.memory, idle);
        state.timers = policy.timers(class, &state.memory);
    }

    #[inline]
    fn message(&self, class: u8, state: &mut ChannelState, hops: u8) {
        self.of(class).message(class, &mut state.memory, hops);
    }

    fn run_ended(&self, class: u8, state: &mut ChannelState, idle: Idle) {
        self.of(class).run_ended(class, &mut state.memory, idle);
    }

    fn learns_for(&self, class: u8) -> u32 {
        self.of(class).learns_for(class)
    }

    fn skipped(&self, class: u8, state: &mut ChannelState, by: Time) {
        self.of(class).skipped(class, &mut state.memory, by);
    }

    fn commanded(&self, class: u8, state: &mut ChannelState, on: bool) {
        let policy = self.of(class);
        policy.commanded(class, &mut state.memory, on);
        state.timers = policy.timers(class, &state.memory);
    }
}

impl CoalescingPolicy for ByClass {
    #[inline]
    fn coalescing(&self, class: u8) -> Option<CoalescingLimits> {
        self.of(class).coalescing(class)
    }
}

impl TrunkPolicy for ByClass {
    fn trunk_window(&self, class: u8) -> Option<Time> {
        self.of(class).trunk_window(class)
    }

    fn stands_by(&self, class: u8) -> bool {
        self.of(class).stands_by(class)
    }

    fn off_state(&self, class: u8) -> LinkState {
        self.of(class).off_state(class)
    }

    fn resize(&self, class: u8, seen: &TrunkWindow) -> Change {
        self.of(class).resize(class, seen)
    }
}

impl WidthPolicy for ByClass {
    fn lanes(&self, class: u8) -> u8 {
        self.of(class).lanes(class)
    }
}

impl RuntimePolicy for ByClass {
    fn runtime_rules(&self, class: u8) -> Option<Rules> {
        self.of(class).runtime_rules(class)
    }
}

impl GovernedPolicy for ByClass {
    fn governor(&self, class: u8) -> Option<GovernorRules> {
        self.of(class).governor(class)
    }

    fn cap(&self, class: u8) -> Option<CapRules> {
        self.of(class).cap(class)
    }

    fn allowed(&self, class: u8, state: &mut ChannelState, billionths: u32) {
        self.of(class).allowed(class, &mut state.memory, billionths);
    }
}

impl HindsightPolicy for ByClass {
    fn judges(&self) -> bool {
        self.judges
    }

    #[inline]
    fn hindsight(&self, class: u8, idle: Time, wakes: bool) -> Option<LinkState> {
        if self.judges { self.of(class).hindsight(class, idle, wakes) } else { None }
    }
}
