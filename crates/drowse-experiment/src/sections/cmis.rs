//! Times of optical modules by the Common Management Interface Specification (CMIS): a module tells them as codes.
//!
//! A module in its low-power mode has its data path off. To wake, it powers up and initialises the data path, then its
//! transmitter turns on: max(`ModulePwrUp`, `DPDeinit`) + `DPInit` + `TxTurnOn`, and the link trains after that. The order
//! is the one in which SONiC's driver waits. To sleep, it goes the way back: `TxTurnOff` + `DPDeinit` + `ModulePwrDn`;
//! that the times add up is inferred.

use drowse_core::model::units::Time;
use schemars::JsonSchema;
use serde::Deserialize;

use crate::diagnostic::Diagnostic;
use crate::keys::{Keys, join};

/// The upper ends of the codes' ranges in milliseconds, from 0 on. The specification leaves code 13 open; 100 minutes are
/// what SONiC takes. 14 and 15 are reserved.
const MILLISECONDS: [u64; 14] =
    [1, 5, 10, 50, 100, 500, 1_000, 5_000, 10_000, 60_000, 300_000, 600_000, 3_000_000, 6_000_000];

/// The code where a module's is not known: up to 5 s. It is assumed.
const ASSUMED: u8 = 7;

/// Codes of a module's times (CMIS, page 01h); what is left out is assumed to be 7, up to 5 s.
#[derive(Clone, Copy, Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Cmis {
    /// Code of `ModulePwrUp` (byte 167, low nibble).
    #[schemars(extend("default" = 7), range(min = 0, max = 13))]
    pwr_up: Option<u8>,
    /// Code of `ModulePwrDn` (byte 167, high nibble).
    #[schemars(extend("default" = 7), range(min = 0, max = 13))]
    pwr_dn: Option<u8>,
    /// Code of `DPInit` (byte 144, low nibble).
    #[schemars(extend("default" = 7), range(min = 0, max = 13))]
    dp_init: Option<u8>,
    /// Code of `DPDeinit` (byte 144, high nibble).
    #[schemars(extend("default" = 7), range(min = 0, max = 13))]
    dp_deinit: Option<u8>,
    /// Code of `TxTurnOn` (byte 168, low nibble).
    #[schemars(extend("default" = 7), range(min = 0, max = 13))]
    tx_turn_on: Option<u8>,
    /// Code of `TxTurnOff` (byte 168, high nibble).
    #[schemars(extend("default" = 7), range(min = 0, max = 13))]
    tx_turn_off: Option<u8>,
    /// Time that the two ends of the link train after that. Default: none.
    #[schemars(extend("examples" = ["1 s"]))]
    training: Option<Time>,
}

/// Returns the longest time of a code; `None` for a reserved one.
pub fn longest(code: u8) -> Option<Time> {
    MILLISECONDS.get(usize::from(code)).map(|&milliseconds| Time(milliseconds * 1_000_000_000))
}

impl Cmis {
    /// Returns the times to enter the low-power mode and to wake.
    pub fn times(&self, keys: &Keys, path: &str) -> Result<(Time, Time), Diagnostic> {
        let time = |key: &str, code: Option<u8>| {
            let code = code.unwrap_or(ASSUMED);
            longest(code).ok_or_else(|| {
                let message = format!("code {code} of a module's time is reserved: it says no time");
                keys.error(&join(path, key), message, "write 0 to 13, or the times themselves: enter and wake")
            })
        };
        let (up, down) = (time("pwr_up", self.pwr_up)?, time("pwr_dn", self.pwr_dn)?);
        let (init, deinit) = (time("dp_init", self.dp_init)?, time("dp_deinit", self.dp_deinit)?);
        let (on, off) = (time("tx_turn_on", self.tx_turn_on)?, time("tx_turn_off", self.tx_turn_off)?);
        let training = self.training.unwrap_or(Time::ZERO);
        let wake = up.max(deinit).saturating_add(init).saturating_add(on).saturating_add(training);
        Ok((off.saturating_add(deinit).saturating_add(down), wake))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// All codes, as the specification has them, in seconds.
    #[test]
    fn codes_by_the_specification() {
        let seconds = [0.001, 0.005, 0.01, 0.05, 0.1, 0.5, 1.0, 5.0, 10.0, 60.0, 300.0, 600.0, 3_000.0, 6_000.0];
        for (code, seconds) in (0..).zip(seconds) {
            assert_eq!(longest(code).map(Time::seconds), Some(seconds), "code {code}");
        }
        assert_eq!([14, 15].map(longest), [None, None]);
    }
}
