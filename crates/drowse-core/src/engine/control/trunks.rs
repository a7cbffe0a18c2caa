//! Trunks whose ports are governed: at the end of each window the switch that sends on a trunk lets one of its ports go on or off,
//! as the policy says (`kind = "trunk"`, Andújar et al. 2019).
//!
//! Windows begin at the multiples of their length everywhere. A trunk that carries nothing with one port on is not looked at; the
//! next packet through it starts that again, so that idle time costs nothing. Where the two channels of a link go together
//! (`power.directions = "both"`), each end tells the other what it wants: one more port goes on where either end wants it, one
//! goes off where both do.

use crate::model::config::Config;
use crate::model::ids::{ChannelId, PortId};
use crate::model::units::Time;
use crate::power::{Change, Policy, TrunkWindow};
use crate::topology::{End, Geometry, Network};

use crate::engine::event::queue::{Wakeup, WakeupKind};
use crate::engine::link::channel::Channel;
use crate::engine::link::lanes::Lanes;
use crate::engine::link::snapshot::Snapshot;
use crate::engine::partition::{Partition, REMOTE};
use crate::engine::switch::packet::NONE;
use crate::engine::switch::switches::Switches;

/// What an end of a link lets the other end know; it takes effect a wire's latency later.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LinkMessage {
    /// The channel that leads here has been woken, and both sleep together.
    Woken,
    /// The trunk should have one more port on.
    More,
    /// The trunk should have one port fewer on.
    Fewer,
}

/// A word for a port of another part.
#[derive(Clone, Copy, Debug)]
pub struct RemoteMessage {
    /// The port, as numbered in the whole network.
    pub port: u32,
    /// When it is notifications.
    pub at: u64,
    /// What.
    pub word: LinkMessage,
}

/// The governed trunks of a part.
#[derive(Debug, Default)]
pub struct Trunks {
    /// The trunk of each port, or [`NONE`]; empty where none is governed.
    of: Vec<u32>,
    all: Vec<Trunk>,
    /// The ports of all trunks, one trunk after the other, each in an order that is the same at both ends of its links.
    ports: Vec<u32>,
    /// The lanes of ports that narrow, each a trunk of its own here.
    lanes: Vec<Lanes>,
    /// The two channels of a link go together.
    both: bool,
    /// What has come for trunks at this edge, and for which port of theirs.
    pub alarms: Vec<(WakeupKind, u32)>,
}

/// A trunk with more than one port.
#[derive(Clone, Copy, Debug)]
struct Trunk {
    /// Where its ports are in the list of all; the first of them is always on.
    first: u32,
    count: u32,
    /// The length of windows.
    window: u64,
    /// Flits sent by the beginning of the window.
    sent: u64,
    /// An alarm for the end of the window lies in the wheel.
    watched: bool,
    /// What this end wants, and what the other does.
    wants: [Change; 2],
    /// Where the lanes of its port, the only one, are in the list of all, if it is these that are governed.
    lanes: Option<u32>,
    /// How often in a row this end has wanted one port fewer since something was sent.
    asked: u8,
}

/// So often an end that sends nothing asks for one port fewer: the other hears the first, and joins in the second if it is idle, too.
const ASKS: u8 = 2;

/// Groups the ports of a network by trunk: ports side by side in the same direction, in an order that is the same at both ends.
fn grouped(network: &Network, part: &Partition) -> Vec<Vec<u32>> {
    let trunk_of = network.trunks();
    let mut groups: Vec<Vec<u32>> = Vec::new();
    for switch in part.first_port.windows(2) {
        let first = part.all_ports.start;
        let mut ports: Vec<u32> = (first + switch[0]..first + switch[1]).collect();
        ports.sort_by_key(|&port| (trunk_of[port as usize], port));
        for parallel in ports.chunk_by(|a, b| trunk_of[*a as usize] == trunk_of[*b as usize]) {
            // Both directions of a ring of two switches lead to the same neighbour; routing tells them apart.
            let width = match &network.geometry {
                Geometry::Grid(grid) if !network.is_node_channel(ChannelId(parallel[0])) => {
                    grid.trunk[usize::from(network.channel_class(ChannelId(parallel[0]))) - 1] as usize
                }
                _ => parallel.len(),
            };
            groups.extend(parallel.chunks(width.max(1)).map(<[u32]>::to_vec));
        }
    }
    let cable = |port: u32| match network.target(ChannelId(port)) {
        End::Port(PortId(there)) => port.min(there),
        End::Node(_) => port,
    };
    groups.iter_mut().for_each(|ports| ports.sort_by_key(|&port| cable(port)));
    groups
}

