//! The routes of flows: a path where packets have one, else a split over the paths that packets may take.
//!
//! A message of one packet goes by one path. A message of few packets goes by as many paths as it has packets. At each
//! switch these choose among the permitted outputs in turn, as packets of an input queue do. A longer message is split
//! at each switch among the outputs that routing permits: in proportion to what these have left where packets take
//! those that are free, evenly where they draw; where packets draw or decide on whole routes, over sixteen of these.
//! With `flow-hash` it takes the output that its hash names; the other kinds of `switch.balance` split it, those that do
//! not look at queues evenly.
//!
//! Packets avoid outputs that sleep, so a flow does, too. Which ones sleep is what its head finds when it comes: where
//! packets may choose, the rest of the route is laid again then.

use drowse_flows::{DENOMINATOR, Rates};

use crate::engine::link::channel::Channel;
use crate::engine::switch::balance::hash::Hasher;
use crate::engine::switch::origin;
use crate::engine::switch::switches::Switches;
use crate::model::balance::{Balance, FlowOf};
use crate::model::config::{ClassModel, Config, Injection, SleepSelection};
use crate::model::rng::{self, Purpose};
use crate::model::routing_kind::RoutingKind;
use crate::power::Policy;
use crate::routing::low_diameter::{self, Undecided};
use crate::routing::{Candidates, Destination, PortGroup, has_single_route};
use crate::topology::Geometry;

use super::crowd::Crowd;
use super::level::{Level, Step};
use super::outputs::{self, Output, Spread};
use super::places::{Place, Places};
use super::slab::Flow;
use super::turns::Turns;
use super::volume::{rate_in, rate_of, time_for};

/// Over how many paths a flow is split where packets draw whole routes, and below how many packets each goes by its
/// own.
const PATHS: u32 = 16;

/// A link that has less than this left, in units of rate, is full: rounding leaves a little.
const NOTHING: u64 = 1 << 20;

/// Where a flow goes, through what, and when.
pub struct Course<'a, 'n, P: Policy> {
    /// The switches.
    pub switches: &'a Switches<'n, P>,
    /// What links carry.
    pub rates: &'a Rates,
    /// The node.
    pub to: u32,
    /// The time.
    pub t: u64,
    /// The other flows, where sleeping outputs may be woken for all of them.
    pub crowd: Option<Crowd<'a>>,
}

impl<P: Policy> Clone for Course<'_, '_, P> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<P: Policy> Copy for Course<'_, '_, P> {}

/// Lays routes; keeps its buffers.
#[derive(Debug)]
#[expect(clippy::struct_excessive_bools, reason = "facts that do not depend on each other")]
pub struct Routes {
    seed: u64,
    nic_latency: u64,
    /// By class.
    rates_of_classes: Vec<u64>,
    single: bool,
    /// Flows take one path, by their hash.
    hashed: Option<(Hasher, FlowOf)>,
    /// Flows are split evenly, whatever links have left.
    evenly: bool,
    /// Packets avoid outputs that sleep.
    avoids: bool,
    /// Packets wake one more output where others wait for those that are on.
    least_delay: bool,
    /// Bytes behind a channel on each virtual channel.
    room: u64,
    vcs: u8,
    pub(super) turns: Turns,
    places: Places,
    next: Places,
    /// By link class, whether its channels may sleep.
    pub(super) sleeps: Vec<bool>,
    /// The outputs that a part may take, and those that it takes.
    pub(super) permitted: Vec<Output>,
    pub(super) outputs: Vec<Output>,
    /// In which proportions it takes these.
    weights: Vec<u64>,
    /// The outputs that packets of a flow have taken at a level, the latest last.
    pub(super) taken: Vec<u32>,
    /// What has been laid before: channels, levels and places from some level on.
    before: (Vec<Step>, Vec<Level>, Vec<Place>),
    found: Box<Candidates>,
    /// Sleeping outputs that are woken beside those of the route.
    pub to_wake: Vec<u32>,
}

