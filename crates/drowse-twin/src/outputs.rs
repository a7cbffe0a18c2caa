//! Queues at outputs: how packets come through the crossbar into them. How links take them from there is in
//! [`crate::allocate`].

use drowse_core::model::config::{ClassModel, Config, FlowControl, OutputQueues, SwitchModel};
use drowse_core::model::units::{BitRate, Time};
use drowse_core::power::Timers;

use crate::channel::Channel;
use crate::machine::{Machine, Packet};
use crate::net::{Net, Output};
use crate::policy::Policy;

/// Crossbar paths do not sleep.
static ALWAYS_ON: Policy = Policy::Timers(Timers::NEVER);

/// Returns the classes of crossbar paths to links of each class: so many times as fast, and a cycle long. There are none
/// without output queues.
pub fn crossbar_classes(config: &Config) -> Vec<ClassModel> {
    let Some(OutputQueues { speedup, .. }) = config.switch.output_queues() else { return Vec::new() };
    let way = |class: &ClassModel| ClassModel {
        bandwidth: BitRate(class.bandwidth.0 * u64::from(speedup)),
        latency: Time::ZERO,
        hop: config.switch.clock,
        states: None,
        ..class.clone()
    };
    config.classes.iter().map(way).collect()
}

/// Makes the crossbar paths to the output queues of all ports, if there are any.
pub fn crossbar_channels<'a>(net: &Net<'a>, classes: &'a [ClassModel]) -> Vec<Channel<'a>> {
    let Some(OutputQueues { room_flits, paths: count, .. }) = net.output_queues() else { return Vec::new() };
    let flow_control = FlowControl::Credits;
    let switch = SwitchModel { buffer_flits: room_flits, flow_control, ..net.config.switch.clone() };
    let of_ports = net.network.port_class.iter().map(|&class| &classes[usize::from(class)]);
    let ports = of_ports.map(|class| Channel::new(0, class, &ALWAYS_ON, &switch));
    ports.map(|way| way.with_paths(count.into())).collect()
}

impl Machine<'_> {
    /// Brings a packet that begins to cross at time `start` to the output queues before a link.
    pub fn cross(&mut self, packet: Packet, (way, vc): Output, start: u64) {
        self.channels[way].take(vc, packet.flits);
        let Packet { message, first, flits, trip, came_by, born, header, .. } = packet;
        let head_at = start + self.channels[way].class.hop.0;
        let packet = Packet {
            message,
            first,
            flits,
            trip,
            came_by,
            born,
            header,
            head_at,
            has_decided: true,
            ..Packet::default()
        };
        self.wires.push((self.net.ports + self.net.port_of(way), vc, packet));
    }

    /// Returns the time before which a packet has not left its queue: at an input, its last bit must have come before it
    /// can cross.
    pub fn crosses_until(&self, queue: usize, packet: &Packet) -> u64 {
        let input = self.net.input(queue).0;
        if self.net.output_queues().is_none() || self.net.stores() || input >= self.net.ports {
            return 0;
        }
        packet.head_at + self.channels[input].duration(packet.flits, packet.narrow)
    }
}
