//! `kind = "random-timer"`: stall timers that are drawn for each idle period (Karlin et al. 1994).

use drowse_core::power::{self, ClassPolicy};
use schemars::JsonSchema;
use serde::Deserialize;

use super::kind::{Class, Place, PolicyKeys};
use crate::diagnostic::Diagnostic;

/// A channel enters deep sleep when it has been idle for a time that is drawn anew for each idle period, up to the idle
/// time from which deep sleep saves energy.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct RandomTimer {
    /// Seed of the timers.
    #[serde(default = "first")]
    seed: u64,
}

const fn first() -> u64 {
    1
}

impl PolicyKeys for RandomTimer {
    fn policy(&self, _place: &Place<'_>, class: &Class<'_>) -> Result<ClassPolicy, Diagnostic> {
        Ok(ClassPolicy::RandomTimer(power::RandomTimer::new(self.seed, class.states)))
    }
}
