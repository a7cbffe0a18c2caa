//! What the switches of the two other simulators have in common: flits, their queues, credits and NICs. A message is one packet.

use std::collections::{BTreeMap, VecDeque};
use std::ops::Range;

use drowse_core::config::Config;
use drowse_core::rng::{Purpose, Stream};
use drowse_core::topology::Network;
use drowse_core::workload::traffic::{PatternError, Traffic};

use crate::Outcome;
use crate::routes::{Output, Permitted, Routes, with_vcs};
use crate::source::{Message, Source};

/// A flit, or phit.
#[derive(Clone, Copy, Debug)]
pub struct Flit {
    pub packet: usize,
    pub head: bool,
    pub tail: bool,
    /// When it is in its queue or buffer.
    pub at: u64,
    /// The port by which it comes to the switch.
    pub input: usize,
}

/// A packet, from its making on.
#[derive(Clone, Debug)]
pub struct Packet {
    pub message: Message,
    /// The dimension that it travels in by dimension order, whether upwards, and whether it came into it above its target.
    leg: Option<(usize, bool, bool)>,
    /// It has taken an escape.
    pub escaped: bool,
    /// The outputs that it may take, where they are found ahead.
    pub route: Vec<Output>,
}

/// A virtual channel of an input port.
#[derive(Clone, Debug, Default)]
pub struct Queue {
    pub flits: VecDeque<Flit>,
    /// The output and virtual channel of the packet in front.
    pub held: Option<Output>,
    pub pointer: usize,
}

/// A virtual channel of an output port or NIC.
#[derive(Clone, Debug, Default)]
pub struct Lane {
    /// The output's buffer, if it has one.
    pub flits: VecDeque<Flit>,
    /// The input queue whose packet it takes.
    pub taken: Option<usize>,
    pub pointer: usize,
    /// Room at the other end.
    pub credits: u64,
}

/// Where the arbiters of a port look first: among its virtual channels, as an input among outputs, as an output among inputs.
#[derive(Clone, Copy, Debug, Default)]
pub struct Pointers {
    pub vc: usize,
    pub output: usize,
    pub input: usize,
}

#[derive(Clone, Debug, Default)]
struct Nic {
    waiting: VecDeque<usize>,
    /// The packet that is being sent, and its virtual channel once it has one.
    sending: Option<usize>,
    vc: Option<usize>,
    next_vc: usize,
}

/// All switches and NICs.
pub struct Machine<'a> {
    pub network: &'a Network,
    pub config: &'a Config,
    pub routes: Routes<'a>,
    pub vcs: usize,
    /// By port and virtual channel.
    pub queues: Vec<Queue>,
    /// By channel and virtual channel.
    pub lanes: Vec<Lane>,
    /// By port.
    pub pointers: Vec<Pointers>,
    nics: Vec<Nic>,
    pub packets: Vec<Packet>,
    /// Lanes to which credits come, by cycle.
    credits: BTreeMap<u64, Vec<usize>>,
    pub draws: Stream,
    source: Source<'a>,
    pub seen: Outcome,
}

impl<'a> Machine<'a> {
    /// Makes an empty machine.
    pub fn new(network: &'a Network, config: &'a Config, traffic: &'a Traffic) -> Result<Self, PatternError> {
        let vcs = usize::from(config.switch.vcs.total());
        let lane = Lane { credits: u64::from(config.switch.buffer_flits), ..Lane::default() };
        Ok(Machine {
            network,
            config,
            routes: Routes::new(network, config),
            vcs,
            queues: vec![Queue::default(); network.ports() as usize * vcs],
            lanes: vec![lane; network.channels() as usize * vcs],
            pointers: vec![Pointers::default(); network.ports() as usize],
            nics: vec![Nic::default(); network.nodes as usize],
            packets: Vec::new(),
            credits: BTreeMap::new(),
            draws: Stream::new(config.seed, Purpose::Routing, 0),
            source: Source::new(network, config, traffic)?,
            seen: Outcome::default(),
        })
    }

    /// Lets nodes make the packets of a cycle.
    pub fn make(&mut self, cycle: u64) {
        for (node, message) in self.source.make(cycle, &mut self.seen) {
            self.nics[node].waiting.push_back(self.packets.len());
            self.packets.push(Packet { message, leg: None, escaped: false, route: Vec::new() });
        }
    }

