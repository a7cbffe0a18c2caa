//! The flows of a run with the channels, events and messages that they use.

use crate::engine::endpoint::fabric::Fabric;
use crate::engine::endpoint::message::MessageSlab;
use crate::engine::event::Events;
use crate::engine::fabric::PacketFabric;
use crate::power::Policy;

use super::agenda::Due;
use super::flows::Flows;

/// The network of flows. It uses the channels, events and messages of a network of packets, through whose queues
/// nothing goes.
pub struct FlowFabric<'s, 'a, P: Policy> {
    pub(super) flows: &'s mut Flows,
    pub(super) under: &'s mut PacketFabric<'a, P>,
}

impl<'s, 'a, P: Policy> FlowFabric<'s, 'a, P> {
    /// Makes it of the flows and channels of a shard.
    pub fn of(flows: &'s mut Flows, under: &'s mut PacketFabric<'a, P>) -> Self {
        FlowFabric { flows, under }
    }

    /// Does what is planned for time `t`, before anything else happens then.
    pub fn happen(&mut self, t: u64) {
        self.flows.disarm(t);
        while let Some(due) = self.flows.agenda.take(t) {
            self.act(due, t);
        }
        self.flows.arm(&mut self.under.switches.events);
    }

    /// Begins messages, solves rates and lets unused channels idle at time `t`, after all else that happens then.
    pub fn end_instant(&mut self, t: u64) {
        self.flows.marked_now();
        while let Some(node) = self.flows.ready.pop() {
            self.begin(node, t);
        }
        if std::mem::take(&mut self.flows.changed) {
            self.solve(t);
        }
        while let Some(channel) = self.flows.closing.pop() {
            let (channel, links) = (channel as usize, &mut self.under.switches.links);
            if self.flows.users[channel] == 0 {
                // What counts as sent by a port that a trunk turns off are whole packets.
                links.hot[channel].free_at = links.hot[channel].free_at.max(self.flows.work[channel].until);
                links.begin_idle(channel, t);
            }
        }
        self.audit(t);
        self.flows.tidy();
        self.flows.arm(&mut self.under.switches.events);
    }
}

impl<P: Policy> Fabric for FlowFabric<'_, '_, P> {
    #[inline]
    fn events(&mut self) -> &mut Events {
        &mut self.under.switches.events
    }

    #[inline]
    fn messages(&mut self) -> &mut MessageSlab {
        &mut self.under.nics.messages
    }

    #[inline]
    fn next_sequence(&mut self, node: u32) -> u32 {
        self.under.nics.next_sequence(node)
    }

    fn send(&mut self, message: u32, t: u64) {
        let (packets, flits) = self.under.nics.segment(self.under.nics.messages[message].bytes);
        let place = &mut self.under.nics.messages[message];
        (place.packets_left, place.flits_left) = (packets, flits);
        self.send_segmented(message, t);
    }

    fn send_segmented(&mut self, message: u32, t: u64) {
        let messages = &mut self.under.nics.messages;
        let node = messages[message].from_node;
        if !self.flows.nics.push(messages, node, message) {
            return;
        }
        let events = &mut self.under.switches.events;
        if t > events.now.time {
            // The runtime system tells at an edge what leaves at the next.
            self.flows.agenda.put(t, Due::Begins { node });
            self.flows.arm(events);
        } else {
            self.flows.ready.push(node);
            self.flows.mark(events, t);
        }
    }

    fn wake_delay_of_send(&mut self, rank: u32, send: u32) -> u64 {
        self.under.nics.slept.remove(&(rank, send)).unwrap_or(0)
    }
}
