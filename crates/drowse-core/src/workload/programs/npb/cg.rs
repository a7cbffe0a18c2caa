//! NPB CG: conjugate gradients on a sparse matrix, partitioned into rows and columns of blocks.
//!
//! 2^m ranks form 2^(m/2) rows (rounded down) and the corresponding number of columns; rank = row * columns + column.
//! An iteration solves a system in 25 steps. Each step sums partial products along the row by exchanges at halving
//! distances, swaps the result with the transposed rank, and sums two scalar products along the row by messages of 8
//! bytes.
//!
//! CG: an iteration solves a system in 25 steps, measures its residual, and sums two norms. Each exchange posts a receive,
//! sends, and waits.

use super::super::error::{MOST_RANKS, ProgramError, power_of_two};
use super::super::flow::{Communication, DOUBLE, Flow};
use super::super::writer::Writer;
use super::benchmark::{Benchmark, Classed, INTEGER, Volume, sum_at_root, tell};
use super::class::{Class, share};
use crate::workload::operation::Collective;

/// A matrix over ranks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Cg {
    rows: u32,
    columns: u32,
    order: u64,
}

impl Cg {
    /// Steps of one solution.
    const STEPS: u64 = 25;

    /// Makes the problem of a class.
    pub fn new(ranks: u32, class: Class) -> Result<Self, ProgramError> {
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

    /// Returns the partners of a rank in its row, the farthest first, and the elements that it sends to each in a sum. The
    /// sum begins with the nearest; where there are two columns per row, that exchange halves it.
    fn partners(&self, rank: u32) -> impl Iterator<Item = (u32, u64)> {
        let ([whole, half], columns, halves) = (self.elements(rank), self.columns, self.columns != self.rows);
        (0..columns.ilog2()).map(move |halving| {
            let (block, column) = (columns >> halving, rank % columns);
            let to = rank - column + (column + block / 2) % block + column / block * block;
            (to, if block == 2 && halves { whole - half } else { half })
        })
    }

    /// Returns the rank of the transposed block, if there are several.
    fn transposed(&self, rank: u32) -> Option<u32> {
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

impl Cg {
    /// Exchanges so many bytes with another rank.
    fn exchange(to: u32, bytes: u64, writer: &mut Writer<'_>) {
        writer.post(to, 0, 0);
        writer.send(to, 0, bytes);
        writer.wait(0);
    }

    /// Sums scalars over the row.
    fn scalars(&self, rank: u32, count: u64, writer: &mut Writer<'_>) {
        self.partners(rank).for_each(|(to, _)| Self::exchange(to, count * DOUBLE, writer));
    }

    /// Multiplies with the matrix: sums over the row, the nearest partner first, and changes with the transposed rank.
    fn multiply(&self, rank: u32, writer: &mut Writer<'_>) {
        let mut partners: Vec<(u32, u64)> = self.partners(rank).collect();
        partners.reverse();
        partners.into_iter().for_each(|(to, elements)| Self::exchange(to, elements * DOUBLE, writer));
        if let Some(to) = self.transposed(rank) {
            Self::exchange(to, self.elements(rank)[1] * DOUBLE, writer);
        }
    }
}

impl Benchmark for Cg {
    fn largest(&self) -> u64 {
        self.elements(0)[0] * DOUBLE
    }

    fn computations(&self) -> u64 {
        Cg::STEPS + 1
    }

    /// In a row every rank has a partner for each halving, and each sum moves all elements of the row's rank once, or half
    /// of them where two columns share a block.
    fn iteration(&self, _: bool) -> Volume {
        let [rows, columns] = [self.rows, self.columns].map(u64::from);
        let (halvings, products, scalars) = (u64::from(columns.ilog2()), Cg::STEPS + 1, 2 * Cg::STEPS + 2);
        let changes = halvings + u64::from(columns > 1);
        let elements = products * changes * self.order * columns / (columns / rows);
        let messages = rows * columns * (products * changes + (scalars + 1) * halvings);
        let bytes = DOUBLE * (elements + rows * columns * halvings * (scalars + 2));
        Volume { messages, bytes, calls: messages }
    }

    fn set_up(&self) -> Volume {
        Volume::of_calls(2 * u64::from(self.ranks()))
    }

    fn verification(&self) -> Volume {
        Volume::of_calls(self.ranks().into())
    }

    /// The first product, the steps, the residual, and the norms.
    fn steps(&self) -> u64 {
        Cg::STEPS + 2
    }

    fn step(&self, rank: u32, step: u64, _: bool, writer: &mut Writer<'_>) {
        let Some(number) = step.checked_sub(1) else { return self.scalars(rank, 1, writer) };
        writer.compute_part(number..step, Cg::STEPS + 1);
        self.multiply(rank, writer);
        self.scalars(rank, 1, writer);
        // Both products of a step are sums of their own; after the last, both norms are one.
        self.scalars(rank, if step <= Cg::STEPS { 1 } else { 2 }, writer);
    }

    fn before_warm_up(&self, _: u32, writer: &mut Writer<'_>) {
        tell(1, INTEGER, writer);
    }

    fn after_warm_up(&self, _: u32, writer: &mut Writer<'_>) {
        writer.call(Collective::Barrier);
    }

    fn verify(&self, _: u32, writer: &mut Writer<'_>) {
        sum_at_root(1, DOUBLE, writer);
    }
}

impl Classed for Cg {
    const KIND: &'static str = "cg";
    const ABOUT: &'static str = "CG of the NAS Parallel Benchmarks: conjugate gradients.";
    const ITERATIONS: [u32; 7] = [15, 15, 15, 75, 75, 100, 100];
    type Benchmark = Self;

    fn problem(ranks: u32, class: Class) -> Result<Self, ProgramError> {
        Self::new(ranks, class)
    }
}
