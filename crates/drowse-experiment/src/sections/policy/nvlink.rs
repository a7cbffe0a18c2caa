//! `kind = "nvlink"`: the stall timer that NVLink has.

use drowse_core::model::units::Time;
use drowse_core::power::{ClassPolicy, Timers};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::kind::{Class, Place, PolicyKeys};
use crate::diagnostic::Diagnostic;

/// A channel goes to its second sleep state, a single lane, after an idle time: a threshold in units of the device, as
/// `nvidia-smi nvlink -sLowPwrThres` takes it.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct NvLink {
    /// Idle time in units; 1 to 1023 of 50 us, or 1 to 8191 of 100 us.
    #[schemars(extend("examples" = [1000]), extend("x-hint" = "for 50 ms"), range(min = 1, max = 8191))]
    threshold: u32,
    /// Unit of the threshold, which the device tells.
    #[serde(default)]
    #[schemars(extend("default" = "50 us"))]
    unit: Unit,
}

/// Unit of a threshold.
#[derive(Clone, Copy, Debug, Default, Deserialize, Serialize, JsonSchema)]
enum Unit {
    /// 50 us: GB200; up to 1023 of them.
    #[default]
    #[serde(rename = "50 us")]
    Fifty,
    /// 100 us: up to 8191 of them.
    #[serde(rename = "100 us")]
    Hundred,
}

impl Unit {
    /// Returns the unit in microseconds, and the largest threshold.
    fn limits(self) -> (u64, u32) {
        match self {
            Unit::Fifty => (50, 1_023),
            Unit::Hundred => (100, 8_191),
        }
    }
}

impl PolicyKeys for NvLink {
    fn check(&self, place: &Place<'_>) -> Result<(), Diagnostic> {
        let (unit, most) = self.unit.limits();
        if (1..=most).contains(&self.threshold) {
            return Ok(());
        }
        let message = format!("a threshold of {} units of {unit} us: devices take 1 to {most}", self.threshold);
        let help = "write a number in that range; other idle times are those of kind = \"stall-timer\"";
        Err(place.error("threshold", message, help))
    }

    fn policy(&self, place: &Place<'_>, class: &Class<'_>) -> Result<ClassPolicy, Diagnostic> {
        class.chosen(
            place,
            "what NVLink draws with a single lane, and how long its lanes take to wake, is not published",
            "power.states.list = [{ preset = \"nvlink-single-lane\", power = 0.25, enter = \"1 us\", wake = \"10 us\" }]",
        )?;
        let (unit, _) = self.unit.limits();
        let deep = Time::from_us(u64::from(self.threshold) * unit);
        Ok(ClassPolicy::StallTimer(Timers { shallow: Time::NEVER, deep }))
    }
}
