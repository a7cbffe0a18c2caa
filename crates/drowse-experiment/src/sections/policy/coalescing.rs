//! `kind = "coalescing"`: a sleeping channel waits for several packets. Its keys are the limits of the core.

use drowse_core::power::{ClassPolicy, Coalescing, CoalescingLimits};

use super::kind::{Class, Place, PolicyKeys};
use crate::diagnostic::Diagnostic;
use crate::sections::repeated;

impl PolicyKeys for CoalescingLimits {
    fn check(&self, place: &Place<'_>) -> Result<(), Diagnostic> {
        if self.frames == 0 {
            let help = "write frames = 1 for a channel that wakes for the first frame, or more";
            return Err(place.error("frames", "no frames never come", help));
        }
        repeated(place.keys, &place.at("timeout"), self.timeout).map(|_| ())
    }

    fn policy(&self, _place: &Place<'_>, _class: &Class<'_>) -> Result<ClassPolicy, Diagnostic> {
        Ok(ClassPolicy::Coalescing(Coalescing { limits: *self }))
    }
}
