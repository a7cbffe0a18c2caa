//! NPB MG: a multigrid solver on a cube whose side is a power of two.
//!
//! An iteration goes down from the finest grid to one of 2^3 points and up again. On every grid ranks send the faces of their
//! part to both neighbours in each dimension, the edges included that came before. Where a grid has fewer points than ranks
//! in a dimension, some ranks sit out and the others' neighbours are twice as far; they give those that have sat out their
//! part when the next finer grid is entered.

use super::error::{GraphError, power_of_two};
use super::flow::{Communication, DOUBLE, Flow};
use super::npb::Class;

/// A cube over ranks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Mg {
    /// Ranks in each dimension.
    ranks: [u32; 3],
    /// Levels of grids: the finest has 2^levels points in each dimension.
    levels: u32,
}

/// What a rank has of one grid.
#[derive(Clone, Copy, Debug)]
pub(super) struct Part {
    /// Points in each dimension, the two of the neighbours included.
    points: [u64; 3],
    /// How many ranks away the neighbours are.
    distance: [u32; 3],
    /// The rank gives its part to neighbours that have none of the next coarser grid.
    gives: [bool; 3],
}

impl Part {
    pub(super) fn sits_out(&self) -> bool {
        self.points.contains(&2)
    }
}

impl Mg {
    /// Makes the graph of a problem class.
    pub fn new(ranks: u32, class: Class) -> Result<Self, GraphError> {
        let levels = class.of([5, 7, 8, 8, 9, 10, 11]);
        // Every rank has a part of the finest grid.
        let exponent = power_of_two(ranks, 1 << (3 * levels).min(28))?;
        let x = exponent / 3;
        let y = (exponent - x) / 2;
        Ok(Mg { ranks: [1 << x, 1 << y, 1 << (exponent - x - y)], levels })
    }

    /// Returns what a rank has of each grid, the coarsest first.
    pub(super) fn parts(&self, rank: u32) -> Vec<Part> {
        let place = self.place(rank);
        let mut parts: Vec<Part> = Vec::new();
        let mut distance = [1; 3];
        for level in (1..=self.levels).rev() {
            let mut part = Part { points: [0; 3], distance, gives: [false; 3] };
            for axis in 0..3 {
                let points = |place: u32| {
                    let upto = |place: u32| (u64::from(place) << level) / u64::from(self.ranks[axis]);
                    2 + upto(place + 1) - upto(place)
                };
                let (own, next) = (points(place[axis]), points(place[axis] + distance[axis]));
                if own == 2 || next == 2 {
                    distance[axis] *= 2;
                }
                if let Some(finer) = parts.last_mut() {
                    finer.gives[axis] = next == 2 && own == 3;
                }
                part.points[axis] = own;
            }
            part.distance = distance;
            parts.push(part);
        }
        parts.reverse();
        parts
    }

    /// Sends the faces to both neighbours in each dimension; those of later dimensions have the edges that came before.
    pub(super) fn exchange(&self, rank: u32, part: &Part, times: u64, visit: &mut dyn FnMut(Flow)) {
        let [x, y, z] = part.points;
        for (axis, face) in [(y - 2) * (z - 2), x * (z - 2), x * y].into_iter().enumerate() {
            for to in self.neighbours(rank, axis, part.distance[axis]) {
                visit(Flow { to, messages: times, bytes: face * DOUBLE });
            }
        }
    }

    /// Returns neighbours their part of this grid: one layer to the lower one, two to the upper one.
    pub(super) fn give(&self, rank: u32, part: &Part, visit: &mut dyn FnMut(Flow)) {
        let [x, y, z] = part.points;
        for (axis, face) in [y * z, x * z, x * y].into_iter().enumerate() {
            if part.gives[axis] {
                let [lower, upper] = self.neighbours(rank, axis, part.distance[axis]);
                visit(Flow { to: lower, messages: 1, bytes: face * DOUBLE });
                visit(Flow { to: upper, messages: 1, bytes: 2 * face * DOUBLE });
            }
        }
    }

    fn place(&self, rank: u32) -> [u32; 3] {
        let [x, y, _] = self.ranks;
        [rank % x, rank / x % y, rank / (x * y)]
    }

    /// Returns the lower and the upper neighbour in a dimension.
    fn neighbours(&self, rank: u32, axis: usize, distance: u32) -> [u32; 2] {
        let (size, at) = (self.ranks[axis], self.place(rank)[axis]);
        let unit: u32 = self.ranks[..axis].iter().product();
        let distance = distance % size;
        [(at + size - distance) % size, (at + distance) % size].map(|other| rank - at * unit + other * unit)
    }
}

impl Communication for Mg {
    fn ranks(&self) -> u32 {
        self.ranks.iter().product()
    }

    fn flows(&self, rank: u32, visit: &mut dyn FnMut(Flow)) {
        let parts = self.parts(rank);
        for (level, part) in (1..).zip(&parts) {
            // On the coarsest grid the restriction and the smoother end by an exchange, on others the residual too.
            let exchanges = if level == 1 { 2 } else { 3 };
            if !part.sits_out() {
                self.exchange(rank, part, exchanges, visit);
            }
            self.give(rank, part, visit);
        }
    }
}
