//! Links whose two channels sleep together (`power.directions = "both"`), as those of 1000BASE-T must.
//!
//! An end of a link idles while it neither sends nor receives. When one end wakes its channel, the other end learns of
//! it a wire's latency later and wakes its own. So both idle, sleep and wake at the same times but for the latency;
//! under policies that learn, each end learns of its own channel.

use crate::engine::event::node::{NodeEvent, Phase};
use crate::engine::partition::REMOTE;
use crate::engine::switch::outgoing::{LinkMessage, ToNode};
use crate::engine::switch::switches::Switches;
use crate::power::Policy;

/// Notes at the channels that lead back that the heads of some packets have reached their input ports.
pub fn received<P: Policy>(switches: &mut Switches<P>, packets: &[u32]) {
    for &id in packets {
        let packet = &switches.buffers.packets[id];
        let port = packet.place >> switches.layout.queue_bits;
        if switches.partition.feeds_link(port) {
            // It has come from an input of its switch.
            continue;
        }
        let link = switches.partition.link(port) as usize;
        let until = packet.head_at + switches.links.class(link).duration_ceil(packet.flits);
        peer_active_at_port(switches, link, until);
    }
}

/// Wakes a port's channel with that of the other end of its link.
pub fn peer_woken<P: Policy>(switches: &mut Switches<P>, link: usize) {
    peer_active_at_port(switches, link, switches.events.now.time);
}

fn peer_active_at_port<P: Policy>(switches: &mut Switches<P>, link: usize, until: u64) {
    let now = switches.events.now;
    if switches.links.peer_active(link, now.time, until) && switches.links.some_wait(link) {
        // They waited for others, or for this one to wake, and may take it. Seen now, they keep it from falling asleep as
        // soon as it is awake.
        switches.examine_waiting::<false>(link as u32);
        let awake = switches.events.clock.first_from(switches.links.hot[link].awake_at);
        switches.wake_output(link, awake.max(now.number + 1));
    }
}

/// Tells a node's channel at time `t` that the node receives so many flits, or none where the other end of its link
/// wakes.
pub fn node_received<P: Policy>(switches: &mut Switches<P>, node: u32, flits: u32, t: u64) {
    let channel = (switches.partition.ports() + node) as usize;
    let until = t + switches.links.class(channel).duration_ceil(flits as u16);
    if switches.links.peer_active(channel, t, until) {
        // Messages that it coalesced see it now, and keep it from falling asleep as soon as it is awake.
        switches.events.put_node(NodeEvent::nic(t, node));
    }
}

/// Tells the other ends of links what has happened at this edge: packets on their way to nodes, and channels that were
/// woken.
#[inline]
pub fn tell_peers<P: Policy>(switches: &mut Switches<P>) {
    while let Some(packet) = switches.outgoing.to_nodes.pop() {
        tell_node(switches, packet);
    }
    while let Some((channel, t)) = switches.links.woken.pop() {
        tell_peer(switches, channel as u32, t);
    }
}

fn tell_node<P: Policy>(switches: &mut Switches<P>, ToNode { channel, flits, head_at }: ToNode) {
    let node = switches.links.hot[channel as usize].peer - switches.partition.ports();
    let event = NodeEvent { data: u32::from(flits), ..NodeEvent::new(head_at, Phase::Peer, node) };
    switches.events.put_node(event);
}

fn tell_peer<P: Policy>(switches: &mut Switches<P>, channel: u32, t: u64) {
    // What is told takes effect at a later edge, however short the wire.
    let at = (t + switches.links.class(channel as usize).latency).max(switches.events.now.time + 1);
    let (to, ports) = (switches.partition.leads_to(channel), switches.partition.ports());
    if to & REMOTE == 0 && to >= ports {
        switches.events.put_node(NodeEvent::new(at, Phase::Peer, to - ports));
    } else {
        switches.tell_other_end(to, at, LinkMessage::Woken);
    }
}
