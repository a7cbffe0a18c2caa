//! What the switches of the two other simulators have in common: flits, their queues, credits and NICs. A message is one packet.

use std::collections::VecDeque;
use std::ops::Range;

use drowse_core::config::Config;
use drowse_core::ids::{ChannelId, PortId};
use drowse_core::rng::{Purpose, Stream};
use drowse_core::topology::{End, Geometry, Network};
use drowse_core::workload::traffic::{PatternError, Traffic};

use crate::routes::{Memory, Output, Permitted, Routes, difference, with_vcs};
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
    memory: Memory,
    /// The dimension that it travels in by dimension order, whether upwards, and whether it came into it above its target.
    leg: Option<(usize, bool, bool)>,
    /// It has taken an escape.
    pub escaped: bool,
    /// The outputs that it may take, where they are found ahead.
    pub route: Vec<Output>,
}

/// A virtual channel of an input port (a queue), or of an output port or NIC (a lane), numbered by port and virtual channel.
#[derive(Clone, Debug, Default)]
pub struct Buffer {
    /// What is in it, or on the way to it; a lane has these only if outputs have buffers.
    pub flits: VecDeque<Flit>,
    /// The lane that the packet in front of a queue has, and the queue whose packet a lane takes.
    pub partner: Option<usize>,
    /// Where its arbiter looks first.
    pub pointer: usize,
    /// A lane's room at the other end.
    pub credits: u64,
}

/// Where the arbiters of a port look first: among its virtual channels, as an input among outputs, as an output among inputs.
#[derive(Clone, Copy, Debug, Default)]
pub struct Pointers {
    pub vc: usize,
    pub output: usize,
    pub input: usize,
}

/// All switches and NICs.
pub struct Machine<'a> {
    pub network: &'a Network,
    pub config: &'a Config,
    pub routes: Routes<'a>,
    pub vcs: usize,
    pub queues: Vec<Buffer>,
    pub lanes: Vec<Buffer>,
    /// By port.
    pub pointers: Vec<Pointers>,
    /// By node: the flits of a packet that its NIC has yet to send, and their lane; the pointer is the virtual channel after the last
    /// packet's.
    nics: Vec<Buffer>,
    /// By message.
    pub packets: Vec<Packet>,
    /// Credits on their way: when each comes, and to which lane.
    pub credits: Vec<(u64, usize)>,
    pub draws: Stream,
    pub source: Source<'a>,
}

impl<'a> Machine<'a> {
    /// Makes an empty machine.
    pub fn new(network: &'a Network, config: &'a Config, traffic: &'a Traffic) -> Result<Self, PatternError> {
        let vcs = usize::from(config.switch.vcs.total());
        let lane = Buffer { credits: config.switch.buffer_flits.into(), ..Buffer::default() };
        Ok(Machine {
            network,
            config,
            routes: Routes::new(network, config),
            vcs,
            queues: vec![Buffer::default(); network.ports() as usize * vcs],
            lanes: vec![lane; network.channels() as usize * vcs],
            pointers: vec![Pointers::default(); network.ports() as usize],
            nics: vec![Buffer::default(); network.nodes as usize],
            packets: Vec::new(),
            credits: Vec::new(),
            draws: Stream::new(config.seed, Purpose::Routing, 0),
            source: Source::new(network, config, traffic)?,
        })
    }

    /// Lets nodes make the packets of a cycle.
    pub fn make(&mut self, cycle: u64) {
        self.source.make(cycle);
        self.packets.resize(self.source.messages.len(), Packet::default());
    }

    /// Lets a NIC send a flit, which takes `delay` cycles; gives the packet if it is its head.
    ///
    /// `choose` gives a packet's virtual channel, from all of them and the one after the last packet's.
    pub fn inject(
        &mut self,
        node: usize,
        cycle: u64,
        delay: u64,
        choose: impl Fn(&[Buffer], usize) -> Option<usize>,
    ) -> Option<usize> {
        let first = (self.network.ports() as usize + node) * self.vcs;
        let nic = &mut self.nics[node];
        if nic.flits.is_empty() {
            let packet = self.source.waiting[node].pop_front()?;
            self.source.begin(packet, cycle);
            let last = self.source.messages[packet].flits - 1;
            let flit = |number| Flit { packet, head: number == 0, tail: number == last, ..Flit::default() };
            nic.flits.extend((0..=last).map(flit));
        }
        let choice = || Some(first + choose(&self.lanes[first..first + self.vcs], nic.pointer)?);
        nic.partner = nic.partner.or_else(choice);
        let lane = nic.partner.filter(|&lane| self.lanes[lane].credits > 0)?;
        self.lanes[lane].credits -= 1;
        let flit = nic.flits.pop_front()?;
        if flit.tail {
            (nic.partner, nic.pointer) = (None, lane - first + 1);
        }
        self.forward(flit, lane, cycle + delay);
        flit.head.then_some(flit.packet)
    }

