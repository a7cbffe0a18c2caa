//! Routing on tori and meshes: dimension order with datelines, and minimal fully adaptive (Duato).
//!
//! Dimension order takes the lowest dimension first. On rings, virtual channels are split in two classes: a packet uses
//! the first until it has crossed the dateline (the wrap-around link) of the dimension, then the second; so the channel
//! dependencies of each class form no cycle (Andújar et al. 2019, section 3.1; Dally and Seitz). With bubble flow
//! control there is one class only. Where both directions round a ring are as long, dimension order alone goes up from
//! even coordinates and down from odd ones, which loads both directions the same, or directly
//! ([`Ties`](crate::topology::Ties)); as an escape path it goes up; adaptive routing may take either.

use std::hint::select_unpredictable;

use super::candidates::Candidates;
use super::destination::Destination;
use super::permitted::Permitted;
use super::port_group::PortGroup;
use super::routed::{NO_RING, NODE, Routed};
use super::router::Router;
use super::vcs::{GridVcs, NeededVcs};
use crate::model::routing_kind::RoutingKind;
use crate::topology::geometry::grid::{Grid, Ring};
use crate::topology::{Geometry, Network};

impl Routed for Grid {
    fn kinds(&self) -> &'static [RoutingKind] {
        &[RoutingKind::Adaptive, RoutingKind::DimensionOrder]
    }

    fn needed_vcs(&self, _kind: RoutingKind) -> NeededVcs {
        NeededVcs::Grid { rings: self.wraps.contains(&true) }
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
        if router.kind == RoutingKind::DimensionOrder {
            escape(self, router.kind, &router.grid_vcs, at, to.switch, route)
        } else {
            PortGroup::NONE
        }
    }

    #[inline]
    fn candidates(
        &self,
        router: &Router<'_>,
        at: u32,
        to: Destination,
        route: u16,
        _hop: impl Fn() -> u32,
        found: &mut Candidates,
    ) {
        candidates(self, router.kind, &router.grid_vcs, at, to.switch, route, found);
    }

    fn has_single_route(&self, kind: RoutingKind) -> bool {
        kind == RoutingKind::DimensionOrder && self.rings.iter().all(|ring| ring.trunk == 1)
    }

    fn minimal(&self, _network: &Network, from: u32, to: u32, visit: &mut impl FnMut(u8, u32)) {
        for (d, ring) in self.rings.iter().enumerate() {
            let (a, b) = (self.coordinate(from, d), self.coordinate(to, d));
            visit(class(d), distance(ring, u32::from(a.abs_diff(b))));
        }
        visit(NODE, 2);
    }

    fn longest(&self, _network: &Network, visit: &mut impl FnMut(u8, u32)) {
        let farthest = |ring: &Ring| if ring.wraps { ring.size / 2 } else { ring.size - 1 };
        self.rings.iter().enumerate().for_each(|(d, ring)| visit(class(d), farthest(ring)));
        visit(NODE, 2);
    }

    fn crossing(&self, at: u32, local: u16) -> u16 {
        crossing(self, at, local)
    }

    fn ring(&self, at: u32, local: u16) -> u8 {
        ring(self, at, local)
    }
}

/// Returns the link class of a dimension.
fn class(d: usize) -> u8 {
    d as u8 + 1
}

/// Returns the channels between two coordinates by their difference.
fn distance(ring: &Ring, difference: u32) -> u32 {
    if ring.wraps { difference.min(ring.size - difference) } else { difference }
}

/// Finds the permitted outputs from switch `at` to switch `to`, which differ.
///
/// `crossed` has a bit for each dimension whose dateline the packet has crossed.
#[inline]
pub fn candidates(
    grid: &Grid,
    kind: RoutingKind,
    vcs: &GridVcs,
    at: u32,
    to: u32,
    crossed: u16,
    found: &mut Candidates,
) {
    found.adaptive_len = 0;
    found.escape = escape(grid, kind, vcs, at, to, crossed);
    if kind != RoutingKind::DimensionOrder {
        adaptive(grid, vcs.adaptive, at, grid.packed(at), grid.packed(to), found);
    }
}

