//! Fixed stall timers: the usual policy of the literature on Energy Efficient Ethernet. Always-on is the pair of timers
//! that never expires.

use crate::model::ids::ChannelId;
use crate::model::units::Time;
use crate::power::policy::{SleepPolicy, Timers};

/// Sleeps after fixed idle times (`kind = "stall-timer"`), per class.
///
/// ```
/// use drowse_core::model::units::Time;
/// use drowse_core::power::{SleepPolicy, StallTimer, Timers};
///
/// // Class 0 are the links to nodes, which stay on. Others sleep lightly after 5 us, and deeply after 50 us.
/// let timers = Timers { shallow: Time::from_us(5), deep: Time::from_us(50) };
/// let policy = StallTimer { timers: vec![Timers::NEVER, timers] };
/// assert_eq!(policy.timers(0, &()).deep, Time::NEVER);
/// assert_eq!(policy.timers(1, &()).deep, Time::from_us(50));
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StallTimer {
    /// The timers of each class, in the order of the network's classes.
    pub timers: Vec<Timers>,
}

impl StallTimer {
    /// Creates the policy under which no channel of `classes` classes ever sleeps (`kind = "always-on"`).
    pub fn always_on(classes: usize) -> Self {
        StallTimer { timers: vec![Timers::NEVER; classes] }
    }

    /// Creates one pair of timers for all classes.
    pub fn uniform(classes: usize, shallow: Option<Time>, deep: Option<Time>) -> Self {
        let timers = Timers { shallow: shallow.unwrap_or(Time::NEVER), deep: deep.unwrap_or(Time::NEVER) };
        StallTimer { timers: vec![timers; classes] }
    }
}

impl SleepPolicy for StallTimer {
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

/// One pair of timers is the policy of one class: the same for all its channels.
impl SleepPolicy for Timers {
    type State = ();

    fn start(&self, _channel: ChannelId, _class: u8) {}

    fn may_sleep(&self, _class: u8) -> bool {
        *self != Timers::NEVER
    }

    #[inline]
    fn shortest_idle(&self) -> Time {
        Time::NEVER
    }

    #[inline]
    fn timers(&self, _class: u8, _state: &()) -> Timers {
        *self
    }
}

crate::sleep_only!(StallTimer, Timers);
