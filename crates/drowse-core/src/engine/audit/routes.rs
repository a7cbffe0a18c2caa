//! Follows every packet from switch to switch, by where it is and not by what it remembers: a proof that packets cannot
//! deadlock holds for packets that keep to it.

use std::sync::Arc;

use crate::model::ids::PortId;
use crate::power::Policy;
use crate::routing::dependencies::{DependencyGraph, VirtualChannel};
use crate::routing::{Candidates, low_diameter};

use crate::engine::event::NONE;
use crate::engine::partition::REMOTE;
use crate::engine::switch::packet::Packet;
use crate::engine::switch::switches::Switches;

/// What is known of the packet in a slot.
#[derive(Clone, Copy, Debug)]
struct Followed {
    place: u32,
    message: u32,
    head_at: u64,
    /// Channels between switches by which it has come.
    hops: u32,
    /// It heads for an intermediate place.
    outbound: bool,
    /// How many times it has begun to.
    begun: u32,
}

/// The packets of a partition after the last bucket.
#[derive(Debug)]
pub struct Routes {
    graph: Option<Arc<DependencyGraph>>,
    packets: Vec<Option<Followed>>,
    found: Candidates,
}

impl Routes {
    /// Starts without packets.
    pub fn new(graph: Option<Arc<DependencyGraph>>) -> Self {
        Routes { graph, packets: Vec::new(), found: Candidates::new() }
    }

    /// Checks what packets have done in a bucket.
    pub fn follow_all<P: Policy>(&mut self, switches: &Switches<P>) {
        let mut slots = std::mem::take(&mut self.packets);
        slots.resize(switches.buffers.packets.slots().count(), None);
        for (known, packet) in slots.iter_mut().zip(switches.buffers.packets.slots()) {
            *known = packet.map(|packet| self.follow(switches, packet, *known));
        }
        self.packets = slots;
    }

    /// Checks what the heads of queues wait for and keep.
    pub fn check_heads<P: Policy>(&mut self, switches: &Switches<P>) {
        (0..switches.partition.all_switches() as u32).for_each(|switch| self.check_waiting(switches, switch));
        self.check_kept(switches);
    }

    /// Follows a packet, of which this was known if it was in its slot before.
    fn follow<P: Policy>(&self, switches: &Switches<P>, packet: &Packet, before: Option<Followed>) -> Followed {
        let (router, place) = (&switches.rules.router, packet.place);
        let (port, vc) = (place >> switches.layout.queue_bits, place & switches.layout.vc_mask);
        let peer = switches.partition.peer[port as usize];
        // It enters a queue of its output when it arrives.
        let buffer = |place: u32| switches.layout.buffer_of(place);
        let is_same = |before: &Followed| (buffer(before.place), before.head_at) == (buffer(place), packet.head_at);
        let same = before.filter(is_same);
        // It lies in a queue of an output.
        let crossed = switches.partition.crosses(peer as usize);
        let from_switch = peer & REMOTE == 0 && peer < switches.partition.ports();
        // One in a queue of an output may be new: it has come and crossed within a bucket.
        let is_known = |before: &Followed| !crossed || is_here(switches, before, packet, peer);
        let came = before.filter(|before| same.is_none() && from_switch && is_known(before));
        let hops = match (same, came) {
            (Some(same), _) => same.hops,
            (None, Some(before)) => {
                self.check_hop(switches, before.place, place);
                before.hops + u32::from(!crossed)
            }
            // It waits for its next hop, whose virtual channel it has.
            (None, None) if crossed => router.hop_vcs.after(vc).saturating_sub(1),
            // From a node, or from another partition.
            (None, None) => switches.hop(packet),
        };
        if router.counts_hops && hops > 0 && !crossed {
            let class = router.hop_vcs.mask(hops - 1);
            assert!(class >> vc & 1 == 1, "virtual channel {vc} after {hops} hops: {packet:?}");
        }
        let outbound = router.decides && packet.route & low_diameter::NON_MINIMAL != 0;
        let known = same.or(came);
        let begins = outbound && !known.is_some_and(|known| known.outbound);
        let begun = known.map_or(0, |known| known.begun) + u32::from(begins);
        assert!(begun <= 1, "a second non-minimal route: {packet:?}");
        Followed { place, message: packet.message, head_at: packet.head_at, hops, outbound, begun }
    }

    /// Checks that a packet has gone over a channel of the switch where it was, and that its proof permits it.
    fn check_hop<P: Policy>(&self, switches: &Switches<P>, from: u32, to: u32) {
        let switch_of = |port: u32| switches.switch_of::<false>(port);
        let sender = switches.partition.peer[(to >> switches.layout.queue_bits) as usize];
        assert_eq!(
            switch_of(sender),
            switch_of(from >> switches.layout.queue_bits),
            "a packet goes from switch to switch"
        );
        self.check_edge(switches, from, held(switches, to));
    }

