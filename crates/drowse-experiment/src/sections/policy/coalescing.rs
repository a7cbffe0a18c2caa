//! `kind = "coalescing"`: a sleeping channel waits for several packets.

use drowse_core::model::units::Time;
use drowse_core::power::{self, ClassPolicy, CoalescingLimits};
use schemars::JsonSchema;
use serde::Deserialize;

use super::kind::{Class, Place, PolicyKeys};
use crate::diagnostic::Diagnostic;
use crate::sections::repeated;

/// A channel sleeps as soon as it is idle. It wakes when several packets wait, or after a timeout.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Coalescing {
    /// Number of waiting packets that wake the channel.
    #[schemars(extend("examples" = [10]), range(min = 1))]
    frames: u32,
    /// Time after which the channel wakes for fewer packets; at most 1 s.
    #[schemars(extend("examples" = ["100 us"]))]
    timeout: Time,
}

impl PolicyKeys for Coalescing {
    fn check(&self, place: &Place<'_>) -> Result<(), Diagnostic> {
        if self.frames == 0 {
            let help = "write frames = 1 for a channel that wakes for the first frame, or more";
            return Err(place.error("frames", "no frames never come", help));
        }
        repeated(place.keys, &place.at("timeout"), self.timeout).map(|_| ())
    }

    fn policy(&self, _place: &Place<'_>, _class: &Class<'_>) -> Result<ClassPolicy, Diagnostic> {
        let limits = CoalescingLimits { frames: self.frames, timeout: self.timeout };
        Ok(ClassPolicy::Coalescing(power::Coalescing { limits }))
    }
}
