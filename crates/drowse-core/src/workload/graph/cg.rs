//! NPB CG: conjugate gradients on a sparse matrix, partitioned into rows and columns of blocks.
//!
//! 2^m ranks form 2^(m/2) rows (rounded down) and the corresponding number of columns; rank = row * columns + column.
//! An iteration solves a system in 25 steps. Each step sums partial products along the row by exchanges at halving
//! distances, swaps the result with the transposed rank, and sums two scalar products along the row by messages of 8
//! bytes.

use super::error::{GraphError, MOST_RANKS, power_of_two};
use super::flow::{Communication, DOUBLE, Flow};
use super::npb::{Class, share};

/// A matrix over ranks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Cg {
    rows: u32,
    columns: u32,
    order: u64,
}

impl Cg {
    /// Steps of one solution.
    pub(in crate::workload) const STEPS: u64 = 25;

    /// Makes the graph of a problem class.
    pub fn new(ranks: u32, class: Class) -> Result<Self, GraphError> {
        let rows = 1 << (power_of_two(ranks, MOST_RANKS)? / 2);
        let order = class.of([1_400, 7_000, 14_000, 75_000, 150_000, 1_500_000, 9_000_000]);
        Ok(Cg { rows, columns: ranks / rows, order })
    }

    /// Returns the elements of a rank's row of blocks, and those that remain with it after the sum.
    pub(in crate::workload) fn elements(&self, rank: u32) -> [u64; 2] {
        let whole = share(self.order, self.rows, rank / self.columns);
        let half = if rank.is_multiple_of(2) { whole.div_ceil(2) } else { whole / 2 };
        [whole, if self.rows == self.columns { whole } else { half }]
    }

    /// Returns the rows and columns of ranks.
    pub(in crate::workload) fn layout(&self) -> [u32; 2] {
        [self.rows, self.columns]
    }

    /// Returns the order of the matrix.
    pub(in crate::workload) fn order(&self) -> u64 {
        self.order
    }

    /// Returns the partners of a rank in its row, the farthest first, and the elements that it sends to each in a sum. The
    /// sum begins with the nearest; where there are two columns per row, that exchange halves it.
    pub(in crate::workload) fn partners(&self, rank: u32) -> impl Iterator<Item = (u32, u64)> {
        let ([whole, half], columns, halves) = (self.elements(rank), self.columns, self.columns != self.rows);
        (0..columns.ilog2()).map(move |halving| {
            let (block, column) = (columns >> halving, rank % columns);
            let to = rank - column + (column + block / 2) % block + column / block * block;
            (to, if block == 2 && halves { whole - half } else { half })
        })
    }

    /// Returns the rank of the transposed block, if there are several.
    pub(in crate::workload) fn transposed(&self, rank: u32) -> Option<u32> {
        let swap = |rank: u32| rank % self.rows * self.rows + rank / self.rows;
        let to = if self.rows == self.columns { swap(rank) } else { 2 * swap(rank / 2) + rank % 2 };
        (self.columns > 1).then_some(to)
    }
}

impl Communication for Cg {
    fn ranks(&self) -> u32 {
        self.rows * self.columns
    }

    fn flows(&self, rank: u32, visit: &mut dyn FnMut(Flow)) {
        for (to, elements) in self.partners(rank) {
            visit(Flow { to, messages: Self::STEPS + 1, bytes: elements * DOUBLE });
            // Two per step, one before the steps and one for the residual; then both norms in one message.
            visit(Flow { to, messages: 2 * Self::STEPS + 2, bytes: DOUBLE });
            visit(Flow { to, messages: 1, bytes: 2 * DOUBLE });
        }
        if let Some(to) = self.transposed(rank) {
            visit(Flow { to, messages: Self::STEPS + 1, bytes: self.elements(rank)[1] * DOUBLE });
        }
    }
}
