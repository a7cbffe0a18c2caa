//! `kind = "always-on"`: channels never sleep.

use drowse_core::power::{ClassPolicy, Timers};
use schemars::JsonSchema;
use serde::Deserialize;

use super::kind::{Class, Place, PolicyKeys};
use crate::diagnostic::Diagnostic;

/// Channels never sleep. This is the default.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct AlwaysOn {}

impl PolicyKeys for AlwaysOn {
    fn policy(&self, _place: &Place<'_>, _class: &Class<'_>) -> Result<ClassPolicy, Diagnostic> {
        Ok(ClassPolicy::StallTimer(Timers::NEVER))
    }

    fn never_sleeps(&self) -> bool {
        true
    }
}
