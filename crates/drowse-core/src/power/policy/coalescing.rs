//! Whether a sleeping channel waits for several packets before it wakes.

use crate::model::units::Time;

/// What wakes a channel that coalesces packets: the first of two limits to be reached.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CoalescingLimits {
    /// Number of packets that wait.
    pub frames: u32,
    /// How long the first of them has waited.
    pub timeout: Time,
}

/// Decides how many packets a sleeping channel waits for.
pub trait CoalescingPolicy {
    /// Returns what wakes a sleeping channel of a class; `None` for the first request.
    #[inline]
    fn coalescing(&self, class: u8) -> Option<CoalescingLimits> {
        let _ = class;
        None
    }
}
