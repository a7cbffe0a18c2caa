//! Routing on graphs: the outputs that the tables permit.
//!
//! Ports that follow each other and lead to next hops alike are offered as one group, whichever neighbours they lead
//! to.

use super::candidates::Candidates;
use super::deadlock_rule::DeadlockRule;
use super::destination::Destination;
use super::low_diameter::{self, Goal, LowDiameter, walk_by_goals};
use super::port_group::PortGroup;
use super::routed::Routed;
use super::router::Router;
use super::vcs::NeededVcs;
use crate::model::ids::{ChannelId, PortId};
use crate::model::routing_kind::RoutingKind;
use crate::topology::Network;
use crate::topology::geometry::graph::adjacency::Neighbour;
use crate::topology::geometry::graph::forwarding::ForwardingTables;
use crate::topology::geometry::graph::{Routes, Tables};

impl Routed for Tables {
    fn kinds(&self) -> &'static [RoutingKind] {
        use RoutingKind::{KShortest, Minimal, Progressive, Table, Ugal, UpDown, Valiant};
        match self.routes {
            Routes::Shortest(_) => &[Minimal, Valiant, Ugal, Progressive],
            Routes::UpDown(_) => &[UpDown],
            Routes::Paths(_) => &[KShortest],
            Routes::Forwarding(_) => &[Table],
        }
    }

    fn needed_vcs(&self, kind: RoutingKind) -> NeededVcs {
        match (&self.routes, kind) {
            (Routes::Shortest(distances), RoutingKind::Minimal) => NeededVcs::Hops(distances.between_nodes),
            (Routes::Shortest(distances), RoutingKind::Valiant | RoutingKind::Ugal) => {
                NeededVcs::Hops(2 * distances.from_nodes)
            }
            // The second decision is made at any switch beside the first.
            (Routes::Shortest(distances), RoutingKind::Progressive) => {
                NeededVcs::Hops(1 + distances.between_any + distances.from_nodes)
            }
            (Routes::Paths(paths), _) => NeededVcs::Hops(paths.longest),
            (Routes::Forwarding(tables), _) => tables.lanes.map_or(NeededVcs::Any, NeededVcs::Lanes),
            _ => NeededVcs::Any,
        }
    }

    fn first_route(&self, from: u32, node: u32, random: u16) -> u16 {
        match &self.routes {
            Routes::Paths(paths) => paths.draw(from, random),
            // Of networks whose tables tell lanes, nodes have numbers of 16 bits.
            Routes::Forwarding(_) => node as u16,
            Routes::Shortest(_) | Routes::UpDown(_) => random,
        }
    }

    fn only_group(
        &self,
        router: &Router<'_>,
        at: u32,
        to: Destination,
        route: u16,
        hop: impl FnOnce() -> u32,
    ) -> PortGroup {
        let only = match router.kind {
            RoutingKind::Table => return forwarded(self, at, to, route, router.all_vcs),
            RoutingKind::UpDown => only(self, at, to.switch, router.all_vcs),
            RoutingKind::KShortest => {
                let hop = hop();
                on_path(self, at, to.switch, route, hop, router.hop_vcs.mask(hop))
            }
            _ => self.only_next_hops(at, self.goal(to.switch, route), route, router.hop_vcs.mask(hop())),
        };
        only.unwrap_or(PortGroup::NONE)
    }

    fn candidates(
        &self,
        router: &Router<'_>,
        at: u32,
        to: Destination,
        route: u16,
        hop: impl Fn() -> u32,
        found: &mut Candidates,
    ) {
        found.clear();
        if router.counts_hops {
            self.next_hops(at, self.goal(to.switch, route), route, router.hop_vcs.mask(hop()), found);
        } else {
            next_hops(self, at, to.switch, router.all_vcs, found);
        }
    }

    fn has_single_route(&self, kind: RoutingKind) -> bool {
        kind == RoutingKind::Table
    }

    fn minimal(&self, network: &Network, from: u32, to: u32, visit: &mut impl FnMut(u8, u32)) {
        low_diameter::minimal(self, network, from, to, visit);
    }

    fn longest(&self, network: &Network, visit: &mut impl FnMut(u8, u32)) {
        low_diameter::longest_minimal(self, network, visit);
    }

    fn deadlock_rule(&self, kind: RoutingKind) -> DeadlockRule<'_> {
        match (&self.routes, self.needed_vcs(kind)) {
            (Routes::Paths(paths), _) => DeadlockRule::Paths(paths),
            (Routes::Forwarding(_), _) => DeadlockRule::Forwarding,
            (Routes::UpDown(tables), _) => DeadlockRule::UpDown(tables),
            (Routes::Shortest(_), NeededVcs::Hops(longest)) => DeadlockRule::Hops(longest),
            (Routes::Shortest(_), _) => DeadlockRule::Order,
        }
    }
}

impl LowDiameter for Tables {
    fn places(&self) -> u32 {
        self.switches()
    }