impl Routes {
    /// Prepares the routes of a machine.
    pub fn new<P: Policy>(config: &Config, switches: &Switches<P>) -> Self {
        let behind = config.switch.output_queues().map_or(0, |queues| u64::from(queues.room_flits));
        let single = has_single_route(switches.network, config.routing);
        // A probe looks at all channels; what flows do must not depend on that.
        let policy = switches.links.policy;
        let may_sleep = |(class, model): (u8, &ClassModel)| model.states.is_some() && policy.may_sleep(class);
        let sleeps: Vec<bool> = (0..).zip(&config.classes).map(may_sleep).collect();
        let (channels, nodes) = if single { (0, 0) } else { (switches.links.hot.len(), switches.partition.nodes()) };
        let balance = config.switch.balance;
        let hashed = match balance {
            Balance::FlowHash(hash) => Some((Hasher::new(config.seed, hash), hash.flow)),
            _ => None,
        };
        Routes {
            seed: config.seed,
            evenly: matches!(balance, Balance::SprayRandom | Balance::SprayRoundRobin),
            nic_latency: config.node.nic_latency.0,
            rates_of_classes: config.classes.iter().map(|class| rate_of(class.bandwidth)).collect(),
            single,
            // The output of a flow's hash is woken for it.
            avoids: sleeps.contains(&true) && config.sleep.selection != SleepSelection::Blind && hashed.is_none(),
            hashed,
            sleeps,
            least_delay: config.sleep.selection == SleepSelection::LeastDelay,
            room: (u64::from(config.switch.buffer_flits) + behind) * config.switch.flit.0,
            vcs: switches.rules.router.all_vcs,
            turns: Turns::new(channels, nodes, config.node.injection == Injection::First),
            places: Places::default(),
            next: Places::default(),
            permitted: Vec::new(),
            outputs: Vec::new(),
            weights: Vec::new(),
            taken: Vec::new(),
            before: Default::default(),
            found: Box::default(),
            to_wake: Vec::new(),
        }
    }

    /// Returns whether channels of a class may sleep.
    pub(super) fn may_sleep(&self, class: u8) -> bool {
        self.sleeps.get(usize::from(class)).is_some_and(|&sleeps| sleeps)
    }

    /// Returns whether heads choose among outputs when they come to these: packets avoid those that sleep.
    pub fn chooses_on_the_way(&self) -> bool {
        self.avoids && !self.single
    }

    /// Lays the route of a flow from a node, for its message of a number.
    pub fn lay<P: Policy>(&mut self, course: Course<P>, flow: &mut Flow, from: u32, message: u32) {
        let (switches, network) = (course.switches, course.switches.network);
        flow.hash = self.hashed.map_or(0, |(_, of)| origin::flow(of, from, course.to, message));
        let (spread, parts) = self.spread(switches, flow.packets);
        flow.mixed = parts > 1;
        flow.steps.push(Step { channel: switches.partition.ports() + from, share: DENOMINATOR, input: 0 });
        self.end_level(switches, flow, self.vcs);
        self.places.clear();
        let router = &switches.rules.router;
        let switch = network.node_switch[from as usize];
        for part in 0..parts {
            let drawn = rng::draw(self.seed, Purpose::Routing, from, u64::from(message) << 8 | u64::from(part)) as u16;
            let route = router.begin(switch, from, drawn & router.kind.drawn_bits());
            let alone = spread == Spread::One;
            let (part_number, vc) = if alone { (part as u16, self.turns.next_vc(from, self.vcs)) } else { (0, 0) };
            let share = even(DENOMINATOR, part, parts);
            self.places.add(Place { switch, route, part: part_number, vc, share, input: 0 });
        }
        self.lay_rest(course, flow, spread);
        if self.chooses_on_the_way() {
            flow.turned.clear();
        } else {
            self.take_turns(flow);
        }
    }

