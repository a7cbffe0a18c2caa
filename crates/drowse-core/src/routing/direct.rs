//! Routing on direct networks: minimal, by a detour (Valiant), or as the queues at the source advise (UGAL).
//!
//! A packet takes its first hop on the first class of virtual channels, its second on the second and so on, so that the channel
//! dependencies form no cycle whatever the way (Günther 1981). A detour leads by an intermediate group on networks of groups, by an
//! intermediate switch elsewhere, drawn for each packet (Valiant 1982; Kim et al. 2008). UGAL compares, at the source switch, the
//! queue behind the first output of a minimal way with that of a detour, each times the hops of its way, and takes the lesser
//! (UGAL-L; Singh 2005). Progressive adaptive routing lets a packet on a minimal way decide once more after its first hop, as
//! long as it is in the source group (PAR; Jiang et al. 2009). Traffic within a group is always minimal.

use super::{Candidates, Outputs, RoutingKind, graph};
use crate::model::config::VirtualChannels;
use crate::model::ids::{ChannelId, PortId};
use crate::model::rng;
use crate::topology::graph::{Routes, Tables};
use crate::topology::groups::Groups;
use crate::topology::{self, End, Geometry, Network};

/// The bits of `route` that are a random number of the packet's own.
pub const SALT: u16 = (1 << 13) - 1;
/// The bit of `route` that sends a packet to its intermediate group or switch first.
pub const DETOUR: u16 = 1 << 13;
/// Counts the switches where the packet has decided for or against a detour.
const DECISION: u16 = 1 << 14;

/// The virtual channels of each hop.
#[derive(Clone, Copy, Debug)]
pub struct HopVcs {
    /// Virtual channels of each class.
    width: u8,
    classes: u8,
}

impl HopVcs {
    /// Deals the virtual channels out to so many classes, evenly.
    pub fn new(vcs: VirtualChannels, classes: u32) -> Self {
        let classes = (classes.min(u32::from(VirtualChannels::MAX)) as u8).max(1);
        HopVcs { width: (vcs.hop / classes).max(1), classes }
    }

    /// Returns the virtual channels of a hop, from 0 on; beyond the last there are none.
    #[inline]
    pub fn mask(&self, hop: u32) -> u8 {
        let all = (1u16 << self.width) - 1;
        if hop < u32::from(self.classes) { (all << (hop as u8 * self.width)) as u8 } else { 0 }
    }

    /// Returns the hop that follows one on a virtual channel.
    #[inline]
    pub fn after(&self, vc: u32) -> u32 {
        vc / u32::from(self.width) + 1
    }
}

/// Returns the most channels between switches that a packet takes; `None` where the network is none with hop classes.
pub fn longest(network: &Network, kind: RoutingKind) -> Option<u32> {
    let (minimal, detour, late_detour) = match &network.geometry {
        Geometry::Groups(groups) => {
            let [within, out, across] = groups.local.longest();
            let minimal = if groups.count > 1 { within.max(2 * out + 1) } else { within };
            // Out, over, across, over, in; a packet that decides after its first hop goes across once more in its own group.
            let [detour, late] = [out, 1 + across].map(|first| first + 1 + across + 1 + out);
            if groups.count > 2 { (minimal, detour, late) } else { (minimal, minimal, minimal) }
        }
        Geometry::HyperX(lattice) => {
            let most = lattice.dims.len() as u32;
            if lattice.switches() > 2 { (most, 2 * most, 2 * most + 1) } else { (most, most, most) }
        }
        Geometry::Graph(graph) => return on_graph(graph, kind),
        Geometry::Grid(_) | Geometry::Levels(_) | Geometry::Ideal(_) => return None,
    };
    match kind {
        RoutingKind::Minimal => Some(minimal),
        RoutingKind::Valiant | RoutingKind::Ugal => Some(detour),
        RoutingKind::Progressive => Some(late_detour),
        _ => None,
    }
}