    #[inline]
    fn next_hops(&self, at: u32, goal: Goal, _salt: u16, vcs: u8, found: &mut Candidates) {
        if let Goal::Switch(to) = goal {
            next_hops(self, at, to, vcs, found);
        }
    }

    #[inline]
    fn only_next_hops(&self, at: u32, goal: Goal, _salt: u16, vcs: u8) -> Option<PortGroup> {
        match goal {
            Goal::Switch(to) => only(self, at, to, vcs),
            Goal::Group(_) => None,
        }
    }

    fn walk(&self, network: &Network, mut at: u32, to: u32, route: u16, mut visit: impl FnMut(PortId)) {
        let paths = match &self.routes {
            Routes::Paths(paths) => paths,
            Routes::Forwarding(tables) => return walk_tables(tables, network, at, to, visit),
            Routes::Shortest(_) | Routes::UpDown(_) => return walk_by_goals(self, network, at, to, route, visit),
        };
        let drawn = paths.draw(at, 0);
        for hop in 0..paths.longest {
            let Some(group) = on_path(self, at, to, drawn, hop, 0).filter(|_| at != to) else { return };
            at = low_diameter::step(network, at, group.first, &mut visit);
        }
    }
}

/// Calls `visit` with the port groups from a switch towards another by any of the paths, but drawn ones.
#[inline]
fn groups(graph: &Tables, at: u32, to: u32, mut visit: impl FnMut((u32, u32)) -> bool) {
    match &graph.routes {
        Routes::Shortest(distances) => {
            let left = distances.of(to);
            let here = left[at as usize];
            merge(graph.neighbours(at), |next| left[next as usize] < here, &mut visit);
        }
        Routes::UpDown(tables) => merge(graph.neighbours(at), tables.leads(at, to), &mut visit),
        Routes::Paths(_) | Routes::Forwarding(_) => {}
    }
}

/// Calls `visit` with the ports to next hops, those side by side as one group, until it says that it has enough.
fn merge(neighbours: &[Neighbour], leads: impl Fn(u32) -> bool, visit: &mut impl FnMut((u32, u32)) -> bool) {
    let (mut first, mut count) = (0, 0);
    for neighbour in neighbours.iter().filter(|neighbour| leads(neighbour.to)) {
        let (port, links) = (u32::from(neighbour.port), u32::from(neighbour.links));
        if count > 0 && first + count == port {
            count += links;
            continue;
        }
        if count > 0 && !visit((first, count)) {
            return;
        }
        (first, count) = (port, links);
    }
    if count > 0 {
        visit((first, count));
    }
}

/// Finds the outputs from a switch towards another, but by drawn paths.
fn next_hops(graph: &Tables, at: u32, to: u32, vcs: u8, found: &mut Candidates) {
    groups(graph, at, to, |(first, count)| {
        found.offer(PortGroup::new(first, count, vcs));
        true
    });
}

/// Returns the outputs where they are one group, but by drawn paths.
#[inline]
fn only(graph: &Tables, at: u32, to: u32, vcs: u8) -> Option<PortGroup> {
    let (mut first, mut several) = (None, false);
    groups(graph, at, to, |group| {
        several = first.is_some();
        first = first.or(Some(group));
        !several
    });
    first.filter(|_| !several).map(|(first, count)| PortGroup::new(first, count, vcs))
}

/// Returns the output of a drawn path after so many hops; `None` where it is not on its path.
#[inline]
fn on_path(graph: &Tables, at: u32, to: u32, route: u16, hop: u32, vcs: u8) -> Option<PortGroup> {
    let Routes::Paths(paths) = &graph.routes else { return None };
    let place = *paths.hops(route, to).get(hop as usize)?;
    let neighbour = graph.neighbours(at).get(usize::from(place))?;
    Some(PortGroup { first: neighbour.port, count: neighbour.links, vcs })
}

/// Returns the output that forwarding tables give, and the lane if they give one.
#[inline]
fn forwarded(graph: &Tables, at: u32, to: Destination, route: u16, all: u8) -> PortGroup {
    let Routes::Forwarding(tables) = &graph.routes else { return PortGroup::NONE };
    let lane = tables.lane(route, at, to.switch, to.output);
    PortGroup { first: tables.output(at, to.switch, to.output), count: 1, vcs: lane.map_or(all, |lane| 1 << lane) }
}

/// Calls `visit` with the ports on the way to the first node of a switch.
fn walk_tables(tables: &ForwardingTables, network: &Network, mut at: u32, to: u32, mut visit: impl FnMut(PortId)) {
    let [first, end] = [to, to + 1].map(|switch| network.first_port[switch as usize]);
    let Some(node) = (first..end).find(|&port| network.is_node_channel(ChannelId(port))) else { return };
    while at != to {
        at = low_diameter::step(network, at, tables.output(at, to, (node - first) as u16), &mut visit);
    }
}
