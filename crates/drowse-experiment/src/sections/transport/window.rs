//! `kind = "window"`.

use drowse_core::model::transport::Control;
use drowse_core::model::units::Bytes;
use schemars::JsonSchema;
use serde::Deserialize;

use super::kind::{ControlKeys, Place};
use crate::diagnostic::Diagnostic;

/// A fixed number of bytes may be on their way to a node.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct FixedWindow {
    /// The bytes to a node that are not acknowledged, at most: a packet or more.
    #[schemars(extend("examples" = ["256 KiB"]))]
    size: Bytes,
}

impl ControlKeys for FixedWindow {
    fn control(self, _: &Place<'_>) -> Result<Control, Diagnostic> {
        Ok(Control::Window(self.size))
    }
}
