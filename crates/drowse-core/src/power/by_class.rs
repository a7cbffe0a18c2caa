//! Another policy for each link class: what an experiment file may ask for.

use super::{
    Change, Coalescing, DynamicFastwake, Gathering, Idle, LinkState, LinkTimers, Oracle, PerfBound, Policy, Runtime,
    Timers, Trunk, TrunkWindow, Width, dynamic_fastwake, perfbound, runtime,
};
use crate::model::ids::ChannelId;
use crate::model::units::Time;

/// The policy of one link class (`power.policy.kind`).
#[derive(Clone, Debug, PartialEq)]
pub enum ClassPolicy {
    /// Fixed stall timers; always-on as those that never run out.
    StallTimer(Timers),
    /// Fixed stall timers of each channel.
    Table(LinkTimers),
    /// Frames are gathered before a channel wakes.
    Coalescing(Coalescing),
    /// Judged in hindsight.
    Oracle(Oracle),
    /// A deep timer that keeps a bound.
    PerfBound(PerfBound),
    /// Two timers that keep a bound.
    DynamicFastwake(Box<DynamicFastwake>),
    /// Trunks that shed ports.
    Trunk(Trunk),
    /// Links that narrow.
    Width(Width),
    /// Commanded by the runtime system.
    Runtime(Runtime),
}

/// What a policy remembers of a channel, with the timers that follow from it, which are asked for at every packet.
#[derive(Clone, Debug)]
pub struct ChannelState {
    timers: Timers,
    memory: Memory,
}

#[derive(Clone, Debug)]
enum Memory {
    Nothing,
    Runtime,
    PerfBound(Box<perfbound::State>),
    DynamicFastwake(Box<dynamic_fastwake::State>),
}

/// A policy for each link class, in the order of the network's classes.
#[derive(Clone, Debug, PartialEq)]
pub struct ByClass {
    classes: Vec<ClassPolicy>,
    /// Some class is judged in hindsight.
    judges: bool,
    /// Some class counts messages.
    counts: bool,
    /// How long idle periods are at least that matter to some class.
    shortest: Time,
}

impl ByClass {
    /// Takes the policy of each class.
    pub fn new(classes: Vec<ClassPolicy>) -> Self {
        let judges = classes.iter().any(|class| matches!(class, ClassPolicy::Oracle(_)));
        let counts = |class: &ClassPolicy| matches!(class, ClassPolicy::PerfBound(_) | ClassPolicy::DynamicFastwake(_));
        let shortest = |class: &ClassPolicy| match class {
            ClassPolicy::Oracle(policy) => policy.shortest_idle(),
            ClassPolicy::PerfBound(policy) => policy.shortest_idle(),
            ClassPolicy::DynamicFastwake(policy) => policy.shortest_idle(),
            ClassPolicy::Runtime(policy) => policy.shortest_gap(),
            ClassPolicy::StallTimer(_)
            | ClassPolicy::Table(_)
            | ClassPolicy::Coalescing(_)
            | ClassPolicy::Trunk(_)
            | ClassPolicy::Width(_) => Time::NEVER,
        };
        ByClass {
            judges,
            counts: classes.iter().any(counts),
            shortest: classes.iter().map(shortest).min().unwrap_or(Time::NEVER),
            classes,
        }
    }

    /// Returns the policy of each class.
    pub fn classes(&self) -> &[ClassPolicy] {
        &self.classes
    }

    /// Makes the policy under which no channel of `classes` classes ever sleeps (`kind = "always-on"`).
    pub fn always_on(classes: usize) -> Self {
        ByClass::new(vec![ClassPolicy::StallTimer(Timers::NEVER); classes])
    }

    /// Returns whether some class holds messages back on purpose, which makes longer idle periods than the oracle knows of.
    pub fn holds_messages_back(&self) -> bool {
        self.classes.iter().any(|class| matches!(class, ClassPolicy::Coalescing(_)))
    }

    /// Learns from an idle period that is long enough to be learned from.
    fn learn(&self, class: u8, state: &mut ChannelState, idle: Idle) {
        let ChannelState { timers, memory } = state;
        match (&self.classes[usize::from(class)], memory) {
            (ClassPolicy::PerfBound(policy), Memory::PerfBound(state)) => {
                policy.idle_ended(class, state, idle);
                *timers = policy.timers(class, state);
            }
            (ClassPolicy::DynamicFastwake(policy), Memory::DynamicFastwake(state)) => {
                policy.idle_ended(class, state, idle);
                *timers = policy.timers(class, state);
            }
            (ClassPolicy::Runtime(_), _) if idle.wake.is_some() => *timers = Timers::NEVER,
            _ => {}
        }
    }

