//! CG: an iteration solves a system in 25 steps, measures its residual, and sums two norms. Each exchange posts a receive,
//! sends, and waits.

use super::{DOUBLE, INTEGER, Parts, Volume, sum_at_root, tell};
use crate::workload::chains::steps::Writer;
use crate::workload::graph::Cg;
use crate::workload::operation::Collective;

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

impl Parts for Cg {
    fn ranks(&self) -> u32 {
        let [rows, columns] = self.layout();
        rows * columns
    }

    fn largest(&self) -> u64 {
        self.elements(0)[0] * DOUBLE
    }

    fn computations(&self) -> u64 {
        Cg::STEPS + 1
    }

    /// In a row every rank has a partner for each halving, and each sum moves all elements of the row's rank once, or half
    /// of them where two columns share a block.
    fn iteration(&self, _: bool) -> Volume {
        let [rows, columns] = self.layout().map(u64::from);
        let (halvings, products, scalars) = (u64::from(columns.ilog2()), Cg::STEPS + 1, 2 * Cg::STEPS + 2);
        let changes = halvings + u64::from(columns > 1);
        let elements = products * changes * self.order() * columns / (columns / rows);
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

    fn begin(&self, _: u32, writer: &mut Writer<'_>) {
        tell(1, INTEGER, writer);
    }

    fn settle(&self, _: u32, writer: &mut Writer<'_>) {
        writer.call(Collective::Barrier);
    }

    fn verify(&self, _: u32, writer: &mut Writer<'_>) {
        sum_at_root(1, DOUBLE, writer);
    }
}
