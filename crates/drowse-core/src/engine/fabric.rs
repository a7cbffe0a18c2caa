//! The switches of a shard and what lies between them: input queues and arrivals; alarms are in [`super::alarm`].
//!
//! The allocator is in [`super::allocate`]. Everything that happens here happens at a clock edge; the bucket of the wheel
//! that ends at the edge brings what is due.

use crate::model::config::{Arbitration, Config, Escape, TrunkChoice};
use crate::model::ids::PortId;
use crate::model::rng::{self, Purpose};
use crate::power::Policy;
use crate::routing::{self, Candidates, GridVcs, PortGroup, Router, RoutingKind, low_diameter};
use crate::topology::{Geometry, Network};

use super::ahead;
use super::allocate::Head;
use super::channel::{Channel, Channels};
use super::clock::{Clock, Edge};
use super::nodes::NodeEvent;
use super::packet::{NONE, Packet, PacketSlab};
use super::part::{ELSEWHERE, Part};
use super::trunks::{Trunks, WordElsewhere};
use super::waiting::MoreWords;
use super::wheel::Wheel;

/// A read port of an input port; queue `v` uses read port `v` modulo their number.
#[derive(Clone, Copy, Debug)]
pub struct Input {
    /// When the last bit of the packet that it sends has left.
    pub busy_until: u64,
    /// The switch.
    pub switch: u32,
    /// The bit of the input port's first queue in the masks of its switch.
    pub first_bit: u16,
    /// Virtual channels whose head packet is looked at once the port is free.
    pub pending: u8,
    /// Where the port's round-robin arbiter looks first; and [`Input::ALARM`].
    arbiter: u8,
}

impl Input {
    /// An alarm for the end of `busy_until` lies in the wheel.
    const ALARM: u8 = 0x80;

    /// Returns the virtual channel at which the round-robin arbiter looks first.
    #[inline]
    pub fn next_vc(&self) -> u8 {
        self.arbiter & !Self::ALARM
    }

    /// Moves the round-robin arbiter past a virtual channel.
    #[inline]
    pub fn granted(&mut self, vc: u8) {
        self.arbiter = self.arbiter & Self::ALARM | (vc + 1);
    }

    /// Notes that an alarm lies in the wheel, and tells whether one did before.
    #[inline]
    pub(super) fn set_alarm(&mut self) -> bool {
        let before = self.arbiter & Self::ALARM != 0;
        self.arbiter |= Self::ALARM;
        before
    }

    #[inline]
    pub(super) fn clear_alarm(&mut self) {
        self.arbiter &= !Self::ALARM;
    }
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

/// The input queue of one virtual channel, and what is known of the packet that heads it.
#[derive(Clone, Copy, Debug)]
pub struct Queue {
    /// The packet that is next.
    pub head: u32,
    /// The packet that came last.
    pub tail: u32,
    /// Where the arbiter of its head looks first among outputs and virtual channels.
    pub next_output: u16,
    /// Some of the bits below, which are of the head and go with it.
    pub flags: u8,
}

impl Queue {
    /// Waits for outputs: their masks of waiting inputs have the queue's bit.
    pub const PARKED: u8 = 1;
    /// Found none of its outputs on, or ignored that one sleeps.
    pub const DELAYED: u8 = 2;
    /// Has decided on its way, and there is one run of outputs.
    pub const DECIDED: u8 = 4;
    /// Waits for a sleeping output since a time that is noted.
    pub const WAITS: u8 = 8;

    const EMPTY: Queue = Queue { head: NONE, tail: NONE, next_output: 0, flags: 0 };

    /// Returns whether a flag is set.
    #[inline]
    pub fn has(&self, flag: u8) -> bool {
        self.flags & flag != 0
    }
}

/// How fast links are, beside each other.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Speeds {
    /// All as fast.
    Same,
    /// As fast with all lanes on, but they narrow.
    Change,
    /// Of different classes, of different bandwidths.
    Differ,
}

/// How packets and arbiters choose among what is permitted.
#[derive(Clone, Copy, Debug)]
pub struct Choice {
    /// Packets take the output with the most credits.
    pub most_credits: bool,
    /// Packets ask for outputs that are busy, too.
    pub request_busy: bool,
    /// Packets prefer outputs that are awake.
    pub sleep_aware: bool,
    /// The seed of random arbiters; `None` where they go in turn.
    pub draws: Option<u64>,
}

