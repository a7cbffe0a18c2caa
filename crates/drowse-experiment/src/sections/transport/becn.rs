//! `kind = "becn"`.

use drowse_core::model::transport::{self, Control};
use drowse_core::model::units::Time;
use schemars::JsonSchema;
use serde::Deserialize;

use super::kind::{ControlKeys, Place};
use crate::diagnostic::Diagnostic;

/// A notification (BECN) of a marked packet (FECN) raises an index, which falls with time and says how long after a packet
/// the next may leave: the congestion control of InfiniBand and Omni-Path. Defaults are those of the Omni-Path fabric
/// manager, where it is on.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Becn {
    /// What a notification adds to the index.
    #[schemars(extend("default" = 5), range(min = 1, max = 65_535))]
    increase: Option<u16>,
    /// The largest index.
    #[schemars(extend("default" = 127), range(min = 1, max = 65_535))]
    limit: Option<u16>,
    /// How often the index falls by one.
    #[schemars(extend("default" = "10.24 us"))]
    fall_every: Option<Time>,
    /// The time after a full packet at the largest index; smaller ones are in proportion.
    #[schemars(extend("default" = "8.3 us"))]
    longest_gap: Option<Time>,
}

impl ControlKeys for Becn {
    fn control(self, place: &Place<'_>) -> Result<Control, Diagnostic> {
        let number = |key: &str, written: Option<u16>, usual: u16| match written.unwrap_or(usual) {
            0 => Err(place.error(key, format!("`transport.control.{key}` is zero"), "write 1 or more")),
            number => Ok(number),
        };
        let increase = number("increase", self.increase, 5)?;
        let limit = number("limit", self.limit, 127)?;
        let fall_every = place.period("fall_every", self.fall_every, Time(10_240_000))?;
        let longest_gap = place.period("longest_gap", self.longest_gap, Time::from_ns(8_300))?;
        Ok(Control::Becn(transport::Becn { increase, limit, fall_every, longest_gap }))
    }
}
