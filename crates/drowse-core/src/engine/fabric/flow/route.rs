//! The routes of flows: a path where packets have one, else a split over the paths that packets may take.
//!
//! A message of one packet goes by one path. A message of few packets goes by as many paths as it has packets, each
//! drawn as a packet draws it. A longer one is split evenly at each switch among the outputs that routing permits;
//! where packets draw or decide on whole routes, over sixteen of these. Packets avoid outputs that sleep, so a flow
//! does, too: it is split among those that are on when it begins, and where none is it wakes the one that a packet
//! would wake.

use drowse_flows::{DENOMINATOR, Rates};

use crate::engine::link::channel::Channel;
use crate::engine::switch::switches::Switches;
use crate::model::config::{Config, SleepSelection};
use crate::model::rng::{self, Purpose};
use crate::model::routing_kind::RoutingKind;
use crate::power::Policy;
use crate::routing::low_diameter::{self, Goal, Undecided};
use crate::routing::{Candidates, Destination, PortGroup, has_single_route, levels};
use crate::topology::Geometry;

use super::level::{Level, Step};
use super::places::{Place, Places};
use super::slab::Flow;
use super::volume::{rate_in, rate_of};

/// Over how many paths a flow is split where packets draw whole routes, and below how many packets each draws its own.
const PATHS: u32 = 16;

/// A link that has less than this left, in units of rate, is full: rounding leaves a little.
const NOTHING: u64 = 1 << 20;

/// How the parts of a flow go on at a switch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Spread {
    /// Each by one output.
    Draw,
    /// Each by all permitted outputs.
    Even,
}

/// Lays routes; keeps its buffers.
#[derive(Debug)]
pub struct Routes {
    seed: u64,
    nic_latency: u64,
    /// By class.
    rates_of_classes: Vec<u64>,
    single: bool,
    /// Packets avoid outputs that sleep.
    avoids: bool,
    /// Bytes behind a channel on each virtual channel.
    room: u64,
    vcs: u8,
    places: Places,
    next: Places,
    /// The outputs of a part: channel and virtual channels.
    outputs: Vec<(u32, u8)>,
    found: Box<Candidates>,
}

impl Routes {
    /// Prepares the routes of a machine.
    pub fn new<P: Policy>(config: &Config, switches: &Switches<P>) -> Self {
        let behind = config.switch.output_queues().map_or(0, |queues| u64::from(queues.room_flits));
        Routes {
            seed: config.seed,
            nic_latency: config.node.nic_latency.0,
            rates_of_classes: config.classes.iter().map(|class| rate_of(class.bandwidth)).collect(),
            single: has_single_route(switches.network, config.routing),
            avoids: switches.rules.may_sleep && config.sleep.selection != SleepSelection::Blind,
            room: (u64::from(config.switch.buffer_flits) + behind) * config.switch.flit.0,
            vcs: switches.rules.router.all_vcs,
            places: Places::default(),
            next: Places::default(),
            outputs: Vec::new(),
            found: Box::default(),
        }
    }

    /// Lays the route of a flow from one node to another, for its message of a number.
    pub fn lay<P: Policy>(
        &mut self,
        switches: &Switches<P>,
        rates: &Rates,
        flow: &mut Flow,
        (from, to): (u32, u32),
        message: u32,
        t: u64,
    ) {
        let network = switches.network;
        let (spread, parts) = self.spread(switches, flow.packets);
        flow.mixed = parts > 1;
        let injection = switches.partition.ports() + from;
        flow.steps.push(Step { channel: injection, share: DENOMINATOR, input: 0 });
        self.end_level(switches, flow, self.vcs);
        let port = network.node_port[to as usize];
        let target = network.node_switch[to as usize];
        let destination = Destination { switch: target, output: (port - network.first_port[target as usize]) as u16 };
        self.places.clear();
        for part in 0..parts {
            let drawn = rng::draw(self.seed, Purpose::Routing, from, u64::from(message) << 8 | u64::from(part)) as u16;
            let share = even(DENOMINATOR, part, parts);
            let switch = network.node_switch[from as usize];
            let router = &switches.rules.router;
            let route = router.begin(switch, from, drawn & router.kind.drawn_bits());
            let salt = if parts > 1 || spread == Spread::Draw { drawn } else { 0 };
            self.places.add(Place { switch, route, salt, share, input: 0 });
        }
        let mut hop = 0;
        // No route is longer than there are switches.
        while !self.places.all_at(target) && hop <= network.switches() {
            self.next.clear();
            let before = flow.steps.len();
            let mut vcs = 0;
            for index in 0.. {
                let Some(place) = self.places.iter().nth(index) else { break };
                if place.switch == target {
                    self.next.add(place);
                    continue;
                }
                vcs |= self.go_on(switches, rates, flow, (before, spread), place, destination, hop, t);
            }
            self.end_level(switches, flow, vcs);
            std::mem::swap(&mut self.places, &mut self.next);
            hop += 1;
        }
        let input = self.places.iter().next().map_or(0, |place| place.input);
        flow.steps.push(Step { channel: switches.partition.link(port), share: DENOMINATOR, input });
        self.end_level(switches, flow, 0);
    }

