//! Lengths of open-loop messages: all the same, or a mix of short and long ones, as in INSEE's bimodal traffic.

use crate::model::config::SwitchModel;
use crate::model::units::Bytes;

/// The length of a message.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Length {
    /// A number of full packets, at least 1.
    Packets(u32),
    /// A number of bytes: full packets and one with the rest, at least one flit.
    Bytes(Bytes),
}

/// The lengths of all messages.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Lengths {
    /// All messages have the same length.
    One(Length),
    /// Each message is short or long, drawn independently.
    Two {
        /// The length of a short message.
        short: Length,
        /// The length of a long message.
        long: Length,
        /// The share of messages (not of flits) that are long, 0 to 1.
        share: f64,
    },
}

impl Length {
    /// Returns the number of bytes.
    pub fn bytes(self, switch: &SwitchModel) -> u64 {
        match self {
            Length::Packets(packets) => u64::from(packets) * u64::from(switch.packet_flits) * switch.flit.0,
            Length::Bytes(Bytes(bytes)) => bytes,
        }
    }

    /// Returns the number of flits.
    pub fn flits(self, switch: &SwitchModel) -> u64 {
        switch.message_flits(self.bytes(switch))
    }
}

impl Lengths {
    /// Makes all messages `packets` full packets long.
    pub const fn packets(packets: u32) -> Self {
        Lengths::One(Length::Packets(packets))
    }

    /// Returns the mean number of flits of a message. With the load, it determines the rate of messages.
    pub fn mean_flits(self, switch: &SwitchModel) -> f64 {
        match self {
            Lengths::One(length) => length.flits(switch) as f64,
            Lengths::Two { short, long, share } => {
                (1.0 - share) * short.flits(switch) as f64 + share * long.flits(switch) as f64
            }
        }
    }
}
