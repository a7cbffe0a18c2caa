//! Network interfaces: they segment messages into packets and send one packet after the other, as credits allow.

use rustc_hash::FxHashMap;

use crate::measure::waiting::Cause;
use crate::model::config::{Config, Injection, SwitchModel};
use crate::model::ids::NodeId;
use crate::model::rng::{self, Purpose as Draws};
use crate::power::Policy;
use crate::routing::route;

use crate::engine::endpoint::chain::DependencyChain;
use crate::engine::endpoint::message::{Message, MessageQueue, MessageSlab};
use crate::engine::event::NONE;
use crate::engine::event::node::NodeEvent;
use crate::engine::link::channel::Channel;
use crate::engine::partition::Spans;
use crate::engine::switch::arbiter::next_in_order;
use crate::engine::switch::origin::Pairs;
use crate::engine::switch::packet::Packet;
use crate::engine::switch::switches::Switches;
use crate::engine::switch::waiters::Waits;
use crate::engine::switch::wake_delay::Moment;
use crate::engine::transport::Transports;

/// The NICs of a shard.
#[derive(Debug)]
pub struct Nics {
    nics: Vec<Nic>,
    /// Their nodes.
    pub(super) here: Spans,
    /// Messages in flight.
    pub messages: MessageSlab,
    /// Copies of messages to nodes of other partitions that do not go with their packet: what their receivers must
    /// know.
    pub shipped: Vec<(Message, DependencyChain)>,
    /// The wake delays of large sends, by rank and number, where there are any.
    pub slept: FxHashMap<(u32, u32), u64>,
    /// Packets sent.
    pub injected: u64,
    switch: SwitchModel,
    /// The bytes of a full packet.
    pub(super) packet_bytes: u64,
    /// Added at injection and at ejection.
    pub nic_latency: u64,
    /// NICs take the first virtual channel with room; otherwise these take turns.
    first_vc: bool,
    /// The seed of the packets' random numbers, where routing needs these.
    pub(super) draws: Option<(u64, u16)>,
    /// What has gone from each node to each other, where packets remember it.
    pub(super) pairs: Option<Pairs>,
    /// The connections of the nodes, where these answer each other.
    pub transports: Option<Box<Transports>>,
}

#[derive(Clone, Copy, Debug)]
struct Nic {
    queue: MessageQueue,
    /// Counts the node's messages.
    sequence: u32,
    /// Counts the node's packets.
    packets: u32,
    /// When the earliest of the NIC's events in the queue is; [`u64::MAX`] when none is known.
    event_at: u64,
    /// Where the choice of a virtual channel looks first.
    next_vc: u8,
    /// The head message's first packet waited for the channel to wake.
    delayed: bool,
}

impl Nics {
    /// Creates idle NICs.
    pub fn new(nodes: Spans, config: &Config) -> Self {
        let nic =
            Nic { queue: MessageQueue::new(), sequence: 0, packets: 0, event_at: u64::MAX, next_vc: 0, delayed: false };
        Nics {
            transports: Transports::new(config, nodes.count()),
            nics: vec![nic; nodes.count() as usize],
            here: nodes,
            messages: MessageSlab::default(),
            shipped: Vec::new(),
            slept: FxHashMap::default(),
            injected: 0,
            switch: config.switch.clone(),
            packet_bytes: u64::from(config.switch.packet_flits) * config.switch.flit.0,
            nic_latency: config.node.nic_latency.0,
            first_vc: config.node.injection == Injection::First,
            draws: Some((config.seed, config.routing.drawn_bits())).filter(|(_, bits)| *bits != 0),
            pairs: config.counts_packets().then(|| Pairs::new(config.switch.balance)),
        }
    }

    /// Numbers the next message of a node, as numbered in the whole network.
    pub fn next_sequence(&mut self, node: u32) -> u32 {
        let sequence = &mut self.nics[self.here.here(node) as usize].sequence;
        *sequence = sequence.wrapping_add(1);
        *sequence
    }

    /// Accepts a message at time `t`, and segments it into packets.
    pub fn send<P: Policy>(&mut self, switches: &mut Switches<P>, id: u32, t: u64) {
        let (packets, flits) = self.segment(self.messages[id].bytes);
        let message = &mut self.messages[id];
        (message.packets_left, message.flits_left) = (packets, flits);
        self.send_segmented(switches, id, t);
    }

    /// Accepts a message at time `t` that knows its packets and flits.
    pub fn send_segmented<P: Policy>(&mut self, switches: &mut Switches<P>, id: u32, t: u64) {
        if self.transports.is_some() {
            return self.send_connected(switches, id, t);
        }
        let message = &self.messages[id];
        if !switches.partition.all_nodes.contains(message.to_node) && message.as_single(self.packet_bytes).is_none() {
            self.shipped.push((*message, self.messages.chain(id)));
        }
        let node = self.here.here(message.from_node);
        let nic = &mut self.nics[node as usize];
        let idle = nic.queue.head == NONE;
        nic.queue.push(&mut self.messages, id);
        if P::PROBES {
            switches.join(Waits::at_node(node), self.messages[id].packets_left, t);
        }
        if idle || switches.links.is_coalescing((switches.partition.ports() + node) as usize) {
            self.advance(switches, node, t);
        }
    }