    /// Returns the stall timers of all classes, if all have such.
    pub fn stall_timers(&self) -> Option<Vec<Timers>> {
        let timers = |class: &ClassPolicy| match class {
            ClassPolicy::StallTimer(timers) => Some(*timers),
            _ => None,
        };
        self.classes.iter().map(timers).collect()
    }
}

impl Policy for ByClass {
    type State = ChannelState;

    #[inline]
    fn counts_messages(&self) -> bool {
        self.counts
    }

    #[inline]
    fn shortest_idle(&self) -> Time {
        self.shortest
    }

    fn start(&self, channel: ChannelId, class: u8) -> ChannelState {
        let plain = |timers| ChannelState { timers, memory: Memory::Nothing };
        match &self.classes[usize::from(class)] {
            ClassPolicy::StallTimer(timers) => plain(*timers),
            ClassPolicy::Table(table) => plain(table.of(channel)),
            ClassPolicy::Coalescing(policy) => plain(policy.timers(class, &())),
            ClassPolicy::Oracle(policy) => plain(policy.timers(class, &())),
            ClassPolicy::Trunk(_) | ClassPolicy::Width(_) => plain(Timers::NEVER),
            ClassPolicy::Runtime(_) => ChannelState { timers: Timers::NEVER, memory: Memory::Runtime },
            ClassPolicy::PerfBound(policy) => {
                let state = Box::new(policy.start(channel, class));
                ChannelState { timers: policy.timers(class, &state), memory: Memory::PerfBound(state) }
            }
            ClassPolicy::DynamicFastwake(policy) => {
                let state = Box::new(policy.start(channel, class));
                ChannelState { timers: policy.timers(class, &state), memory: Memory::DynamicFastwake(state) }
            }
        }
    }

    fn may_sleep(&self, class: u8) -> bool {
        self.classes[usize::from(class)] != ClassPolicy::StallTimer(Timers::NEVER)
    }

    #[inline]
    fn timers(&self, _class: u8, state: &ChannelState) -> Timers {
        state.timers
    }

    #[inline]
    fn idle_ended(&self, class: u8, state: &mut ChannelState, idle: Idle) {
        if !matches!(state.memory, Memory::Nothing) {
            self.learn(class, state, idle);
        }
    }

    #[inline]
    fn message(&self, _class: u8, state: &mut ChannelState, hops: u8) {
        match &mut state.memory {
            Memory::Nothing | Memory::Runtime => {}
            Memory::PerfBound(state) => state.count(hops),
            Memory::DynamicFastwake(state) => state.count(hops),
        }
    }

    #[inline]
    fn hindsight(&self, class: u8, idle: Time, wakes: bool) -> Option<LinkState> {
        if !self.judges {
            return None;
        }
        match &self.classes[usize::from(class)] {
            ClassPolicy::Oracle(oracle) => oracle.hindsight(class, idle, wakes),
            _ => None,
        }
    }

    #[inline]
    fn gathering(&self, class: u8) -> Option<Gathering> {
        match &self.classes[usize::from(class)] {
            ClassPolicy::Coalescing(policy) => policy.gathering(class),
            _ => None,
        }
    }

    fn trunk_window(&self, class: u8) -> Option<Time> {
        match &self.classes[usize::from(class)] {
            ClassPolicy::Trunk(policy) => policy.trunk_window(class),
            ClassPolicy::Width(policy) => policy.trunk_window(class),
            _ => None,
        }
    }

    fn lanes(&self, class: u8) -> u8 {
        match &self.classes[usize::from(class)] {
            ClassPolicy::Width(policy) => policy.lanes,
            _ => 1,
        }
    }

    fn resize(&self, class: u8, seen: &TrunkWindow) -> Change {
        match &self.classes[usize::from(class)] {
            ClassPolicy::Trunk(policy) => policy.resize(class, seen),
            ClassPolicy::Width(policy) => policy.resize(class, seen),
            _ => Change::None,
        }
    }

    fn directed(&self, class: u8) -> Option<runtime::Rules> {
        match &self.classes[usize::from(class)] {
            ClassPolicy::Runtime(policy) => Some(policy.rules),
            _ => None,
        }
    }

    fn commanded(&self, _class: u8, state: &mut ChannelState, on: bool) {
        state.timers = if on { Timers::NEVER } else { Runtime::OFF };
    }
}
