//! `kind = "none"`.

use drowse_core::model::transport::Control;
use schemars::JsonSchema;
use serde::Deserialize;

use super::kind::{ControlKeys, Place};
use crate::diagnostic::Diagnostic;

/// A sender sends what it has; packets are acknowledged.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Freely {}

impl ControlKeys for Freely {
    fn control(self, _: &Place<'_>) -> Result<Control, Diagnostic> {
        Ok(Control::None)
    }
}
