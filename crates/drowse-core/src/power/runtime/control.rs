//! Channels under the control of the runtime system, as a policy (`kind = "runtime"`).

use crate::model::ids::ChannelId;
use crate::model::sleep_state::SleepStates;
use crate::model::units::Time;
use crate::power::policy::{
    CoalescingPolicy, GovernedPolicy, HindsightPolicy, Idle, Mode, Rules, RuntimePolicy, SleepPolicy, Timers,
    TrunkPolicy, WidthPolicy,
};

/// The policy of runtime-controlled channels. One that is commanded off sleeps as soon as it is idle and nothing waits
/// for it. A packet wakes it, and then it is on again.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Runtime {
    /// The rules, the same for all classes.
    pub rules: Rules,
    /// Time to turn a channel off and on.
    pub transition: Time,
}

impl Runtime {
    /// Creates the policy of channels with these states.
    pub fn new(rules: Rules, states: &SleepStates) -> Self {
        Runtime { rules, transition: states.deep.enter.saturating_add(states.deep.wake) }
    }
}

impl SleepPolicy for Runtime {
    /// Whether the channel is commanded off.
    type State = bool;

    fn start(&self, _channel: ChannelId, _class: u8) -> bool {
        false
    }

    #[inline]
    fn timers(&self, _class: u8, &off: &bool) -> Timers {
        if off { Timers::DEEP_AT_ONCE } else { Timers::NEVER }
    }

    /// Schedules use no shorter gaps: a channel that goes off and on in the whole of one saves nothing.
    fn shortest_idle(&self) -> Time {
        match self.rules.mode {
            Mode::Scheduled => self.transition,
            Mode::Basic | Mode::On => Time::NEVER,
        }
    }

    fn idle_ended(&self, _class: u8, off: &mut bool, idle: Idle) {
        if idle.wake.is_some() {
            *off = false;
        }
    }

    fn commanded(&self, _class: u8, off: &mut bool, on: bool) {
        *off = !on;
    }
}

impl RuntimePolicy for Runtime {
    fn runtime_rules(&self, _class: u8) -> Option<Rules> {
        Some(self.rules)
    }
}

impl CoalescingPolicy for Runtime {}
impl TrunkPolicy for Runtime {}
impl WidthPolicy for Runtime {}
impl GovernedPolicy for Runtime {}
impl HindsightPolicy for Runtime {}
