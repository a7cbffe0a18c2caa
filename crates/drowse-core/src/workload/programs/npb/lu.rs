//! NPB LU: symmetric successive over-relaxation by wavefronts on a cube that is partitioned in two dimensions.
//!
//! Rank = row + rows * column. In an iteration a wavefront visits all inner planes from the first row and column to the
//! last: each rank sends five values per edge point to the next row and to the next column. A second wavefront returns.
//! At the end the residual needs two layers of points from all four neighbours. Nothing wraps around.
//!
//! LU: an iteration is a wavefront from the first row and column of ranks to the last, one that returns, and an exchange
//! of two layers of points for the residual. Sends are received in the order of planes; nothing is posted ahead.

use super::super::error::{MOST_RANKS, ProgramError, power_of_two};
use super::super::flow::{Communication, DOUBLE, Flow};
use super::super::writer::Writer;
use super::benchmark::{Benchmark, Classed, INTEGER, Volume, tell};
use super::class::{self, Class, share};
use crate::workload::operation::Collective;

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
    /// Makes the problem of a class.
    pub fn new(ranks: u32, class: Class) -> Result<Self, ProgramError> {
        let exponent = power_of_two(ranks, MOST_RANKS)?;
        let rows = 1 << exponent.div_ceil(2);
        let (columns, points) = (ranks / rows, class::grid(class, 33));
        if u64::from(rows) * 4 > points {
            let reason = format!("each rank needs 4 of {points} points in each dimension, as the program demands");
            return Err(ProgramError::out_of_range("ranks", ranks, reason));
        }
        Ok(Lu { rows, columns, points })
    }

    /// Returns the ranks in the row before and behind, and in the column before and behind.
    fn neighbours(&self, rank: u32) -> [Option<u32>; 4] {
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
    fn edge(&self, rank: u32, to_a_row: bool, inner: bool) -> u64 {
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

/// Neighbours: those of the row before and behind, and of the column before and behind.
const NORTH: usize = 0;
const SOUTH: usize = 1;
const WEST: usize = 2;
const EAST: usize = 3;

impl Lu {
    /// Returns the planes of a wavefront.
    fn planes(&self) -> u64 {
        self.points - 2
    }

    /// Returns how many pairs of ranks are neighbours.
    fn borders(&self) -> u64 {
        let [rows, columns] = [self.rows, self.columns].map(u64::from);
        (rows - 1) * columns + rows * (columns - 1)
    }

    /// Receives from neighbours, computes, and sends to those opposite.
    fn sweep(&self, rank: u32, [from, to]: [[usize; 2]; 2], step: u64, writer: &mut Writer<'_>) {
        let neighbours = self.neighbours(rank);
        let received = from.into_iter().filter_map(|side| neighbours[side]);
        received.for_each(|other| writer.receive(other, 0));
        writer.compute_part(step..step + 1, self.steps());
        for side in to {
            if let Some(other) = neighbours[side] {
                writer.send(other, 0, VALUES * self.edge(rank, side <= SOUTH, true) * DOUBLE);
            }
        }
    }

    /// Exchanges two layers of points in both directions of rows, then of columns.
    fn layers(&self, rank: u32, writer: &mut Writer<'_>) {
        let neighbours = self.neighbours(rank);
        for [from, to] in [[NORTH, SOUTH], [SOUTH, NORTH], [WEST, EAST], [EAST, WEST]] {
            let bytes = 2 * VALUES * self.edge(rank, from <= SOUTH, false) * self.points * DOUBLE;
            neighbours[from].into_iter().for_each(|other| writer.post(other, 0, 0));
            neighbours[to].into_iter().for_each(|other| writer.send(other, 0, bytes));
            neighbours[from].into_iter().for_each(|_| writer.wait(0));
        }
    }

    /// Receives from a neighbour, and then sends as much to the one opposite.
    fn pass(&self, rank: u32, [from, to]: [usize; 2], elements: u64, writer: &mut Writer<'_>) {
        let neighbours = self.neighbours(rank);
        if let Some(other) = neighbours[from] {
            writer.post(other, 0, 0);
            writer.wait(0);
        }
        neighbours[to].into_iter().for_each(|other| writer.send(other, 0, elements * DOUBLE));
    }

    /// Sums pressures over faces of the cube: those that all ranks have, and those of the outer rows and columns.
    fn surface(&self, rank: u32, writer: &mut Writer<'_>) {
        let (along_rows, along_columns) = (self.edge(rank, false, false), self.edge(rank, true, false));
        self.pass(rank, [EAST, WEST], 2 * along_rows, writer);
        self.pass(rank, [SOUTH, NORTH], 2 * (along_columns + 2), writer);
        writer.sum(1, DOUBLE);
        let neighbours = self.neighbours(rank);
        for (outer, sides) in [([WEST, EAST], [SOUTH, NORTH]), ([NORTH, SOUTH], [EAST, WEST])] {
            let faces = outer.into_iter().filter(|&side| neighbours[side].is_none());
            faces.for_each(|_| self.pass(rank, sides, self.points, writer));
            writer.sum(1, DOUBLE);
        }
    }
}

impl Benchmark for Lu {
    fn largest(&self) -> u64 {
        2 * VALUES * self.points * self.points * DOUBLE
    }

    /// One in each plane of both wavefronts, and one for the residual.
    fn computations(&self) -> u64 {
        self.steps()
    }

    fn iteration(&self, is_last: bool) -> Volume {
        let borders = self.borders();
        let norms = if is_last { 2 * u64::from(self.ranks()) } else { 0 };
        let [rows, columns] = [self.rows, self.columns].map(u64::from);
        // Each border line between rows or columns of ranks has the inner points of all planes, in both wavefronts.
        let (lines, planes) = (rows - 1 + columns - 1, self.planes());
        let waves = Volume {
            messages: 2 * borders * planes,
            bytes: 2 * lines * VALUES * planes * planes * DOUBLE,
            calls: norms,
        };
        waves + self.exchange()
    }

    /// Three exchanges of layers, of which the right-hand side needs one and the residual before the iterations two; the
    /// inputs; and the norms, barriers and time of the step that is not counted.
    fn set_up(&self) -> Volume {
        let all = u64::from(self.ranks());
        self.exchange() + self.exchange() + self.exchange() + Volume::of_calls((10 + 2 + 1 + 2) * all)
    }

    fn verification(&self) -> Volume {
        let borders = self.borders();
        let [rows, columns] = [self.rows, self.columns].map(u64::from);
        let (points, all) = (self.points, u64::from(self.ranks()));
        // Between columns of ranks goes the edge of each rank, between rows that and two points more.
        let middle = 2 * (columns - 1) * points + 2 * (rows - 1) * (points + 2 * columns);
        let outer = 2 * (rows - 1) + 2 * (columns - 1);
        Volume {
            messages: borders + outer,
            bytes: DOUBLE * (middle + outer * points),
            calls: borders + outer + 5 * all,
        }
    }

    fn steps(&self) -> u64 {
        2 * self.planes() + 1
    }

    fn step(&self, rank: u32, step: u64, is_last: bool, writer: &mut Writer<'_>) {
        let planes = self.planes();
        if step < planes {
            self.sweep(rank, [[NORTH, WEST], [SOUTH, EAST]], step, writer);
        } else if step < 2 * planes {
            self.sweep(rank, [[SOUTH, EAST], [NORTH, WEST]], step, writer);
        } else {
            let norm = |writer: &mut Writer<'_>| (0..u8::from(is_last)).for_each(|_| writer.sum(VALUES, DOUBLE));
            norm(writer);
            self.layers(rank, writer);
            writer.compute_part(step..step + 1, self.steps());
            norm(writer);
        }
    }

    fn before_warm_up(&self, rank: u32, writer: &mut Writer<'_>) {
        (0..3).for_each(|_| tell(1, INTEGER, writer));
        [1, 1, VALUES].into_iter().for_each(|count| tell(count, DOUBLE, writer));
        (0..4).for_each(|_| tell(1, INTEGER, writer));
        self.layers(rank, writer);
        self.layers(rank, writer);
        writer.sum(VALUES, DOUBLE);
        writer.call(Collective::Barrier);
    }

    fn after_warm_up(&self, rank: u32, writer: &mut Writer<'_>) {
        writer.sum(1, DOUBLE);
        self.layers(rank, writer);
        writer.sum(VALUES, DOUBLE);
        writer.call(Collective::Barrier);
    }

    fn verify(&self, rank: u32, writer: &mut Writer<'_>) {
        writer.sum(1, DOUBLE);
        writer.sum(VALUES, DOUBLE);
        self.surface(rank, writer);
    }
}

impl Lu {
    /// Returns the volume of an exchange of layers.
    fn exchange(&self) -> Volume {
        let borders = self.borders();
        let [rows, columns] = [self.rows, self.columns].map(u64::from);
        let bytes = 2 * (rows - 1 + columns - 1) * 2 * VALUES * self.points.pow(2) * DOUBLE;
        Volume { messages: 2 * borders, bytes, calls: 2 * borders }
    }
}

impl Classed for Lu {
    const KIND: &'static str = "lu";
    const ABOUT: &'static str = "LU of the NAS Parallel Benchmarks: a wavefront solver.";
    const ITERATIONS: [u32; 7] = [50, 300, 250, 250, 250, 300, 300];
    type Benchmark = Self;

    fn problem(ranks: u32, class: Class) -> Result<Self, ProgramError> {
        Self::new(ranks, class)
    }
}