    /// Returns how a flow of so many packets is split, and into how many parts at its node.
    fn spread<P: Policy>(&self, switches: &Switches<P>, packets: u64) -> (Spread, u32) {
        if self.single {
            return (Spread::Even, 1);
        }
        let few = u32::try_from(packets).unwrap_or(u32::MAX).min(PATHS);
        let router = &switches.rules.router;
        let whole = router.decides || router.kind == RoutingKind::KShortest;
        match (few < PATHS, whole) {
            (true, _) => (Spread::Draw, few),
            (false, true) => (Spread::Even, PATHS),
            (false, false) => (Spread::Even, 1),
        }
    }

    /// Ends a level of a flow after the steps that it has; packets use these virtual channels there.
    fn end_level<P: Policy>(&self, switches: &Switches<P>, flow: &mut Flow, vcs: u8) {
        let first = flow.levels.last().map_or(0, |level: &Level| level.end) as usize;
        let hot = |step: &Step| &switches.links.hot[step.channel as usize];
        let steps = &flow.steps[first..];
        let level = Level {
            end: flow.steps.len() as u32,
            class: hot(&steps[0]).class,
            sleeps: steps.iter().any(|step| hot(step).has(Channel::SLEEPS)),
            at: 0,
            room: self.room * u64::from(vcs.count_ones()) * steps.len() as u64,
            returns: 0,
            lanes: vcs.count_ones() as u8,
        };
        // A packet's room comes back once its head has come, its last bit has left, and its sender has learned of that.
        let class = &switches.links.classes[usize::from(level.class)];
        let way = if flow.levels.is_empty() { self.nic_latency + class.latency } else { class.hop };
        let back = way + class.duration_ceil(switches.rules.packet_flits) + class.latency;
        let returns = rate_in(level.room, back);
        let level = Level { returns, ..level };
        flow.levels.push(level);
    }

    /// Lets a part of a flow go on at a switch; returns the virtual channels that its packets take.
    #[expect(clippy::too_many_arguments, reason = "what is known of one part")]
    fn go_on<P: Policy>(
        &mut self,
        switches: &Switches<P>,
        rates: &Rates,
        flow: &mut Flow,
        (before, spread): (usize, Spread),
        place: Place,
        to: Destination,
        hop: u32,
        t: u64,
    ) -> u8 {
        let network = switches.network;
        let kind = switches.rules.router.kind;
        let mut place = place;
        if kind.decides() {
            let first = network.first_port[place.switch as usize];
            let of_channel = |port| self.queue(switches, rates, switches.partition.link(port));
            let busy = |group: PortGroup| {
                group.outputs().map(|output| of_channel(first + u32::from(output))).min().unwrap_or(0)
            };
            let packet = Undecided { at: place.switch, to: to.switch, hop, route: place.route };
            place.route = low_diameter::decide(network, kind, packet, busy);
        }
        self.find_outputs(switches, place, to, hop, spread);
        self.avoid(switches, rates, t);
        if spread == Spread::Draw {
            let drawn = rng::draw(self.seed, Purpose::Routing, place.switch, u64::from(place.salt)) as usize;
            let chosen = self.outputs[drawn % self.outputs.len()];
            self.outputs.clear();
            self.outputs.push(chosen);
        }
        let count = self.outputs.len() as u32;
        let mut vcs = 0;
        for (number, (channel, of_output)) in (0..).zip(std::mem::take(&mut self.outputs)) {
            let share = even(place.share, number, count);
            if share == 0 {
                continue;
            }
            vcs |= of_output;
            let known = flow.steps[before..].iter().position(|step| step.channel == channel);
            let step = known.map_or(flow.steps.len(), |place| before + place);
            match flow.steps.get_mut(step) {
                Some(step) => step.share += share,
                None => flow.steps.push(Step { channel, share, input: place.input }),
            }
            let port = switches.partition.all_ports.whole(channel - switches.partition.outputs);
            let switch = network.port_switch(network.peer[port as usize] as usize);
            self.next.add(Place { switch, share, input: step as u32, ..place });
        }
        vcs
    }

