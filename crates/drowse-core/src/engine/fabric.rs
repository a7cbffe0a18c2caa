//! The switches of a shard and what lies between them: input queues, arrivals, alarms.
//!
//! The allocator is in [`super::allocate`]. Everything that happens here happens at a clock edge; the bucket of the wheel
//! that ends at the edge brings what is due.

use crate::config::{Arbitration, Config};
use crate::power::Policy;
use crate::rng::{self, Purpose};
use crate::routing::grid::{self, GridVcs};
use crate::routing::levels::{self, Destination};
use crate::routing::{Candidates, Outputs, RoutingKind};
use crate::topology::{Geometry, Network};

use super::channel::{Channel, Channels};
use super::nodes::NodeEvent;
use super::packet::{NONE, Packet, PacketSlab};
use super::part::{ELSEWHERE, Part};
use super::wheel::{Alarm, AlarmKind, Wheel};

/// A read port of an input port; queue `v` uses read port `v` modulo their number.
#[derive(Clone, Copy, Debug, Default)]
pub struct Input {
    /// When the last bit of the packet that it sends has left.
    pub busy_until: u64,
    /// Virtual channels whose head packet is looked at once the port is free.
    pub pending: u8,
    /// Where the port's round-robin arbiter looks first.
    pub next_vc: u8,
    /// An alarm for the end of `busy_until` lies in the wheel.
    pub alarm: bool,
}

/// A packet's last bit has been scheduled to reach its node.
#[derive(Clone, Copy, Debug)]
pub struct Ejected {
    /// The message.
    pub message: u32,
    /// It is the message's first packet.
    pub first: bool,
    /// Its length.
    pub flits: u16,
    /// When the last bit leaves the channel, the NIC's latency apart.
    pub at: u64,
}

/// A credit for a channel that another part sends on.
#[derive(Clone, Copy, Debug)]
pub struct CreditElsewhere {
    /// The channel, as numbered in the whole network.
    pub channel: u32,
    /// The virtual channel.
    pub vc: u8,
    /// The room that has become free.
    pub flits: u16,
    /// When the sender learns of it.
    pub at: u64,
}

/// The input queue of one virtual channel.
#[derive(Clone, Copy, Debug)]
pub struct Queue {
    /// The packet that is next.
    pub head: u32,
    /// The packet that came last.
    pub tail: u32,
}

/// How packets and arbiters choose among what is permitted.
#[derive(Clone, Copy, Debug)]
pub struct Choice {
    /// Packets take the output with the most credits.
    pub most_credits: bool,
    /// Packets ask for outputs that are busy, too.
    pub request_busy: bool,
    /// The seed of random arbiters; `None` where they go in turn.
    pub draws: Option<u64>,
}

impl Choice {
    fn new(network: &Network, config: &Config) -> Self {
        Choice {
            most_credits: matches!(network.geometry, Geometry::Levels(_)) && config.routing == RoutingKind::Adaptive,
            request_busy: config.switch.request_busy,
            draws: (config.switch.arbitration == Arbitration::Random).then_some(config.seed),
        }
    }
}

