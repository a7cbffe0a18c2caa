//! The route of a packet at a switch: its permitted outputs, and the decisions that some routings take at switches.

use crate::engine::link::channel::Channel;
use crate::power::Policy;
use crate::routing::low_diameter::{self, Undecided};
use crate::routing::{Candidates, Permitted, PortGroup};

use super::buffers::Queue;
use super::packet::Packet;
use super::request::Head;
use super::switches::Switches;

impl<P: Policy> Switches<'_, P> {
    /// Finds the permitted outputs of a packet at a switch.
    pub fn candidates(&self, packet: &Packet, switch: u32, found: &mut Candidates) {
        if self.partition.is_output(switch) {
            return found.set_only(self.link_behind(packet));
        }
        let at = self.partition.switches.whole(switch);
        self.rules.router.candidates(at, packet.destination(), packet.route, || self.hop(packet), found);
    }

    /// Finds the permitted outputs of a packet at a switch that are known not to be one port group.
    pub fn several_candidates(&self, packet: &Packet, switch: u32, found: &mut Candidates) {
        let at = self.partition.switches.whole(switch);
        self.rules.router.several(at, packet.destination(), packet.route, || self.hop(packet), found);
    }

    /// Returns the permitted outputs of a packet at a switch of up to 64 ports.
    pub fn permitted_at(&self, packet: &Packet, switch: u32, scratch: &mut Candidates) -> Permitted {
        if self.partition.is_output(switch) {
            return self.link_behind(packet).into();
        }
        let group = self.only_group(packet, switch);
        if group.count > 0 { group.into() } else { self.several_permitted(packet, switch, scratch) }
    }

    /// Does the same where these are known not to be one port group.
    #[inline]
    pub fn several_permitted(&self, packet: &Packet, switch: u32, scratch: &mut Candidates) -> Permitted {
        let at = self.partition.switches.whole(switch);
        self.rules.router.permitted(at, packet.destination(), packet.route, || self.hop(packet), scratch)
    }

    /// Returns the permitted outputs of a packet at a switch where they are one port group, else none.
    #[inline(always)]
    pub fn only_group(&self, packet: &Packet, switch: u32) -> PortGroup {
        let at = self.partition.switches.whole(switch);
        self.rules.router.group(at, packet.destination(), packet.route, || self.hop(packet))
    }

    /// Returns the only output of a packet in an output queue: the link, by the same virtual channel.
    fn link_behind(&self, packet: &Packet) -> PortGroup {
        PortGroup { first: 0, count: 1, vcs: 1 << (packet.place & self.layout.vc_mask) }
    }

    /// Returns over how many channels between switches a packet in an input queue has come, where virtual channels
    /// tell.
    pub fn hop(&self, packet: &Packet) -> u32 {
        let port = packet.place >> self.layout.queue_bits;
        let from_node = self.links.hot[self.partition.link(port) as usize].has(Channel::EJECTS);
        if from_node { 0 } else { self.rules.router.hop_vcs.after(packet.place & self.layout.vc_mask) }
    }

    /// Finds the permitted outputs of a head packet where they are one port group. Computing them is as fast as
    /// remembering them.
    #[inline(always)]
    pub fn find_group<const FAST: bool>(&mut self, head: &mut Head) {
        if !FAST && self.partition.is_output(head.switch) {
            head.group = self.link_behind(&self.buffers.packets[head.id]);
            return;
        }
        if self.rules.decides {
            return self.decide_group(head);
        }
        head.group = self.only_group(&self.buffers.packets[head.id], head.switch);
    }

    /// Decides on the route of a head packet, and chooses its output where it keeps to one, when it is examined for the
    /// first time that its read port could send it. Its permitted outputs are the same from then on, so that it waits for
    /// these only, and keeps no output of an earlier route.
    #[inline(never)]
    fn decide_group(&mut self, head: &mut Head) {
        // Where its output chooses its queue, it has decided before it came into one.
        let decides = self.rules.router.decides && !self.layout.by_output();
        if decides && !self.buffers.queues[head.place as usize].has(Queue::DECIDED) {
            // The end of the patience of the packet before it may come while the read port sends another.
            let reader = self.layout.reader::<false>(head.place);
            if self.buffers.read_ports[reader].busy_until >= self.events.now.next {
                return;
            }
            self.decide(head.id, head.switch);
            self.buffers.queues[head.place as usize].flags |= Queue::DECIDED;
        }
        head.group = self.only_group(&self.buffers.packets[head.id], head.switch);
        if self.rules.balanced {
            self.balance(head);
        }
    }

    /// Decides on the route of a packet at a switch, where its routing has not fixed it yet.
    #[inline(never)]
    pub fn decide(&mut self, id: u32, switch: u32) {
        let packet = self.buffers.packets[id];
        let at = self.partition.switches.whole(switch);
        if packet.to_switch == at {
            return;
        }
        let (network, kind, hop) = (self.network, self.rules.router.kind, self.hop(&packet));
        let (links, first_port) = (&mut self.links, self.partition.first_port[switch as usize] as usize);
        let (room, flits, now) = (self.rules.room, u64::from(self.rules.packet_flits), self.events.now.time);
        // What an output has sent and got no credit back for, or what is in its queues, and the heads of queues that wait
        // for it.
        let busy = |group: PortGroup| {
            let first = first_port + usize::from(group.first);
            let of_channel = |channel: usize| {
                let heads = u64::from(links.count_waiting(channel));
                room - u64::from(links.collect_credits(channel, now).total_credits()) + heads * flits
            };
            (first..first + usize::from(group.count)).map(of_channel).min().unwrap_or(0)
        };
        let undecided = Undecided { at, to: packet.to_switch, hop, route: packet.route };
        self.buffers.packets[id].route = low_diameter::decide(network, kind, undecided, busy);
    }
}
