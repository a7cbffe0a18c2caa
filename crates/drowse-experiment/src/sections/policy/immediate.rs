//! `kind = "immediate"`: channels sleep as soon as they are idle.

use drowse_core::model::units::Time;
use drowse_core::power::{ClassPolicy, Timers};
use schemars::JsonSchema;
use serde::Deserialize;

use super::kind::{Class, Place, PolicyKeys};
use crate::diagnostic::Diagnostic;

/// A channel sleeps as soon as it is idle.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Immediate {
    /// The state that the channel enters.
    #[serde(default)]
    #[schemars(extend("default" = "deep"))]
    sleep: WhichSleep,
}

/// A sleep state.
#[derive(Clone, Copy, Debug, Default, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
enum WhichSleep {
    /// Shallow sleep (fast wake).
    Shallow,
    /// Deep sleep (low-power idle).
    #[default]
    Deep,
}

impl PolicyKeys for Immediate {
    fn policy(&self, _place: &Place<'_>, _class: &Class<'_>) -> Result<ClassPolicy, Diagnostic> {
        Ok(ClassPolicy::StallTimer(match self.sleep {
            WhichSleep::Shallow => Timers { shallow: Time::ZERO, deep: Time::NEVER },
            WhichSleep::Deep => Timers::DEEP_AT_ONCE,
        }))
    }
}
