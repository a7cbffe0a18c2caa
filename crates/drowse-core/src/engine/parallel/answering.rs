//! What a shard does with packets that reach nodes which answer each other.

use crate::engine::event::node::{NodeEvent, Phase};
use crate::engine::fabric::PacketFabric;
use crate::engine::parallel::shard::Shard;
use crate::engine::switch::outgoing::Ejected;
use crate::engine::transport::Came;
use crate::measure::TransportRecord;
use crate::power::Policy;

impl<P: Policy> Shard<'_, P> {
    /// Keeps the packets whose last bits have been scheduled at this edge until these have come.
    #[cold]
    pub(super) fn keep_ejected(&mut self) {
        let PacketFabric { switches, nics } = &mut self.fabric;
        let Some(transports) = &mut nics.transports else { return };
        let came = switches.outgoing.ejected.drain(..).zip(switches.outgoing.came.drain(..));
        for (packet, place) in came {
            self.tally.packets_delivered += 1;
            let at = packet.at + nics.nic_latency;
            let node = switches.network.peer[place.port as usize] - switches.network.ports();
            let node = switches.partition.all_nodes.here(node);
            let data = transports.keep(Came { place, packet: Ejected { at, ..packet } });
            let event = NodeEvent { data, ..NodeEvent::new(at, Phase::Packet, node) };
            switches.events.put_node(event);
        }
    }

    /// Returns what its nodes have told each other, where they answer.
    pub(crate) fn told(&self) -> Option<TransportRecord> {
        let told = self.fabric.nics.transports.as_ref()?.record();
        let dropper = self.fabric.switches.dropper.as_ref();
        let [dropped, trimmed] = dropper.map_or([0; 2], |dropper| [dropper.dropped, dropper.trimmed]);
        Some(TransportRecord { lossy: dropper.is_some(), dropped, trimmed, ..told })
    }

    /// Acts on a packet whose last bit has come at time `t`.
    #[cold]
    pub(super) fn packet_came(&mut self, node: u32, kept: u32, t: u64) {
        let Some(came) = self.fabric.nics.transports.as_mut().map(|transports| transports.take(kept)) else { return };
        let Some((message, first)) = self.fabric.nics.take_in(&mut self.fabric.switches, node, &came, t) else {
            return;
        };
        let packet = Ejected { message, first, ..came.packet };
        let Some(arrivals) = &mut self.arrivals else { return self.deliver(&packet) };
        let mut ready = vec![packet];
        arrivals.take_in(&mut ready, &mut vec![came.place]);
        ready.iter().for_each(|packet| self.deliver(packet));
    }
}
