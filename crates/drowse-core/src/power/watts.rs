//! What links, switches, NICs and nodes draw in watts, and the joules that follow.
//!
//! A channel draws the power of its state, and takes energy for what is sent over it. The rest of a switch, and NICs,
//! draw the same all the time. A node draws one power while a rank computes, and another while all of its ranks wait.

use serde::Serialize;

use super::model::channel_power;
use crate::model::link_state::PerState;

/// What the channels of a link class draw, and what the switches draw for its ports.
///
/// ```
/// use drowse_core::power::watts::{ClassWatts, Sent};
///
/// // A link of four lanes of 2 W, and 10 pJ for each bit.
/// let watts = ClassWatts { on: 2.0, per_bit: 10e-12, ..ClassWatts::default() };
/// // One channel, on for 1 s and in deep sleep at a tenth for 3 s; it has sent 100 Gb.
/// let residency = [1, 0, 0, 3, 0, 0, 0, 0, 0].map(|seconds: u128| seconds * 1_000_000_000_000);
/// let powers = [1.0, 1.0, 0.6, 0.1, 1.0, 1.0, 1.0, 1.0, 1.0];
/// let sent = Sent { lanes: 4, residency: &residency, powers: &powers, bits: 100_000_000_000, packets: 0 };
/// // 4 x 2 W x (1 s + 0.1 x 3 s), and 1 J for the bits.
/// assert!((watts.joules(&sent) - (10.4 + 1.0)).abs() < 1e-9);
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct ClassWatts {
    /// Power of each lane of a channel that is on, in watts.
    pub on: f64,
    /// Energy of a bit that is sent over a channel, in joules.
    pub per_bit: f64,
    /// Energy of a packet that is sent over a channel, in joules.
    pub per_packet: f64,
    /// Power that a switch draws for each lane of a port of this class, whatever its links do, in watts.
    pub port: f64,
}

/// What a node draws without its NIC, in watts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct NodeWatts {
    /// While ranks compute on all of its cores.
    pub busy: f64,
    /// While all of its ranks wait.
    pub idle: f64,
    /// While it has no job, under a scheduler; if that is not what it draws while its ranks wait.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub free: Option<f64>,
    /// While it is off; if that is not what it draws without a job.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub off: Option<f64>,
}

/// What all parts of a system draw.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Watts {
    /// By link class.
    pub classes: Vec<ClassWatts>,
    /// Power of a switch beside what it draws for each port, in watts.
    pub switch: f64,
    /// Power of a NIC, in watts.
    pub nic: f64,
    /// What a node draws while its ranks compute and while they wait.
    pub node: NodeWatts,
}

/// What channels of one class did.
#[derive(Clone, Copy, Debug)]
pub struct Sent<'a> {
    /// Lanes of each channel.
    pub lanes: u32,
    /// Channel time in each state, in picoseconds.
    pub residency: &'a PerState<u128>,
    /// Power of each state, as a share of that of a channel that is on.
    pub powers: &'a PerState<f64>,
    /// Bits that were sent.
    pub bits: u128,
    /// Packets that were sent.
    pub packets: u64,
}

impl ClassWatts {
    /// Returns the energy of channels in joules: that of their states, and that of what they sent.
    pub fn joules(&self, sent: &Sent<'_>) -> f64 {
        let channel_seconds = sent.residency.iter().sum::<u128>() as f64 / 1e12;
        let states = f64::from(sent.lanes) * self.on * channel_power(sent.residency, sent.powers) * channel_seconds;
        states + self.per_bit * sent.bits as f64 + self.per_packet * sent.packets as f64
    }
}

impl NodeWatts {
    /// Returns the energy in joules of a node over some seconds, of which its cores are busy for some on average.
    pub fn joules(&self, seconds: f64, busy_seconds: f64) -> f64 {
        self.idle * seconds + (self.busy - self.idle) * busy_seconds
    }

    /// Returns by how many joules that differs for nodes that were without a job for some seconds on, and for some off.
    pub fn free_joules(&self, on_seconds: f64, off_seconds: f64) -> f64 {
        let free = self.free.unwrap_or(self.idle);
        (free - self.idle) * on_seconds + (self.off.unwrap_or(free) - self.idle) * off_seconds
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Two lanes at 3 W, on for 1 s and at a tenth for 2 s: 2 x (3 + 0.6) J. 1,000 bits at 1 mJ, 4 packets at 0.25 J.
    #[test]
    fn channels_by_hand() {
        let watts = ClassWatts { on: 3.0, per_bit: 1e-3, per_packet: 0.25, port: 7.0 };
        let residency = [1_000_000_000_000, 0, 0, 2_000_000_000_000, 0, 0, 0, 0, 0];
        let powers = [1.0, 1.0, 0.6, 0.1, 1.0, 1.0, 1.0, 1.0, 1.0];
        let sent = Sent { lanes: 2, residency: &residency, powers: &powers, bits: 1_000, packets: 4 };
        assert!((watts.joules(&sent) - (7.2 + 1.0 + 1.0)).abs() < 1e-12);
    }

    /// 10 s at 200 W, and 300 W more for 4 s.
    #[test]
    fn nodes_by_hand() {
        let node = NodeWatts { busy: 500.0, idle: 200.0, free: None, off: None };
        assert!((node.joules(10.0, 4.0) - 3_200.0).abs() < 1e-9);
        assert!(node.free_joules(2.0, 3.0).abs() < 1e-9);
        // Without a job, 100 W less for 2 s, and 190 W less for 3 s.
        let node = NodeWatts { free: Some(100.0), off: Some(10.0), ..node };
        assert!((node.free_joules(2.0, 3.0) + 770.0).abs() < 1e-9);
    }
}
