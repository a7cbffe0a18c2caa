//! `kind = "nscc"`.

use drowse_core::model::transport::{self, Control};
use drowse_core::model::units::Time;
use schemars::JsonSchema;
use serde::Deserialize;

use super::kind::{ControlKeys, Place};
use crate::diagnostic::Diagnostic;

/// A window that follows marks and the delay of round trips: network signalled congestion control of Ultra Ethernet. Its
/// gains follow from the bandwidth of the node's link and an unloaded round trip.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Nscc {
    /// The delay beyond an unloaded round trip that counts as congestion. Default: three quarters of that round trip.
    #[schemars(extend("examples" = ["10 us"]))]
    target: Option<Time>,
}

impl ControlKeys for Nscc {
    fn control(self, place: &Place<'_>) -> Result<Control, Diagnostic> {
        let target = self.target.map(|target| place.period("target", Some(target), Time::from_us(10))).transpose()?;
        Ok(Control::Nscc(transport::Nscc { target }))
    }
}
