//! What routing asks of a geometry.
//!
//! Each geometry answers in a file of its own: [`super::grid`], [`super::levels`], [`super::groups`],
//! [`super::hyperx`], [`super::graph`] and [`super::ideal`].

use super::candidates::Candidates;
use super::deadlock_rule::DeadlockRule;
use super::destination::Destination;
use super::port_group::PortGroup;
use super::router::Router;
use super::vcs::NeededVcs;
use crate::model::routing_kind::RoutingKind;
use crate::topology::Network;

/// The class of channels between nodes and switches, in every network.
pub(super) const NODE: u8 = 0;

/// Stands for no ring.
pub const NO_RING: u8 = u8::MAX;

/// A geometry on which packets are routed. Switches are told by their numbers, ports by their places at their switches.
pub(crate) trait Routed {
    /// Returns the kinds of routing that there are, the usual one first.
    fn kinds(&self) -> &'static [RoutingKind];

    /// Returns the virtual channels that a routing needs.
    fn needed_vcs(&self, kind: RoutingKind) -> NeededVcs;

    /// Returns what a packet of a node on a switch remembers at first, by random bits of its own.
    fn first_route(&self, _from: u32, _node: u32, random: u16) -> u16 {
        random
    }

    /// Returns the permitted outputs of a packet at another switch than its last where these are always one group, else
    /// [`PortGroup::NONE`]; `hop` tells how many channels between switches it has come by.
    fn only_group(
        &self,
        router: &Router<'_>,
        at: u32,
        to: Destination,
        route: u16,
        hop: impl FnOnce() -> u32,
    ) -> PortGroup;

    /// Finds the permitted outputs of a packet at another switch than its last where these may be several groups.
    fn candidates(
        &self,
        router: &Router<'_>,
        at: u32,
        to: Destination,
        route: u16,
        hop: impl Fn() -> u32,
        found: &mut Candidates,
    );

    /// Returns whether all packets between two nodes take the same path.
    fn has_single_route(&self, kind: RoutingKind) -> bool;

    /// Calls `visit` with link classes and numbers of channels on a minimal route between two switches, those of the
    /// nodes included.
    fn minimal(&self, network: &Network, from: u32, to: u32, visit: &mut impl FnMut(u8, u32));

    /// Calls `visit` with link classes and numbers of channels on a minimal route between two nodes that are as far apart
    /// as any.
    fn longest(&self, network: &Network, visit: &mut impl FnMut(u8, u32));

    /// Returns the argument by which a routing is free of deadlock.
    fn deadlock_rule(&self, kind: RoutingKind) -> DeadlockRule<'_> {
        match self.needed_vcs(kind) {
            NeededVcs::Hops(longest) => DeadlockRule::Hops(longest),
            NeededVcs::Grid { .. } | NeededVcs::Lanes(_) | NeededVcs::Any | NeededVcs::None => DeadlockRule::Order,
        }
    }

    /// Returns the dimension bit of a port whose channel crosses a dateline, or 0.
    fn crossing(&self, _at: u32, _local: u16) -> u16 {
        0
    }

    /// Returns the number of the ring of a port's channel; [`NO_RING`] where it is part of none.
    fn ring(&self, _at: u32, _local: u16) -> u8 {
        NO_RING
    }
}