    /// Numbers the next packet of a node.
    pub(super) fn next_packet(&mut self, node: u32) -> u64 {
        let nic = &mut self.nics[node as usize];
        nic.packets = nic.packets.wrapping_add(1);
        u64::from(nic.packets)
    }

    /// Returns the number of packets of a message of so many bytes, and of their flits.
    pub fn segment(&self, bytes: u64) -> (u64, u64) {
        let flits = self.switch.message_flits(bytes);
        (flits.div_ceil(u64::from(self.switch.packet_flits)), flits)
    }

    /// Counts the packets of a queue of messages, its first given.
    fn frames(&self, first: u32) -> u32 {
        let (mut frames, mut id) = (0, first);
        while id != NONE {
            let message = &self.messages[id];
            frames += message.flits_left.div_ceil(u64::from(self.switch.packet_flits));
            id = message.next;
        }
        u32::try_from(frames).unwrap_or(u32::MAX)
    }

    /// Handles an event of a NIC at time `t`.
    pub fn wake_up<P: Policy>(&mut self, switches: &mut Switches<P>, node: u32, t: u64) {
        let nic = &mut self.nics[node as usize];
        if nic.event_at <= t {
            nic.event_at = u64::MAX;
        }
        if self.transports.is_some() {
            return self.advance_connected(switches, node, t);
        }
        self.advance(switches, node, t);
    }

    /// Makes sure that the NIC acts again by time `t`.
    pub(super) fn come_back<P: Policy>(&mut self, switches: &mut Switches<P>, node: u32, t: u64) {
        let nic = &mut self.nics[node as usize];
        if t < nic.event_at {
            nic.event_at = t;
            switches.events.put_node(NodeEvent::nic(t, node));
        }
    }

    /// Returns the virtual channel by which the next packet of a NIC may leave at time `t`, and the packet's length; `None`
    /// if the channel cannot take it, in which case the next try is scheduled. The closures tell how long the packet is, and
    /// how many wait with it.
    #[inline(always)]
    pub(super) fn ready_vc<P: Policy>(
        &mut self,
        switches: &mut Switches<P>,
        node: u32,
        t: u64,
        flits: impl FnOnce(&Self) -> u16,
        frames: impl FnOnce(&Self) -> u32,
    ) -> Option<(u8, u16)> {
        let nic = &mut self.nics[node as usize];
        let channel = (switches.partition.ports() + node) as usize;
        switches.links.collect_credits(channel, t);
        let hot = &switches.links.hot[channel];
        if hot.free_at > t {
            let free_at = hot.free_at;
            switches.links.end_idle(channel, t);
            switches.nic_waits(node, Cause::Busy, t);
            self.come_back(switches, node, free_at);
            return None;
        }
        if !switches.links.is_on(channel, t) {
            nic.delayed = true;
            switches.nic_waits(node, Cause::Asleep, t);
            if switches.links.is_waking(channel, t) {
                // The other end of its link may have woken it, with nothing to send.
                switches.links.end_idle(channel, t);
            } else if let Some(deadline) = switches.links.request_asleep(channel, t, || frames(self)) {
                self.come_back(switches, node, deadline);
                return None;
            }
            let awake_at = switches.links.hot[channel].awake_at;
            self.come_back(switches, node, awake_at);
            return None;
        }
        let flits = flits(self);
        let with_credits =
            switches.links.hot[channel].with_credits(switches.rules.router.all_vcs, flits, switches.rules.packet_flits);
        if with_credits == 0 {
            switches.links.end_idle(channel, t);
            switches.nic_waits(node, Cause::NoCredit, t);
            match switches.links.next_credit(channel) {
                Some(at) => self.come_back(switches, node, at),
                None => switches.links.hot[channel].flags |= Channel::WANTS_CREDIT,
            }
            return None;
        }
        let nic = &mut self.nics[node as usize];
        let vc = next_in_order(with_credits, u16::from(nic.next_vc));
        nic.next_vc = if self.first_vc { 0 } else { vc + 1 };
        Some((vc, flits))
    }

