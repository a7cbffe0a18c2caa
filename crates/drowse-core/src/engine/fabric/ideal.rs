//! The ideal network: every message has it for itself.

use super::PacketFabric;
use crate::engine::endpoint::fabric::Fabric;
use crate::engine::endpoint::message::MessageSlab;
use crate::engine::event::Events;
use crate::engine::event::node::{NodeEvent, Phase, later};
use crate::engine::fabric::nic::Nics;
use crate::model::units::Time;
use crate::power::Policy;
use crate::topology::Ideal;

/// The ideal network between the nodes of a shard, whose events and messages it uses; there is nothing else.
pub struct IdealFabric<'s> {
    ideal: Ideal,
    events: &'s mut Events,
    nics: &'s mut Nics,
}

impl<'s> IdealFabric<'s> {
    /// Makes it of a shard without switches and links.
    pub fn of<P: Policy>(ideal: Ideal, shard: &'s mut PacketFabric<'_, P>) -> Self {
        IdealFabric { ideal, events: &mut shard.switches.events, nics: &mut shard.nics }
    }
}

impl Fabric for IdealFabric<'_> {
    fn events(&mut self) -> &mut Events {
        self.events
    }

    fn messages(&mut self) -> &mut MessageSlab {
        &mut self.nics.messages
    }

    fn next_sequence(&mut self, node: u32) -> u32 {
        self.nics.next_sequence(node)
    }

    /// A message leaves at once, and all of it comes after its time.
    fn send(&mut self, message: u32, t: u64) {
        let leaves = t + self.nics.nic_latency;
        let id = message;
        let message = &mut self.nics.messages[id];
        message.packets_left = 0;
        let carried = self.ideal.transfer_time(message.bytes).saturating_add(Time(self.nics.nic_latency));
        message.done_at = later(leaves, carried);
        self.events.put_node(message.event(Phase::Delivered, id));
        if let Some(send) = message.purpose.completes() {
            let left = later(leaves, self.ideal.bandwidth.transfer_time(message.bytes));
            self.events.put_node(NodeEvent { time: left, data: send, ..message.sent_event() });
        }
    }

    fn send_segmented(&mut self, message: u32, t: u64) {
        self.send(message, t);
    }

    /// No link sleeps.
    fn wake_delay_of_send(&mut self, _rank: u32, _send: u32) -> u64 {
        0
    }
}
