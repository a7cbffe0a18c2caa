//! Routing on networks of groups: dragonfly, Dragonfly+, PERCS and Cascade.
//!
//! A minimal route takes at most one global link, a non-minimal one leads by an intermediate group. No path leads
//! through a third group otherwise, so that where a packet is tells how far it has come.

use super::candidates::Candidates;
use super::destination::Destination;
use super::low_diameter::{self, Goal, LowDiameter, SALT};
use super::port_group::PortGroup;
use super::routed::Routed;
use super::router::Router;
use super::vcs::NeededVcs;
use crate::model::rng;
use crate::model::routing_kind::RoutingKind;
use crate::topology::Network;
use crate::topology::geometry::groups::Groups;

impl Routed for Groups {
    fn kinds(&self) -> &'static [RoutingKind] {
        &[RoutingKind::Minimal, RoutingKind::Valiant, RoutingKind::Ugal, RoutingKind::Progressive]
    }

    fn needed_vcs(&self, kind: RoutingKind) -> NeededVcs {
        let [within, out, across] = self.local.longest();
        let minimal = if self.count > 1 { within.max(2 * out + 1) } else { within };
        // Out, over, across, over, in; a packet that decides after its first hop goes across once more in its own
        // group.
        let non_minimal = |first: u32| if self.count > 2 { first + 1 + across + 1 + out } else { minimal };
        match kind {
            RoutingKind::Minimal => NeededVcs::Hops(minimal),
            RoutingKind::Valiant | RoutingKind::Ugal => NeededVcs::Hops(non_minimal(out)),
            RoutingKind::Progressive => NeededVcs::Hops(non_minimal(1 + across)),
            _ => NeededVcs::Any,
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
        next_hop(self, at, self.goal(to.switch, route), route, router.hop_vcs.mask(hop()))
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
        found.set_only(self.only_group(router, at, to, route, hop));
    }

    fn has_single_route(&self, kind: RoutingKind) -> bool {
        kind != RoutingKind::Valiant && has_single_minimal_route(self)
    }

    fn minimal(&self, network: &Network, from: u32, to: u32, visit: &mut impl FnMut(u8, u32)) {
        low_diameter::minimal(self, network, from, to, visit);
    }

    fn longest(&self, network: &Network, visit: &mut impl FnMut(u8, u32)) {
        low_diameter::longest_minimal(self, network, visit);
    }
}

impl LowDiameter for Groups {
    fn places(&self) -> u32 {
        self.count
    }

    fn place(&self, switch: u32) -> u32 {
        self.group(switch)
    }

    fn goal_of(&self, place: u32) -> Goal {
        Goal::Group(place)
    }

    #[inline]
    fn next_hops(&self, at: u32, goal: Goal, salt: u16, vcs: u8, found: &mut Candidates) {
        found.offer(next_hop(self, at, goal, salt, vcs));
    }

    #[inline]
    fn only_next_hops(&self, at: u32, goal: Goal, salt: u16, vcs: u8) -> Option<PortGroup> {
        Some(next_hop(self, at, goal, salt, vcs))
    }

    fn all_next_hops(&self, at: u32, goal: Goal, visit: &mut impl FnMut(PortGroup)) {
        let visit = |(first, count)| visit(PortGroup::new(first, count, 0));
        match goal {
            Goal::Switch(to) => self.all_towards(at, to, visit),
            Goal::Group(to) => self.all_towards_group(at, to, visit),
        }
    }
}

#[inline]
fn next_hop(groups: &Groups, at: u32, goal: Goal, salt: u16, vcs: u8) -> PortGroup {
    // Each switch draws another number, or gateways and the paths to them would go together.
    let choice = rng::mix(u64::from(salt & SALT) << 32 | u64::from(at)) as u32;
    let (first, count) = match goal {
        Goal::Switch(to) => groups.towards(at, to, choice),
        Goal::Group(group) => groups.towards_group(at, group, choice),
    };
    PortGroup::new(first, count, vcs)
}

/// Returns whether there is one minimal path within each group and from each group to each.
fn has_single_minimal_route(groups: &Groups) -> bool {
    let mut pairs = (0..groups.count).flat_map(|from| (0..groups.count).map(move |to| (from, to)));
    let one_link = |(from, to)| groups.gateways(from, to).iter().map(|gateway| gateway.links).sum::<u16>() <= 1;
    groups.local.has_one_path() && pairs.all(one_link)
}
