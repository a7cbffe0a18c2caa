//! Routing on trees: up until the destination lies below, then down the only path.
//!
//! Every shortest path goes up to one of the lowest common switches; which one is free, so the ports up are the choice:
//! all of them (adaptive), one drawn for the packet and switch (random), or the one that the destination fixes, which
//! spreads destinations evenly over the switches of each level (d-mod-k; Zahavi 2012). Channels are used upwards, then
//! downwards, so their dependencies form no cycle and one virtual channel suffices.

use super::candidates::Candidates;
use super::destination::Destination;
use super::port_group::PortGroup;
use super::routed::{NODE, Routed};
use super::router::Router;
use super::vcs::NeededVcs;
use crate::model::rng;
use crate::model::routing_kind::RoutingKind;
use crate::topology::Network;
use crate::topology::geometry::levels::Levels;

impl Routed for Levels {
    fn kinds(&self) -> &'static [RoutingKind] {
        &[RoutingKind::Adaptive, RoutingKind::Random, RoutingKind::DModK]
    }

    fn needed_vcs(&self, _kind: RoutingKind) -> NeededVcs {
        NeededVcs::Any
    }

    #[inline(always)]
    fn only_group(
        &self,
        router: &Router<'_>,
        at: u32,
        to: Destination,
        route: u16,
        _hop: impl FnOnce() -> u32,
    ) -> PortGroup {
        permitted(self, router.kind, router.all_vcs, at, to, route)
    }

    fn candidates(
        &self,
        router: &Router<'_>,
        at: u32,
        to: Destination,
        route: u16,
        _hop: impl Fn() -> u32,
        found: &mut Candidates,
    ) {
        found.set_only(permitted(self, router.kind, router.all_vcs, at, to, route));
    }

    fn has_single_route(&self, kind: RoutingKind) -> bool {
        let choices = self.shape.up.iter().zip(&self.shape.trunk).any(|(&up, &links)| up * links > 1);
        !choices || kind == RoutingKind::DModK && self.shape.trunk.iter().all(|&links| links == 1)
    }

    fn minimal(&self, _network: &Network, from: u32, to: u32, visit: &mut impl FnMut(u8, u32)) {
        (1..=common_level(self, from, to)).for_each(|level| visit(level as u8, 2));
        visit(NODE, 2);
    }

    fn longest(&self, network: &Network, visit: &mut impl FnMut(u8, u32)) {
        self.minimal(network, 0, self.shape.leaf_switches - 1, visit);
    }
}

/// Returns the lowest level at which a switch reaches two leaf switches.
fn common_level(levels: &Levels, a: u32, b: u32) -> usize {
    levels.reach.iter().position(|reach| a / reach == b / reach).unwrap_or(levels.reach.len() - 1)
}

/// Finds the permitted outputs from switch `at` to a destination at another leaf switch.
///
/// `salt` is the packet's own random number; `vcs` are all virtual channels.
#[inline(never)]
pub fn permitted(levels: &Levels, kind: RoutingKind, vcs: u8, at: u32, to: Destination, salt: u16) -> PortGroup {
    let (level, block) = (usize::from(levels.level[at as usize]), levels.block[at as usize]);
    if level > 0 {
        // Wraps for leaf switches before those below.
        let below = to.switch.wrapping_sub(block * levels.reach[level]);
        if below < levels.reach[level] {
            let links = levels.shape.trunk[level - 1];
            return outputs(below / levels.reach[level - 1] * links, links, vcs);
        }
    }
    let first = levels.children(level, block) * levels.links_to_child(level);
    let (parents, links) = (levels.shape.up[level], levels.shape.trunk[level]);
    let parent = match kind {
        RoutingKind::Random => (rng::mix(u64::from(salt) << 32 | u64::from(at)) % u64::from(parents)) as u32,
        RoutingKind::DModK => {
            let node = u64::from(to.switch) * u64::from(levels.shape.down[0]) + u64::from(to.output);
            (node / u64::from(levels.width[level]) % u64::from(parents)) as u32
        }
        _ => {
            return outputs(first, parents * links, vcs);
        }
    };
    outputs(first + parent * links, links, vcs)
}

fn outputs(first: u32, count: u32, vcs: u8) -> PortGroup {
    PortGroup { first: first as u16, count: count as u16, vcs }
}
