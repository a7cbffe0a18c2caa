//! A shard: a part of the network with its NICs and ranks, and its own event queue.
//!
//! A shard advances by a window of buckets and knows nothing of the others meanwhile. What leaves it goes into its outbox;
//! the lookahead guarantees that it takes effect elsewhere after the window. Results do not depend on the cut.

use rustc_hash::FxHashMap;

use crate::measure::{ChannelRecord, Histogram};
use crate::power::{LinkState, Policy};
use crate::topology::Geometry;
use crate::units::Time;
use crate::workload::Job;
use crate::workload::operation::SourceError;

use super::allocate::Scratch;
use super::fabric::{CreditElsewhere, Ejected, Fabric};
use super::message::{Message, Purpose};
use super::nic::Nics;
use super::nodes::{NodeEvent, Phase};
use super::open_loop::OpenLoop;
use super::packet::Packet;
use super::ranks::Ranks;
use super::wheel::Bucket;

/// Where messages come from.
pub enum Driver {
    /// From ranks that run programs.
    Ranks(Ranks),
    /// From the clock.
    OpenLoop(OpenLoop),
}

/// Names a message in the whole simulation: its sending node, and its number there.
type MessageName = (u32, u32);

/// What one shard has for another.
pub enum Crossing {
    /// What the receiver of a message must know; it comes before the message's packets.
    Message(Message),
    /// A packet on its way to an input port, as numbered in the whole network.
    Packet(u32, MessageName, Packet),
    /// A credit for a channel.
    Credit(CreditElsewhere),
}

/// What a shard has counted; sums do not depend on the cut.
#[derive(Default)]
pub struct Tally {
    /// Packets delivered.
    pub packets_delivered: u64,
    /// Events handled.
    pub events: u64,
    /// Latencies of packets.
    pub packet_latency: Histogram,
    /// Latencies of messages.
    pub message_latency: Histogram,
}

/// A part of the simulation.
pub struct Shard<'a, P: Policy> {
    /// Its switches and channels.
    pub fabric: Fabric<'a, P>,
    /// Its NICs.
    pub nics: Nics,
    /// Its sources of messages.
    pub driver: Driver,
    /// What it has counted.
    pub tally: Tally,
    /// What it has for others.
    pub outbox: Vec<Crossing>,
    /// Messages to nodes here whose packets come from elsewhere: their place in the slab.
    expected: FxHashMap<MessageName, u32>,
    nic_latency: u64,
    bucket: Bucket,
    scratch: Scratch,
    /// The measured time of open-loop traffic.
    window: Option<(u64, u64)>,
    /// What the channels had done at its start.
    pub at_start: Option<Vec<ChannelRecord>>,
    /// The same at its end.
    pub at_end: Option<Vec<ChannelRecord>>,
}

impl<'a, P: Policy> Shard<'a, P> {
    /// Makes a shard in which nothing has happened.
    pub fn new(fabric: Fabric<'a, P>, nics: Nics, driver: Driver, nic_latency: Time) -> Self {
        let window = match &driver {
            Driver::OpenLoop(open_loop) => Some(open_loop.window()),
            Driver::Ranks(_) => None,
        };
        Shard {
            scratch: Scratch::new(fabric.network.radix() as usize),
            fabric,
            nics,
            driver,
            tally: Tally::default(),
            outbox: Vec::new(),
            expected: FxHashMap::default(),
            nic_latency: nic_latency.0,
            bucket: Bucket::default(),
            window,
            at_start: None,
            at_end: None,
        }
    }

    /// Handles all buckets before bucket `end`.
    pub fn advance(&mut self, jobs: &mut [Job], end: u64) -> Result<(), SourceError> {
        while let Some(edge) = self.fabric.wheel.next().filter(|&edge| edge < end) {
            self.measure(edge * self.fabric.clock);
            self.step(jobs, edge)?;
        }
        Ok(())
    }

