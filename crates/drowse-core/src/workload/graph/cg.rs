//! NPB CG: conjugate gradients on a sparse matrix, partitioned into rows and columns of blocks.
//!
//! 2^m ranks form 2^(m/2) rows (rounded down) and the corresponding number of columns; rank = row * columns + column.
//! An iteration solves a system in 25 steps. Each step sums partial products along the row by exchanges at halving
//! distances, swaps the result with the transposed rank, and sums two scalar products along the row by messages of 8
//! bytes.

use super::error::{GraphError, MOST_RANKS, power_of_two};
use super::flow::{Communication, DOUBLE, Flow};
use super::npb::{Class, share};

/// Steps of one solution.
const STEPS: u64 = 25;

/// A matrix over ranks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Cg {
    rows: u32,
    columns: u32,
    order: u64,
}

impl Cg {
    /// Makes the graph of a problem class.
    pub fn new(ranks: u32, class: Class) -> Result<Self, GraphError> {
        let rows = 1 << (power_of_two(ranks, MOST_RANKS)? / 2);
        let order = class.of([1_400, 7_000, 14_000, 75_000, 150_000, 1_500_000, 9_000_000]);
        Ok(Cg { rows, columns: ranks / rows, order })
    }

    /// Returns the elements of a rank's row of blocks, and those that remain with it after the sum.
    fn elements(&self, rank: u32) -> [u64; 2] {
        let whole = share(self.order, self.rows, rank / self.columns);
        let half = if rank.is_multiple_of(2) { whole.div_ceil(2) } else { whole / 2 };
        [whole, if self.rows == self.columns { whole } else { half }]
    }

    /// Returns the rank of the transposed block.
    fn transposed(&self, rank: u32) -> u32 {
        let swap = |rank: u32| rank % self.rows * self.rows + rank / self.rows;
        if self.rows == self.columns { swap(rank) } else { 2 * swap(rank / 2) + rank % 2 }
    }
}

impl Communication for Cg {
    fn ranks(&self) -> u32 {
        self.rows * self.columns
    }

    fn flows(&self, rank: u32, visit: &mut dyn FnMut(Flow)) {
        let [whole, half] = self.elements(rank).map(|elements| elements * DOUBLE);
        let mut block = self.columns;
        while block > 1 {
            let column = rank % self.columns;
            let to = rank - column + (column + block / 2) % block + column / block * block;
            // The program runs this loop backwards. With two columns per row, its first exchange halves the sum.
            let bytes = if block == 2 && self.columns != self.rows { whole - half } else { half };
            visit(Flow { to, messages: STEPS + 1, bytes });
            // Two per step, one before the steps and one for the residual; then both norms in one message.
            visit(Flow { to, messages: 2 * STEPS + 2, bytes: DOUBLE });
            visit(Flow { to, messages: 1, bytes: 2 * DOUBLE });
            block /= 2;
        }
        if self.columns > 1 {
            visit(Flow { to: self.transposed(rank), messages: STEPS + 1, bytes: half });
        }
    }
}
