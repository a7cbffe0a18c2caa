//! Frame coalescing: a channel sleeps as soon as it is idle. It wakes for several packets at once, or after a timeout
//! (frame buffering; Saravanan and Carpenter 2018, section 2.3, and the EEE literature that it cites).

use crate::model::ids::ChannelId;
use crate::model::units::Time;
use crate::power::policy::{
    CoalescingLimits, CoalescingPolicy, GovernedPolicy, HindsightPolicy, RuntimePolicy, SleepPolicy, Timers,
    TrunkPolicy, WidthPolicy,
};

/// Waits for several packets before a channel wakes (`kind = "coalescing"`).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Coalescing {
    /// What ends the sleep.
    pub limits: CoalescingLimits,
}

impl SleepPolicy for Coalescing {
    type State = ();

    fn start(&self, _channel: ChannelId, _class: u8) {}

    #[inline]
    fn shortest_idle(&self) -> Time {
        Time::NEVER
    }

    #[inline]
    fn timers(&self, _class: u8, _state: &()) -> Timers {
        Timers::DEEP_AT_ONCE
    }
}

impl CoalescingPolicy for Coalescing {
    #[inline]
    fn coalescing(&self, _class: u8) -> Option<CoalescingLimits> {
        Some(self.limits)
    }
}

impl TrunkPolicy for Coalescing {}
impl WidthPolicy for Coalescing {}
impl RuntimePolicy for Coalescing {}
impl GovernedPolicy for Coalescing {}
impl HindsightPolicy for Coalescing {}
