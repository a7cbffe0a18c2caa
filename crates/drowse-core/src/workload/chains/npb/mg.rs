//! MG: an iteration goes down to the coarsest grid and back. Every grid is exchanged with six neighbours, dimension by
//! dimension: posts both receives, sends up and down, and waits.

use super::{DOUBLE, INTEGER, Parts, Volume, sum_at_root, tell};
use crate::workload::chains::steps::Writer;
use crate::workload::graph::{Flow, Mg};
use crate::workload::operation::Collective;

/// Tags of messages to lower and upper neighbours.
const DOWN: u32 = 0;
const UP: u32 = 1;
/// Rounds in which the extreme points of the right-hand side are found: ten of each sign.
const EXTREMES: u64 = 20;

impl Mg {
    /// Exchanges the faces of a grid.
    fn faces(&self, rank: u32, level: u32, writer: &mut Writer<'_>) {
        if self.ranks() == 1 {
            return;
        }
        let partition = self.partition(rank, level);
        if partition.is_idle() {
            return;
        }
        for (axis, bytes) in partition.faces().into_iter().enumerate() {
            let [lower, upper] = self.neighbours_on(rank, axis, &partition);
            writer.post(upper, DOWN, 0);
            writer.post(lower, UP, 1);
            writer.send(upper, UP, bytes * DOUBLE);
            writer.send(lower, DOWN, bytes * DOUBLE);
            (0..2).for_each(|request| writer.wait(request));
        }
    }

    /// Sends neighbours that have no points of the next coarser grid their share of this one, or receives it.
    fn shares(&self, rank: u32, level: u32, writer: &mut Writer<'_>) {
        let partition = self.partition(rank, level);
        for (axis, bytes) in partition.whole_faces().into_iter().enumerate() {
            let [lower, upper] = self.neighbours_on(rank, axis, &partition);
            if partition.takes(axis) {
                writer.post(upper, DOWN, 0);
                writer.post(lower, UP, 1);
                (0..2).for_each(|request| writer.wait(request));
            }
            if partition.gives(axis) {
                writer.send(upper, UP, 2 * bytes * DOUBLE);
                writer.send(lower, DOWN, bytes * DOUBLE);
            }
        }
    }

    /// Sums the norms of the residual.
    fn norms(writer: &mut Writer<'_>) {
        (0..2).for_each(|_| writer.sum(1, DOUBLE));
    }

    /// Makes the right-hand side.
    fn fill(&self, rank: u32, writer: &mut Writer<'_>) {
        writer.call(Collective::Barrier);
        for _ in 0..EXTREMES {
            writer.sum(1, DOUBLE);
            writer.sum(4, INTEGER);
        }
        writer.call(Collective::Barrier);
        self.faces(rank, self.levels(), writer);
    }

    /// Returns the volume of an exchange of the finest grid.
    fn finest(&self) -> Volume {
        let mut volume = Volume::default();
        for rank in (0..self.ranks()).filter(|_| self.ranks() > 1) {
            let partition = self.partition(rank, self.levels());
            let bytes: u64 = partition.faces().into_iter().map(|face| 2 * face * DOUBLE).sum();
            volume = volume + Volume { messages: 6, bytes, calls: 6 };
        }
        volume
    }
}

impl Parts for Mg {
    fn ranks(&self) -> u32 {
        self.grid().into_iter().product()
    }

    /// A face of the finest grid with two layers of the neighbours.
    fn largest(&self) -> u64 {
        2 * ((1 << self.levels()) + 2_u64).pow(2) * DOUBLE
    }

    fn computations(&self) -> u64 {
        self.steps()
    }

    fn iteration(&self, _: bool) -> Volume {
        let mut volume = Volume::default();
        for rank in (0..self.ranks()).filter(|_| self.ranks() > 1) {
            self.sent(rank, &mut |Flow { messages, bytes, .. }| {
                volume = volume + Volume { messages, bytes: messages * bytes, calls: messages };
            });
        }
        volume
    }

    /// The inputs; the right-hand side twice; two residuals; norms of three; two barriers besides those of the first.
    fn set_up(&self) -> Volume {
        let calls = 8 + 2 * (2 + 2 * EXTREMES) + 3 * 2 + 1;
        let faces = self.finest();
        faces + faces + faces + faces + Volume::of_calls(calls * u64::from(self.ranks()))
    }

    fn verification(&self) -> Volume {
        Volume::of_calls(3 * u64::from(self.ranks()))
    }

    /// A restriction to each coarser grid, the coarsest, two steps on each finer grid, and the residual.
    fn steps(&self) -> u64 {
        3 * u64::from(self.levels() - 1) + 2
    }

    fn step(&self, rank: u32, step: u64, _: bool, writer: &mut Writer<'_>) {
        let down = u64::from(self.levels() - 1);
        writer.compute_part(step..step + 1, self.steps());
        // Below three times the number of levels.
        #[expect(clippy::cast_possible_truncation, reason = "a few dozen steps")]
        let at = |step: u64| step as u32;
        if step < down {
            self.faces(rank, self.levels() - 1 - at(step), writer);
        } else if step == down {
            self.faces(rank, 1, writer);
        } else if step + 1 == self.steps() {
            self.faces(rank, self.levels(), writer);
        } else {
            let level = 2 + at((step - down - 1) / 2);
            if (step - down).is_multiple_of(2) {
                return self.faces(rank, level, writer);
            }
            if self.ranks() > 1 {
                self.shares(rank, level, writer);
            }
            self.faces(rank, level, writer);
        }
    }

    fn begin(&self, rank: u32, writer: &mut Writer<'_>) {
        writer.call(Collective::Barrier);
        (0..5).for_each(|_| tell(1, INTEGER, writer));
        tell(8, INTEGER, writer);
        tell(1, INTEGER, writer);
        self.fill(rank, writer);
        Self::norms(writer);
        self.faces(rank, self.levels(), writer);
        Self::norms(writer);
    }

    fn settle(&self, rank: u32, writer: &mut Writer<'_>) {
        self.fill(rank, writer);
        writer.call(Collective::Barrier);
        self.faces(rank, self.levels(), writer);
        Self::norms(writer);
    }

    fn verify(&self, _: u32, writer: &mut Writer<'_>) {
        Self::norms(writer);
        sum_at_root(1, DOUBLE, writer);
    }
}
