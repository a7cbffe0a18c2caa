//! `kind = "oracle"`: what sleeping could save at best.

use drowse_core::power::{self, ClassPolicy};
use schemars::JsonSchema;
use serde::Deserialize;

use super::kind::{Class, Place, PolicyKeys};
use crate::diagnostic::Diagnostic;

/// Channels stay on, and are accounted as if they had known the length of each idle period: a bound on what sleeping
/// saves.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Oracle {}

impl PolicyKeys for Oracle {
    fn policy(&self, _place: &Place<'_>, class: &Class<'_>) -> Result<ClassPolicy, Diagnostic> {
        Ok(ClassPolicy::Oracle(power::Oracle::new(class.states)))
    }
}
