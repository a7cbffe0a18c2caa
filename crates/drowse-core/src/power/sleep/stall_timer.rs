//! Fixed stall timers: the usual policy of the literature on Energy Efficient Ethernet. Always-on is the pair of timers
//! that never expires.

use crate::model::ids::ChannelId;
use crate::model::units::Time;
use crate::power::policy::{FurtherTimers, SleepPolicy, Timers};

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

/// Fixed stall timers of more than two sleep states, the same for all channels of a class.
///
/// ```
/// use drowse_core::model::units::Time;
/// use drowse_core::power::{FurtherTimers, SleepPolicy, StallTimers, Timers};
///
/// let us = Time::from_us;
/// let policy = StallTimers::new(&[us(10), us(1_000), us(10_000_000)]).expect("at most six");
/// assert_eq!(policy.timers(0, &()), Timers { shallow: us(10), deep: us(1_000) });
/// assert_eq!(policy.further_timers(0, &()).0[0], us(10_000_000));
/// // Where deep sleep is not used, a channel still leaves the state on for the third state in time.
/// let third_only = StallTimers::new(&[Time::NEVER, Time::NEVER, us(50)]).expect("at most six");
/// assert_eq!(third_only.timers(0, &()).deep, us(50));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct StallTimers {
    timers: Timers,
    further: FurtherTimers,
}

impl StallTimers {
    /// Takes the timer of each state, lightest first, [`Time::NEVER`] for one that is not used; `None` for more than
    /// six.
    pub fn new(timers: &[Time]) -> Option<Self> {
        let mut all = [Time::NEVER; 6];
        all.get_mut(..timers.len())?.copy_from_slice(timers);
        let [shallow, deep, further @ ..] = all;
        // A state that comes no later than deep sleep leaves that out.
        let deep = further.into_iter().fold(deep, Time::min);
        Some(StallTimers { timers: Timers { shallow, deep }, further: FurtherTimers(further) })
    }

    /// Returns the timers of shallow and deep sleep, and of the states beyond.
    pub fn all(&self) -> (Timers, FurtherTimers) {
        (self.timers, self.further)
    }
}

impl SleepPolicy for StallTimers {
    type State = ();

    fn start(&self, _channel: ChannelId, _class: u8) {}

    fn may_sleep(&self, _class: u8) -> bool {
        self.timers != Timers::NEVER
    }

    #[inline]
    fn shortest_idle(&self) -> Time {
        Time::NEVER
    }

    #[inline]
    fn timers(&self, _class: u8, _state: &()) -> Timers {
        self.timers
    }

    fn further_timers(&self, _class: u8, _state: &()) -> FurtherTimers {
        self.further
    }
}

crate::sleep_only!(StallTimer, StallTimers, Timers);
