//! What the switches of the two other simulators have in common: flits, their queues, credits and NICs. A message is one packet.

use std::collections::{BTreeMap, VecDeque};
use std::ops::Range;

use drowse_core::config::Config;
use drowse_core::ids::{ChannelId, PortId};
use drowse_core::rng::{Purpose, Stream};
use drowse_core::topology::{End, Network};
use drowse_core::workload::traffic::{PatternError, Traffic};

use crate::routes::{Output, Permitted, Routes, with_vcs};
use crate::source::Source;

/// A flit, or phit.
#[derive(Clone, Copy, Debug, Default)]
pub struct Flit {
    pub packet: usize,
    pub head: bool,
    pub tail: bool,
    /// When it is in its queue or buffer.
    pub at: u64,
    /// The port by which it comes to the switch.
    pub input: usize,
}

/// How a message's packet goes on.
#[derive(Clone, Debug, Default)]
pub struct Packet {
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
    /// By message.
    pub packets: Vec<Packet>,
    /// Lanes to which credits come, by cycle.
    credits: BTreeMap<u64, Vec<usize>>,
    pub draws: Stream,
    pub source: Source<'a>,
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
        })
    }

    /// Lets nodes make the packets of a cycle.
    pub fn make(&mut self, cycle: u64) {
        for (node, message) in self.source.make(cycle) {
            self.nics[node].waiting.push_back(message);
            self.packets.push(Packet::default());
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
        let channel = self.network.ports() as usize + node;
        let first = self.lane((channel, 0));
        let nic = &mut self.nics[node];
        if nic.sending.is_none() {
            let packet = nic.waiting.pop_front()?;
            self.source.begin(packet, cycle);
            nic.sending = Some(packet);
        }
        let packet = nic.sending?;
        nic.vc = nic.vc.or_else(|| choose(&self.lanes[first..first + self.vcs], nic.next_vc));
        let vc = nic.vc.filter(|vc| self.lanes[first + vc].credits > 0)?;
        self.lanes[first + vc].credits -= 1;
        let message = &mut self.source.messages[packet];
        let head = message.unsent == message.flits;
        message.unsent -= 1;
        let tail = message.unsent == 0;
        if tail {
            *nic = Nic { waiting: std::mem::take(&mut nic.waiting), next_vc: vc + 1, ..Nic::default() };
        }
        self.forward(Flit { packet, head, tail, ..Flit::default() }, (channel, vc), cycle + delay);
        head.then_some(packet)
    }

    /// Gives the outputs that a packet may take at a switch; escapes go by dimension order, the shorter way round, or one drawn where
    /// both are as long, on virtual channels that depend on whether the packet came into the dimension above its target.
    pub fn permitted(&mut self, switch: usize, packet: usize, vcs: impl Fn(bool) -> Range<usize>) -> Permitted {
        let to = self.source.messages[packet].to;
        let port = self.network.node_port[to] as usize;
        let target = self.network.port_switch[port] as usize;
        let mut permitted = self.routes.permitted(switch, to, 0);
        if switch == target {
            permitted.escape = with_vcs([port], 0..self.vcs);
        } else if let Some(&(d, x, y, k)) = self.routes.differences(switch, target).first() {
            let leg = self.packets[packet].leg.filter(|&(dimension, ..)| dimension == d);
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

    /// Lets a flit be at the other end of a channel at a cycle; gives the input port there, or `None` where it is a node.
    pub fn forward(&mut self, flit: Flit, (port, vc): Output, at: u64) -> Option<usize> {
        if let End::Port(PortId(input)) = self.network.target(ChannelId(port as u32)) {
            let input = input as usize;
            self.queues[input * self.vcs + vc].flits.push_back(Flit { at, input, ..flit });
            return Some(input);
        }
        if flit.tail {
            let flits = self.source.messages[flit.packet].flits;
            self.source.deliver(flit.packet, flits, at * self.config.switch.clock.0);
        }
        None
    }

    /// Gives the numbers of a switch's input queues, which are also those of its outputs' lanes.
    pub fn slots(&self, switch: usize) -> Range<usize> {
        let ports = self.routes.ports(switch);
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

/// Lets each output choose among the queues that ask for it the one with the least turn.
pub fn choose<T: Copy + Ord>(mut asked: Vec<(T, usize)>, turn: impl Fn(T, usize) -> usize) -> Vec<(T, usize)> {
    asked.sort_by_key(|&(output, queue)| (output, turn(output, queue)));
    asked.dedup_by_key(|&mut (output, _)| output);
    asked
}
