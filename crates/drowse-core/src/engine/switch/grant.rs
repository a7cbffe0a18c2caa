//! What follows a grant: the packet leaves its queue for the next switch or its node, and its room returns as a credit.

use crate::power::Policy;

use crate::engine::event::NONE;
use crate::engine::link::channel::Channel;
use crate::engine::link::links::Sent;
use crate::engine::partition::REMOTE;
use crate::engine::switch::buffers::Queue;
use crate::engine::switch::origin::Came;
use crate::engine::switch::outgoing::{Ejected, Known, ToNode};
use crate::engine::switch::packet::Packet;
use crate::engine::switch::pointer::pointer;
use crate::engine::switch::request::Request;
use crate::engine::switch::rules::Speeds;
use crate::engine::switch::switches::Switches;

/// A packet that has been granted, and what follows from that.
struct Granted {
    /// The place of its input queue.
    place: u32,
    /// The channel by which it leaves.
    channel: usize,
    /// When its last bit has left.
    end: u64,
    /// The first packet of a message tells the policy of it.
    message: Option<Begun>,
    /// The buffer that it fills, where its sender pauses.
    fills: Option<Fill>,
    wakes: Wakes,
}

/// A message whose first packet leaves.
struct Begun {
    /// Channels that the packet has passed.
    hops: u8,
    /// Since when it has waited for a channel to wake, if it has.
    delayed_since: Option<u64>,
}

/// Room that a packet takes at the other end of a channel.
struct Fill {
    vc: u8,
    flits: u16,
    at: u64,
}

/// What must be looked at again.
struct Wakes {
    /// The count of grants of the input port is full.
    counts_anew: bool,
    /// When the output is free, for others that wait for it.
    output_at: Option<u64>,
    /// The read port has more packets.
    read_port: bool,
}