    /// Finds the outputs that routing permits to a part, the one first that packets wake where all sleep.
    fn find_outputs<P: Policy>(
        &mut self,
        switches: &Switches<P>,
        place: Place,
        to: Destination,
        hop: u32,
        spread: Spread,
    ) {
        let (network, router) = (switches.network, &switches.rules.router);
        let first = switches.partition.link(network.first_port[place.switch as usize]);
        self.outputs.clear();
        let outputs = &mut self.outputs;
        let mut take = |group: PortGroup| {
            for output in group.outputs() {
                let channel = first + u32::from(output);
                if outputs.iter().all(|(other, _)| *other != channel) {
                    outputs.push((channel, group.vcs));
                }
            }
        };
        match (&network.geometry, router.kind, spread) {
            (Geometry::Levels(tree), RoutingKind::Random, Spread::Even) => {
                take(levels::permitted(tree, RoutingKind::Adaptive, router.all_vcs, place.switch, to, 0));
            }
            (Geometry::Groups(_), RoutingKind::Minimal, Spread::Even) => {
                let vcs = router.hop_vcs.mask(hop);
                let take = |group: PortGroup| take(PortGroup { vcs, ..group });
                low_diameter::all_next_hops(network, place.switch, Goal::Switch(to.switch), take);
            }
            _ => {
                let found = &mut *self.found;
                router.candidates(place.switch, to, place.route, || hop, found);
                if found.adaptive_len == 0 {
                    take(found.escape);
                } else {
                    // The escape is one of these.
                    let escape = PortGroup { vcs: found.adaptive()[0].vcs, ..found.escape };
                    take(escape);
                    found.adaptive().iter().for_each(|group| take(*group));
                }
            }
        }
    }

    /// Leaves out what packets avoid: outputs that sleep while others are on.
    fn avoid<P: Policy>(&mut self, switches: &Switches<P>, rates: &Rates, t: u64) {
        if self.avoids && self.outputs.len() > 1 {
            let links = &switches.links;
            let is_awake = |channel: u32| links.is_on(channel as usize, t) || links.is_waking(channel as usize, t);
            if self.outputs.iter().any(|(channel, _)| is_awake(*channel)) {
                self.outputs.retain(|(channel, _)| is_awake(*channel));
            } else {
                self.outputs.truncate(1);
            }
        }
        let places = &switches.rules.places;
        if !places.is_empty() && self.outputs.len() > 1 {
            let place =
                |channel: u32| places.get((channel - switches.partition.outputs) as usize).copied().unwrap_or(0);
            let free = |channel: u32| self.queue(switches, rates, channel) == 0;
            let lowest =
                self.outputs.iter().filter(|(channel, _)| free(*channel)).map(|(channel, _)| place(*channel)).min();
            if let Some(lowest) = lowest {
                self.outputs.retain(|(channel, _)| place(*channel) == lowest);
            }
        }
    }

    /// Returns the flits that wait for a channel, as far as flows tell: a buffer where it is full.
    fn queue<P: Policy>(&self, switches: &Switches<P>, rates: &Rates, channel: u32) -> u64 {
        let capacity = self.rates_of_classes[usize::from(switches.links.hot[channel as usize].class)];
        let is_full = rates.used(channel) + NOTHING >= capacity;
        if is_full { switches.rules.room } else { 0 }
    }
}

/// Returns one of so many parts of a share, which sum to it.
fn even(share: u32, part: u32, parts: u32) -> u32 {
    share / parts + u32::from(part < share % parts)
}