    /// Lets a NIC send a flit, which takes `delay` cycles; gives the packet if it is its head.
    ///
    /// `choose` gives a packet's virtual channel, from all of them and the one after the last packet's.
    pub fn inject(
        &mut self,
        node: usize,
        cycle: u64,
        delay: u64,
        choose: impl Fn(&[Lane], usize) -> Option<usize>,
    ) -> Option<usize> {
        let nic = &mut self.nics[node];
        if nic.sending.is_none() {
            let packet = nic.waiting.pop_front()?;
            self.source.begin(&mut self.packets[packet].message, cycle);
            nic.sending = Some(packet);
        }
        let packet = nic.sending?;
        let first = (self.network.ports() as usize + node) * self.vcs;
        nic.vc = nic.vc.or_else(|| choose(&self.lanes[first..first + self.vcs], nic.next_vc));
        let vc = nic.vc.filter(|vc| self.lanes[first + vc].credits > 0)?;
        self.lanes[first + vc].credits -= 1;
        let message = &mut self.packets[packet].message;
        let head = message.unsent == message.flits;
        message.unsent -= 1;
        let tail = message.unsent == 0;
        if tail {
            *nic = Nic { waiting: std::mem::take(&mut nic.waiting), next_vc: vc + 1, ..Nic::default() };
        }
        let input = self.network.node_port[node] as usize;
        self.queues[input * self.vcs + vc].flits.push_back(Flit { packet, head, tail, at: cycle + delay, input });
        head.then_some(packet)
    }

    /// Gives the outputs that a packet may take at a switch; escapes go by dimension order, the shorter way round, or one drawn where
    /// both are as long, on virtual channels that depend on whether the packet came into the dimension above its target.
    pub fn permitted(&mut self, switch: usize, packet: usize, vcs: impl Fn(bool) -> Range<usize>) -> Permitted {
        let Packet { message, leg, .. } = &self.packets[packet];
        let port = self.network.node_port[message.to] as usize;
        let target = self.network.port_switch[port] as usize;
        let mut permitted = self.routes.permitted(switch, message.to, 0);
        if switch == target {
            permitted.escape = with_vcs([port], 0..self.vcs);
        } else if let Some(&(d, x, y, k)) = self.routes.differences(switch, target).first() {
            let leg = leg.filter(|&(dimension, ..)| dimension == d);
            let (d, up, above) = leg.unwrap_or_else(|| {
                let distance = 2 * ((y + k - x) % k);
                (d, distance < k || (distance == k && self.draws.below(2) == 0), x > y)
            });
            self.packets[packet].leg = Some((d, up, above));
            permitted.escape = self.routes.trunk(switch, d, up, vcs(above));
        }
        permitted
    }

    /// Sends a credit back for the room of a flit in an input queue.
    pub fn return_credit(&mut self, queue: usize, at: u64) {
        let feeder = self.network.peer[queue / self.vcs] as usize;
        self.credit(feeder * self.vcs + queue % self.vcs, at);
    }

    /// Lets a lane have a credit at a cycle.
    pub fn credit(&mut self, lane: usize, at: u64) {
        self.credits.entry(at).or_default().push(lane);
    }

    /// Lets the credits of a cycle come.
    pub fn take_credits(&mut self, cycle: u64) {
        for lane in self.credits.remove(&cycle).unwrap_or_default() {
            self.lanes[lane].credits += 1;
        }
    }

    /// Lets a node have a flit at a cycle.
    pub fn deliver(&mut self, flit: Flit, at: u64) {
        if flit.tail {
            let message = &mut self.packets[flit.packet].message;
            self.source.deliver(message, message.flits, at * self.config.switch.clock.0, &mut self.seen);
        }
    }

    /// Gives the ports of a switch.
    pub fn ports(&self, switch: usize) -> Range<usize> {
        self.network.first_port[switch] as usize..self.network.first_port[switch + 1] as usize
    }

    /// Gives the numbers of a switch's input queues, which are also those of its outputs' lanes.
    pub fn slots(&self, switch: usize) -> Range<usize> {
        let ports = self.ports(switch);
        ports.start * self.vcs..ports.end * self.vcs
    }

    /// Numbers an output and virtual channel.
    pub fn lane(&self, (port, vc): Output) -> usize {
        port * self.vcs + vc
    }
}

/// Gives how far a candidate is from where an arbiter looks first.
pub fn in_turn(candidate: usize, pointer: usize, candidates: usize) -> usize {
    (candidate + candidates - pointer % candidates) % candidates
}