    /// Lays the route of a flow again from the level that its head asks for; returns whether it has become another.
    pub fn lay_again<P: Policy>(&mut self, course: Course<P>, flow: &mut Flow) -> bool {
        let stage = usize::from(flow.stage);
        let (first, kept) = (flow.levels[stage - 1].end as usize, flow.levels[stage - 1].places as usize);
        let (steps, levels, places) = &mut self.before;
        steps.clear();
        steps.extend(flow.steps.drain(first..));
        levels.clear();
        levels.extend(flow.levels.drain(stage..));
        places.clear();
        places.extend(flow.places.drain(kept..));
        let of_level = levels[0].places as usize - kept;
        self.places.take_up(&places[..of_level]);
        let (spread, _) = self.spread(course.switches, flow.packets);
        flow.turned.clear();
        self.to_wake.clear();
        self.lay_level(course, flow, spread);
        let (steps, levels, places) = &self.before;
        let count = levels[0].end as usize - first;
        let next = levels.get(1).map_or(places.len(), |level| level.places as usize - kept);
        let same = |new: &[Step]| {
            new.len() == count && new.iter().zip(steps).all(|(a, b)| (a.channel, a.share) == (b.channel, b.share))
        };
        // After the last of them comes the node's own.
        let goes_on_alike = levels.len() == 2 || self.places.as_slice() == &places[of_level..next];
        if goes_on_alike && same(&flow.steps[first..]) {
            flow.steps.extend_from_slice(&steps[count..]);
            flow.levels.extend_from_slice(&levels[1..]);
            flow.places.extend_from_slice(&places[of_level..]);
            return false;
        }
        let turned = std::mem::take(&mut flow.turned);
        self.lay_rest(Course { crowd: None, ..course }, flow, spread);
        flow.turned = turned;
        true
    }

    /// Notes that the packets of a flow have taken the outputs that are laid: others have their turn.
    pub fn take_turns(&mut self, flow: &mut Flow) {
        flow.turned.drain(..).for_each(|(queue, pointer)| self.turns.set(queue, pointer));
    }

    /// Lays all levels from where the parts of a flow are.
    fn lay_rest<P: Policy>(&mut self, course: Course<P>, flow: &mut Flow, spread: Spread) {
        let network = course.switches.network;
        let (target, port) = (network.node_switch[course.to as usize], network.node_port[course.to as usize]);
        // No route is longer than there are switches.
        while !self.places.all_at(target) && flow.levels.len() <= network.switches() as usize {
            self.lay_level(course, flow, spread);
        }
        let input = self.places.iter().next().map_or(0, |place| place.input);
        flow.steps.push(Step { channel: course.switches.partition.link(port), share: DENOMINATOR, input });
        self.end_level(course.switches, flow, 0);
    }

    /// Lays the next level of a flow, from where its parts are.
    fn lay_level<P: Policy>(&mut self, course: Course<P>, flow: &mut Flow, spread: Spread) {
        let target = course.switches.network.node_switch[course.to as usize];
        if self.chooses_on_the_way() {
            flow.places.extend_from_slice(self.places.as_slice());
        }
        self.next.clear();
        self.taken.clear();
        let before = flow.steps.len();
        let (mut vcs, mut chooses) = (0, false);
        for index in 0.. {
            let Some(place) = self.places.iter().nth(index) else { break };
            if place.switch == target {
                self.next.add(place);
                continue;
            }
            vcs |= self.go_on(course, flow, (before, spread), place);
            chooses |= self.permitted.len() > 1;
        }
        self.end_level(course.switches, flow, vcs);
        if let Some(level) = flow.levels.last_mut() {
            let class = |step: &Step| course.switches.links.hot[step.channel as usize].class;
            level.chooses = chooses && flow.steps[before..].iter().any(|step| self.may_sleep(class(step)));
        }
        std::mem::swap(&mut self.places, &mut self.next);
    }

    /// Returns how a flow of so many packets is split, and into how many parts at its node.
    fn spread<P: Policy>(&self, switches: &Switches<P>, packets: u64) -> (Spread, u32) {
        if self.single {
            return (Spread::Even, 1);
        }
        let few = u32::try_from(packets).unwrap_or(u32::MAX).min(PATHS);
        let router = &switches.rules.router;
        let whole = router.decides || router.kind == RoutingKind::KShortest;
        if self.hashed.is_some() && !whole {
            return (Spread::Even, 1);
        }
        match (few < PATHS, whole) {
            (true, _) => (Spread::One, few),
            (false, true) => (Spread::Even, PATHS),
            (false, false) => (Spread::Even, 1),
        }
    }