    /// Gives the outputs that a packet may take at a switch. On grids, escapes go by dimension order, the shorter way round, or one drawn
    /// where both are as long, on virtual channels that depend on whether the packet came into the dimension above its target.
    pub fn permitted(&mut self, switch: usize, packet: usize, vcs: impl Fn(bool) -> Range<usize>) -> Permitted {
        let to = self.source.messages[packet].to;
        let port = self.network.node_port[to] as usize;
        let target = self.routes.switch(port);
        let mut permitted = self.routes.permitted(switch, to, self.packets[packet].memory);
        if switch == target {
            permitted.escape = with_vcs(&[port], self.routes.vcs_to_node(self.packets[packet].memory));
        } else if let Geometry::Grid(grid) = &self.network.geometry
            && let Some((d, x, y)) = difference(grid, switch, target)
        {
            let leg = self.packets[packet].leg.filter(|&(dimension, ..)| dimension == d);
            let (_, up, above) = leg.unwrap_or_else(|| {
                let size = grid.dims[d];
                let distance = 2 * ((u32::from(y) + size - u32::from(x)) % size);
                (d, distance < size || (distance == size && self.draws.below(2) == 0), x > y)
            });
            self.packets[packet].leg = Some((d, up, above));
            permitted.escape = with_vcs(&self.routes.trunk(grid, switch, d, up), vcs(above));
        }
        permitted
    }

    /// Lets the packet in front of a queue have a lane until its tail has left the queue.
    pub fn join(&mut self, queue: usize, lane: usize) {
        (self.queues[queue].partner, self.lanes[lane].partner) = (Some(lane), Some(queue));
    }

    /// Gives the flit in front of a queue, if it is there yet.
    pub fn front(&self, queue: usize, cycle: u64) -> Option<Flit> {
        self.queues[queue].flits.front().copied().filter(|flit| flit.at <= cycle)
    }

    /// Takes the flit in front of a queue, whose packet has a lane; its credit is back after `delay` cycles.
    pub fn take(&mut self, queue: usize, lane: usize, cycle: u64, delay: u64) -> Option<Flit> {
        let flit = self.queues[queue].flits.pop_front_if(|flit| flit.at <= cycle)?;
        if flit.tail {
            (self.queues[queue].partner, self.lanes[lane].partner) = (None, None);
        }
        let feeder = self.network.peer[queue / self.vcs] as usize * self.vcs + queue % self.vcs;
        self.credits.push((cycle + delay, feeder));
        Some(flit)
    }

    /// Lets the credits of a cycle come.
    pub fn take_credits(&mut self, cycle: u64) {
        self.credits.retain(|&(at, lane)| {
            self.lanes[lane].credits += u64::from(at == cycle);
            at > cycle
        });
    }

    /// Lets a flit be at the other end of a lane at a cycle; gives the input port there, or `None` where it is a node.
    pub fn forward(&mut self, flit: Flit, lane: usize, at: u64) -> Option<usize> {
        let (port, vc) = (lane / self.vcs, lane % self.vcs);
        let End::Port(PortId(input)) = self.network.target(ChannelId(port as u32)) else {
            if flit.tail {
                let flits = self.source.messages[flit.packet].flits;
                self.source.deliver(flit.packet, flits, at * self.config.switch.clock.0);
            }
            return None;
        };
        let (input, packet) = (input as usize, &mut self.packets[flit.packet]);
        if flit.head && port < self.network.ports() as usize {
            packet.memory = self.routes.memory_after(port, packet.memory);
        }
        self.queues[input * self.vcs + vc].flits.push_back(Flit { at, input, ..flit });
        Some(input)
    }

    /// Gives the numbers of a switch's queues and lanes.
    pub fn slots(&self, switch: usize) -> Range<usize> {
        let ports = self.routes.ports(switch);
        ports.start * self.vcs..ports.end * self.vcs
    }

    /// Gives the number of an output's lane.
    pub fn lane(&self, (port, vc): Output) -> usize {
        port * self.vcs + vc
    }
}