/// The switches, channels and packets of a shard.
pub struct Fabric<'a, P: Policy> {
    /// The network.
    pub network: &'a Network,
    /// The part of it that is here; all numbers of switches, ports, channels and nodes below are the part's.
    pub part: Part,
    /// The event queue.
    pub wheel: Wheel,
    /// The channels.
    pub channels: Channels<'a, P>,
    /// The packets in flight.
    pub packets: PacketSlab,
    /// The read ports of all input ports.
    pub inputs: Vec<Input>,
    /// Packets that an input port can send at a time: its queues share so many read ports.
    pub(super) speedup: usize,
    /// The input queues: `vcs` per port.
    pub queues: Vec<Queue>,
    /// Packets granted through a switch.
    pub hops: u64,
    /// Packets that reached their node at this edge.
    pub ejected: Vec<Ejected>,
    /// Packets that left the part at this edge, and the input port elsewhere that they go to.
    pub departed: Vec<(u32, Packet)>,
    /// Credits for channels elsewhere.
    pub credits_elsewhere: Vec<CreditElsewhere>,
    /// Switches to allocate at this edge.
    pub(super) active: Vec<u32>,
    /// The edge for which a switch was last put into `active`, plus one.
    pub(super) active_for: Vec<u64>,
    /// Input queues to look at: `words` per switch, one bit per queue.
    pub(super) examine: Vec<u64>,
    /// Input queues whose head waits for an output: `words` per port, one bit per queue of the switch.
    pub(super) waiting: Vec<u64>,
    /// Where the arbiter of each input queue looks first among outputs and virtual channels.
    pub(super) next_output: Vec<u16>,
    /// The output and virtual channel that the head of each input queue has chosen although the output slept, kept until it
    /// is on; empty where sleep is heeded when choosing.
    pub(super) chosen: Vec<Option<(u16, u8)>>,
    /// The clock's period.
    pub(super) clock: u64,
    /// Virtual channels per port.
    pub(super) vcs: usize,
    /// Words of a bit mask over a switch's input queues.
    pub(super) words: usize,
    pub(super) kind: RoutingKind,
    pub(super) grid_vcs: GridVcs,
    /// All virtual channels.
    all_vcs: u8,
    pub(super) choice: Choice,
    pub(super) sleep_aware: bool,
    /// Some class of channels may sleep.
    pub(super) may_sleep: bool,
    /// Bandwidths differ, so that a fast output may run ahead of a slow input.
    pub(super) may_underrun: bool,
}

impl<'a, P: Policy> Fabric<'a, P> {
    /// Makes idle switches.
    pub fn new(network: &'a Network, part: Part, config: &Config, channels: Channels<'a, P>, wheel: Wheel) -> Self {
        let ports = part.ports() as usize;
        let switches = part.switches.len();
        let vcs = usize::from(config.switch.vcs.total());
        let speedup = usize::from(config.switch.input_speedup);
        let words = (network.radix() as usize * vcs).div_ceil(64);
        let rate = config.classes.first().map(|class| class.bandwidth);
        let may_sleep = config.classes.iter().any(|class| class.states.is_some());
        let ignores_sleep = may_sleep && !config.sleep.aware;
        Fabric {
            network,
            part,
            wheel,
            channels,
            packets: PacketSlab::new(),
            inputs: vec![Input::default(); ports * speedup],
            speedup,
            queues: vec![Queue { head: NONE, tail: NONE }; ports * vcs],
            hops: 0,
            ejected: Vec::new(),
            departed: Vec::new(),
            credits_elsewhere: Vec::new(),
            active: Vec::new(),
            active_for: vec![0; switches],
            examine: vec![0; switches * words],
            waiting: vec![0; ports * words],
            next_output: vec![0; ports * vcs],
            chosen: if ignores_sleep { vec![None; ports * vcs] } else { Vec::new() },
            clock: config.switch.clock.0,
            vcs,
            words,
            kind: config.routing,
            grid_vcs: GridVcs::new(config.switch.vcs),
            all_vcs: ((1u16 << vcs) - 1) as u8,
            choice: Choice::new(network, config),
            sleep_aware: config.sleep.aware,
            may_sleep,
            may_underrun: config.classes.iter().any(|class| Some(class.bandwidth) != rate),
        }
    }

    /// Gives the bucket whose edge is the first at or after time `t`.
    #[inline]
    pub fn edge_after(&self, t: u64) -> u64 {
        t.div_ceil(self.clock)
    }

    /// Gives the first bucket at whose edge something that ends at time `t` is seen as ended: an edge may grant what
    /// becomes free before the next one, and the packet starts when it does.
    #[inline]
    pub fn edge_freeing(&self, t: u64) -> u64 {
        t / self.clock
    }

    /// Tells whether what ends at time `t` is seen as ended at an edge: it ends before the next one.
    #[inline]
    pub(super) fn ends_by(&self, t: u64, edge: u64) -> bool {
        t < (edge + 1) * self.clock
    }