impl Trunks {
    /// Finds the governed trunks of a part; marks their channels.
    pub fn new<P: Policy>(
        network: &Network,
        part: &Partition,
        config: &Config,
        policy: &P,
        hot: &mut [Channel],
    ) -> Self {
        let window = |class: u8| {
            let governed = config.classes.get(usize::from(class)).is_some_and(|class| class.states.is_some());
            if governed { policy.trunk_window(class) } else { None }
        };
        let mut trunks = Trunks { both: config.sleep.both, ..Trunks::default() };
        if (0..config.classes.len()).all(|class| window(class as u8).is_none()) {
            return trunks;
        }
        trunks.of = vec![NONE; part.ports() as usize];
        for ports in grouped(network, part) {
            let class = network.channel_class(ChannelId(ports[0]));
            // A node's NIC decides by itself, and a node has one link.
            if network.is_node_channel(ChannelId(ports[0])) {
                continue;
            }
            let Some(Time(window)) = window(class) else { continue };
            let local = |port: u32| port - part.all_ports.start;
            match policy.lanes(class) {
                0 | 1 if ports.len() == 1 => {}
                0 | 1 => trunks.add(ports.iter().map(|&port| local(port)), window, hot),
                lanes => {
                    for port in ports {
                        trunks.add(std::iter::once(local(port)), window, hot);
                        let place = trunks.lanes.len() as u32;
                        trunks.all.last_mut().into_iter().for_each(|trunk| trunk.lanes = Some(place));
                        trunks.lanes.push(Lanes::new(lanes));
                    }
                }
            }
        }
        trunks
    }

    /// Adds a trunk of some ports of the part.
    fn add(&mut self, ports: impl Iterator<Item = u32>, window: u64, hot: &mut [Channel]) {
        let (first, number) = (self.ports.len() as u32, self.all.len() as u32);
        self.ports.extend(ports);
        for &port in &self.ports[first as usize..] {
            self.of[port as usize] = number;
            hot[port as usize].flags |= Channel::GOVERNED;
        }
        self.all.push(Trunk {
            first,
            count: self.ports.len() as u32 - first,
            window: window.max(1),
            sent: 0,
            watched: false,
            wants: [Change::None; 2],
            lanes: None,
            asked: 0,
        });
    }

    /// Returns whether no trunk is governed.
    pub fn is_empty(&self) -> bool {
        self.of.is_empty()
    }

    /// Returns whether some links narrow.
    pub fn narrow(&self) -> bool {
        !self.lanes.is_empty()
    }
}

