//! Routing on low-diameter networks: minimal, non-minimal (Valiant), or as the queues at the source advise (UGAL).
//!
//! A packet takes its first hop on the first class of virtual channels, its second on the second and so on, so that the
//! channel dependencies form no cycle whatever the path (Günther 1981). A non-minimal route leads by an intermediate
//! group on networks of groups, by an intermediate switch elsewhere, drawn for each packet (Valiant 1982; Kim et al.
//! 2008). UGAL compares, at the source switch, the queue behind the first output of a minimal route with that of a
//! non-minimal one, each times the hops of its route, and takes the lesser (UGAL-L; Singh 2005). Progressive adaptive
//! routing lets a packet on a minimal route decide once more after its first hop, as long as it is in the source group
//! (PAR; Jiang et al. 2009). Traffic within a group is always minimal.

use std::cmp::Reverse;

use super::candidates::Candidates;
use super::decision::{self, Pending};
use super::dispatch;
use super::port_group::PortGroup;
use super::routed::NODE;
use super::vcs::NeededVcs;
use crate::model::ids::{ChannelId, NodeId, PortId};
use crate::model::rng;
use crate::model::routing_kind::RoutingKind;
use crate::topology::{End, Geometry, Network};

pub use super::decision::{NON_MINIMAL, SALT};

/// Where a packet heads next.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Goal {
    /// A switch.
    Switch(u32),
    /// Any switch of a group.
    Group(u32),
}

/// A geometry of low diameter. Non-minimal routes lead by one of its places, which are switches or groups of switches.
pub(crate) trait LowDiameter {
    /// Returns the number of places.
    fn places(&self) -> u32;

    /// Returns the place of a switch.
    fn place(&self, switch: u32) -> u32 {
        switch
    }

    /// Returns the goal of packets that head for a place.
    fn goal_of(&self, place: u32) -> Goal {
        Goal::Switch(place)
    }

    /// Returns where a packet heads, from what it remembers.
    #[inline]
    fn goal(&self, to: u32, route: u16) -> Goal {
        if route & NON_MINIMAL == 0 {
            return Goal::Switch(to);
        }
        self.goal_of(intermediate(self.places(), self.place(to), route))
    }

    /// Returns whether a packet on a non-minimal route has come to its intermediate place, and must remember it.
    #[inline]
    fn has_arrived(&self, at: u32, to: u32, route: u16) -> bool {
        route & NON_MINIMAL != 0 && intermediate(self.places(), self.place(to), route) == self.place(at)
    }

    /// Finds the outputs towards a goal that `at` is not, by minimal paths; the virtual channels are given.
    fn next_hops(&self, at: u32, goal: Goal, salt: u16, vcs: u8, found: &mut Candidates);

    /// Returns the outputs towards a goal where they are always one group.
    fn only_next_hops(&self, at: u32, goal: Goal, salt: u16, vcs: u8) -> Option<PortGroup>;

    /// Calls `visit` with all port groups towards a goal, whatever the packet's random number; some come more than
    /// once.
    fn all_next_hops(&self, at: u32, goal: Goal, visit: &mut impl FnMut(PortGroup)) {
        let mut found = Candidates::new();
        found.clear();
        self.next_hops(at, goal, 0, 0, &mut found);
        found.all().for_each(visit);
    }

    /// Calls `visit` with the first port of each trunk on the route of a packet, which takes the first of its outputs
    /// everywhere, and of drawn paths the first.
    fn walk(&self, network: &Network, at: u32, to: u32, route: u16, visit: impl FnMut(PortId)) {
        walk_by_goals(self, network, at, to, route, visit);
    }
}

/// Asks a geometry of low diameter; others have another answer.
macro_rules! ask {
    ($geometry:expr, $it:ident => $question:expr, else $otherwise:expr) => {
        match $geometry {
            Geometry::Groups($it) => $question,
            Geometry::HyperX($it) => $question,
            Geometry::Graph($it) => $question,
            Geometry::Grid(_) | Geometry::Levels(_) | Geometry::Ideal(_) => $otherwise,
        }
    };
}

/// Returns the most channels between switches that a packet takes; `None` where hops have no classes of virtual
/// channels.
pub fn longest(network: &Network, kind: RoutingKind) -> Option<u32> {
    match dispatch::needed_vcs(network, kind) {
        NeededVcs::Hops(longest) => Some(longest),
        NeededVcs::Grid { .. } | NeededVcs::Lanes(_) | NeededVcs::Any | NeededVcs::None => None,
    }
}

/// Returns the number of places by which non-minimal routes lead.
pub fn places(network: &Network) -> u32 {
    ask!(&network.geometry, it => it.places(), else network.switches())
}

/// Returns the place of a switch.
pub(crate) fn place(network: &Network, switch: u32) -> u32 {
    ask!(&network.geometry, it => it.place(switch), else switch)
}

/// Returns the goal of packets that head for a place.
pub(crate) fn goal_of(network: &Network, place: u32) -> Goal {
    ask!(&network.geometry, it => it.goal_of(place), else Goal::Switch(place))
}

/// Calls `visit` with all port groups towards a goal, whatever the packet's random number; some come more than once.
pub fn all_next_hops(network: &Network, at: u32, goal: Goal, mut visit: impl FnMut(PortGroup)) {
    ask!(&network.geometry, it => it.all_next_hops(at, goal, &mut visit), else ());
}