/// Finds the output of dimension order, or of the escape, from switch `at` to switch `to`, which differ.
#[inline(always)]
pub fn escape(grid: &Grid, kind: RoutingKind, vcs: &GridVcs, at: u32, to: u32, crossed: u16) -> PortGroup {
    let (here, there) = (grid.packed(at), grid.packed(to));
    let lowest = grid.first_difference(here, there);
    let ring = &grid.rings[lowest];
    let x = ring.coordinate(here);
    let y = ring.coordinate(there);
    let up = leads_up(ring, x, y, kind == RoutingKind::Adaptive || ring.tie_goes_up(x, y));
    let mask = if ring.wraps { vcs.escape[usize::from(crossed >> lowest & 1)] } else { vcs.escape_all };
    trunk(grid, at, lowest, up, mask)
}

/// Finds the minimal outputs in all dimensions.
#[inline(never)]
fn adaptive(grid: &Grid, vcs: u8, at: u32, here: u64, there: u64, found: &mut Candidates) {
    for (d, ring) in grid.rings.iter().enumerate() {
        let directions = minimal_directions(ring, ring.coordinate(here), ring.coordinate(there));
        for (up, _) in [true, false].into_iter().zip(directions).filter(|&(_, is_minimal)| is_minimal != 0) {
            found.adaptive[found.adaptive_len] = trunk(grid, at, d, up, vcs);
            found.adaptive_len += 1;
        }
    }
}

/// Returns the trunk in dimension `d`, up or down.
#[inline]
fn trunk(grid: &Grid, at: u32, d: usize, up: bool, vcs: u8) -> PortGroup {
    PortGroup { first: grid.trunk_of(at, d, up), count: grid.rings[d].trunk, vcs }
}

/// Returns the ports of the trunks in each dimension, up and down, as masks; none where switches differ because there
/// are rims, or where they have more than 64 ports.
pub(super) fn trunk_masks(network: &Network) -> Vec<[u64; 2]> {
    match &network.geometry {
        Geometry::Grid(grid) if grid.wraps.iter().all(|&wraps| wraps) && network.radix() <= u64::BITS => {
            let of = |d| [true, false].map(|up| trunk(grid, 0, d, up, 0).mask());
            (0..grid.rings.len()).map(of).collect()
        }
        _ => Vec::new(),
    }
}

/// Finds the outputs of [`candidates`] for adaptive routing as masks, by the [masks of trunks](trunk_masks).
#[inline]
pub(super) fn permitted(grid: &Grid, vcs: GridVcs, trunks: &[[u64; 2]], at: u32, to: u32, crossed: u16) -> Permitted {
    let (here, there) = (grid.packed(at), grid.packed(to));
    let mut found = Permitted { adaptive_vcs: vcs.adaptive, ..Permitted::default() };
    for ((ring, trunks), d) in grid.rings.iter().zip(trunks).zip(0..) {
        let directions = minimal_directions(ring, ring.coordinate(here), ring.coordinate(there));
        let (up, down) = (trunks[0] & directions[0], trunks[1] & directions[1]);
        // The escape is the lowest dimension, and up where both directions are minimal. Nobody could foretell branches.
        let is_lowest = found.adaptive == 0;
        found.escape = select_unpredictable(is_lowest, select_unpredictable(up == 0, down, up), found.escape);
        found.escape_vcs = select_unpredictable(is_lowest, vcs.escape[usize::from(crossed >> d & 1)], found.escape_vcs);
        found.adaptive |= up | down;
    }
    found
}

