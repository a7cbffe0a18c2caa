//! Bisections of tori, meshes, hypercubes and `HyperX`.
//!
//! A box of switches is halved across one dimension; where that has an odd number of layers, the one in the middle is
//! halved in turn, across another. Of all orders of dimensions, one is best where all links count the same: for
//! products of paths and for products of rings (Aroca and Fernández Anta, "Bisection (band)width of product networks
//! with application to data centers", IEEE TPDS 2014), and for products of full meshes (Lindsey, "Assignment of numbers
//! to vertices", American Mathematical Monthly 1964). Elsewhere the best of all orders is an upper bound.

use super::cut::{Basis, Bisection};
use crate::topology::geometry::grid::Grid;
use crate::topology::geometry::lattice::Lattice;

/// One dimension; its links are of the class that follows on its number.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Side {
    size: u32,
    /// Parallel links.
    trunk: u32,
    shape: Line,
}

/// How the switches of a line in one dimension are joined.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Line {
    Path,
    Ring,
    Full,
}

/// Finds the best cut of a torus or mesh.
pub fn of_grid(grid: &Grid, weights: &[u64]) -> Bisection {
    let shape = |wraps| if wraps { Line::Ring } else { Line::Path };
    let sides =
        grid.rings.iter().map(|ring| Side { size: ring.size, trunk: u32::from(ring.trunk), shape: shape(ring.wraps) });
    bisection(&sides.collect::<Vec<_>>(), weights)
}

/// Finds the best cut of a `HyperX`.
pub fn of_lattice(lattice: &Lattice, weights: &[u64]) -> Bisection {
    let side = |(&size, &trunk)| Side { size, trunk, shape: Line::Full };
    let sides: Vec<Side> = lattice.dims.iter().zip(&lattice.widths).map(side).collect();
    bisection(&sides, weights)
}

fn bisection(sides: &[Side], weights: &[u64]) -> Bisection {
    // Links cut across dimension `d` of the box of a set of dimensions, one bit each.
    let across = |set: usize, d: usize| {
        let others = (0..sides.len()).filter(|other| set >> other & 1 == 1 && *other != d);
        let lines: u64 = others.map(|other| u64::from(sides[other].size)).product();
        lines * u64::from(sides[d].trunk) * sides[d].cut()
    };
    let rest = |set: usize, d: usize| if sides[d].size.is_multiple_of(2) { 0 } else { set & !(1 << d) };
    // The least weight by set, and the dimension across which its box is cut first.
    let mut best = vec![(0, 0)];
    for set in 1..1usize << sides.len() {
        let cut = |d| (u128::from(across(set, d)) * u128::from(weights[d + 1]) + best[rest(set, d)].0, d);
        let least = (0..sides.len()).filter(|d| set >> d & 1 == 1).map(cut).min();
        best.push(least.unwrap_or_default());
    }
    let mut links = vec![0; sides.len() + 1];
    let mut set = best.len() - 1;
    while set != 0 {
        let d = best[set].1;
        links[d + 1] = across(set, d);
        set = rest(set, d);
    }
    let alike = |(side, &weight): (&Side, &u64)| (u128::from(side.trunk) * u128::from(weight), side.shape);
    let exact = sides.iter().zip(&weights[1..]).all(|side| alike(side) == alike((&sides[0], &weights[1])));
    Bisection { links, basis: if exact { Basis::Exact } else { Basis::Bound } }
}

impl Side {
    /// Returns the pairs of neighbours in different halves of a line.
    fn cut(&self) -> u64 {
        match self.shape {
            Line::Path => 1,
            Line::Ring => 2,
            Line::Full => u64::from(self.size / 2) * u64::from(self.size.div_ceil(2)),
        }
    }
}
