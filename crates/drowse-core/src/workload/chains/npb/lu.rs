//! LU: an iteration is a wavefront from the first row and column of ranks to the last, one that returns, and an exchange
//! of two layers of points for the residual. Sends are received in the order of planes; nothing is posted ahead.

use super::{DOUBLE, INTEGER, Parts, Volume, tell};
use crate::workload::chains::steps::Writer;
use crate::workload::graph::Lu;
use crate::workload::operation::Collective;

/// Values of a point.
const VALUES: u64 = 5;
/// Neighbours: those of the row before and behind, and of the column before and behind.
const NORTH: usize = 0;
const SOUTH: usize = 1;
const WEST: usize = 2;
const EAST: usize = 3;

impl Lu {
    /// Returns the planes of a wavefront.
    fn planes(&self) -> u64 {
        self.points() - 2
    }

    /// Returns how many pairs of ranks are neighbours.
    fn borders(&self) -> u64 {
        let [rows, columns] = self.layout().map(u64::from);
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
            let bytes = 2 * VALUES * self.edge(rank, from <= SOUTH, false) * self.points() * DOUBLE;
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
            faces.for_each(|_| self.pass(rank, sides, self.points(), writer));
            writer.sum(1, DOUBLE);
        }
    }
}

impl Parts for Lu {
    fn ranks(&self) -> u32 {
        self.layout().into_iter().product()
    }

    fn largest(&self) -> u64 {
        2 * VALUES * self.points() * self.points() * DOUBLE
    }

    /// One in each plane of both wavefronts, and one for the residual.
    fn computations(&self) -> u64 {
        self.steps()
    }

    fn iteration(&self, is_last: bool) -> Volume {
        let borders = self.borders();
        let norms = if is_last { 2 * u64::from(self.ranks()) } else { 0 };
        let [rows, columns] = self.layout().map(u64::from);
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
        let [rows, columns] = self.layout().map(u64::from);
        let (points, all) = (self.points(), u64::from(self.ranks()));
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

    fn begin(&self, rank: u32, writer: &mut Writer<'_>) {
        (0..3).for_each(|_| tell(1, INTEGER, writer));
        [1, 1, VALUES].into_iter().for_each(|count| tell(count, DOUBLE, writer));
        (0..4).for_each(|_| tell(1, INTEGER, writer));
        self.layers(rank, writer);
        self.layers(rank, writer);
        writer.sum(VALUES, DOUBLE);
        writer.call(Collective::Barrier);
    }

    fn settle(&self, rank: u32, writer: &mut Writer<'_>) {
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
        let [rows, columns] = self.layout().map(u64::from);
        let bytes = 2 * (rows - 1 + columns - 1) * 2 * VALUES * self.points().pow(2) * DOUBLE;
        Volume { messages: 2 * borders, bytes, calls: 2 * borders }
    }
}
