//! Stall timers that differ from channel to channel: a table of the user's own (`kind = "table"`), so that the best timers of
//! each link can be searched for (Saravanan and Carpenter 2018, section 7, says that an ideal sweep would do so).

use std::sync::Arc;

use super::Timers;
use crate::model::ids::ChannelId;

/// The stall timers of each channel.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LinkTimers {
    /// By channel of the whole network.
    timers: Arc<[Timers]>,
}

impl LinkTimers {
    /// Makes the table of all channels of a network.
    pub fn new(timers: Vec<Timers>) -> Self {
        LinkTimers { timers: timers.into() }
    }

    /// Returns the timers of a channel; one that the table lacks stays on.
    pub fn of(&self, channel: ChannelId) -> Timers {
        self.timers.get(channel.index()).copied().unwrap_or(Timers::NEVER)
    }
}