    /// Handles one bucket.
    fn step(&mut self, jobs: &mut [Job], edge: u64) -> Result<(), SourceError> {
        let mut bucket = std::mem::take(&mut self.bucket);
        self.fabric.wheel.take(edge, &mut bucket);
        self.tally.events += (bucket.arrivals.len() + bucket.alarms.len()) as u64;
        self.handle_nodes(jobs, &mut bucket.nodes)?;
        self.fabric.wheel.take_late_arrivals(&mut bucket.arrivals);
        for id in bucket.arrivals.drain(..) {
            self.fabric.arrive(id, edge);
        }
        for alarm in bucket.alarms.drain(..) {
            self.fabric.alarm(alarm, edge);
        }
        self.bucket = bucket;
        let mut active = std::mem::take(&mut self.fabric.active);
        self.tally.events += active.len() as u64;
        for switch in active.drain(..) {
            self.fabric.allocate(&mut self.scratch, switch, edge);
        }
        self.fabric.active = active;
        self.deliver_ejected();
        self.pack();
        Ok(())
    }

    /// Handles the node events of a bucket in order, those included that they cause within it.
    fn handle_nodes(&mut self, jobs: &mut [Job], nodes: &mut Vec<NodeEvent>) -> Result<(), SourceError> {
        // Latest first, so that the next is taken from the end.
        nodes.sort_unstable_by(|a, b| b.cmp(a));
        let mut late = Vec::new();
        while let Some(event) = nodes.pop() {
            self.tally.events += 1;
            self.handle_node(jobs, event)?;
            self.fabric.wheel.take_late_nodes(&mut late);
            for event in late.drain(..) {
                let position = nodes.partition_point(|other| *other > event);
                nodes.insert(position, event);
            }
        }
        Ok(())
    }

    fn handle_node(&mut self, jobs: &mut [Job], event: NodeEvent) -> Result<(), SourceError> {
        let (fabric, nics, t) = (&mut self.fabric, &mut self.nics, event.time);
        match (event.phase, &mut self.driver) {
            (Phase::Nic, _) => nics.wake_up(fabric, event.at, t),
            (Phase::Generate, Driver::OpenLoop(open_loop)) => open_loop.generate(fabric, nics, event.at, t),
            (Phase::Announced, Driver::Ranks(ranks)) => ranks.announced(fabric, nics, event.data, t),
            (Phase::Delivered, driver) => {
                let message = nics.messages[event.data];
                let counts = match driver {
                    Driver::OpenLoop(open_loop) => {
                        nics.messages.remove(event.data);
                        let (packets, flits) = nics.cut(message.bytes);
                        open_loop.deliver(&message, packets, flits, t)
                    }
                    Driver::Ranks(ranks) => {
                        ranks.delivered(fabric, nics, event.data, t);
                        message.measured && message.from_node != message.to_node
                    }
                };
                // On a network with packets, latencies have been counted when the last packet was scheduled.
                if counts && matches!(fabric.network.geometry, Geometry::Ideal(_)) {
                    self.tally.message_latency.add(Time(t - message.created));
                }
            }
            (Phase::Sent, Driver::Ranks(ranks)) => ranks.sent(fabric, event.at, event.data, t),
            (Phase::Resume, Driver::Ranks(ranks)) => ranks.resume(jobs, fabric, nics, event.at, t)?,
            (phase, _) => debug_assert!(false, "{phase:?} does not belong to this workload"),
        }
        Ok(())
    }

    /// Lets messages progress by the packets whose last bits have been scheduled at this edge.
    fn deliver_ejected(&mut self) {
        let mut ejected = std::mem::take(&mut self.fabric.ejected);
        for packet in ejected.drain(..) {
            self.tally.packets_delivered += 1;
            let at = packet.at + self.nic_latency;
            let id = packet.message;
            let message = &mut self.nics.messages[id];
            message.packets_left -= 1;
            message.done_at = message.done_at.max(at);
            let message = *message;
            let complete = message.packets_left == 0;
            if complete && !self.expected.is_empty() {
                self.expected.remove(&(message.from_node, message.sequence));
            }
            let packet = Ejected { at, ..packet };
            self.deliver(&packet, &message, complete);
        }
        self.fabric.ejected = ejected;
    }