    /// Ends a level of a flow after the steps that it has; packets use these virtual channels there.
    fn end_level<P: Policy>(&self, switches: &Switches<P>, flow: &mut Flow, vcs: u8) {
        let first = flow.levels.last().map_or(0, |level: &Level| level.end) as usize;
        let hot = |step: &Step| &switches.links.hot[step.channel as usize];
        let steps = &flow.steps[first..];
        let rate = |class: u8| self.rates_of_classes[usize::from(class)];
        let slowest = steps.iter().map(|step| hot(step).class).min_by_key(|&class| rate(class)).unwrap_or(0);
        let alone = |step: &Step| u128::from(rate(hot(step).class)) * u128::from(DENOMINATOR) / u128::from(step.share);
        let level = Level {
            end: flow.steps.len() as u32,
            class: slowest,
            rate: u64::try_from(steps.iter().map(alone).min().unwrap_or(0)).unwrap_or(u64::MAX),
            sleeps: steps.iter().any(|step| hot(step).has(Channel::SLEEPS)),
            room: self.room * u64::from(vcs.count_ones()) * steps.len() as u64,
            lanes: vcs.count_ones() as u8,
            places: flow.places.len() as u32,
            ..Level::default()
        };
        // A packet's room comes back once its head has come, its last bit has left, and its sender has learned of that.
        let class = &switches.links.classes[usize::from(level.class)];
        let way = if flow.levels.is_empty() { self.nic_latency + class.latency } else { class.hop };
        let back = way + class.duration_ceil(switches.rules.packet_flits) + class.latency;
        let returns = rate_in(level.room, back);
        flow.levels.push(Level { returns, ..level });
    }

    /// Lets a part of a flow go on at a switch; returns the virtual channels that its packets take.
    fn go_on<P: Policy>(
        &mut self,
        course: Course<P>,
        flow: &mut Flow,
        (before, spread): (usize, Spread),
        place: Place,
    ) -> u8 {
        let (switches, network) = (course.switches, course.switches.network);
        let hop = flow.levels.len() as u32 - 1;
        let to = destination(course);
        let place = Place { route: self.decide(course, place, hop), ..place };
        let rate = |channel: u32| self.rates_of_classes[usize::from(switches.links.hot[channel as usize].class)];
        outputs::find(switches, (place, to, hop), spread, &mut self.found, rate, &mut self.permitted);
        self.take_awake(course, flow);
        self.take_hashed(place.switch, flow.hash);
        let queue = (flow.steps[place.input as usize].channel, place.vc);
        let vc = self.take_in_turn(switches, flow, (place, queue), spread);
        let free = chooses_free(switches) && !self.evenly;
        outputs::weigh(course.rates, free, &self.outputs, &mut self.weights);
        let all: u64 = self.weights.iter().sum();
        let (mut vcs, mut before_it, mut shared) = (0, 0, 0);
        for (output, weight) in self.outputs.iter().zip(&self.weights) {
            before_it += weight;
            let until = (u128::from(place.share) * u128::from(before_it) / u128::from(all)) as u32;
            let (channel, share) = (output.channel, until - std::mem::replace(&mut shared, until));
            if share == 0 {
                continue;
            }
            vcs |= output.vcs;
            let known = flow.steps[before..].iter().position(|step| step.channel == channel);
            let step = known.map_or(flow.steps.len(), |place| before + place);
            match flow.steps.get_mut(step) {
                Some(step) => step.share += share,
                None => flow.steps.push(Step { channel, share, input: place.input }),
            }
            let port = switches.partition.all_ports.whole(channel - switches.partition.outputs);
            let switch = network.port_switch(network.peer[port as usize] as usize);
            self.next.add(Place { switch, share, vc, input: step as u32, ..place });
        }
        vcs
    }

