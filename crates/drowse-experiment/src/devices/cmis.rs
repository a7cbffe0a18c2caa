//! The times that a module tells in its memory map (CMIS, page 01h), as codes.

use drowse_core::model::units::Time;
use serde::{Deserialize, Serialize};

/// How a module leaves its low-power mode.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Wake {
    /// Nobody has published it.
    #[default]
    Unknown,
    /// By the codes of its memory map.
    Cmis(Cmis),
}

/// Codes of a module's memory map: `ModulePwrUp`, `DPDeinit`, `DPInit` and `TxTurnOn`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Cmis {
    /// Byte 167, low nibble: from low to high power.
    pub pwr_up: u8,
    /// Byte 144, high nibble: the data path is taken down.
    #[serde(default)]
    pub dp_deinit: u8,
    /// Byte 144, low nibble: the data path is made.
    pub dp_init: u8,
    /// Byte 168, low nibble: the transmitter is turned on.
    #[serde(default)]
    pub tx_turn_on: u8,
}

impl Wake {
    /// Returns the longest that a wake takes, but for the training of the link; `None` where that is unknown.
    ///
    /// Power comes up while the old data path goes down; then the data path is made, and the transmitter turned on.
    pub fn time(self) -> Option<Time> {
        let Wake::Cmis(Cmis { pwr_up, dp_deinit, dp_init, tx_turn_on }) = self else { return None };
        Some(upper_end(pwr_up)?.max(upper_end(dp_deinit)?) + upper_end(dp_init)? + upper_end(tx_turn_on)?)
    }
}

/// Returns the upper end of the range of times that a code of CMIS stands for; `None` for the longest, which has none,
/// and for codes that are reserved.
pub fn upper_end(code: u8) -> Option<Time> {
    const MILLISECONDS: [u64; 13] = [1, 5, 10, 50, 100, 500, 1_000, 5_000, 10_000, 60_000, 300_000, 600_000, 3_000_000];
    MILLISECONDS.get(usize::from(code)).map(|&milliseconds| Time::from_ns(milliseconds * 1_000_000))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// All codes, in seconds: 13 is longer than 50 minutes, 14 and 15 are reserved.
    #[test]
    fn codes() {
        let seconds = |code| upper_end(code).map(Time::seconds);
        let known = [0.001, 0.005, 0.01, 0.05, 0.1, 0.5, 1.0, 5.0, 10.0, 60.0, 300.0, 600.0, 3_000.0];
        (0..).zip(known).for_each(|(code, time)| assert_eq!(seconds(code), Some(time), "{code}"));
        (13..=16).for_each(|code| assert_eq!(seconds(code), None, "{code}"));
    }

    /// By hand: the longer of 5 s and 0.1 s, 1 s and 0.01 s.
    #[test]
    fn a_wake_is_the_sum_of_its_steps() {
        let codes = Cmis { pwr_up: 7, dp_deinit: 4, dp_init: 6, tx_turn_on: 2 };
        assert_eq!(Wake::Cmis(codes).time(), Some(Time::from_ns(6_010_000_000)));
        assert_eq!(Wake::Cmis(Cmis { dp_init: 13, ..codes }).time(), None);
        assert_eq!(Wake::Unknown.time(), None);
    }
}