    /// Sends a packet at time `t` if the channel can take one, and schedules the next try.
    fn advance<P: Policy>(&mut self, switches: &mut Switches<P>, node: u32, t: u64) {
        let id = self.nics[node as usize].queue.head;
        if id == NONE {
            return;
        }
        let channel = (switches.partition.ports() + node) as usize;
        let full = u64::from(self.switch.packet_flits);
        let flits = |nics: &Self| nics.messages[id].flits_left.min(full) as u16;
        let Some((vc, flits)) = self.ready_vc(switches, node, t, flits, |nics| nics.frames(id)) else { return };
        let (nic, message) = (&mut self.nics[node as usize], &mut self.messages[id]);
        nic.packets = nic.packets.wrapping_add(1);
        let occasion = u64::from(nic.packets);
        let first = !std::mem::replace(&mut message.begun, true);
        message.flits_left -= u64::from(flits);
        let last = message.flits_left == 0;
        let Message { from_node, to_node, from_rank, sequence, purpose, created, .. } = *message;
        let event = message.sent_event();
        let first = first.then(|| switches.sleepers(from_node, to_node));
        if let Some(hops) = first {
            let delayed = std::mem::take(&mut nic.delayed).then_some(created);
            switches.links.begin_message(channel, hops, delayed);
            if delayed.is_some() {
                switches.links.number_waiting(id);
            }
        }
        let waking = self.messages.waking(id);
        let wake_delay = switches.wake_delay_at_nic(channel, vc, Moment::comes(created, waking), t);
        let message = if last {
            nic.queue.pop(&self.messages);
            self.messages.leave(id, self.packet_bytes)
        } else {
            id
        };
        let more = nic.queue.head != NONE;
        let end = switches.links.send(channel, flits, t, 0, t, more).end;
        if P::PROBES {
            switches.leave_node(node, channel, t..end);
        }
        self.injected += 1;
        let draw = |(seed, bits)| rng::draw(seed, Draws::Routing, self.here.whole(node), occasion) as u16 & bits;
        let route = self.draws.map_or(0, |draws| switches.begin_route(node, draw(draws)));
        let comes = if switches.rules.stores { end } else { t } + self.nic_latency;
        let latency = switches.links.latency(channel);
        switches.links.fill(channel, vc, flits, t + self.nic_latency + latency);
        let packet = switches.inject(channel, message, to_node, flits, vc, first, route, comes);
        switches.wake_delays.note(packet, wake_delay);
        switches.served.note_born(packet, comes);
        if let Some(pairs) = &mut self.pairs {
            switches.origins.note(packet, pairs.next(from_node, to_node, sequence));
        }
        if let Some(send) = purpose.completes().filter(|_| last) {
            if wake_delay > waking {
                self.slept.insert((from_rank, send), wake_delay - waking);
            }
            switches.events.put_node(NodeEvent { time: end, data: send, ..event });
        }
        if more {
            self.come_back(switches, node, end);
        }
    }
}

impl<P: Policy> Switches<'_, P> {
    /// Returns how many channels on a minimal route between two nodes may sleep, where a policy needs it; 0 elsewhere.
    #[inline]
    pub(super) fn sleepers(&self, from: u32, to: u32) -> u8 {
        let mut hops = 0;
        if self.links.policy.counts_messages() {
            let mut count = |class: u8, channels: u32| {
                let sleeps = self.links.classes[usize::from(class)].states.is_some();
                hops += if sleeps { channels } else { 0 };
            };
            if from == to {
                // Through its switch, by the two channels of its link.
                count(0, 2);
            } else {
                route::minimal(self.network, NodeId(from), NodeId(to), count);
            }
        }
        hops.min(u32::from(u8::MAX)) as u8
    }

    /// Returns the initial route state of a packet of a node, from random bits of its own.
    #[inline]
    pub(super) fn begin_route(&self, node: u32, random: u16) -> u16 {
        let node = self.partition.all_nodes.whole(node);
        self.rules.router.begin(self.network.node_switch[node as usize], node, random)
    }

    /// Injects a packet at time `t`, and returns it; the first of a message with the hops of [`Switches::sleepers`].
    // As part of the hot path: it has two callers.
    #[inline(always)]
    #[expect(clippy::too_many_arguments, reason = "the parts of one packet")]
    pub(super) fn inject(
        &mut self,
        channel: usize,
        message: u32,
        to_node: u32,
        flits: u16,
        vc: u8,
        first: Option<u8>,
        route: u16,
        t: u64,
    ) -> u32 {
        let to_port = self.network.node_port[to_node as usize];
        let to_switch = self.network.node_switch[to_node as usize];
        let head_at = t + self.links.latency(channel);
        let node = channel as u32 - self.partition.ports();
        let id = self.buffers.packets.insert(Packet {
            head_at,
            message,
            to_switch,
            to_output: (to_port - self.network.first_port[to_switch as usize]) as u16,
            next: NONE,
            place: self.layout.queue_of(self.partition.node_port[node as usize], vc),
            flits,
            route,
            hops: first.unwrap_or(0),
            flags: Packet::LIVE | if first.is_some() { Packet::FIRST } else { 0 },
        });
        self.events.put_arrival(id, head_at);
        id
    }
}