    /// Checks that a packet in a queue may ask for a channel.
    fn check_edge<P: Policy>(&self, switches: &Switches<P>, place: u32, asked: VirtualChannel) {
        let held = held(switches, place);
        // A packet in a queue of an output holds what it waits for.
        let waits_at_output = switches.partition.outputs > 0 && held == asked;
        let permits = waits_at_output || self.graph.as_ref().is_none_or(|graph| graph.permits(held, asked));
        assert!(permits, "{held:?} -> {asked:?} is no edge of the proven channel dependency graph");
    }

    /// Checks the outputs for which the heads of a switch's queues wait.
    fn check_waiting<P: Policy>(&mut self, switches: &Switches<P>, switch: u32) {
        let ports = switches.partition.first_port[switch as usize]..switches.partition.first_port[switch as usize + 1];
        let first_place = ports.start << switches.layout.queue_bits;
        for word in 0..switches.layout.words {
            let waiting = |port: u32| switches.links.waiting(port as usize, word);
            let mut bits = ports.clone().fold(0, |bits, port| bits | waiting(port));
            while bits != 0 {
                let bit = bits.trailing_zeros();
                bits &= bits - 1;
                let place = first_place + word as u32 * 64 + bit;
                self.find(switches, place);
                for port in ports.clone().filter(|&port| waiting(port) >> bit & 1 == 1) {
                    self.check_output(switches, place, port);
                }
            }
        }
    }

    /// Checks that the head of a queue, whose permitted outputs have been found, may wait for an output, on all virtual
    /// channels that it may take.
    fn check_output<P: Policy>(&self, switches: &Switches<P>, place: u32, port: u32) {
        let vcs = self.permitted(switches, place, port);
        let head = &switches.buffers.packets[switches.buffers.queues[place as usize].head];
        assert!(vcs != 0, "no virtual channel of output port {port} for {head:?}");
        let channel = switches.partition.link_id(port);
        for vc in (0..switches.layout.vcs as u8).filter(|vc| vcs >> vc & 1 == 1) {
            self.check_edge(switches, place, VirtualChannel { channel, vc });
        }
    }

    /// Checks that what heads of queues have chosen although it slept is still permitted.
    fn check_kept<P: Policy>(&mut self, switches: &Switches<P>) {
        for (place, chosen) in (0..).zip(&switches.buffers.chosen) {
            if let &Some((output, vc)) = chosen {
                self.find(switches, place);
                let port = first_port(switches, place) + u32::from(output);
                let vcs = self.permitted(switches, place, port);
                assert!(vcs >> vc & 1 == 1, "keeps output {output}, virtual channel {vc}: {:?}", self.found);
            }
        }
    }

    /// Finds the permitted outputs of the head of a queue.
    fn find<P: Policy>(&mut self, switches: &Switches<P>, place: u32) {
        let head = switches.buffers.queues[place as usize].head;
        assert!(head != NONE, "an empty queue waits, place {place}");
        let switch = switches.switch_of::<false>(place >> switches.layout.queue_bits);
        switches.candidates(&switches.buffers.packets[head], switch, &mut self.found);
    }

    /// Returns the virtual channels of an output port, one bit each, among the outputs that have been found.
    fn permitted<P: Policy>(&self, switches: &Switches<P>, place: u32, port: u32) -> u8 {
        let output = (port - first_port(switches, place)) as u16;
        let groups = self.found.adaptive().iter().chain(std::iter::once(&self.found.escape));
        groups
            .filter(|group| (group.first..group.first + group.count).contains(&output))
            .fold(0, |vcs, group| vcs | group.vcs)
    }
}

/// Returns whether what was in a packet's slot was a packet of the same message at an input of the switch from which the
/// packet has crossed.
fn is_here<P: Policy>(switches: &Switches<P>, before: &Followed, packet: &Packet, way: u32) -> bool {
    let port = before.place >> switches.layout.queue_bits;
    before.message == packet.message && switches.switch_of::<false>(port) == switches.switch_of::<false>(way)
}

/// Returns the virtual channel at whose end a queue is, or before which, at an output.
fn held<P: Policy>(switches: &Switches<P>, place: u32) -> VirtualChannel {
    let (port, vc) = (place >> switches.layout.queue_bits, (place & switches.layout.vc_mask) as u8);
    let partition = &switches.partition;
    let crossed = partition.crosses(partition.peer[port as usize] as usize);
    let id = partition.link_id(port);
    VirtualChannel { channel: if crossed { id } else { switches.network.feeder(PortId(id.0)) }, vc }
}

/// Returns the first port of the switch of a queue.
fn first_port<P: Policy>(switches: &Switches<P>, place: u32) -> u32 {
    switches.partition.first_port[switches.switch_of::<false>(place >> switches.layout.queue_bits) as usize]
}
