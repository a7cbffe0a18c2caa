//! Input ports that drop packets for which they have no room, or cut off their data.

use drowse_core::model::config::{FlowControl, SwitchModel};

use crate::header::Kind;
use crate::machine::{Machine, Packet};

impl Machine<'_> {
    /// Returns what is left of a packet that comes to an input port, by the room of its virtual channel; `None` if it is
    /// dropped.
    pub fn left_of(&mut self, port: usize, vc: usize, mut packet: Packet) -> Option<Packet> {
        let SwitchModel { buffer_flits, flow_control, .. } = self.net.config.switch;
        let room = u64::from(buffer_flits);
        let of_port = self.net.first_queue(port)..self.net.first_queue(port + 1);
        let of_vc = of_port.filter(|&queue| self.net.input(queue).1 == vc);
        let held: u64 = of_vc.flat_map(|queue| &self.queues[queue]).map(|packet| packet.flits).sum();
        let cut = self.answer_flits();
        let has_data = packet.header.kind == Kind::Data && !packet.header.trimmed;
        if held + packet.flits > room && flow_control == FlowControl::Trim && has_data && cut < packet.flits {
            (packet.flits, packet.header.trimmed) = (cut, true);
            self.told().trimmed += 1;
        }
        // What has no data left has room of its own, as large again.
        let room = if packet.header.trimmed { 2 * room } else { room };
        let fits = held + packet.flits <= room;
        if !fits {
            self.told().dropped += 1;
        }
        fits.then_some(packet)
    }

    /// Puts a packet into a queue: at its end, or behind its head and others without data if its data was cut off.
    pub fn join(&mut self, queue: usize, packet: Packet) {
        let queue = &mut self.queues[queue];
        if !packet.header.trimmed || queue.is_empty() {
            return queue.push_back(packet);
        }
        let without_data = queue.iter().skip(1).take_while(|other| other.header.trimmed).count();
        queue.insert(1 + without_data, packet);
    }
}
