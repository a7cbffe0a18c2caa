//! Fixed stall timers, one pair per link class: the EEE literature's plain policy, and always-on as the pair that never
//! runs out.

use super::{Policy, Timers};
use crate::model::ids::ChannelId;
use crate::model::units::Time;

/// Sleeps after fixed idle times (`kind = "stall-timer"`), per class.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StallTimer {
    /// The timers of each class, in the order of the network's classes.
    pub timers: Vec<Timers>,
}

impl StallTimer {
    /// Makes the policy under which no channel of `classes` classes ever sleeps (`kind = "always-on"`).
    pub fn always_on(classes: usize) -> Self {
        StallTimer { timers: vec![Timers::NEVER; classes] }
    }

    /// Makes one pair of timers for all classes.
    pub fn uniform(classes: usize, shallow: Option<Time>, deep: Option<Time>) -> Self {
        let timers = Timers { shallow: shallow.unwrap_or(Time::NEVER), deep: deep.unwrap_or(Time::NEVER) };
        StallTimer { timers: vec![timers; classes] }
    }
}

impl Policy for StallTimer {
    type State = ();

    fn start(&self, _channel: ChannelId, _class: u8) {}

    #[inline]
    fn shortest_idle(&self) -> Time {
        Time::NEVER
    }

    #[inline]
    fn timers(&self, class: u8, _state: &()) -> Timers {
        self.timers[class as usize]
    }
}