    /// Puts a node event into the wheel.
    #[inline]
    pub fn put_node(&mut self, event: NodeEvent) {
        let bucket = self.edge_after(event.time);
        self.wheel.put_node(bucket, event);
    }

    /// Lets a packet's head reach its input queue at edge `edge`.
    #[inline]
    pub fn arrive(&mut self, id: u32, edge: u64) {
        let packet = &self.packets[id];
        let (port, vc) = (packet.port as usize, packet.vc);
        let queue = &mut self.queues[port * self.vcs + usize::from(vc)];
        if queue.head == NONE {
            *queue = Queue { head: id, tail: id };
            self.look_at(port, vc, edge);
        } else {
            let tail = std::mem::replace(&mut queue.tail, id);
            self.packets[tail].next = id;
        }
    }

    /// Acts on an alarm at edge `edge`.
    pub fn alarm(&mut self, alarm: Alarm, edge: u64) {
        let first = self.part.first_port[alarm.switch as usize] as usize;
        let port = first + usize::from(alarm.local);
        match alarm.kind {
            AlarmKind::Retry => {}
            AlarmKind::Input => {
                let reader = self.reader(port, alarm.vc);
                let input = &mut self.inputs[reader];
                input.alarm = false;
                let pending = std::mem::take(&mut input.pending);
                self.examine_input(alarm.switch, usize::from(alarm.local), pending);
            }
            AlarmKind::Output => {
                // An alarm that an earlier one has replaced finds nothing to do.
                let hot = &mut self.channels.hot[port];
                if hot.alarm != edge {
                    return;
                }
                hot.alarm = u64::MAX;
                let (to, from) = (alarm.switch as usize * self.words, port * self.words);
                for word in 0..self.words {
                    self.examine[to + word] |= self.waiting[from + word];
                }
            }
            AlarmKind::Packet => self.examine_input(alarm.switch, usize::from(alarm.local), 1 << alarm.vc),
        }
        self.activate(alarm.switch, edge);
    }

    /// Gives a credit back to whoever feeds an input port.
    #[inline]
    pub(super) fn return_credit(&mut self, port: usize, vc: u8, flits: u16, left_at: u64) {
        let at = left_at + self.channels.class(port).latency;
        let feeder = self.part.fed_by[port];
        if feeder & ELSEWHERE == 0 {
            self.credit(feeder, vc, flits, at);
        } else {
            self.credits_elsewhere.push(CreditElsewhere { channel: feeder & !ELSEWHERE, vc, flits, at });
        }
    }

    /// Lets a channel's owner have a credit at time `at`; one that waits for it is told.
    #[inline]
    pub fn credit(&mut self, channel: u32, vc: u8, flits: u16, at: u64) {
        let overtakes = self.channels.return_credit(channel as usize, vc, flits, at);
        let hot = &mut self.channels.hot[channel as usize];
        // Who waits for a credit that is on its way must be told of one that comes before it.
        if overtakes || hot.has(Channel::WANTS_CREDIT) {
            hot.flags &= !Channel::WANTS_CREDIT;
            self.credit_wanted(channel, at);
        }
    }

    #[cold]
    fn credit_wanted(&mut self, channel: u32, at: u64) {
        let ports = self.part.ports();
        if channel >= ports {
            self.put_node(NodeEvent::nic(at, channel - ports));
        } else {
            let edge = self.edge_after(at);
            self.output_alarm(channel as usize, edge);
        }
    }

    /// Makes sure that the allocator looks at those who wait for an output at bucket `edge` or before.
    #[inline]
    pub(super) fn output_alarm(&mut self, channel: usize, edge: u64) {
        let hot = &mut self.channels.hot[channel];
        if edge < hot.alarm {
            hot.alarm = edge;
            let switch = self.part.port_switch[channel];
            let local = (channel as u32 - self.part.first_port[switch as usize]) as u16;
            self.wheel.put_alarm(edge, Alarm { switch, local, vc: 0, kind: AlarmKind::Output });
        }
    }

