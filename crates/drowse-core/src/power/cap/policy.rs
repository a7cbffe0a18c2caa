//! Links under a cap, as a policy: they go off and on by command only.

use crate::model::ids::ChannelId;
use crate::model::units::Time;
use crate::power::policy::{
    CapRules, CoalescingPolicy, GovernedPolicy, HindsightPolicy, RuntimePolicy, SleepPolicy, Timers, TrunkPolicy,
    WidthPolicy,
};

/// Links whose ports or lanes a governor turns off and on, so that the network stays under a cap.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Cap {
    /// The rules of the governor.
    pub rules: CapRules,
}

impl SleepPolicy for Cap {
    /// Whether the port is commanded off.
    type State = bool;

    fn start(&self, _channel: ChannelId, _class: u8) -> bool {
        false
    }

    #[inline]
    fn shortest_idle(&self) -> Time {
        Time::NEVER
    }

    #[inline]
    fn timers(&self, _class: u8, &off: &bool) -> Timers {
        if off { Timers::DEEP_AT_ONCE } else { Timers::NEVER }
    }

    fn commanded(&self, _class: u8, off: &mut bool, on: bool) {
        *off = !on;
    }
}

impl TrunkPolicy for Cap {
    fn trunk_window(&self, _class: u8) -> Option<Time> {
        Some(self.rules.window)
    }
}

impl WidthPolicy for Cap {
    fn lanes(&self, _class: u8) -> u8 {
        self.rules.lanes
    }
}

impl GovernedPolicy for Cap {
    fn cap(&self, _class: u8) -> Option<CapRules> {
        Some(self.rules)
    }
}

impl CoalescingPolicy for Cap {}
impl RuntimePolicy for Cap {}
impl HindsightPolicy for Cap {}
