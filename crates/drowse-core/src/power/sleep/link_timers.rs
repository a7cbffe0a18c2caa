//! Stall timers that differ from channel to channel: a table of the user's own (`kind = "table"`). With it one can
//! search for the best timers of each link (Saravanan and Carpenter 2018, section 7, describes an ideal sweep).

use std::sync::Arc;

use crate::model::ids::ChannelId;
use crate::model::units::Time;
use crate::power::policy::{SleepPolicy, Timers};

/// The stall timers of each channel.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LinkTimers {
    /// By channel of the whole network.
    timers: Arc<[Timers]>,
}

impl LinkTimers {
    /// Creates the table of all channels of a network.
    pub fn new(timers: Vec<Timers>) -> Self {
        LinkTimers { timers: timers.into() }
    }

    /// Returns the timers of a channel; one that the table lacks stays on.
    pub fn of(&self, channel: ChannelId) -> Timers {
        self.timers.get(channel.index()).copied().unwrap_or(Timers::NEVER)
    }
}

impl SleepPolicy for LinkTimers {
    type State = ChannelId;

    fn start(&self, channel: ChannelId, _class: u8) -> ChannelId {
        channel
    }

    #[inline]
    fn shortest_idle(&self) -> Time {
        Time::NEVER
    }

    #[inline]
    fn timers(&self, _class: u8, &channel: &ChannelId) -> Timers {
        self.of(channel)
    }
}

crate::sleep_only!(LinkTimers);
