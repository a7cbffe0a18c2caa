//! `kind = "dynamic-fastwake"`: two stall timers that keep a bound on delay (Saravanan and Carpenter 2018, section 6).

use drowse_core::power::{self, ClassPolicy};
use schemars::JsonSchema;
use serde::Deserialize;

use super::bound::Bound;
use super::kind::{Class, Place, PolicyKeys};
use crate::diagnostic::Diagnostic;

/// A channel enters shallow and deep sleep after the two idle times that save most within a bound on delay.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(transparent)]
pub struct DynamicFastwake(Bound);

impl PolicyKeys for DynamicFastwake {
    fn check(&self, place: &Place<'_>) -> Result<(), Diagnostic> {
        self.0.check(place)
    }

    fn policy(&self, place: &Place<'_>, class: &Class<'_>) -> Result<ClassPolicy, Diagnostic> {
        let policy = power::DynamicFastwake::new(self.0.learning(class.hops), &class.states);
        policy.map(ClassPolicy::DynamicFastwake).ok_or_else(|| {
            let message = "this policy needs a deep sleep that saves more than the shallow one and wakes no faster";
            place.keys.error(place.path, message, "change power.states, or write kind = \"perfbound\"")
        })
    }
}
