//! Routing on the ideal network: there is none.

use super::candidates::Candidates;
use super::destination::Destination;
use super::port_group::PortGroup;
use super::routed::Routed;
use super::router::Router;
use super::vcs::NeededVcs;
use crate::model::routing_kind::RoutingKind;
use crate::topology::{Ideal, Network};

impl Routed for Ideal {
    fn kinds(&self) -> &'static [RoutingKind] {
        &[]
    }

    fn needed_vcs(&self, _kind: RoutingKind) -> NeededVcs {
        NeededVcs::None
    }

    fn only_group(
        &self,
        _router: &Router<'_>,
        _at: u32,
        _to: Destination,
        _route: u16,
        _hop: impl FnOnce() -> u32,
    ) -> PortGroup {
        PortGroup::NONE
    }

    fn candidates(
        &self,
        _router: &Router<'_>,
        _at: u32,
        _to: Destination,
        _route: u16,
        _hop: impl Fn() -> u32,
        found: &mut Candidates,
    ) {
        found.clear();
    }

    fn has_single_route(&self, _kind: RoutingKind) -> bool {
        true
    }

    fn minimal(&self, _network: &Network, _from: u32, _to: u32, _visit: &mut impl FnMut(u8, u32)) {}

    fn longest(&self, _network: &Network, _visit: &mut impl FnMut(u8, u32)) {}
}
