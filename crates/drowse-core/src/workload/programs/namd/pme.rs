//! Particle-mesh Ewald (PME): the charges of atoms are put on a grid that is transformed forward and back, in pencils.
//!
//! There are n x n pencils along each dimension, on ranks that are as far from each other as they can be. Patches send the
//! charges of their part of the grid to the pencils along z that it lies in. These transform, and send a block to each of
//! the n pencils along y, and these to those along x; then all goes back. A pencil has parts of two dimensions: along z
//! those of x and y, along y those of x and z, along x those of y and z. Charges are single numbers of 4 B; transformed,
//! complex ones of 8 B, half as many along z and one more.

use super::{Molecules, Namd};

/// Bytes of a charge, and of a complex number.
const CHARGE: u64 = 4;
const COMPLEX: u64 = 8;
/// Dimensions.
const X: usize = 0;
const Y: usize = 1;
const Z: usize = 2;

/// The pencils of a program.
#[derive(Clone, Copy, Debug)]
pub(super) struct Pme {
    ranks: u32,
    patches: [u32; 3],
    grid: [u32; 3],
    /// Pencils in each of two dimensions.
    pub across: u32,
}

/// Which pencils send to which.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Turn {
    /// Between those along z and those along y, which share a part of x.
    Row,
    /// Between those along y and those along x, which share a part of z.
    Column,
}

/// The four times that the grid is turned.
const TURNS: [Turn; 4] = [Turn::Row, Turn::Column, Turn::Column, Turn::Row];
pub(super) const TURNED: u64 = TURNS.len() as u64;

/// Returns the points of one of several parts of a line.
fn part(points: u32, number: u32, of: u32) -> std::ops::Range<u64> {
    let from = |number: u32| u64::from(points) * u64::from(number) / u64::from(of);
    from(number)..from(number + 1)
}

/// Returns how many points two parts share.
fn shared(one: std::ops::Range<u64>, other: std::ops::Range<u64>) -> u64 {
    one.end.min(other.end).saturating_sub(one.start.max(other.start))
}

impl Pme {
    pub fn of(program: &Namd) -> Self {
        let Molecules { patches, grid, .. } = program.molecules;
        let smallest = grid.into_iter().min().unwrap_or(1);
        let across = program.ranks.isqrt().min(smallest / 2 + 1);
        Pme { ranks: program.ranks, patches, grid, across }
    }

    /// Returns the rank of a pencil.
    fn rank(&self, pencil: u32) -> u32 {
        let all = u64::from(self.across * self.across);
        // Below the number of ranks.
        (u64::from(pencil) * u64::from(self.ranks) / all) as u32
    }

    /// Returns the pencil of a rank, if it has one.
    pub fn pencil(&self, rank: u32) -> Option<u32> {
        let all = u64::from(self.across * self.across);
        let pencil = (u64::from(rank) * all).div_ceil(self.ranks.into()) as u32;
        (u64::from(pencil) < all && self.rank(pencil) == rank).then_some(pencil)
    }

    /// Calls `visit` with the ranks of the pencils that a patch lies in, and the bytes of its charges there.
    pub fn charges(&self, [x, y, z]: [u32; 3], visit: &mut dyn FnMut(u32, u64)) {
        let depth = part(self.grid[Z], z, self.patches[Z]);
        for a in self.parts(X, x) {
            let width = self.overlap(X, x, a);
            for b in self.parts(Y, y) {
                let points = width * self.overlap(Y, y, b) * (depth.end - depth.start);
                if points > 0 {
                    visit(self.rank(a * self.across + b), points * CHARGE);
                }
            }
        }
    }

    /// Returns the parts of a dimension among pencils in which a patch may lie.
    fn parts(&self, axis: usize, place: u32) -> std::ops::RangeInclusive<u32> {
        let points = part(self.grid[axis], place, self.patches[axis]);
        let of = |point: u64| (point * u64::from(self.across) / u64::from(self.grid[axis])) as u32;
        of(points.start)..=of(points.end).min(self.across - 1)
    }

    fn overlap(&self, axis: usize, place: u32, number: u32) -> u64 {
        shared(part(self.grid[axis], place, self.patches[axis]), part(self.grid[axis], number, self.across))
    }

    /// Calls `visit` with the places of the patches in a layer that lie in a pencil, and the bytes of their charges there.
    pub fn patches(&self, pencil: u32, layer: u32, visit: &mut dyn FnMut([u32; 3], u64)) {
        let [a, b] = [pencil / self.across, pencil % self.across];
        let range = |axis: usize, number: u32| {
            let points = part(self.grid[axis], number, self.across);
            let of = |point: u64| (point * u64::from(self.patches[axis]) / u64::from(self.grid[axis])) as u32;
            of(points.start).saturating_sub(1)..(of(points.end) + 1).min(self.patches[axis])
        };
        let depth = part(self.grid[Z], layer, self.patches[Z]);
        for y in range(Y, b) {
            for x in range(X, a) {
                let points = self.overlap(X, x, a) * self.overlap(Y, y, b) * (depth.end - depth.start);
                if points > 0 {
                    visit([x, y, layer], points * CHARGE);
                }
            }
        }
    }

    /// Returns the numbers of a part of a dimension, transformed.
    fn numbers(&self, axis: usize, number: u32) -> u64 {
        let points = if axis == Z { self.grid[Z] / 2 + 1 } else { self.grid[axis] };
        let part = part(points, number, self.across);
        part.end - part.start
    }

    /// Returns to which rank a pencil sends at a place of a turn, and from which it receives, and the bytes of what it
    /// sends; none at the place of its own.
    pub fn turn(&self, pencil: u32, turn: usize, place: u32) -> Option<(u32, u64)> {
        let [row, column] = [pencil / self.across, pencil % self.across];
        let (other, own) = match TURNS[turn] {
            Turn::Row => (row * self.across + place, column),
            Turn::Column => (place * self.across + column, row),
        };
        if own == place {
            return None;
        }
        // Turned back, the numbers of the two change places.
        let (from, to) = if turn < 2 { (own, place) } else { (place, own) };
        let block = match TURNS[turn] {
            Turn::Row => self.numbers(X, row) * self.numbers(Y, from) * self.numbers(Z, to),
            Turn::Column => self.numbers(X, from) * self.numbers(Y, to) * self.numbers(Z, column),
        };
        Some((self.rank(other), block * COMPLEX))
    }

    /// Returns a bound of the bytes of a message: the part of the grid of a patch, or a block.
    pub fn largest(&self) -> u64 {
        let most =
            |of: [u32; 3]| -> u64 { (0..3).map(|axis| u64::from(self.grid[axis]).div_ceil(of[axis].into())).product() };
        (most(self.patches) * CHARGE).max(most([self.across; 3]) * COMPLEX)
    }

    /// Returns the messages of all turns, and their bytes.
    pub fn turned(&self) -> (u64, u64) {
        let across = u64::from(self.across);
        let points = |axis: usize| if axis == Z { u64::from(self.grid[Z] / 2 + 1) } else { self.grid[axis].into() };
        // What stays: blocks of equal numbers.
        let same = |one: usize, other: usize| -> u64 {
            (0..self.across).map(|number| self.numbers(one, number) * self.numbers(other, number)).sum()
        };
        let row = points(X) * (points(Y) * points(Z) - same(Y, Z));
        let column = points(Z) * (points(X) * points(Y) - same(X, Y));
        (TURNED * across * across * (across - 1), 2 * (row + column) * COMPLEX)
    }
}
