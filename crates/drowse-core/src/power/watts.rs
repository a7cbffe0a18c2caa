//! What links, switches, NICs and nodes draw in watts, and the joules that follow.
//!
//! A channel draws the power of its state, and takes energy for what is sent over it. The rest of a switch, and NICs,
//! draw the same all the time. A node draws one power while a rank computes, and another while all of its ranks wait.
//!
//! What of a port can sleep is in the power of the channels ([`ClassWatts::on`]). What cannot, such as a module that
//! stays plugged, is in [`ClassWatts::port`]. The chassis is in the power of the switches.

use serde::Serialize;

use super::model::channel_power;
pub use super::node_watts::{AcceleratorWatts, NodeTimes, NodeWatts};
use crate::model::ids::{ChannelId, PortId};
use crate::model::link_state::PerState;
use crate::topology::{End, Network};

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

/// What all parts of a system draw.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Watts {
    /// By link class; where switches are of several models, by [`Watts::place_of`].
    pub classes: Vec<ClassWatts>,
    /// Power of a switch beside what it draws for each port, in watts.
    pub switch: f64,
    /// Power of each switch beyond that, in watts, such as its share of a chassis; empty where there is none.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub switches: Vec<f64>,
    /// The models of the switches, where there are several.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub models: Option<Models>,
    /// Power of a NIC, in watts.
    pub nic: f64,
    /// What a node draws while its ranks compute and while they wait.
    pub node: NodeWatts,
}

/// Switches of several models in one network.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Models {
    /// How many models there are.
    pub count: u8,
    /// The model of each switch, from 0.
    pub of_switch: Vec<u8>,
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

impl Watts {
    /// Returns the place in [`Watts::classes`] of what a channel draws. With one model it is the link class. With
    /// several it is (from x models + to) x classes + class, with the models of the switches at both ends; the link of
    /// a node has the model of its switch at both.
    pub fn place_of(&self, network: &Network, channel: ChannelId) -> usize {
        let class = usize::from(network.channel_class(channel));
        let Some(models) = &self.models else { return class };
        let of_port = |port: PortId| models.of_switch[network.port_switch(port.index()) as usize];
        let of_end = |end: End| if let End::Port(port) = end { Some(of_port(port)) } else { None };
        let from = (channel.0 < network.ports()).then(|| of_port(PortId(channel.0)));
        let to = of_end(network.target(channel));
        let [from, to] = [from.or(to), to.or(from)].map(Option::unwrap_or_default);
        models.place(from, to, class, network.classes.len())
    }

    /// Returns what a port of some class of a switch draws.
    pub fn of_port(&self, network: &Network, switch: u32, class: usize) -> &ClassWatts {
        let place = self.models.as_ref().map_or(class, |models| {
            let model = models.of_switch[switch as usize];
            models.place(model, model, class, network.classes.len())
        });
        &self.classes[place]
    }

    /// Returns what each switch draws without its links, in watts; `lanes` says how many a link of a class has.
    pub fn of_switches<'a>(
        &'a self,
        network: &'a Network,
        lanes: impl Fn(usize) -> u32 + Copy + 'a,
    ) -> impl Iterator<Item = f64> + 'a {
        (0..).zip(network.first_port.windows(2)).map(move |(switch, ports)| {
            let classes =
                network.port_class[ports[0] as usize..ports[1] as usize].iter().map(|&class| usize::from(class));
            let ports = classes.map(|class| self.of_port(network, switch, class).port * f64::from(lanes(class)));
            self.of_switch(switch) + ports.sum::<f64>()
        })
    }

    /// Returns what a switch draws beside its ports, in watts.
    pub fn of_switch(&self, switch: u32) -> f64 {
        self.switch + self.switches.get(switch as usize).copied().unwrap_or_default()
    }
}

impl Models {
    /// Returns the place in [`Watts::classes`] of channels of a class between switches of two models.
    pub fn place(&self, from: u8, to: u8, class: usize, classes: usize) -> usize {
        (usize::from(from) * usize::from(self.count) + usize::from(to)) * classes + class
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

    /// Two leaves of model 0 and a spine of model 1: a channel has the place of the models at its ends, in its
    /// direction, and the link of a node that of its switch.
    #[test]
    fn channels_between_two_models() {
        use crate::topology::{TopologySpec, Xgft};

        let tree = TopologySpec::Xgft(Xgft { children: vec![1, 2], parents: vec![1], links: Vec::new() });
        let network = tree.build().unwrap_or_else(|error| panic!("{error}"));
        let classes = network.classes.len();
        let models = Models { count: 2, of_switch: vec![0, 0, 1] };
        let watts = Watts { models: Some(models), switch: 5.0, switches: vec![1.0, 2.0, 3.0], ..Watts::default() };
        for channel in (0..network.channels()).map(ChannelId) {
            let class = usize::from(network.channel_class(channel));
            let upward = channel.0 < network.ports() && network.port_switch(channel.index()) < 2;
            let pair = match (class, upward) {
                (0, _) => 0,
                (_, true) => 1,
                (_, false) => 2,
            };
            assert_eq!(watts.place_of(&network, channel), pair * classes + class, "{channel:?}");
        }
        assert_eq!([0, 1, 2].map(|switch| watts.of_switch(switch).to_bits()), [6.0_f64, 7.0, 8.0].map(f64::to_bits));
    }
}
