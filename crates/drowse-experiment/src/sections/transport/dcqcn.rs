//! `kind = "dcqcn"`.

use drowse_core::model::transport::{self, Control};
use drowse_core::model::units::{BitRate, Bytes, Time};
use schemars::JsonSchema;
use serde::Deserialize;

use super::kind::{ControlKeys, Place};
use crate::diagnostic::Diagnostic;

/// A rate that notifications of marked packets cut, and that rises with time and with bytes (Zhu et al., SIGCOMM 2015).
/// Defaults are those of the paper, rates in proportion to the bandwidth of the node's link.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Dcqcn {
    /// A receiver notifies a sender of marked packets at most so often.
    #[schemars(extend("default" = "50 us"))]
    notify_every: Option<Time>,
    /// A sender cuts its rate at most so often.
    #[schemars(extend("default" = "50 us"))]
    cut_every: Option<Time>,
    /// How often the estimate of congestion (alpha) is brought up to date.
    #[schemars(extend("default" = "55 us"))]
    alpha_every: Option<Time>,
    /// The weight of new in that estimate is one divided by two to this power.
    #[schemars(extend("default" = 8), range(min = 1, max = 16))]
    gain_bits: Option<u8>,
    /// How often the rate rises by time.
    #[schemars(extend("default" = "55 us"))]
    rise_every: Option<Time>,
    /// After how many bytes it rises.
    #[schemars(extend("default" = "10 MB"))]
    rise_bytes: Option<Bytes>,
    /// How often it rises half of the way to the rate before the cut, until it rises beyond (F).
    #[schemars(extend("default" = 5), range(min = 1, max = 1_000))]
    fast_recoveries: Option<u32>,
    /// By what it rises then. Default: a thousandth of the link's bandwidth.
    #[schemars(extend("examples" = ["40 Mb/s"]))]
    additive: Option<BitRate>,
    /// By what it rises once time and bytes have raised it often. Default: a hundredth of the link's bandwidth.
    #[schemars(extend("examples" = ["400 Mb/s"]))]
    hyper: Option<BitRate>,
    /// The lowest rate. Default: a hundredth of the link's bandwidth.
    #[schemars(extend("examples" = ["100 Mb/s"]))]
    least: Option<BitRate>,
}

impl ControlKeys for Dcqcn {
    fn control(self, place: &Place<'_>) -> Result<Control, Diagnostic> {
        let part = |parts: u64| BitRate((place.rate.0 / parts).max(1));
        let gain_bits = self.gain_bits.unwrap_or(8);
        if !(1..=16).contains(&gain_bits) {
            let message = format!("`transport.control.gain_bits` = {gain_bits} is out of range");
            return Err(place.error("gain_bits", message, "write 1 to 16: 8 is a weight of 1/256"));
        }
        let fast_recoveries = self.fast_recoveries.unwrap_or(5);
        if !(1..=1_000).contains(&fast_recoveries) {
            let message = format!("`transport.control.fast_recoveries` = {fast_recoveries} is out of range");
            return Err(place.error("fast_recoveries", message, "write 1 to 1,000"));
        }
        let rise_bytes = self.rise_bytes.unwrap_or(Bytes(10_000_000));
        if rise_bytes.0 < 1_000 {
            let message = format!("a rate that rises every {} bytes never stays where a cut left it", rise_bytes.0);
            return Err(place.error("rise_bytes", message, "write \"1 kB\" or more; usual is \"10 MB\""));
        }
        Ok(Control::Dcqcn(transport::Dcqcn {
            notify_every: place.period("notify_every", self.notify_every, Time::from_us(50))?,
            cut_every: place.period("cut_every", self.cut_every, Time::from_us(50))?,
            alpha_every: place.period("alpha_every", self.alpha_every, Time::from_us(55))?,
            gain_bits,
            rise_every: place.period("rise_every", self.rise_every, Time::from_us(55))?,
            rise_bytes,
            fast_recoveries,
            additive: place.rate("additive", self.additive, part(1_000))?,
            hyper: place.rate("hyper", self.hyper, part(100))?,
            least: place.rate("least", self.least, part(100))?,
        }))
    }
}