impl<P: Policy> Switches<'_, P> {
    /// Grants a request: sends the packet, and returns its room as a credit.
    #[inline(always)]
    pub fn grant<const FAST: bool>(&mut self, request: Request) {
        let Request { switch, first, bit, output, vc: to_vc, only, group, .. } = request;
        let bit = u32::from(bit);
        let place = (first << self.layout.queue_bits) + bit;
        let vc = (place & self.layout.vc_mask) as u8;
        let channel = first as usize + usize::from(output);
        if self.wake_delays.counts {
            self.find_wake_delay::<FAST>(place, channel, to_vc);
        }
        let Queue { head: id, flags, .. } = self.buffers.queues[place as usize];
        if FAST && only {
            self.links.hot[channel].waiting &= !(1 << bit);
        } else if flags & Queue::BLOCKED != 0 {
            self.unblock(switch, first, bit, channel, group);
        }
        let others_wait = if FAST { self.links.hot[channel].waiting != 0 } else { self.links.some_wait(channel) };
        let port = place >> self.layout.queue_bits;
        let reader = if FAST { port as usize } else { self.layout.reader::<false>(place) };
        let bound = self.start_bound(id, channel);
        let pauses = !FAST && self.links.pauses(channel);
        let lossy = !FAST && self.dropper.is_some() && !self.partition.crosses(channel);
        let comes_until = if FAST { 0 } else { self.comes_until(channel, &self.buffers.packets[id]) };
        if !FAST && self.marking.is_some() {
            self.leave_queue(id, place, channel);
        }
        // References are kept over the writes below: the compiler could not know that these do not move the tables.
        let (now, counts) = (self.events.now, self.links.policy.counts_messages());
        let (usual, mut counts_anew) = (FAST || self.rules.usual_arbiters, false);
        if !usual {
            self.note_served(&request, id);
        }
        let (packet, input) = (&mut self.buffers.packets[id], &mut self.buffers.read_ports[reader]);
        let ready = now.time.max(input.busy_until).max(bound);
        let Sent { start, end, hot, class } =
            self.links.send(channel, packet.flits, ready, comes_until, now.time, others_wait);
        // The next packet of either port may be allocated only when this one has left.
        let free_at = if FAST { end } else { end + self.rules.allocation_gap };
        if !FAST {
            hot.free_at = free_at;
        }
        input.busy_until = free_at;
        input.pending |= u8::from(packet.next != NONE) << vc;
        let more = input.pending != 0;
        let queue = &mut self.buffers.queues[place as usize];
        queue.head = packet.next;
        queue.next_output = pointer(output, to_vc).wrapping_add(1);
        queue.flags = 0;
        if usual {
            queue.served = input.count_grant();
            counts_anew = input.is_full();
            self.served.grant(channel, port - first, &mut hot.arbiter);
        }
        if !FAST && !self.buffers.chosen.is_empty() {
            self.buffers.chosen[place as usize] = None;
        }
        // The crossbar path from an input to the queues of an output is part of the switch.
        self.hops += u64::from(FAST || !self.partition.crosses(channel));
        let Packet { flits, hops, head_at: came_at, .. } = *packet;
        let delayed = flags & Queue::DELAYED != 0 && hot.awake_at > came_at;
        let tells = packet.has(Packet::FIRST) && (delayed || counts);
        let of_message = if P::PROBES { packet.message } else { 0 };
        let stores = !FAST && self.rules.stores && !self.partition.crosses(channel);
        let (comes_at, head_at) = (start + class.hop, if stores { end } else { start } + class.hop);
        if hot.has(Channel::EJECTS) {
            let last_at = end + class.hop;
            self.eject::<FAST>(id, channel, head_at, last_at);
        } else {
            if !(pauses || lossy) {
                hot.spend(to_vc, flits, self.rules.packet_flits);
            }
            packet.go(hot, self.layout.queue_bits, to_vc, head_at);
            let whole_periods = !stores && start == now.time && class.hop_edges == self.outgoing.sent_edges;
            if hot.peer & REMOTE != 0 {
                self.depart(id);
            } else if whole_periods {
                self.outgoing.sent.push(id);
            } else {
                self.events.put_arrival(id, head_at);
            }
        }
        if FAST || self.dropper.is_none() || !self.frees(place, flits) {
            self.return_credit(port, vc, flits, end);
        }
        if P::PROBES {
            self.leave_switch(place, channel, came_at, bound, start..end);
        }
        let message = tells.then(|| Begun { hops, delayed_since: delayed.then_some(came_at) });
        let fills = pauses.then_some(Fill { vc: to_vc, flits, at: comes_at });
        let wakes = Wakes { counts_anew, output_at: others_wait.then_some(free_at), read_port: more };
        self.follow_grant::<FAST>(Granted { place, channel, end, message, fills, wakes });
        if P::PROBES && tells && delayed {
            self.links.number_waiting(of_message);
        }
    }

    /// Acts on a grant whose packet has left. All of this is rare, and last: the compiler must assume that these calls
    /// change everything that [`Switches::grant`] has read.
    #[inline(always)]
    fn follow_grant<const FAST: bool>(&mut self, granted: Granted) {
        let Granted { place, channel, end, message, fills, wakes } = granted;
        if wakes.counts_anew {
            self.count_anew(place);
        }
        // Where packets are dropped, no credit returns but within a switch.
        if self.wake_delays.counts && (FAST || self.dropper.is_none()) {
            self.note_returning(place, end);
        }
        if let Some(Begun { hops, delayed_since }) = message {
            self.links.begin_message(channel, hops, delayed_since);
        }
        if let Some(Fill { vc, flits, at }) = fills {
            self.links.fill(channel, vc, flits, at);
        }
        if !FAST && self.links.hot[channel].has(Channel::GOVERNED) {
            self.outgoing.on_trunks.push(channel as u32);
        }
        if let Some(free_at) = wakes.output_at {
            let free = self.events.clock.last_by(free_at).max(self.events.now.number + 1);
            self.wake_output(channel, free);
        }
        if wakes.read_port {
            self.wake_read_port::<FAST>(place);
        }
    }

    /// Returns the earliest start that the speeds of input and output permit.
    #[inline]
    pub fn start_bound(&self, id: u32, channel: usize) -> u64 {
        if self.rules.speeds == Speeds::Same { 0 } else { self.underrun_bound(channel, &self.buffers.packets[id]) }
    }

    /// Removes a packet that goes to its node, where head and last bit arrive at these times, the NIC's latency apart.
    #[inline]
    fn eject<const FAST: bool>(&mut self, id: u32, channel: usize, head_at: u64, last_at: u64) {
        let Packet { message, flits, .. } = self.buffers.packets[id];
        let first = self.buffers.packets[id].has(Packet::FIRST);
        self.outgoing.ejected.push(Ejected {
            message,
            first,
            flits,
            at: last_at,
            wake_delay: self.wake_delays.leaving.by,
        });
        if !FAST && (self.origins.kept || self.headers.kept) {
            self.outgoing.came.push(self.came(id));
        }
        self.buffers.packets.remove(id);
        if !FAST && self.links.paired {
            self.outgoing.to_nodes.push(ToNode { channel: channel as u32, flits, head_at });
        }
    }

    /// Returns where a packet comes from that goes to its node, and the port of that.
    fn came(&self, id: u32) -> Came {
        let packet = &self.buffers.packets[id];
        let port = self.network.first_port[packet.to_switch as usize] + u32::from(packet.to_output);
        Came { origin: self.origins.of(id), port, header: self.headers.of(id) }
    }

    /// Removes a packet that goes to another partition.
    #[inline(never)]
    fn depart(&mut self, id: u32) {
        let known = Known {
            wake_delay: self.wake_delays.leaving.by,
            born: self.served.born(id),
            origin: self.origins.of(id),
            header: self.headers.of(id),
        };
        self.outgoing.departed.push((self.buffers.packets[id], known));
        self.buffers.packets.remove(id);
    }
}