/// Calls `visit` with the first port of each trunk on the route of a packet.
pub fn walk(network: &Network, at: u32, to: u32, route: u16, visit: impl FnMut(PortId)) {
    ask!(&network.geometry, it => it.walk(network, at, to, route, visit), else ());
}

/// A packet that heads an input queue, as route decisions see it.
#[derive(Clone, Copy, Debug)]
pub struct Undecided {
    /// The switch where it is.
    pub at: u32,
    /// The switch of its node.
    pub to: u32,
    /// How many hops it has taken.
    pub hop: u32,
    /// What it remembers of its route.
    pub route: u16,
}

/// Decides on the route of a packet, where it has to, and returns what it remembers. `busy` tells how many flits wait
/// behind the emptiest of some outputs.
pub fn decide(network: &Network, kind: RoutingKind, packet: Undecided, busy: impl FnMut(PortGroup) -> u64) -> u16 {
    ask!(&network.geometry, it => decide_on(it, network, kind, packet, busy), else packet.route)
}

fn decide_on(
    geometry: &impl LowDiameter,
    network: &Network,
    kind: RoutingKind,
    Undecided { at, to, hop, route }: Undecided,
    mut busy: impl FnMut(PortGroup) -> u64,
) -> u16 {
    if geometry.has_arrived(at, to, route) {
        return decision::arrive(route);
    }
    let Some(pending) = Pending::of(kind, hop, route) else { return route };
    let minimal = pending.minimal();
    let non_minimal = non_minimal(geometry, at, to, route).map(|after| pending.non_minimal(after));
    let Some(non_minimal) = non_minimal else { return minimal };
    if kind == RoutingKind::Valiant {
        return non_minimal;
    }
    let mut cost = |route: u16| {
        let mut found = Candidates::new();
        geometry.next_hops(at, geometry.goal(to, route), route, 0, &mut found);
        let least = found.all().map(&mut busy).min().unwrap_or(0);
        least * u64::from(length(geometry, network, at, to, route))
    };
    if cost(minimal) <= cost(non_minimal) { minimal } else { non_minimal }
}

/// Returns how many numbers after its own a packet finds one that draws another intermediate place than where it is;
/// `None` where there is none, or no need.
fn non_minimal(geometry: &impl LowDiameter, at: u32, to: u32, route: u16) -> Option<u16> {
    let (places, here, there) = (geometry.places(), geometry.place(at), geometry.place(to));
    if here == there || places < 3 {
        return None;
    }
    (0..=SALT).find(|&after| intermediate(places, there, route.wrapping_add(after)) != here)
}

/// Draws the intermediate place of a packet, each of `count` but that of its destination as likely.
#[inline]
fn intermediate(count: u32, to: u32, route: u16) -> u32 {
    let drawn = rng::mix(u64::from(route & SALT) << 32 | u64::from(to)) >> 32;
    let by = ((drawn * u64::from(count - 1)) >> 32) as u32;
    by + u32::from(by >= to)
}

/// Returns the channels between switches on the route of a packet.
fn length(geometry: &impl LowDiameter, network: &Network, at: u32, to: u32, route: u16) -> u32 {
    let mut channels = 0;
    geometry.walk(network, at, to, route, |_| channels += 1);
    channels
}

/// Walks from goal to goal, by the first output everywhere.
pub(super) fn walk_by_goals(
    geometry: &(impl LowDiameter + ?Sized),
    network: &Network,
    mut at: u32,
    to: u32,
    mut route: u16,
    mut visit: impl FnMut(PortId),
) {
    let mut found = Candidates::new();
    loop {
        if geometry.has_arrived(at, to, route) {
            route = decision::arrive(route);
        }
        let goal = geometry.goal(to, route);
        if goal == Goal::Switch(at) {
            return;
        }
        found.clear();
        geometry.next_hops(at, goal, route, 0, &mut found);
        at = step(network, at, found.escape.first, &mut visit);
    }
}

/// Leaves a switch by a port, and returns the next switch.
pub(super) fn step(network: &Network, at: u32, local: u16, visit: &mut impl FnMut(PortId)) -> u32 {
    let port = PortId(network.first_port[at as usize] + u32::from(local));
    visit(port);
    match network.target(ChannelId(port.0)) {
        End::Port(end) => network.port_switch(end.index()),
        End::Node(_) => at,
    }
}

/// Calls `visit` with the link classes of a minimal route between two switches, channel by channel, and those of the
/// nodes.
pub(super) fn minimal(
    geometry: &impl LowDiameter,
    network: &Network,
    from: u32,
    to: u32,
    visit: &mut impl FnMut(u8, u32),
) {
    geometry.walk(network, from, to, 0, |port| visit(network.port_class[port.index()], 1));
    visit(NODE, 2);
}

/// Does the same for the first node and the one that is farthest from it.
pub(super) fn longest_minimal(geometry: &impl LowDiameter, network: &Network, visit: &mut impl FnMut(u8, u32)) {
    let switch = |node: u32| network.node_switch(NodeId(node)).0;
    let channels = |to: u32| length(geometry, network, switch(0), switch(to), 0);
    let farthest = (1..network.nodes).max_by_key(|&to| (channels(to), Reverse(to)));
    if let Some(to) = farthest {
        minimal(geometry, network, switch(0), switch(to), visit);
    }
}