impl Choice {
    fn new(network: &Network, config: &Config) -> Self {
        Choice {
            most_credits: matches!(network.geometry, Geometry::Levels(_)) && config.routing == RoutingKind::Adaptive,
            request_busy: config.switch.request_busy,
            sleep_aware: config.sleep.aware,
            draws: (config.switch.arbitration == Arbitration::Random).then_some(config.seed),
        }
    }
}

/// Returns the virtual channels on which rings are kept from filling up by a bubble.
fn bubble(network: &Network, config: &Config) -> u8 {
    match (&network.geometry, config.switch.escape) {
        (Geometry::Grid(_), Escape::Bubble) => GridVcs::new(config.switch.vcs, Escape::Bubble).escape(),
        _ => 0,
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
    /// Where queues share one read port, or each has its own: queues of a read port, as a power of two; else [`NONE`].
    pub(super) reader_bits: u32,
    /// The input queues: those of port `p` start at `p << vc_bits`.
    pub queues: Vec<Queue>,
    /// Packets granted through a switch.
    pub hops: u64,
    /// Packets that reached their node at this edge.
    pub ejected: Vec<Ejected>,
    /// Packets that have begun to leave a switch at this edge by channels of the first class, which takes whole clock periods: most
    /// do, and go into the wheel together.
    pub(super) sent: Vec<u32>,
    /// So many clock periods; [`u64::MAX`] where it takes no whole number of them.
    pub(super) sent_edges: u64,
    /// Packets that left the part at this edge.
    pub departed: Vec<Packet>,
    /// Credits for channels elsewhere.
    pub credits_elsewhere: Vec<CreditElsewhere>,
    /// Input queues with a head to which a packet came at this edge, where channels gather.
    pub(super) came_behind: Vec<u32>,
    /// Words for the other ends of links that end elsewhere.
    pub words_elsewhere: Vec<WordElsewhere>,
    /// The governed trunks.
    pub(super) trunks: Trunks,
    /// Switches to allocate at this edge: so many of the first entries.
    pub(super) active: Vec<u32>,
    pub(super) active_len: usize,
    /// The time of the edge after the one for which a switch was last put into `active`.
    pub(super) active_for: Vec<u64>,
    /// Input queues to look at: `words` per switch, one bit per queue.
    pub(super) examine: Vec<u64>,
    /// The output and virtual channel that the head of each input queue has chosen although the output slept, kept until it
    /// is on; empty where sleep is heeded when choosing.
    pub(super) chosen: Vec<Option<(u16, u8)>>,
    /// Since when the heads of input queues wait for a sleeping output, where they [do](Queue::WAITS); empty where none sleeps.
    pub(super) waits_since: Vec<u64>,
    /// The switches' clock.
    pub clock: Clock,
    /// The edge at which things happen now.
    pub now: Edge,
    /// Virtual channels per port.
    pub(super) vcs: usize,
    /// Places for virtual channels per port, as a power of two, so that numbers of queues need no division.
    pub(super) vc_bits: u32,
    /// Takes the virtual channel out of the place of a queue.
    pub(super) vc_mask: u32,
    /// Words of a bit mask over a switch's input queues.
    pub(super) words: usize,
    /// Flits that an input port holds.
    room: u64,
    /// How packets find their way.
    pub(super) router: Router<'a>,
    /// The virtual channels on which rings are kept from filling up by a bubble, one bit each.
    pub(super) bubble: u8,
    /// The ring of each port's channel, where there is such a bubble.
    pub(super) rings: Vec<u8>,
    /// Flits of a full packet.
    pub(super) packet_flits: u16,
    pub(super) choice: Choice,
    /// The place of each port within its trunk; empty where it does not matter which link of a trunk a packet takes.
    pub(super) places: Vec<u16>,
    /// Arbiters go in turn, packets ask for outputs that are free and on, and all bandwidths are the same: what a packet with
    /// one output needs to be told is short then.
    pub(super) plain: bool,
    /// All is [`plain`](Fabric::plain), and more: masks are one word, the queues of an input port share one read port or have one each,
    /// channels of a link do not sleep together, none gathers packets, and no trunk is governed. The hot path is compiled a second time for
    /// this, the rule.
    pub(super) lean: bool,
    /// Some channel may sleep.
    pub(super) may_sleep: bool,
    /// Whether a fast output may run ahead of a slow input.
    pub(super) speeds: Speeds,
}

impl<'a, P: Policy> Fabric<'a, P> {
    /// Makes idle switches.
    pub fn new(network: &'a Network, part: Part, config: &Config, mut channels: Channels<'a, P>, wheel: Wheel) -> Self {
        let (ports, ports_of) = (part.ports() as usize, part.all_ports.clone());
        let switches = part.switches.len();
        let vcs = usize::from(config.switch.vcs.total());
        let vc_bits = vcs.next_power_of_two().trailing_zeros();
        let speedup = usize::from(config.switch.input_speedup);
        let reader_bits = match speedup {
            1 => vc_bits,
            _ if speedup == 1 << vc_bits => 0,
            _ => NONE,
        };
        let words = ((network.radix() as usize) << vc_bits).div_ceil(64);
        let rate = config.classes.first().map(|class| class.bandwidth);
        let may_sleep = !channels.accounts.is_empty();
        let differ = config.classes.iter().any(|class| Some(class.bandwidth) != rate);
        let (choice, bubble) = (Choice::new(network, config), bubble(network, config));
        channels.more_waiting = MoreWords::new(words, ports);
        let trunks = Trunks::new(network, &part, config, channels.policy, &mut channels.hot);
        let speeds = match (differ, trunks.narrow()) {
            (true, _) => Speeds::Differ,
            (false, true) => Speeds::Change,
            (false, false) => Speeds::Same,
        };
        let places = match config.switch.trunks {
            TrunkChoice::Balanced => Vec::new(),
            TrunkChoice::Packed => network.trunk_places()[ports_of.start as usize..ports_of.end as usize].to_vec(),
        };
        let ignores_sleep = may_sleep && !config.sleep.aware;
        let plain =
            speeds == Speeds::Same && !ignores_sleep && choice.draws.is_none() && !choice.request_busy && bubble == 0;
        let lean =
            plain && words == 1 && reader_bits != NONE && !channels.coupled && !channels.gathers() && trunks.is_empty();
        Fabric {
            sent_edges: Some(channels.classes[0].hop_edges).filter(|&edges| edges > 0).unwrap_or(u64::MAX),
            network,
            wheel,
            channels,
            packets: PacketSlab::new(),
            inputs: idle_inputs(&part, speedup, vc_bits),
            part,
            speedup,
            reader_bits,
            queues: vec![Queue::EMPTY; ports << vc_bits],
            hops: 0,
            ejected: Vec::new(),
            sent: Vec::new(),
            departed: Vec::new(),
            credits_elsewhere: Vec::new(),
            came_behind: Vec::new(),
            words_elsewhere: Vec::new(),
            trunks,
            active: vec![0; switches + 1],
            active_len: 0,
            active_for: vec![0; switches],
            examine: vec![0; switches * words],
            waits_since: vec![0; if may_sleep { ports << vc_bits } else { 0 }],
            chosen: if ignores_sleep { vec![None; ports << vc_bits] } else { Vec::new() },
            clock: Clock::new(config.switch.clock.0),
            now: Clock::new(config.switch.clock.0).edge(0),
            vcs,
            vc_bits,
            vc_mask: (1 << vc_bits) - 1,
            words,
            room: u64::from(config.switch.buffer_flits) * u64::from(config.switch.vcs.total()),
            router: Router::new(network, config),
            plain,
            lean,
            choice,
            bubble,
            places,
            rings: if bubble == 0 { Vec::new() } else { ports_of.map(|p| routing::ring(network, PortId(p))).collect() },
            packet_flits: config.switch.packet_flits,
            may_sleep,
            speeds,
        }
    }

    /// Returns the place of an input queue among all.
    #[inline]
    pub fn queue_of(&self, port: u32, vc: u8) -> u32 {
        port << self.vc_bits | u32::from(vc)
    }

    /// Returns the read port of an input queue, by its place or its bit.
    #[inline]
    pub(super) fn reader<const LEAN: bool>(&self, place: u32) -> usize {
        if LEAN || self.reader_bits < NONE { (place >> self.reader_bits) as usize } else { self.one_of_readers(place) }
    }

    // Not inlined, like all that the rule should not carry along: the hot path keeps its values in registers.
    #[inline(never)]
    fn one_of_readers(&self, place: u32) -> usize {
        (place >> self.vc_bits) as usize * self.speedup + (place & self.vc_mask) as usize % self.speedup
    }

    /// Puts a node event into the wheel.
    #[inline]
    pub fn put_node(&mut self, event: NodeEvent) {
        let bucket = self.clock.first_from(event.time);
        self.wheel.put_node(bucket, event);
    }

    /// Puts a packet's arrival at its input queue into the wheel.
    #[inline]
    pub fn put_arrival(&mut self, id: u32, head_at: u64) {
        let bucket = self.clock.first_from(head_at);
        self.wheel.put_arrival(bucket, id);
    }

    /// Lets the heads of some packets reach their input queues.
    pub fn arrive_all<const LEAN: bool>(&mut self, packets: &[u32]) {
        for batch in packets.chunks(ahead::BATCH) {
            if batch.len() > 1 {
                self.touch_arrivals::<LEAN>(batch);
            }
            batch.iter().for_each(|&id| self.arrive::<LEAN>(id));
        }
    }

    /// Lets a packet's head reach its input queue.
    #[inline]
    fn arrive<const LEAN: bool>(&mut self, id: u32) {
        if !LEAN && self.channels.coupled {
            self.received(id);
        }
        let place = self.packets[id].place;
        let queue = &mut self.queues[place as usize];
        if queue.head == NONE {
            (queue.head, queue.tail) = (id, id);
            self.look_at::<LEAN>(place);
        } else {
            let tail = std::mem::replace(&mut queue.tail, id);
            self.packets[tail].next = id;
            if !LEAN && self.channels.gathers() {
                self.came_behind.push(place);
            }
        }
    }

    /// Returns a credit back to whoever feeds an input port; both directions of a link have the same latency.
    #[inline(always)]
    pub(super) fn return_credit(&mut self, port: u32, vc: u8, flits: u16, left_at: u64) {
        let feeder = self.part.peer[port as usize];
        if feeder & ELSEWHERE == 0 {
            let at = left_at + self.channels.class(feeder as usize).latency;
            self.credit(feeder, vc, flits, at);
        } else {
            let at = left_at + self.channels.class(port as usize).latency;
            self.credits_elsewhere.push(CreditElsewhere { channel: feeder & !ELSEWHERE, vc, flits, at });
        }
    }

    /// Lets a channel's owner have a credit at time `at`; one that waits for it is told.
    #[inline(always)]
    pub fn credit(&mut self, channel: u32, vc: u8, flits: u16, at: u64) {
        if self.channels.return_credit(channel as usize, vc, flits, at, self.now.time) {
            self.credit_wanted(channel, at);
        }
    }

    #[cold]
    fn credit_wanted(&mut self, channel: u32, at: u64) {
        let ports = self.part.ports();
        if channel >= ports {
            self.put_node(NodeEvent::nic(at, channel - ports));
        } else {
            let bucket = self.clock.first_from(at);
            self.output_alarm(channel as usize, bucket);
        }
    }

    /// Marks the head of an input queue to be looked at: at this edge, or when its read port is free.
    #[inline]
    fn look_at<const LEAN: bool>(&mut self, place: u32) {
        let reader = self.reader::<LEAN>(place);
        let input = &mut self.inputs[reader];
        let vc = place & self.vc_mask;
        if input.busy_until >= self.now.next {
            input.pending |= 1 << vc;
            self.input_alarm::<LEAN>(place);
        } else {
            let (switch, first_bit) = (input.switch, input.first_bit);
            self.examine_queues::<LEAN>(switch, first_bit, 1 << vc);
            self.activate(switch);
        }
    }

    /// Marks queues of an input port to be looked at. A port's bits lie in one word.
    #[inline]
    pub(super) fn examine_queues<const LEAN: bool>(&mut self, switch: u32, first_bit: u16, vcs: u8) {
        let word = if LEAN { switch as usize } else { switch as usize * self.words + usize::from(first_bit) / 64 };
        self.examine[word] |= u64::from(vcs) << (first_bit % 64);
    }

    #[inline]
    pub(super) fn activate(&mut self, switch: u32) {
        let mark = &mut self.active_for[switch as usize];
        // Written without a branch, which nobody could foretell, and counted only where it is new.
        self.active[self.active_len] = switch;
        self.active_len += usize::from(*mark != self.now.next);
        *mark = self.now.next;
    }

    /// Finds the permitted outputs of a packet at a switch.
    pub(super) fn candidates(&self, packet: &Packet, switch: u32, found: &mut Candidates) {
        let at = self.part.switches.start + switch;
        self.router.candidates(at, packet.destination(), packet.route, || self.hop(packet), found);
    }

    /// Returns the permitted outputs of a packet at a switch where these are one run, else none.
    #[inline(always)]
    pub(super) fn only_run(&self, packet: &Packet, switch: u32) -> PortGroup {
        let at = self.part.switches.start + switch;
        self.router.group(at, packet.destination(), packet.route, || self.hop(packet))
    }

    /// Returns by how many channels between switches a packet in an input queue has come, where virtual channels tell.
    pub(super) fn hop(&self, packet: &Packet) -> u32 {
        let from_node = self.channels.hot[(packet.place >> self.vc_bits) as usize].has(Channel::EJECTS);
        if from_node { 0 } else { self.router.hop_vcs.after(packet.place & self.vc_mask) }
    }

    /// Lets a packet that heads an input queue decide on its way, where its routing does not always know it.
    #[inline(never)]
    pub(super) fn settle(&mut self, head: &Head) {
        let packet = self.packets[head.id];
        let at = self.part.switches.start + head.switch;
        if packet.to_switch == at && packet.route & low_diameter::NON_MINIMAL == 0 {
            return;
        }
        let (network, kind, hop) = (self.network, self.router.kind, self.hop(&packet));
        let channels = &mut self.channels;
        let (room, flits, now) = (self.room, u64::from(self.packet_flits), self.now.time);
        // What an output has sent and got no credit back for, and the heads of queues that wait for it.
        let busy = |run: PortGroup| {
            let first = head.first as usize + usize::from(run.first);
            let of_channel = |channel: usize| {
                let heads = u64::from(channels.count_waiting(channel));
                room - u64::from(channels.collect_credits(channel, now).total_credits()) + heads * flits
            };
            (first..first + usize::from(run.count)).map(of_channel).min().unwrap_or(0)
        };
        self.packets[head.id].route =
            low_diameter::decide(network, kind, (at, packet.to_switch), hop, packet.route, busy);
    }

    /// Returns the place of a candidate in an arbiter's order, the least of which wins: its distance from the arbiter's
    /// pointer, or a number drawn for this edge, which is the same however often the arbiter is asked.
    #[inline]
    pub(super) fn turn(&self, distance: u16, switch: u32, arbiter: u16, candidate: u16) -> u16 {
        match self.choice.draws {
            None => distance,
            Some(seed) => self.drawn_turn(seed, switch, arbiter, candidate),
        }
    }

    // Not inlined: arbiters in turn, the rule, should not carry it along.
    #[inline(never)]
    fn drawn_turn(&self, seed: u64, switch: u32, arbiter: u16, candidate: u16) -> u16 {
        let occasion = rng::mix(self.now.number) ^ (u64::from(arbiter) << 16 | u64::from(candidate));
        rng::draw(seed, Purpose::Arbitration, self.part.switches.start + switch, occasion) as u16
    }
}

/// Makes the read ports of input ports that have nothing to send.
fn idle_inputs(part: &Part, speedup: usize, vc_bits: u32) -> Vec<Input> {
    let mut inputs = Vec::with_capacity(part.ports() as usize * speedup);
    for (switch, ports) in (0..).zip(part.first_port.windows(2)) {
        for local in 0..ports[1] - ports[0] {
            let first_bit = (local as u16) << vc_bits;
            let input = Input { busy_until: 0, switch, first_bit, pending: 0, arbiter: 0 };
            inputs.extend(std::iter::repeat_n(input, speedup));
        }
    }
    inputs
}
