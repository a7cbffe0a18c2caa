//! Accounting by hindsight: channels stay on, and are accounted as if they had slept.

use crate::model::link_state::LinkState;
use crate::model::units::Time;

/// Decides after an idle period how the channel should have spent it.
pub trait HindsightPolicy {
    /// Returns whether [`HindsightPolicy::hindsight`] ever returns a sleep state.
    fn judges(&self) -> bool {
        false
    }

    /// Returns the sleep state in which a channel is accounted for an idle period that has ended; `None` for on.
    /// If it `wakes`, the channel is woken in time for the request that ended the period.
    #[inline]
    fn hindsight(&self, class: u8, idle: Time, wakes: bool) -> Option<LinkState> {
        let _ = (class, idle, wakes);
        None
    }
}