/// Returns whether the channel from `at` through the trunk port `local` crosses a dateline, and of which dimension.
#[inline]
pub fn crossing(grid: &Grid, at: u32, local: u16) -> u16 {
    for (d, ring) in grid.rings.iter().enumerate() {
        let Some(below) = grid.datelines[d] else { continue };
        let above = (u32::from(below) + 1) % ring.size;
        let up = match grid.coordinate(at, d) {
            x if x == below => true,
            x if u32::from(x) == above => false,
            _ => continue,
        };
        if leads(grid, at, d, up, local) {
            return 1 << d;
        }
    }
    0
}

/// Returns the ring that the channel of the port `local` of switch `at` is part of: twice its dimension, and one more
/// if it leads down; the channel that comes in by the port belongs to the opposite ring, whose last bit differs.
/// [`NO_RING`] where there is none.
pub fn ring(grid: &Grid, at: u32, local: u16) -> u8 {
    let rings = (0..grid.rings.len()).filter(|&d| grid.rings[d].wraps);
    let mut trunks = rings.flat_map(|d| [(d, true), (d, false)]);
    let found = trunks.find(|&(d, up)| leads(grid, at, d, up, local));
    found.map_or(NO_RING, |(d, up)| 2 * d as u8 + u8::from(!up))
}

/// Returns whether the port `local` of switch `at` belongs to the trunk up or down in dimension `d`.
fn leads(grid: &Grid, at: u32, d: usize, up: bool, local: u16) -> bool {
    let first = grid.trunk_of(at, d, up);
    first != Grid::NO_TRUNK && (first..first + grid.rings[d].trunk).contains(&local)
}

/// Returns whether dimension order goes up; `tie` is what holds where both directions are as long.
#[inline]
#[expect(clippy::needless_bitwise_bool, reason = "nobody could foretell the branches")]
fn leads_up(ring: &Ring, x: u16, y: u16, tie: bool) -> bool {
    if !ring.wraps {
        return y > x;
    }
    let forward = 2 * ring.forward(x, y);
    (forward < ring.size) | ((forward == ring.size) & tie)
}

/// Returns a mask for each direction, up and down: all bits where it is minimal, else none.
#[inline]
fn minimal_directions(ring: &Ring, x: u16, y: u16) -> [u64; 2] {
    if !ring.wraps {
        return [if_negative(i32::from(x) - i32::from(y)), if_negative(i32::from(y) - i32::from(x))];
    }
    let (ahead, size) = ((2 * ring.forward(x, y)).cast_signed(), ring.size.cast_signed());
    [if_negative((ahead - size - 1) & !(ahead - 1)), if_negative(!(ahead - size))]
}

/// Returns all bits where a number is negative, else none: by arithmetic, since nobody could foretell a branch.
#[inline]
fn if_negative(number: i32) -> u64 {
    i64::from(number >> 31).cast_unsigned()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::config::{Escape, VirtualChannels};
    use crate::topology::{PerDimension, TopologySpec, Torus};

    /// The masks of a torus with trunks, against the groups, for all pairs of switches and crossed datelines.
    #[test]
    fn masks_are_the_same_as_groups() {
        let spec = TopologySpec::Torus(Torus::new(vec![5, 4, 3], PerDimension::Each(vec![3, 1, 2]), 2));
        let network = spec.build().unwrap();
        let Geometry::Grid(grid) = &network.geometry else { unreachable!("a torus") };
        let trunks = trunk_masks(&network);
        for escape in [Escape::Dateline, Escape::Bubble] {
            let vcs = GridVcs::new(VirtualChannels::grid(2, 4), escape);
            let mut groups = Candidates::new();
            for (at, to, crossed) in (0..60 * 60 * 8).map(|i| (i / 60 % 60, i % 60, (i / 3600) as u16)) {
                if at != to {
                    candidates(grid, RoutingKind::Adaptive, &vcs, at, to, crossed, &mut groups);
                    let masks = permitted(grid, vcs, &trunks, at, to, crossed);
                    assert_eq!(masks, Permitted::new(&groups), "{at} to {to}");
                }
            }
        }
    }
}