/// Returns the most channels between switches that a packet takes on a graph; `None` where any virtual channel will do.
fn on_graph(graph: &Tables, kind: RoutingKind) -> Option<u32> {
    match (&graph.routes, kind) {
        (Routes::Shortest(distances), RoutingKind::Minimal) => Some(distances.between_nodes),
        (Routes::Shortest(distances), RoutingKind::Valiant | RoutingKind::Ugal) => Some(2 * distances.from_nodes),
        // The second decision is made at any switch beside the first.
        (Routes::Shortest(distances), RoutingKind::Progressive) => {
            Some(1 + distances.between_any + distances.from_nodes)
        }
        (Routes::Paths(paths), _) => Some(paths.longest),
        _ => None,
    }
}

/// Where a packet heads next.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Goal {
    /// A switch.
    Switch(u32),
    /// Any switch of a group.
    Group(u32),
}

/// Finds the outputs towards a goal that `at` is not, by minimal ways; the virtual channels are given.
#[inline]
pub fn onward(network: &Network, at: u32, goal: Goal, salt: u16, vcs: u8, found: &mut Candidates) {
    found.clear();
    match &network.geometry {
        Geometry::Groups(groups) => found.offer(outputs(in_groups(groups, at, goal, salt), vcs)),
        Geometry::HyperX(lattice) => {
            let Goal::Switch(to) = goal else { return };
            for d in 0..lattice.dims.len() {
                let there = lattice.coordinate(to, d);
                if lattice.coordinate(at, d) != there {
                    found.offer(outputs(lattice.trunk(at, d, there), vcs));
                }
            }
        }
        Geometry::Graph(tables) => {
            if let Goal::Switch(to) = goal {
                graph::onward(tables, at, to, vcs, found);
            }
        }
        Geometry::Grid(_) | Geometry::Levels(_) | Geometry::Ideal(_) => {}
    }
}

/// Returns the outputs towards a goal where they are always one trunk.
#[inline]
pub fn only(network: &Network, at: u32, goal: Goal, salt: u16, vcs: u8) -> Option<Outputs> {
    match (&network.geometry, goal) {
        (Geometry::Groups(groups), _) => Some(outputs(in_groups(groups, at, goal, salt), vcs)),
        (Geometry::HyperX(lattice), Goal::Switch(to)) if lattice.dims.len() == 1 => {
            Some(outputs(lattice.trunk(at, 0, to), vcs))
        }
        (Geometry::Graph(tables), Goal::Switch(to)) => graph::only(tables, at, to, vcs),
        _ => None,
    }
}

/// Returns `visit` all trunks towards a goal, whatever the packet's random number; some come more than once.
pub fn all_onward(network: &Network, at: u32, goal: Goal, mut visit: impl FnMut(Outputs)) {
    match (&network.geometry, goal) {
        (Geometry::Groups(groups), Goal::Switch(to)) => groups.all_towards(at, to, |run| visit(outputs(run, 0))),
        (Geometry::Groups(groups), Goal::Group(to)) => groups.all_towards_group(at, to, |run| visit(outputs(run, 0))),
        _ => {
            let mut found = Candidates::new();
            onward(network, at, goal, 0, 0, &mut found);
            found.all().for_each(visit);
        }
    }
}

#[inline]
fn in_groups(groups: &Groups, at: u32, goal: Goal, salt: u16) -> (u32, u32) {
    // Each switch sees another number, or gateways and the ways to them would go together.
    let choice = rng::mix(u64::from(salt & SALT) << 32 | u64::from(at)) as u32;
    match goal {
        Goal::Switch(to) => groups.towards(at, to, choice),
        Goal::Group(group) => groups.towards_group(at, group, choice),
    }
}

#[inline]
fn outputs((first, count): (u32, u32), vcs: u8) -> Outputs {
    Outputs { first: first as u16, count: count as u16, vcs }
}

/// Returns where a packet at a switch heads, from what it remembers.
#[inline]
pub fn goal(network: &Network, at: u32, to: u32, route: u16) -> Goal {
    if route & DETOUR == 0 {
        return Goal::Switch(to);
    }
    match &network.geometry {
        Geometry::Groups(groups) => {
            let (here, there) = (groups.group(at), groups.group(to));
            let by = intermediate(groups.count, there, route);
            // No way leads through a third group, so that where the packet is tells how far it has come.
            if here == there || here == by { Goal::Switch(to) } else { Goal::Group(by) }
        }
        _ => Goal::Switch(intermediate(network.switches(), to, route)),
    }
}

