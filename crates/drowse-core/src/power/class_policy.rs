//! The registry of policies: what an experiment file may ask for in a link class.
//!
//! A member is a whole policy in a file of its own, and one line here. The enum dispatches calls, so that none is
//! virtual.

use super::other::Other;
use super::policy::{
    CapRules, Change, CoalescingLimits, CoalescingPolicy, FurtherTimers, GovernedPolicy, GovernorRules,
    HindsightPolicy, Idle, Rules, RuntimePolicy, SleepPolicy, Timers, TrunkPolicy, TrunkWindow, WidthPolicy,
};
use super::{cap, governor, runtime, sleep, standby, trunk, width};
use crate::model::ids::ChannelId;
use crate::model::link_state::LinkState;
use crate::model::units::Time;

/// Defines an enum of policies that is a policy itself.
macro_rules! members {
    ($($(#[$doc:meta])* $name:ident($policy:ty),)+) => {
        /// The policy of one link class (`power.policy.kind`).
        #[derive(Clone, Debug, PartialEq)]
        pub enum ClassPolicy {
            $($(#[$doc])* $name($policy),)+
        }

        /// What a policy remembers of a channel: a few bytes; what is larger is boxed by its policy.
        #[derive(Clone, Debug)]
        pub enum Memory {
            $(#[doc = stringify!($name)] $name(<$policy as SleepPolicy>::State),)+
        }

        impl SleepPolicy for ClassPolicy {
            type State = Memory;

            fn start(&self, channel: ChannelId, class: u8) -> Memory {
                match self {
                    $(ClassPolicy::$name(policy) => Memory::$name(policy.start(channel, class)),)+
                }
            }

            fn timers(&self, class: u8, memory: &Memory) -> Timers {
                match (self, memory) {
                    $((ClassPolicy::$name(policy), Memory::$name(state)) => policy.timers(class, state),)+
                    _ => Timers::NEVER,
                }
            }

            fn further_timers(&self, class: u8, memory: &Memory) -> FurtherTimers {
                match (self, memory) {
                    $((ClassPolicy::$name(policy), Memory::$name(state)) => policy.further_timers(class, state),)+
                    _ => FurtherTimers::NEVER,
                }
            }

            fn may_sleep(&self, class: u8) -> bool {
                match self {
                    $(ClassPolicy::$name(policy) => policy.may_sleep(class),)+
                }
            }

            fn shortest_idle(&self) -> Time {
                match self {
                    $(ClassPolicy::$name(policy) => policy.shortest_idle(),)+
                }
            }

            fn counts_messages(&self) -> bool {
                match self {
                    $(ClassPolicy::$name(policy) => policy.counts_messages(),)+
                }
            }

            fn idle_ended(&self, class: u8, memory: &mut Memory, idle: Idle) {
                match (self, memory) {
                    $((ClassPolicy::$name(policy), Memory::$name(state)) => policy.idle_ended(class, state, idle),)+
                    _ => {}
                }
            }

            #[inline]
            fn message(&self, class: u8, memory: &mut Memory, hops: u8) {
                match (self, memory) {
                    $((ClassPolicy::$name(policy), Memory::$name(state)) => policy.message(class, state, hops),)+
                    _ => {}
                }
            }

            fn run_ended(&self, class: u8, memory: &mut Memory, idle: Idle) {
                match (self, memory) {
                    $((ClassPolicy::$name(policy), Memory::$name(state)) => policy.run_ended(class, state, idle),)+
                    _ => {}
                }
            }

            fn learns_for(&self, class: u8) -> u32 {
                match self {
                    $(ClassPolicy::$name(policy) => policy.learns_for(class),)+
                }
            }

            fn skipped(&self, class: u8, memory: &mut Memory, by: Time) {
                match (self, memory) {
                    $((ClassPolicy::$name(policy), Memory::$name(state)) => policy.skipped(class, state, by),)+
                    _ => {}
                }
            }

            fn commanded(&self, class: u8, memory: &mut Memory, on: bool) {
                match (self, memory) {
                    $((ClassPolicy::$name(policy), Memory::$name(state)) => policy.commanded(class, state, on),)+
                    _ => {}
                }
            }
        }

        impl CoalescingPolicy for ClassPolicy {
            #[inline]
            fn coalescing(&self, class: u8) -> Option<CoalescingLimits> {
                match self {
                    $(ClassPolicy::$name(policy) => policy.coalescing(class),)+
                }
            }
        }

        impl TrunkPolicy for ClassPolicy {
            fn trunk_window(&self, class: u8) -> Option<Time> {
                match self {
                    $(ClassPolicy::$name(policy) => policy.trunk_window(class),)+
                }
            }

            fn stands_by(&self, class: u8) -> bool {
                match self {
                    $(ClassPolicy::$name(policy) => policy.stands_by(class),)+
                }
            }

            fn off_state(&self, class: u8) -> LinkState {
                match self {
                    $(ClassPolicy::$name(policy) => policy.off_state(class),)+
                }
            }

            fn resize(&self, class: u8, seen: &TrunkWindow) -> Change {
                match self {
                    $(ClassPolicy::$name(policy) => policy.resize(class, seen),)+
                }
            }
        }

        impl WidthPolicy for ClassPolicy {
            fn lanes(&self, class: u8) -> u8 {
                match self {
                    $(ClassPolicy::$name(policy) => policy.lanes(class),)+
                }
            }
        }

        impl RuntimePolicy for ClassPolicy {
            fn runtime_rules(&self, class: u8) -> Option<Rules> {
                match self {
                    $(ClassPolicy::$name(policy) => policy.runtime_rules(class),)+
                }
            }
        }

        impl GovernedPolicy for ClassPolicy {
            fn governor(&self, class: u8) -> Option<GovernorRules> {
                match self {
                    $(ClassPolicy::$name(policy) => policy.governor(class),)+
                }
            }

            fn cap(&self, class: u8) -> Option<CapRules> {
                match self {
                    $(ClassPolicy::$name(policy) => policy.cap(class),)+
                }
            }

            fn allowed(&self, class: u8, memory: &mut Memory, billionths: u32) {
                match (self, memory) {
                    $((ClassPolicy::$name(policy), Memory::$name(state)) => policy.allowed(class, state, billionths),)+
                    _ => {}
                }
            }
        }

        impl HindsightPolicy for ClassPolicy {
            fn judges(&self) -> bool {
                match self {
                    $(ClassPolicy::$name(policy) => policy.judges(),)+
                }
            }

            fn hindsight(&self, class: u8, idle: Time, wakes: bool) -> Option<LinkState> {
                match self {
                    $(ClassPolicy::$name(policy) => policy.hindsight(class, idle, wakes),)+
                }
            }
        }
    };
}

members! {
    /// Fixed stall timers; always-on as those that never expire.
    StallTimer(Timers),
    /// Fixed stall timers of more than two states.
    StallTimers(sleep::StallTimers),
    /// Fixed stall timers of each channel.
    Table(sleep::LinkTimers),
    /// Packets are coalesced before a channel wakes.
    Coalescing(sleep::Coalescing),
    /// Judged by hindsight.
    Oracle(sleep::Oracle),
    /// A deep timer that keeps a bound.
    PerfBound(sleep::PerfBound),
    /// Two timers that keep a bound.
    DynamicFastwake(sleep::DynamicFastwake),
    /// Predicted idle periods.
    Predictive(sleep::Predictive),
    /// Stall timers that are drawn for each idle period.
    RandomTimer(sleep::RandomTimer),
    /// Trunks that shed ports.
    Trunk(trunk::Trunk),
    /// Spare links that stand by.
    Standby(standby::Standby),
    /// Links that narrow.
    Width(width::Width),
    /// Ports and lanes that a governor keeps under a cap.
    Cap(cap::Cap),
    /// Commanded by the runtime system.
    Runtime(runtime::Runtime),
    /// Allowed to sleep by a governor.
    Bounded(governor::Bounded),
    /// A policy of another crate.
    Other(Other),
}
