//! NPB LU: symmetric successive over-relaxation by wavefronts on a cube that is partitioned in two dimensions.
//!
//! Rank = row + rows * column. In an iteration a wavefront visits all inner planes from the first row and column to the
//! last: each rank sends five values per edge point to the next row and to the next column. A second wavefront returns.
//! At the end the residual needs two layers of points from all four neighbours. Nothing wraps around.

use super::error::{GraphError, MOST_RANKS, power_of_two};
use super::flow::{Communication, DOUBLE, Flow};
use super::npb::{self, Class, share};

/// Values of a point.
const VALUES: u64 = 5;

/// A cube over rows and columns of ranks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Lu {
    rows: u32,
    columns: u32,
    points: u64,
}

impl Lu {
    /// Makes the graph of a problem class.
    pub fn new(ranks: u32, class: Class) -> Result<Self, GraphError> {
        let exponent = power_of_two(ranks, MOST_RANKS)?;
        let rows = 1 << exponent.div_ceil(2);
        let (columns, points) = (ranks / rows, npb::grid(class, 33));
        if u64::from(rows) * 4 > points {
            let reason = format!("each rank needs 4 of {points} points in each dimension, as the program demands");
            return Err(GraphError { key: "ranks", value: ranks.to_string(), reason });
        }
        Ok(Lu { rows, columns, points })
    }

    /// Returns the rows and columns of ranks.
    pub(in crate::workload) fn layout(&self) -> [u32; 2] {
        [self.rows, self.columns]
    }

    /// Returns the points in each dimension.
    pub(in crate::workload) fn points(&self) -> u64 {
        self.points
    }

    /// Returns the ranks in the row before and behind, and in the column before and behind.
    pub(in crate::workload) fn neighbours(&self, rank: u32) -> [Option<u32>; 4] {
        let (row, column) = (rank % self.rows, rank / self.rows);
        [
            (row > 0).then(|| rank - 1),
            (row + 1 < self.rows).then(|| rank + 1),
            (column > 0).then(|| rank - self.rows),
            (column + 1 < self.columns).then(|| rank + self.rows),
        ]
    }

    /// Returns a rank's points at the border to the next row, or to the next column, without the outermost of the cube if
    /// `inner`.
    pub(in crate::workload) fn edge(&self, rank: u32, to_a_row: bool, inner: bool) -> u64 {
        let (place, count) = if to_a_row { (rank / self.rows, self.columns) } else { (rank % self.rows, self.rows) };
        let outermost = u64::from(place == 0) + u64::from(place + 1 == count);
        share(self.points, count, place) - if inner { outermost } else { 0 }
    }
}

impl Communication for Lu {
    fn ranks(&self) -> u32 {
        self.rows * self.columns
    }

    fn flows(&self, rank: u32, visit: &mut dyn FnMut(Flow)) {
        for (side, to) in self.neighbours(rank).into_iter().enumerate() {
            let Some(to) = to else { continue };
            let [inner, edge] = [true, false].map(|inner| self.edge(rank, side < 2, inner));
            visit(Flow { to, messages: self.points - 2, bytes: VALUES * inner * DOUBLE });
            visit(Flow { to, messages: 1, bytes: 2 * VALUES * edge * self.points * DOUBLE });
        }
    }
}
