//! `kind = "perfbound"`: one stall timer that keeps a bound on delay (Saravanan and Carpenter 2018, section 5).

use drowse_core::power::{self, ClassPolicy};
use schemars::JsonSchema;
use serde::Deserialize;

use super::bound::Bound;
use super::kind::{Class, Place, PolicyKeys};
use crate::diagnostic::Diagnostic;

/// A channel enters deep sleep after the shortest idle time that keeps a bound on delay.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(transparent)]
pub struct PerfBound(Bound);

impl PolicyKeys for PerfBound {
    fn check(&self, place: &Place<'_>) -> Result<(), Diagnostic> {
        self.0.check(place)
    }

    fn policy(&self, _place: &Place<'_>, class: &Class<'_>) -> Result<ClassPolicy, Diagnostic> {
        let learning = self.0.learning(class.hops);
        Ok(ClassPolicy::PerfBound(power::PerfBound { learning, wake: class.states.deep.wake }))
    }
}
