//! Frame coalescing: a channel sleeps as soon as it is idle, and wakes only for several frames at once, or after a time
//! (frame buffering; Saravanan and Carpenter 2018, section 2.3, and the EEE literature that it cites).

use super::{Gathering, Policy, Timers};
use crate::model::ids::ChannelId;
use crate::model::units::Time;

/// Gathers packets before a channel wakes (`kind = "coalescing"`).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Coalescing {
    /// What ends the sleep.
    pub until: Gathering,
}

impl Policy for Coalescing {
    type State = ();

    fn start(&self, _channel: ChannelId, _class: u8) {}

    #[inline]
    fn timers(&self, _class: u8, _state: &()) -> Timers {
        Timers { shallow: Time::NEVER, deep: Time::ZERO }
    }

    #[inline]
    fn gathering(&self, _class: u8) -> Option<Gathering> {
        Some(self.until)
    }
}