/// Draws the intermediate group or switch of a packet, each of `count` but that of its destination as likely.
#[inline]
fn intermediate(count: u32, to: u32, route: u16) -> u32 {
    let drawn = rng::mix(u64::from(route & SALT) << 32 | u64::from(to)) >> 32;
    let by = ((drawn * u64::from(count - 1)) >> 32) as u32;
    by + u32::from(by >= to)
}

/// Lets a packet that heads an input queue of switch `at`, after so many hops, decide on its way where it has to, and gives what
/// it remembers. `busy` tells how many flits wait behind the emptiest of some outputs.
pub fn settle(
    network: &Network,
    kind: RoutingKind,
    (at, to): (u32, u32),
    hop: u32,
    route: u16,
    mut busy: impl FnMut(Outputs) -> u64,
) -> u16 {
    if route & DETOUR != 0 {
        let arrived =
            !matches!(network.geometry, Geometry::Groups(_)) && goal(network, at, to, route) == Goal::Switch(at);
        return if arrived { route & !DETOUR } else { route };
    }
    let last = u32::from(kind == RoutingKind::Progressive);
    if kind == RoutingKind::Minimal || u32::from(route / DECISION) != hop || hop > last {
        return route;
    }
    let minimal = route + DECISION;
    let Some(detour) = detour(network, at, to, minimal) else { return minimal };
    if kind == RoutingKind::Valiant {
        return detour;
    }
    let mut cost = |route: u16| {
        let mut found = Candidates::new();
        onward(network, at, goal(network, at, to, route), route, 0, &mut found);
        let least = found.all().map(&mut busy).min().unwrap_or(0);
        least * u64::from(length(network, at, to, route))
    };
    if cost(minimal) <= cost(detour) { minimal } else { detour }
}

/// Sends a packet by an intermediate group or switch, another than where it is; `None` where there is none, or no need.
fn detour(network: &Network, at: u32, to: u32, route: u16) -> Option<u16> {
    let (count, here, there) = match &network.geometry {
        Geometry::Groups(groups) => (groups.count, groups.group(at), groups.group(to)),
        _ => (network.switches(), at, to),
    };
    if here == there || count < 3 {
        return None;
    }
    let drawn = (0..=SALT).map(|more| route & !SALT | DETOUR | route.wrapping_add(more) & SALT);
    drawn.into_iter().find(|&route| intermediate(count, there, route) != here)
}

/// Returns the channels between switches on the way of a packet.
fn length(network: &Network, at: u32, to: u32, route: u16) -> u32 {
    let mut channels = 0;
    walk(network, at, to, route, |_| channels += 1);
    channels
}

/// Returns `visit` the first port of each trunk on the way of a packet, which takes the first of its outputs everywhere, and of
/// drawn paths the first.
pub fn walk(network: &Network, mut at: u32, to: u32, mut route: u16, mut visit: impl FnMut(PortId)) {
    let mut next = |at: &mut u32, first: u16| {
        let port = PortId(network.first_port[*at as usize] + u32::from(first));
        visit(port);
        if let End::Port(end) = network.target(ChannelId(port.0)) {
            *at = network.port_switch(end.index());
        }
    };
    if let (Geometry::Graph(tables), Some(paths)) = (&network.geometry, topology::graph::paths(network)) {
        let drawn = paths.draw(at, 0);
        for hop in 0..paths.longest {
            let run = graph::on_path(tables, at, to, drawn, hop, 0).filter(|_| at != to);
            run.iter().for_each(|run| next(&mut at, run.first));
        }
        return;
    }
    let mut found = Candidates::new();
    while at != to || route & DETOUR != 0 && !matches!(network.geometry, Geometry::Groups(_)) {
        let goal = goal(network, at, to, route);
        if goal == Goal::Switch(at) {
            route &= !DETOUR;
            continue;
        }
        onward(network, at, goal, route, 0, &mut found);
        next(&mut at, found.escape.first);
    }
}
