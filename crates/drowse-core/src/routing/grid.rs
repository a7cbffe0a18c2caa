//! Routing on tori and meshes: dimension order with datelines, and minimal fully adaptive (Duato).
//!
//! Dimension order takes the lowest dimension first. On rings, virtual channels are split in two classes: a packet uses
//! the first until it has crossed the dateline (the wrap-around link) of the dimension, then the second; so the channel
//! dependencies of each class form no cycle (Andújar et al. 2019, section 3.1; Dally and Seitz). With bubble flow control there is one class
//! only. Where both ways round a ring are
//! as long, dimension order alone goes up from even coordinates and down from odd ones, which loads both directions the
//! same, or the direct way ([`Ties`](crate::topology::Ties)); as an escape path it goes up; adaptive routing may take either.

use super::{Candidates, Outputs, RoutingKind};
use crate::model::config::{Escape, VirtualChannels};
use crate::topology::torus::{Grid, Ring};

/// The way along one dimension.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Way {
    Up,
    Down,
    Either,
}

/// Masks of virtual channels by purpose.
#[derive(Clone, Copy, Debug)]
pub struct GridVcs {
    adaptive: u8,
    /// Before and after the dateline of a ring.
    escape: [u8; 2],
    escape_all: u8,
}

impl GridVcs {
    /// Numbers the virtual channels: adaptive ones first, then the escape ones, in two halves where there are datelines.
    pub fn new(vcs: VirtualChannels, escape: Escape) -> Self {
        let mask = |first: u8, count: u8| (((1u16 << count) - 1) << first) as u8;
        let half = vcs.escape / 2;
        let all = mask(vcs.adaptive, vcs.escape);
        GridVcs {
            adaptive: mask(0, vcs.adaptive),
            escape: match escape {
                Escape::Dateline => [mask(vcs.adaptive, half), mask(vcs.adaptive + half, vcs.escape - half)],
                Escape::Bubble => [all; 2],
            },
            escape_all: all,
        }
    }

    /// Returns the virtual channels of the escape, one bit each.
    pub fn escape(&self) -> u8 {
        self.escape_all
    }
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
        adaptive(grid, vcs.adaptive, at, (grid.packed(at), grid.packed(to)), found);
    }
}

/// Finds the output of dimension order, or of the escape, from switch `at` to switch `to`, which differ.
#[inline(always)]
pub fn escape(grid: &Grid, kind: RoutingKind, vcs: &GridVcs, at: u32, to: u32, crossed: u16) -> Outputs {
    let (here, there) = (grid.packed(at), grid.packed(to));
    let lowest = grid.first_difference(here, there);
    let ring = &grid.rings[lowest];
    let x = ring.coordinate(here);
    let y = ring.coordinate(there);
    let up = leads_up(ring, x, y, kind == RoutingKind::Adaptive || ring.tie_goes_up(x, y));
    let mask = if ring.wraps { vcs.escape[usize::from(crossed >> lowest & 1)] } else { vcs.escape_all };
    Outputs { first: grid.trunk_of(at, lowest, up), count: ring.trunk, vcs: mask }
}

/// Finds the minimal outputs in all dimensions.
#[inline(never)]
fn adaptive(grid: &Grid, vcs: u8, at: u32, (here, there): (u64, u64), found: &mut Candidates) {
    for (d, ring) in grid.rings.iter().enumerate() {
        let (x, y) = (ring.coordinate(here), ring.coordinate(there));
        if x == y {
            continue;
        }
        let way = way(ring, x, y);
        for (up, other) in [(true, Way::Down), (false, Way::Up)] {
            if way != other {
                found.adaptive[found.adaptive_len] =
                    Outputs { first: grid.trunk_of(at, d, up), count: ring.trunk, vcs };
                found.adaptive_len += 1;
            }
        }
    }
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

/// Returns the ring that the channel of the port `local` of switch `at` is part of: twice its dimension, and one more if it leads
/// down; the channel that comes in by the port belongs to the ring the other way, whose last bit differs. [`NO_RING`] where
/// there is none.
pub fn ring(grid: &Grid, at: u32, local: u16) -> u8 {
    let rings = (0..grid.rings.len()).filter(|&d| grid.rings[d].wraps);
    let mut ways = rings.flat_map(|d| [(d, true), (d, false)]);
    let found = ways.find(|&(d, up)| leads(grid, at, d, up, local));
    found.map_or(NO_RING, |(d, up)| 2 * d as u8 + u8::from(!up))
}

/// Stands for no ring.
pub const NO_RING: u8 = u8::MAX;

/// Returns whether the port `local` of switch `at` belongs to the trunk up or down in dimension `d`.
fn leads(grid: &Grid, at: u32, d: usize, up: bool, local: u16) -> bool {
    let first = grid.trunk_of(at, d, up);
    first != Grid::NO_TRUNK && (first..first + grid.rings[d].trunk).contains(&local)
}

/// Returns whether the way of dimension order goes up; `tie` is what holds where both ways are as long.
#[inline]
#[expect(clippy::needless_bitwise_bool, reason = "nobody could foretell the branches")]
fn leads_up(ring: &Ring, x: u16, y: u16, tie: bool) -> bool {
    if !ring.wraps {
        return y > x;
    }
    let forward = 2 * ring.forward(x, y);
    (forward < ring.size) | ((forward == ring.size) & tie)
}

#[inline]
fn way(ring: &Ring, x: u16, y: u16) -> Way {
    if !ring.wraps {
        return if y > x { Way::Up } else { Way::Down };
    }
    match (2 * ring.forward(x, y)).cmp(&ring.size) {
        std::cmp::Ordering::Less => Way::Up,
        std::cmp::Ordering::Greater => Way::Down,
        std::cmp::Ordering::Equal => Way::Either,
    }
}