    /// Makes sure that the allocator looks at an input port once it is free.
    #[inline]
    pub(super) fn input_alarm(&mut self, switch: u32, port: usize, vc: u8) {
        let reader = self.reader(port, vc);
        let input = &mut self.inputs[reader];
        if !input.alarm {
            input.alarm = true;
            // An arbiter grants at most one packet an edge, however short it is.
            let bucket = (input.busy_until / self.clock).max(self.wheel.now() + 1);
            let local = (port as u32 - self.part.first_port[switch as usize]) as u16;
            self.wheel.put_alarm(bucket, Alarm { switch, local, vc, kind: AlarmKind::Input });
        }
    }

    /// Marks the head of an input queue to be looked at: at this edge, or when the port is free.
    #[inline]
    fn look_at(&mut self, port: usize, vc: u8, edge: u64) {
        let switch = self.part.port_switch[port];
        let reader = self.reader(port, vc);
        let input = &mut self.inputs[reader];
        if input.busy_until >= (edge + 1) * self.clock {
            input.pending |= 1 << vc;
            self.input_alarm(switch, port, vc);
        } else {
            let local = port - self.part.first_port[switch as usize] as usize;
            self.examine_input(switch, local, 1 << vc);
            self.activate(switch, edge);
        }
    }

    /// Gives the read port of an input queue.
    #[inline]
    pub(super) fn reader(&self, port: usize, vc: u8) -> usize {
        if self.speedup == 1 { port } else { port * self.speedup + usize::from(vc) % self.speedup }
    }

    #[inline]
    pub(super) fn examine_input(&mut self, switch: u32, local: usize, vcs: u8) {
        let mut vcs = vcs;
        while vcs != 0 {
            let bit = local * self.vcs + vcs.trailing_zeros() as usize;
            self.examine[switch as usize * self.words + bit / 64] |= 1 << (bit % 64);
            vcs &= vcs - 1;
        }
    }

    #[inline]
    pub(super) fn activate(&mut self, switch: u32, edge: u64) {
        let mark = &mut self.active_for[switch as usize];
        if *mark != edge + 1 {
            *mark = edge + 1;
            self.active.push(switch);
        }
    }

    /// Finds the permitted outputs of a packet at a switch.
    #[inline]
    pub(super) fn candidates(&self, packet: &Packet, switch: u32, found: &mut Candidates) {
        let switch = self.part.switches.start + switch;
        if packet.to_switch == switch {
            found.adaptive_len = 0;
            found.escape = Outputs { first: packet.to_output, count: 1, vcs: 1 };
            return;
        }
        match &self.network.geometry {
            Geometry::Grid(grid) => {
                grid::candidates(grid, self.kind, &self.grid_vcs, switch, packet.to_switch, packet.route, found);
            }
            Geometry::Levels(tree) => {
                let to = Destination { switch: packet.to_switch, output: packet.to_output };
                levels::candidates(tree, self.kind, self.all_vcs, switch, to, packet.route, found);
            }
            Geometry::Ideal(_) => debug_assert!(false, "an ideal network has no packets"),
        }
    }

    /// Gives the place of a candidate in an arbiter's order, the least of which wins: its distance from the arbiter's
    /// pointer, or a number drawn for this edge, which is the same however often the arbiter is asked.
    #[inline]
    pub(super) fn turn(&self, distance: u16, switch: u32, edge: u64, arbiter: u16, candidate: u16) -> u16 {
        match self.choice.draws {
            None => distance,
            Some(seed) => self.drawn_turn(seed, switch, edge, arbiter, candidate),
        }
    }

    // Not inlined: arbiters in turn, the rule, should not carry it along.
    #[inline(never)]
    fn drawn_turn(&self, seed: u64, switch: u32, edge: u64, arbiter: u16, candidate: u16) -> u16 {
        let occasion = rng::mix(edge) ^ (u64::from(arbiter) << 16 | u64::from(candidate));
        rng::draw(seed, Purpose::Arbitration, self.part.switches.start + switch, occasion) as u16
    }
}
