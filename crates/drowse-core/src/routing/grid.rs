//! Routing on tori and meshes: dimension order with datelines, and minimal fully adaptive (Duato).
//!
//! Dimension order takes the lowest dimension first. On rings, virtual channels are split in two classes: a packet uses
//! the first until it has crossed the dateline (the wrap-around link) of the dimension, then the second; so the channel
//! dependencies of each class form no cycle (paper 000, section 3.1; Dally and Seitz). Where both ways round a ring are
//! as long, dimension order alone goes up from even coordinates and down from odd ones, which loads both directions the
//! same; as an escape path it goes up; adaptive routing may take either.

use super::{Candidates, Outputs, RoutingKind};
use crate::config::VirtualChannels;
use crate::topology::torus::Grid;

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
    /// Before and after the dateline; both on dimensions without one.
    escape: [u8; 2],
    escape_all: u8,
}

impl GridVcs {
    /// Numbers the virtual channels: adaptive ones first, then the two halves of the escape ones.
    pub fn new(vcs: VirtualChannels) -> Self {
        let mask = |first: u8, count: u8| (((1u16 << count) - 1) << first) as u8;
        let half = vcs.escape / 2;
        GridVcs {
            adaptive: mask(0, vcs.adaptive),
            escape: [mask(vcs.adaptive, half), mask(vcs.adaptive + half, vcs.escape - half)],
            escape_all: mask(vcs.adaptive, vcs.escape),
        }
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
    let (here, there) = (grid.coordinates_of(at), grid.coordinates_of(to));
    found.adaptive_len = 0;
    let mut escape_found = false;
    for d in 0..here.len() {
        if here[d] == there[d] {
            continue;
        }
        let way = way(grid, d, here[d], there[d]);
        if !escape_found {
            escape_found = true;
            let up = match way {
                Way::Up => true,
                Way::Down => false,
                Way::Either => kind == RoutingKind::Adaptive || here[d].is_multiple_of(2),
            };
            let class = usize::from(crossed >> d & 1);
            let mask = if grid.wraps[d] { vcs.escape[class] } else { vcs.escape_all };
            found.escape = outputs(grid, at, d, up, mask);
            if kind == RoutingKind::DimensionOrder {
                return;
            }
        }
        for (up, other) in [(true, Way::Down), (false, Way::Up)] {
            if way != other {
                found.adaptive[found.adaptive_len] = outputs(grid, at, d, up, vcs.adaptive);
                found.adaptive_len += 1;
            }
        }
    }
}

/// Tells whether the channel from `at` through the trunk port `local` crosses a dateline, and of which dimension.
#[inline]
pub fn crossing(grid: &Grid, at: u32, local: u16) -> u16 {
    let here = grid.coordinates_of(at);
    for (d, &k) in grid.dims.iter().enumerate() {
        // Only the rim's switches have wrap-around links.
        let up = match u32::from(here[d]) {
            0 => false,
            x if x + 1 == k => true,
            _ => continue,
        };
        if grid.wraps[d] {
            let first = u32::from(grid.trunk_of(at, d, up));
            if (first..first + grid.trunk[d]).contains(&u32::from(local)) {
                return 1 << d;
            }
        }
    }
    0
}

fn outputs(grid: &Grid, at: u32, d: usize, up: bool, vcs: u8) -> Outputs {
    Outputs { first: grid.trunk_of(at, d, up), count: grid.trunk[d] as u16, vcs }
}

#[inline]
fn way(grid: &Grid, d: usize, x: u16, y: u16) -> Way {
    if !grid.wraps[d] {
        return if y > x { Way::Up } else { Way::Down };
    }
    let k = grid.dims[d];
    let forward = if y > x { u32::from(y - x) } else { u32::from(y) + k - u32::from(x) };
    match (2 * forward).cmp(&k) {
        std::cmp::Ordering::Less => Way::Up,
        std::cmp::Ordering::Greater => Way::Down,
        std::cmp::Ordering::Equal => Way::Either,
    }
}
