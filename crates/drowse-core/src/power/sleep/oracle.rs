//! What sleeping could save at best, if the end of every idle period were known when it begins.
//!
//! Channels stay on, so that the run equals that of always-on. Each idle period is accounted as if the channel had
//! taken the cheapest of staying on and all sleep states, entered at once and left just in time. Idle periods
//! are judged when they end: nothing is stored and no second run is needed. This is a lower bound on the energy under
//! any policy that leaves the times and routes of messages as they are. A policy that delays or moves traffic makes
//! idle periods longer, and may need less.

use super::idle_energy::IdleEnergy;
use crate::model::ids::ChannelId;
use crate::model::link_state::LinkState;
use crate::model::sleep_state::SleepStates;
use crate::model::units::Time;
use crate::power::policy::{
    CoalescingPolicy, GovernedPolicy, HindsightPolicy, RuntimePolicy, SleepPolicy, Timers, TrunkPolicy, WidthPolicy,
};

/// Judges idle periods by hindsight (`kind = "oracle"`).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Oracle {
    energy: IdleEnergy,
}

impl Oracle {
    /// Creates the judge of channels with these sleep states.
    pub fn new(states: SleepStates) -> Self {
        Oracle { energy: IdleEnergy::new(states) }
    }
}

impl SleepPolicy for Oracle {
    type State = ();

    fn start(&self, _channel: ChannelId, _class: u8) {}

    /// No sleep pays in shorter periods.
    fn shortest_idle(&self) -> Time {
        self.energy.shortest_break_even()
    }

    #[inline]
    fn timers(&self, _class: u8, _state: &()) -> Timers {
        Timers::NEVER
    }
}

impl GovernedPolicy for Oracle {}

impl HindsightPolicy for Oracle {
    fn judges(&self) -> bool {
        true
    }

    fn hindsight(&self, _class: u8, idle: Time, wakes: bool) -> Option<LinkState> {
        self.energy.cheapest(idle, wakes)
    }
}

impl CoalescingPolicy for Oracle {}
impl TrunkPolicy for Oracle {}
impl WidthPolicy for Oracle {}
impl RuntimePolicy for Oracle {}
