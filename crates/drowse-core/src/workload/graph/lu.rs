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
}

impl Communication for Lu {
    fn ranks(&self) -> u32 {
        self.rows * self.columns
    }

    fn flows(&self, rank: u32, visit: &mut dyn FnMut(Flow)) {
        let (row, column) = (rank % self.rows, rank / self.rows);
        // A message to another row covers this rank's edge along the columns, and a message to another column its edge
        // along the rows.
        let directions =
            [(row, self.rows, 1, (column, self.columns)), (column, self.columns, self.rows, (row, self.rows))];
        for (at, size, unit, (place, count)) in directions {
            let edge = share(self.points, count, place);
            // The outermost points are boundary.
            let inner = edge - u64::from(place == 0) - u64::from(place + 1 == count);
            for to in [at.checked_sub(1), Some(at + 1).filter(|&next| next < size)].into_iter().flatten() {
                let to = rank - at * unit + to * unit;
                visit(Flow { to, messages: self.points - 2, bytes: VALUES * inner * DOUBLE });
                visit(Flow { to, messages: 1, bytes: 2 * VALUES * edge * self.points * DOUBLE });
            }
        }
    }
}
