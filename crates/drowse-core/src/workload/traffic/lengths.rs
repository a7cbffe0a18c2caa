//! Lengths of open-loop messages: all the same, or a mix of short and long ones, as in INSEE's bimodal traffic.

use serde::Serialize;

use crate::model::config::SwitchModel;
use crate::model::units::Bytes;

/// The length of a message.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub enum Length {
    /// A number of full packets, at least 1.
    Packets(u32),
    /// A number of bytes: full packets and one with the rest, at least one flit.
    Bytes(Bytes),
}

/// The lengths of all messages.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::balance::Balance;
    use crate::model::config::{Arbitration, Escape, FlowControl, Forwarding, Queues, TrunkChoice, VirtualChannels};
    use crate::model::units::Time;

    /// Flits of 16 B, 8 in a packet.
    fn switch() -> SwitchModel {
        SwitchModel {
            clock: Time(1_600),
            flit: Bytes(16),
            packet_flits: 8,
            vcs: VirtualChannels::any(1),
            buffer_flits: 8,
            flow_control: FlowControl::Credits,
            input_speedup: 1,
            queues: Queues::Input,
            forwarding: Forwarding::CutThrough,
            escape: Escape::Dateline,
            arbitration: Arbitration::default(),
            request_busy: false,
            allocation_gap: Time::ZERO,
            trunks: TrunkChoice::Balanced,
            balance: Balance::Adaptive,
            marking: None,
            padding: false,
        }
    }

    #[test]
    #[expect(clippy::float_cmp, reason = "sums of quarters are exact")]
    fn means_weigh_by_share() {
        let [packets, bytes] = [Length::Packets(3), Length::Bytes(Bytes(33))];
        assert_eq!([packets.bytes(&switch()), bytes.bytes(&switch())], [3 * 8 * 16, 33]);
        assert_eq!([packets.flits(&switch()), bytes.flits(&switch())], [24, 3]);
        let mean = |short, long, share| Lengths::Two { short, long, share }.mean_flits(&switch());
        assert_eq!([mean(bytes, packets, 0.25), mean(packets, bytes, 0.25)], [8.25, 18.75]);
        assert_eq!([mean(bytes, packets, 0.0), mean(bytes, packets, 1.0), mean(bytes, bytes, 0.5)], [3.0, 24.0, 3.0]);
        assert_eq!(Lengths::packets(2).mean_flits(&switch()), 16.0);
    }
}