    /// Returns what the packets of a part remember of their route, after a switch at which they may decide.
    fn decide<P: Policy>(&self, course: Course<P>, place: Place, hop: u32) -> u16 {
        let (switches, network) = (course.switches, course.switches.network);
        let kind = switches.rules.router.kind;
        if !kind.decides() {
            return place.route;
        }
        let first = network.first_port[place.switch as usize];
        let of_channel = |port| self.queue(switches, course.rates, switches.partition.link(port));
        let busy =
            |group: PortGroup| group.outputs().map(|output| of_channel(first + u32::from(output))).min().unwrap_or(0);
        let packet = Undecided { at: place.switch, to: destination(course).switch, hop, route: place.route };
        low_diameter::decide(network, kind, packet, busy)
    }

    /// Leaves of the permitted outputs those that packets take, and notes which more they wake.
    fn take_awake<P: Policy>(&mut self, course: Course<P>, flow: &Flow) {
        let (switches, t) = (course.switches, course.t);
        if self.avoids && self.permitted.len() > 1 {
            let lasts = time_for(flow.left, flow.alone);
            outputs::awake(switches, &self.permitted, t, lasts, &mut self.outputs);
            if let Some(crowd) = course.crowd.filter(|_| self.least_delay) {
                let woken = self.to_wake.len();
                crowd.wake_more(switches, course.rates, (flow, &self.permitted[..]), t, &mut self.to_wake);
                let some_on = self.outputs.iter().any(|output| switches.links.is_on(output.channel as usize, t));
                let soon = |channel: u32| !some_on || switches.links.time_to_wake(channel as usize, t) < lasts;
                for &channel in self.to_wake[woken..].iter().filter(|channel| soon(**channel)) {
                    self.outputs.extend(self.permitted.iter().filter(|output| output.channel == channel));
                }
            }
        } else {
            self.outputs.clone_from(&self.permitted);
        }
        let places = &switches.rules.places;
        if !places.is_empty() && self.outputs.len() > 1 {
            let place =
                |channel: u32| places.get((channel - switches.partition.outputs) as usize).copied().unwrap_or(0);
            let free = |output: &&Output| self.queue(switches, course.rates, output.channel) == 0;
            let lowest = self.outputs.iter().filter(free).map(|output| place(output.channel)).min();
            if let Some(lowest) = lowest {
                self.outputs.retain(|output| place(output.channel) == lowest);
            }
        }
    }

    /// Leaves of the permitted outputs of a switch the one that the hash of a flow names, where flows take one.
    fn take_hashed(&mut self, switch: u32, flow: u32) {
        if let Some((hasher, _)) = self.hashed {
            let output = self.permitted[hasher.hash(switch, flow, 0, self.permitted.len())];
            self.outputs.clear();
            self.outputs.push(output);
        }
    }

    /// Returns the flits that wait for a channel, as far as flows tell: a buffer where it is full.
    fn queue<P: Policy>(&self, switches: &Switches<P>, rates: &Rates, channel: u32) -> u64 {
        let capacity = self.rates_of_classes[usize::from(switches.links.hot[channel as usize].class)];
        let is_full = rates.used(channel) + NOTHING >= capacity;
        if is_full { switches.rules.room } else { 0 }
    }
}

/// Returns whether packets take the outputs that are free, and not those that they have drawn.
fn chooses_free<P: Policy>(switches: &Switches<P>) -> bool {
    let kind = switches.rules.router.kind;
    match switches.network.geometry {
        Geometry::Levels(_) => kind != RoutingKind::Random,
        Geometry::Groups(_) => kind != RoutingKind::Minimal,
        _ => true,
    }
}

/// Returns the destination of a flow, as packets know it.
fn destination<P: Policy>(course: Course<P>) -> Destination {
    let network = course.switches.network;
    let (switch, port) = (network.node_switch[course.to as usize], network.node_port[course.to as usize]);
    Destination { switch, output: (port - network.first_port[switch as usize]) as u16 }
}

/// Returns one of so many parts of a share, which sum to it.
fn even(share: u32, part: u32, parts: u32) -> u32 {
    share / parts + u32::from(part < share % parts)
}
