//! Routing on HyperX and the full mesh: minimal in any order of dimensions, in that of their numbers, or non-minimal.

use super::candidates::Candidates;
use super::destination::Destination;
use super::low_diameter::{self, Goal, LowDiameter};
use super::port_group::PortGroup;
use super::routed::Routed;
use super::router::Router;
use super::vcs::NeededVcs;
use crate::model::routing_kind::RoutingKind;
use crate::topology::Network;
use crate::topology::geometry::lattice::Lattice;

impl Routed for Lattice {
    fn kinds(&self) -> &'static [RoutingKind] {
        use RoutingKind::{DimensionOrder, Minimal, Progressive, Ugal, Valiant};
        &[Minimal, DimensionOrder, Valiant, Ugal, Progressive]
    }

    fn needed_vcs(&self, kind: RoutingKind) -> NeededVcs {
        let minimal = self.dims.len() as u32;
        let non_minimal = |escapes: u32| if self.switches() > 2 { 2 * minimal + escapes } else { minimal };
        match kind {
            RoutingKind::Minimal => NeededVcs::Hops(minimal),
            RoutingKind::Valiant | RoutingKind::Ugal => NeededVcs::Hops(non_minimal(0)),
            RoutingKind::Progressive => NeededVcs::Hops(non_minimal(1)),
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
        if router.kind == RoutingKind::DimensionOrder {
            let (first, count) = self.towards(at, to.switch, 0);
            return PortGroup::new(first, count, router.all_vcs);
        }
        let goal = self.goal(to.switch, route);
        self.only_next_hops(at, goal, route, router.hop_vcs.mask(hop())).unwrap_or(PortGroup::NONE)
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
        self.next_hops(at, self.goal(to.switch, route), route, router.hop_vcs.mask(hop()), found);
    }

    fn has_single_route(&self, kind: RoutingKind) -> bool {
        let one_path = self.dims.len() == 1 && kind != RoutingKind::Valiant;
        (one_path || kind == RoutingKind::DimensionOrder) && self.widths.iter().all(|&width| width == 1)
    }

    fn minimal(&self, network: &Network, from: u32, to: u32, visit: &mut impl FnMut(u8, u32)) {
        low_diameter::minimal(self, network, from, to, visit);
    }

    fn longest(&self, network: &Network, visit: &mut impl FnMut(u8, u32)) {
        low_diameter::longest_minimal(self, network, visit);
    }
}

impl LowDiameter for Lattice {
    fn places(&self) -> u32 {
        self.switches()
    }

    #[inline]
    fn next_hops(&self, at: u32, goal: Goal, _salt: u16, vcs: u8, found: &mut Candidates) {
        let Goal::Switch(to) = goal else { return };
        for d in 0..self.dims.len() {
            let there = self.coordinate(to, d);
            if self.coordinate(at, d) != there {
                let (first, count) = self.trunk(at, d, there);
                found.offer(PortGroup::new(first, count, vcs));
            }
        }
    }

    #[inline]
    fn only_next_hops(&self, at: u32, goal: Goal, _salt: u16, vcs: u8) -> Option<PortGroup> {
        let Goal::Switch(to) = goal else { return None };
        let (first, count) = (self.dims.len() == 1).then(|| self.trunk(at, 0, to))?;
        Some(PortGroup::new(first, count, vcs))
    }
}
