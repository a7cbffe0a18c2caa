//! Asks the geometry of a network: the one place where geometries are told apart. The questions are in [`Routed`].

use super::candidates::Candidates;
use super::deadlock_rule::DeadlockRule;
use super::destination::Destination;
use super::grid;
use super::permitted::Permitted;
use super::port_group::PortGroup;
use super::routed::Routed;
use super::router::Router;
use super::vcs::{GridVcs, HopVcs, NeededVcs};
use crate::model::config::Config;
use crate::model::ids::PortId;
use crate::model::routing_kind::RoutingKind;
use crate::topology::{Geometry, Network};

/// Asks a geometry, whichever it is.
macro_rules! ask {
    ($geometry:expr, $it:ident => $question:expr) => {
        match $geometry {
            Geometry::Grid($it) => $question,
            Geometry::Levels($it) => $question,
            Geometry::Groups($it) => $question,
            Geometry::HyperX($it) => $question,
            Geometry::Graph($it) => $question,
            Geometry::Ideal($it) => $question,
        }
    };
}

/// Returns the kinds that a network can be routed by, the usual one first.
pub fn kinds(geometry: &Geometry) -> &'static [RoutingKind] {
    ask!(geometry, it => it.kinds())
}

/// Returns the virtual channels that a network needs under a routing.
pub fn needed_vcs(network: &Network, kind: RoutingKind) -> NeededVcs {
    ask!(&network.geometry, it => it.needed_vcs(kind))
}

/// Returns whether all packets between two nodes take the same path.
pub(crate) fn has_single_route(network: &Network, kind: RoutingKind) -> bool {
    ask!(&network.geometry, it => it.has_single_route(kind))
}

/// Calls `visit` with link classes and numbers of channels on a minimal route between two switches.
pub fn minimal(network: &Network, from: u32, to: u32, visit: &mut impl FnMut(u8, u32)) {
    ask!(&network.geometry, it => it.minimal(network, from, to, visit));
}

/// Calls `visit` with link classes and numbers of channels on a minimal route between two nodes that are as far apart
/// as any.
pub fn longest(network: &Network, visit: &mut impl FnMut(u8, u32)) {
    ask!(&network.geometry, it => it.longest(network, visit));
}

/// Returns the argument by which a routing is free of deadlock.
pub(crate) fn deadlock_rule(network: &Network, kind: RoutingKind) -> DeadlockRule<'_> {
    ask!(&network.geometry, it => it.deadlock_rule(kind))
}

/// Returns the dimension bit of a port whose channel crosses a dateline, or 0.
pub fn crossing(network: &Network, port: PortId) -> u16 {
    let (switch, local) = place(network, port);
    ask!(&network.geometry, it => it.crossing(switch, local))
}

/// Returns the ring of a port's channel: twice its dimension, and one more if it leads down; [`NO_RING`](super::NO_RING) where
/// there is none.
pub fn ring(network: &Network, port: PortId) -> u8 {
    let (switch, local) = place(network, port);
    ask!(&network.geometry, it => it.ring(switch, local))
}

/// Returns the switch of a port, and its place there.
fn place(network: &Network, port: PortId) -> (u32, u16) {
    let switch = network.port_switch(port.index());
    (switch, (port.0 - network.first_port[switch as usize]) as u16)
}

impl<'a> Router<'a> {
    /// Takes the routing of a simulation.
    pub fn new(network: &'a Network, config: &Config) -> Self {
        let vcs = config.switch.vcs;
        let hops = match needed_vcs(network, config.routing) {
            NeededVcs::Hops(longest) => Some(longest),
            NeededVcs::Grid { .. } | NeededVcs::Lanes(_) | NeededVcs::Any | NeededVcs::None => None,
        };
        Router {
            network,
            kind: config.routing,
            grid_vcs: GridVcs::new(vcs, config.switch.escape),
            trunk_masks: grid::trunk_masks(network),
            hop_vcs: HopVcs::new(vcs, hops.unwrap_or(1)),
            all_vcs: ((1u16 << vcs.total()) - 1) as u8,
            queues_to_nodes: config.switch.output_queues().is_some(),
            counts_hops: hops.is_some(),
            decides: config.routing.decides(),
        }
    }

    /// Returns what a packet of a node on a switch remembers at first, by random bits of its own.
    #[inline]
    pub fn begin(&self, from: u32, node: u32, random: u16) -> u16 {
        ask!(&self.network.geometry, it => it.first_route(from, node, random))
    }

    /// Returns the permitted outputs of a packet at a switch where these are always one group; `hop` tells how many
    /// channels between switches it has come by.
    pub fn only_group(&self, at: u32, to: Destination, route: u16, hop: impl FnOnce() -> u32) -> Option<PortGroup> {
        Some(self.group(at, to, route, hop)).filter(|group| group.count > 0)
    }

    /// Returns, for the engine's event loop, the permitted outputs of a packet at a switch where these are always one
    /// group, else [`PortGroup::NONE`].
    #[inline(always)]
    pub fn group(&self, at: u32, to: Destination, route: u16, hop: impl FnOnce() -> u32) -> PortGroup {
        if to.switch == at {
            let vcs = if self.queues_to_nodes { self.vcs_to_node(hop) } else { 1 };
            return PortGroup { first: to.output, count: 1, vcs };
        }
        // Grids and trees are the fast path.
        match &self.network.geometry {
            Geometry::Grid(grid) => grid.only_group(self, at, to, route, hop),
            Geometry::Levels(levels) => levels.only_group(self, at, to, route, hop),
            _ => self.group_elsewhere(at, to, route, hop),
        }
    }

    /// Returns the virtual channels to a node, where its port has queues by virtual channel: those of the hop, or all
    /// after the last hop, and where virtual channels do not belong to hops.
    #[inline(never)]
    fn vcs_to_node(&self, hop: impl FnOnce() -> u32) -> u8 {
        let of_hop = if self.counts_hops { self.hop_vcs.mask(hop()) } else { 0 };
        if of_hop == 0 { self.all_vcs } else { of_hop }
    }

    /// Returns the group of a packet on networks that are neither grids nor trees.
    fn group_elsewhere(&self, at: u32, to: Destination, route: u16, hop: impl FnOnce() -> u32) -> PortGroup {
        ask!(&self.network.geometry, it => it.only_group(self, at, to, route, hop))
    }

    /// Finds the permitted outputs of a packet at a switch.
    pub fn candidates(&self, at: u32, to: Destination, route: u16, hop: impl Fn() -> u32, found: &mut Candidates) {
        if let Some(group) = self.only_group(at, to, route, &hop) {
            return found.set_only(group);
        }
        self.several(at, to, route, hop, found);
    }

    /// Finds the permitted outputs of a packet that are known not to be [one group](Router::group), at a switch of up to
    /// 64 ports.
    #[inline]
    pub(crate) fn permitted(
        &self,
        at: u32,
        to: Destination,
        route: u16,
        hop: impl Fn() -> u32,
        scratch: &mut Candidates,
    ) -> Permitted {
        if let Geometry::Grid(grid) = &self.network.geometry
            && !self.trunk_masks.is_empty()
        {
            return grid::permitted(grid, self.grid_vcs, &self.trunk_masks, at, to.switch, route);
        }
        self.several(at, to, route, hop, scratch);
        Permitted::new(scratch)
    }

    /// Finds the permitted outputs of a packet that are known not to be [one group](Router::group).
    pub fn several(&self, at: u32, to: Destination, route: u16, hop: impl Fn() -> u32, found: &mut Candidates) {
        ask!(&self.network.geometry, it => it.candidates(self, at, to, route, hop, found));
    }
}
