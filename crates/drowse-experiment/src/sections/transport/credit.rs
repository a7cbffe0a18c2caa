//! `kind = "credit"`.

use drowse_core::model::transport::{Control, ReceiverCredit};
use schemars::JsonSchema;
use serde::Deserialize;

use super::kind::{ControlKeys, Place};
use crate::diagnostic::Diagnostic;
use crate::sections::billionths;

/// A sender sends what its receiver grants, to all that send to it in turn: receiver credit congestion control of Ultra
/// Ethernet. After a pause it sends one and a half bandwidth-delay products unasked.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Credit {
    /// Full packets that one credit is for.
    #[schemars(extend("default" = 4), range(min = 1, max = 65_535))]
    packets: Option<u16>,
    /// The share of the bandwidth of its link that a receiver grants.
    #[schemars(extend("default" = 0.99), range(min = 0.01, max = 1))]
    share: Option<f64>,
}

impl ControlKeys for Credit {
    fn control(self, place: &Place<'_>) -> Result<Control, Diagnostic> {
        let (packets, share) = (self.packets.unwrap_or(4), self.share.unwrap_or(0.99));
        if packets == 0 {
            return Err(place.error("packets", "a credit for no packet lets nobody send", "write 1 or more"));
        }
        if !(0.01..=1.0).contains(&share) {
            let message = format!("`transport.control.share` = {share} is out of range");
            return Err(place.error("share", message, "write a number from 0.01 to 1.0"));
        }
        Ok(Control::Credit(ReceiverCredit { packets, rate_billionths: billionths(share) }))
    }
}
