//! Whether a sleeping channel waits for several packets before it wakes.

use serde::Deserialize;

use crate::model::units::Time;

/// A channel sleeps as soon as it is idle. It wakes when several packets wait, or after a timeout.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct CoalescingLimits {
    /// Number of waiting packets that wake the channel.
    #[cfg_attr(feature = "schema", schemars(extend("examples" = [10]), range(min = 1)))]
    pub frames: u32,
    /// Time after which the channel wakes for fewer packets; at most 1 s.
    #[cfg_attr(feature = "schema", schemars(extend("examples" = ["100 us"])))]
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