impl<P: Policy> Switches<'_, P> {
    /// Starts to look at all governed trunks, whose ports and lanes are all on: the first windows may change that.
    pub fn watch_trunks(&mut self) {
        (0..self.trunks.all.len()).for_each(|trunk| self.watch_trunk(trunk));
    }

    /// Lets a governed trunk be looked at, through one of whose ports a packet goes.
    #[inline(never)]
    pub fn trunk_used(&mut self, channel: usize) {
        if let Some(&trunk) = self.trunks.of.get(channel).filter(|&&trunk| trunk != NONE) {
            self.watch_trunk(trunk as usize);
        }
    }

    /// Makes sure that a trunk is looked at when the present window ends.
    fn watch_trunk(&mut self, trunk: usize) {
        let Trunk { window, watched, .. } = &mut self.trunks.all[trunk];
        if !std::mem::replace(watched, true) {
            let end = (self.now.time / *window + 1).saturating_mul(*window);
            let bucket = self.clock.first_from(end).max(self.now.number + 1);
            self.wake_trunk(trunk, bucket, WakeupKind::Window);
        }
    }

    fn wake_trunk(&mut self, trunk: usize, bucket: u64, kind: WakeupKind) {
        let port = self.trunks.ports[self.trunks.all[trunk].first as usize];
        self.wake_port(port, bucket, kind);
    }

    /// Puts an alarm for a port.
    pub fn wake_port(&mut self, port: u32, bucket: u64, kind: WakeupKind) {
        let switch = self.switch_of::<false>(port);
        let local = (port - self.part.first_port[switch as usize]) as u16;
        self.wheel.put_wakeup(bucket, Wakeup { switch, local, vc: 0, kind });
    }

    /// Heeds what has come for trunks at this edge, in an order that does not depend on the cut.
    #[inline]
    pub fn act_on_wakeups(&mut self) {
        if !self.trunks.alarms.is_empty() {
            self.act_on_all();
        }
    }

    #[inline(never)]
    fn act_on_all(&mut self) {
        let mut alarms = std::mem::take(&mut self.trunks.alarms);
        alarms.sort_unstable();
        for (kind, port) in alarms.drain(..) {
            match kind {
                WakeupKind::More => self.other_wants(port as usize, Change::More),
                WakeupKind::Fewer => self.other_wants(port as usize, Change::Fewer),
                WakeupKind::Decide => self.decide(port as usize),
                WakeupKind::Wider => self.widen(port as usize),
                _ => self.window_ended(port as usize),
            }
        }
        self.trunks.alarms = alarms;
    }

    /// Looks at a trunk at the end of a window.
    fn window_ended(&mut self, port: usize) {
        let trunk = self.trunks.of[port] as usize;
        let before = self.trunks.all[trunk].sent;
        let sent = self.flits_sent(trunk);
        let moving = match self.lanes_of(trunk) {
            Some(lanes) => lanes.is_moving(self.now.time),
            None => self.ports_of(trunk).any(|port| self.is_moving(port)),
        };
        let change = self.policy_on(trunk, sent.wrapping_sub(before), moving);
        let both = self.trunks.both;
        let state = &mut self.trunks.all[trunk];
        (state.sent, state.watched) = (sent, false);
        state.asked = if sent == before && change == Change::Fewer { state.asked.saturating_add(1) } else { 0 };
        let asks = change != Change::None && (!both || state.asked <= ASKS);
        match (asks, both) {
            (false, _) => {}
            (true, true) => self.want(trunk, change),
            (true, false) => self.resize(trunk, change),
        }
        // Where nothing moves and nothing changes, nothing will before the next packet, or a word from the other end.
        if sent != before || moving || asks {
            self.watch_trunk(trunk);
        }
    }

    /// Asks the policy what becomes of a trunk that has sent so many flits in a window.
    fn policy_on(&self, trunk: usize, flits: u64, moving: bool) -> Change {
        let ports = || self.ports_of(trunk).filter(|&port| self.is_wanted(port)).count() as u32;
        let (all, on) = self.lanes_of(trunk).map_or_else(|| (self.trunks.all[trunk].count, ports()), Lanes::count);
        let first = self.first_port(trunk);
        let class = self.channels.class(first);
        // Of a link with several lanes, each takes so many times as long for what it has for itself.
        let share = if self.lanes_of(trunk).is_some() { u64::from(all) } else { 1 };
        let time = |flits: u64| Time(class.time_of(flits.saturating_mul(share)));
        let seen = TrunkWindow { ports: all, on, busy: time(flits), backlog: time(self.flits_waiting(trunk)) };
        match self.channels.policy.resize(self.channels.hot[first].class, &seen) {
            // One that is going off may stay on after all; else one change at a time.
            Change::More if moving && !self.ports_of(trunk).any(|port| self.is_going_off(port)) => Change::None,
            Change::Fewer if moving => Change::None,
            change => change,
        }
    }

    /// Lets a trunk have one port more or fewer on.
    fn resize(&mut self, trunk: usize, change: Change) {
        let t = self.now.time;
        if self.trunks.all[trunk].lanes.is_some() {
            return self.resize_lanes(trunk, change);
        }
        match change {
            Change::None => {}
            Change::More => {
                let off = self.ports_of(trunk).find(|&port| !self.is_wanted(port));
                off.into_iter().for_each(|port| self.turn_on(port, t));
            }
            Change::Fewer => {
                let on = self.ports_of(trunk).skip(1).filter(|&port| self.is_wanted(port)).last();
                on.into_iter().for_each(|port| self.channels.turn_off(port, t));
            }
        }
    }

    /// Lets the port of a trunk have half or twice as many lanes on.
    fn resize_lanes(&mut self, trunk: usize, change: Change) {
        let (t, port) = (self.now.time, self.first_port(trunk));
        let Some(states) = self.channels.class(port).states else { return };
        let Some(lanes) = self.trunks.all[trunk].lanes.map(|place| &mut self.trunks.lanes[place as usize]) else {
            return;
        };
        let wider_at = lanes.resize(change, t, &states);
        self.channels.hot[port].narrow = lanes.narrow;
        if let Some(at) = wider_at {
            let bucket = self.clock.first_from(at).max(self.now.number + 1);
            self.wake_port(port as u32, bucket, WakeupKind::Wider);
        }
    }

    /// Lets the lanes of a port that have gone on carry something.
    fn widen(&mut self, port: usize) {
        let Some(place) = self.trunks.all[self.trunks.of[port] as usize].lanes else { return };
        let lanes = &mut self.trunks.lanes[place as usize];
        lanes.widen();
        self.channels.hot[port].narrow = lanes.narrow;
    }

    fn lanes_of(&self, trunk: usize) -> Option<&Lanes> {
        self.trunks.all[trunk].lanes.map(|place| &self.trunks.lanes[place as usize])
    }

    /// Returns when a channel or some of its lanes were last woken.
    pub fn last_woken(&self) -> u64 {
        self.trunks.lanes.iter().map(Lanes::settled).fold(self.channels.last_settled(), u64::max)
    }

    /// Ends what is counted at time `t`, and gives what all channels have done; to be called once.
    pub fn snapshot(&mut self, t: u64) -> Snapshot {
        let measured = Time(t - self.channels.since);
        let records = (0..self.channels.hot.len()).map(|channel| {
            let mut record = self.channels.record(channel, t);
            // A channel whose lanes are governed is a trunk of its own.
            let trunk = self.trunks.of.get(channel).and_then(|&trunk| self.trunks.all.get(trunk as usize));
            let lanes = trunk.and_then(|trunk| trunk.lanes);
            if let (Some(place), Some(states)) = (lanes, self.channels.class(channel).states) {
                self.trunks.lanes[place as usize].record(t, &states, &mut record);
            }
            record
        });
        Snapshot::new(measured, records)
    }

    /// Notes what this end of a trunk wants, and tells the other end.
    fn want(&mut self, trunk: usize, change: Change) {
        self.trunks.all[trunk].wants[0] = change;
        let word = if change == Change::More { LinkMessage::More } else { LinkMessage::Fewer };
        let port = self.first_port(trunk);
        let at = self.now.time + self.channels.class(port).latency.max(1);
        let peer = self.part.peer[port];
        if peer & REMOTE == 0 {
            self.put_message(peer, at, word);
        } else {
            self.words_elsewhere.push(RemoteMessage { port: peer & !REMOTE, at, word });
        }
        self.decide_after(port as u32, at);
    }

    /// Decides on a trunk once both ends have been notifications.
    fn decide_after(&mut self, port: u32, at: u64) {
        self.wake_port(port, self.clock.first_from(at) + 1, WakeupKind::Decide);
    }

    /// Hears what the other end of a port's trunk wants.
    fn other_wants(&mut self, port: usize, change: Change) {
        let trunk = self.trunks.of[port] as usize;
        self.trunks.all[trunk].wants[1] = change;
        self.decide_after(self.first_port(trunk) as u32, self.now.time);
        self.watch_trunk(trunk);
    }

    /// Does what the ends of a trunk want; nothing where that has been done.
    fn decide(&mut self, port: usize) {
        let trunk = self.trunks.of[port] as usize;
        let wants = std::mem::replace(&mut self.trunks.all[trunk].wants, [Change::None; 2]);
        let change = match wants {
            [Change::More, _] | [_, Change::More] => Change::More,
            [Change::Fewer, Change::Fewer] => Change::Fewer,
            _ => return,
        };
        self.resize(trunk, change);
        self.trunks.all[trunk].asked = 0;
    }

    /// Lets a port hear a word from the other end of its link at the first edge from time `at` on.
    pub fn put_message(&mut self, port: u32, at: u64, word: LinkMessage) {
        let kind = match word {
            LinkMessage::Woken => WakeupKind::Peer,
            LinkMessage::More => WakeupKind::More,
            LinkMessage::Fewer => WakeupKind::Fewer,
        };
        self.wake_port(port, self.clock.first_from(at), kind);
    }

    /// Begins to count anew at time `t` what channels do.
    pub fn count_from(&mut self, t: u64) {
        for trunk in 0..self.trunks.all.len() {
            let sent = self.flits_sent(trunk);
            let before = &mut self.trunks.all[trunk].sent;
            *before = before.wrapping_sub(sent);
        }
        for trunk in &self.trunks.all {
            let port = self.trunks.ports[trunk.first as usize] as usize;
            if let (Some(place), Some(states)) = (trunk.lanes, self.channels.class(port).states) {
                self.trunks.lanes[place as usize].count_from(t, &states);
            }
        }
        self.channels.count_from(t);
    }

    fn ports_of(&self, trunk: usize) -> impl Iterator<Item = usize> {
        let Trunk { first, count, .. } = self.trunks.all[trunk];
        self.trunks.ports[first as usize..][..count as usize].iter().map(|&port| port as usize)
    }

    /// Returns the port of a trunk that is always on.
    fn first_port(&self, trunk: usize) -> usize {
        self.trunks.ports[self.trunks.all[trunk].first as usize] as usize
    }

    fn flits_sent(&self, trunk: usize) -> u64 {
        self.ports_of(trunk).map(|port| self.channels.hot[port].flits).sum()
    }

    /// Returns whether a port is not commanded off: it is on, or going on.
    fn is_wanted(&self, port: usize) -> bool {
        let hot = &self.channels.hot[port];
        hot.sleep_at > self.now.time || hot.awake_at > self.now.time
    }

    /// Returns whether a port is going off: it has been turned off, and does not yet sleep.
    fn is_going_off(&self, port: usize) -> bool {
        !self.is_wanted(port) && self.now.time < self.channels.asleep_from(port)
    }

    /// Returns whether a port is going off or on.
    fn is_moving(&self, port: usize) -> bool {
        self.channels.is_waking(port, self.now.time) || self.is_going_off(port)
    }

    /// Counts the flits of all packets in input queues whose head waits for a port of a trunk.
    fn flits_waiting(&self, trunk: usize) -> u64 {
        let first = self.part.first_port[self.switch_of::<false>(self.first_port(trunk) as u32) as usize];
        let mut flits = 0;
        for word in 0..self.words {
            let mut bits = self.ports_of(trunk).fold(0, |bits, port| bits | self.channels.waiting(port, word));
            while bits != 0 {
                let place = (first << self.vc_bits) + word as u32 * 64 + bits.trailing_zeros();
                bits &= bits - 1;
                let mut id = self.queues[place as usize].head;
                while id != NONE {
                    flits += u64::from(self.packets[id].flits);
                    id = self.packets[id].next;
                }
            }
        }
        flits
    }
}
