//! Links whose two channels sleep together (`power.directions = "both"`), as those of 1000BASE-T must.
//!
//! An end of a link idles while it neither sends nor receives; when one end wakes its channel, the other end learns of it
//! a wire's latency later, and wakes its own. So both idle, sleep and wake at the same times but for the latency; under
//! policies that learn, each end learns of its own channel.

use crate::power::Policy;

use crate::engine::control::trunks::{LinkMessage, RemoteMessage};
use crate::engine::event::node::{NodeEvent, Phase};
use crate::engine::link::channel::{Channel, Links};
use crate::engine::partition::REMOTE;
use crate::engine::switch::switches::Switches;

impl<P: Policy> Links<'_, P> {
    /// Lets a channel know at time `t` that the other of its link is in use until `until`; tells whether that has woken it.
    fn peer_active(&mut self, channel: usize, t: u64, until: u64) -> bool {
        // Governed trunks have their own rule for the two channels of a link.
        if !self.hot[channel].has(Channel::SLEEPS) || self.hot[channel].has(Channel::GOVERNED) {
            return false;
        }
        let account = &mut self.accounts[channel];
        account.peer_until = account.peer_until.max(until);
        if self.is_asleep(channel, t) {
            self.stop_coalescing(channel);
            self.start_waking(channel, t);
            let awake_at = self.hot[channel].awake_at;
            self.idle_from(channel, awake_at);
            return true;
        }
        let idle_since = self.hot[channel].idle_since;
        // One that somebody waits for idles when the last of them has gone.
        if idle_since != u64::MAX {
            self.idle_over(channel, t);
            self.idle_from(channel, idle_since.max(t));
        }
        false
    }
}

impl<P: Policy> Switches<'_, P> {
    /// Lets the channel that leads back know that a packet's head has reached its input port.
    pub fn received(&mut self, id: u32) {
        let packet = &self.packets[id];
        let (port, until) = ((packet.place >> self.vc_bits) as usize, packet.head_at);
        let until = until + self.channels.class(port).duration_ceil(packet.flits);
        self.peer_active_at_port(port, until);
    }

    /// Lets a port's channel wake with that of the other end of its link.
    pub fn peer_woken(&mut self, port: usize) {
        self.peer_active_at_port(port, self.now.time);
    }

    fn peer_active_at_port(&mut self, port: usize, until: u64) {
        if self.channels.peer_active(port, self.now.time, until) && self.channels.some_wait(port) {
            // They waited for others, but may take this one.
            let awake = self.clock.first_from(self.channels.hot[port].awake_at);
            self.wake_output(port, awake.max(self.now.number + 1));
        }
    }

    /// Lets a node know of a packet that it begins to receive at a time.
    pub fn sent_to_node(&mut self, channel: usize, flits: u16, time: u64) {
        let node = self.channels.hot[channel].peer - self.part.ports();
        self.put_node(NodeEvent { data: u32::from(flits), ..NodeEvent::new(time, Phase::Peer, node) });
    }

    /// Lets a node's channel know at time `t` that the node receives so many flits, or none where the other end of its link wakes.
    pub fn node_received(&mut self, node: u32, flits: u32, t: u64) {
        let channel = (self.part.ports() + node) as usize;
        let until = t + self.channels.class(channel).duration_ceil(flits as u16);
        if self.channels.peer_active(channel, t, until) {
            let awake_at = self.channels.hot[channel].awake_at;
            self.put_node(NodeEvent::nic(awake_at, node));
        }
    }

    /// Lets the other ends of the links whose channels have been woken know of it.
    #[inline]
    pub fn tell_peers(&mut self) {
        while let Some((channel, t)) = self.channels.woken.pop() {
            self.tell_peer(channel as u32, t);
        }
    }

    fn tell_peer(&mut self, channel: u32, t: u64) {
        // What is told takes effect at a later edge, however short the wire.
        let at = (t + self.channels.class(channel as usize).latency).max(self.now.time + 1);
        let ports = self.part.ports();
        let Some(node) = channel.checked_sub(ports) else {
            let peer = self.part.peer[channel as usize];
            if peer & REMOTE != 0 {
                self.words_elsewhere.push(RemoteMessage { port: peer & !REMOTE, at, word: LinkMessage::Woken });
            } else if peer >= ports {
                self.put_node(NodeEvent::new(at, Phase::Peer, peer - ports));
            } else {
                self.put_message(peer, at, LinkMessage::Woken);
            }
            return;
        };
        self.put_message(self.part.node_port[node as usize], at, LinkMessage::Woken);
    }
}