    /// Acts on a packet of a message whose last bit is delivered at its time, the NIC's latency included.
    fn deliver(&mut self, packet: &Ejected, message: &Message, complete: bool) {
        let &Ejected { message: id, first, flits, at } = packet;
        let latency = Time(at - message.created);
        if let Driver::OpenLoop(open_loop) = &mut self.driver {
            let counts = open_loop.deliver(message, 1, u64::from(flits), at);
            if counts {
                self.tally.packet_latency.add(latency);
            }
            if complete {
                if counts {
                    self.tally.message_latency.add(Time(message.done_at - message.created));
                }
                self.nics.messages.remove(id);
            }
            return;
        }
        if message.measured {
            self.tally.packet_latency.add(latency);
            if complete {
                self.tally.message_latency.add(Time(message.done_at - message.created));
            }
        }
        if complete {
            self.fabric.put_node(message.event(Phase::Delivered, id));
        } else if first && message.purpose == Purpose::Eager {
            self.fabric.put_node(NodeEvent { time: at, ..message.event(Phase::Announced, id) });
        }
    }

    /// Puts what has left the part at this edge into the outbox.
    fn pack(&mut self) {
        self.outbox.extend(self.nics.shipped.drain(..).map(Crossing::Message));
        self.outbox.extend(self.fabric.credits_elsewhere.drain(..).map(Crossing::Credit));
        let mut departed = std::mem::take(&mut self.fabric.departed);
        for (port, packet) in departed.drain(..) {
            let id = packet.message;
            let message = &mut self.nics.messages[id];
            let name = (message.from_node, message.sequence);
            if self.fabric.part.switches.contains(&packet.to_switch) {
                // On its way between two nodes of this part: it will be back.
                self.expected.insert(name, id);
            } else {
                message.packets_left -= 1;
                if message.packets_left == 0 {
                    self.nics.messages.remove(id);
                }
            }
            self.outbox.push(Crossing::Packet(port, name, packet));
        }
        self.fabric.departed = departed;
    }

    /// Makes no more open-loop messages.
    pub fn stop_traffic(&mut self) {
        if let Driver::OpenLoop(open_loop) = &mut self.driver {
            open_loop.stop();
        }
    }

    /// Takes in what another shard has for this one.
    pub fn receive(&mut self, crossing: &Crossing) {
        match *crossing {
            Crossing::Message(message) => {
                let name = (message.from_node, message.sequence);
                let id = self.nics.messages.insert(message);
                self.expected.insert(name, id);
            }
            Crossing::Credit(CreditElsewhere { channel, vc, flits, at }) => {
                self.fabric.credit(channel - self.fabric.part.all_ports.start, vc, flits, at);
            }
            Crossing::Packet(port, name, packet) => {
                // A packet that is only passing through has a message of its own, which is gone when it leaves.
                let message = self.expected.get(&name).copied();
                let message = message.unwrap_or_else(|| self.nics.messages.insert(passing(name)));
                let port = port - self.fabric.part.all_ports.start;
                let bucket = self.fabric.edge_after(packet.head_at);
                let id = self.fabric.packets.insert(Packet { message, port, ..packet });
                self.fabric.wheel.put_arrival(bucket, id);
            }
        }
    }

    /// Takes the snapshots of the channels that are due before something happens at time `t`.
    pub fn measure(&mut self, t: u64) {
        let Some((start, end)) = self.window else { return };
        if self.at_start.is_none() && t > start {
            self.at_start = Some(self.snapshot(start));
        }
        if self.at_end.is_none() && t > end {
            self.at_end = Some(self.snapshot(end));
        }
    }

    /// Gives what all channels have done up to time `t`.
    pub fn snapshot(&mut self, t: u64) -> Vec<ChannelRecord> {
        let channels = &mut self.fabric.channels;
        (0..channels.hot.len())
            .map(|channel| {
                channels.settle(channel, t);
                let account = &channels.accounts[channel];
                let mut residency = account.residency.map(Time);
                let asleep: u64 = account.residency.iter().sum();
                residency[LinkState::On as usize] = Time(t - asleep);
                ChannelRecord {
                    residency,
                    wakes: account.wakes,
                    delayed_messages: account.delayed_messages,
                    packets: account.packets,
                    flits: account.flits,
                }
            })
            .collect()
    }
}

/// Stands for the message of a packet that passes through on its way between other shards.
fn passing((from_node, sequence): MessageName) -> Message {
    Message { packets_left: 1, ..Message::new(from_node, sequence, Purpose::Load) }
}
