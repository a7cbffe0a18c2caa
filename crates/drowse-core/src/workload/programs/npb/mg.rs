//! NPB MG: a multigrid solver on a cube whose side is a power of two.
//!
//! An iteration descends from the finest grid to one of 2^3 points and returns. On every grid, ranks send the faces of
//! their partition to both neighbours in each dimension, including the edges received in earlier dimensions. Where a
//! grid has fewer points than ranks in a dimension, some ranks are idle, and the neighbours of the others are twice as
//! far away. When the next finer grid is entered, the others send the idle ranks their share.
//!
//! MG: an iteration goes down to the coarsest grid and back. Every grid is exchanged with six neighbours, dimension by
//! dimension: posts both receives, sends up and down, and waits.

use super::super::error::{ProgramError, power_of_two};
use super::super::flow::{Communication, DOUBLE, Flow};
use super::super::writer::Writer;
use super::benchmark::{Benchmark, Classed, INTEGER, Volume, sum_at_root, tell};
use super::class::Class;
use crate::workload::operation::Collective;

/// A cube over ranks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Mg {
    /// Ranks in each dimension.
    ranks: [u32; 3],
    /// Levels of grids: the finest has 2^levels points in each dimension.
    levels: u32,
}

/// A rank's partition of one grid.
#[derive(Clone, Copy, Debug)]
pub(in crate::workload::programs) struct Partition {
    /// Points in each dimension, including one layer of each neighbour.
    points: [u64; 3],
    /// The distance to the neighbours, in ranks.
    distance: [u32; 3],
    /// Whether the rank sends its share to neighbours that have no points of the next coarser grid.
    gives: [bool; 3],
    /// Whether it has none itself, and receives from neighbours.
    takes: [bool; 3],
}

impl Partition {
    /// Returns whether the rank is idle on this grid.
    pub(in crate::workload::programs) fn is_idle(&self) -> bool {
        self.points.contains(&2)
    }

    /// Returns the points of the faces in each dimension that are exchanged in turn: those of later dimensions have the
    /// edges received before.
    fn faces(&self) -> [u64; 3] {
        let [x, y, z] = self.points;
        [(y - 2) * (z - 2), x * (z - 2), x * y]
    }

    /// Returns the points of the faces in each dimension, with all layers of neighbours.
    fn whole_faces(&self) -> [u64; 3] {
        let [x, y, z] = self.points;
        [y * z, x * z, x * y]
    }
}

impl Mg {
    /// Makes the problem of a class.
    pub fn new(ranks: u32, class: Class) -> Result<Self, ProgramError> {
        let levels = class.of([5, 7, 8, 8, 9, 10, 11]);
        // Every rank has points of the finest grid.
        let exponent = power_of_two(ranks, 1 << (3 * levels).min(28))?;
        let x = exponent / 3;
        let y = (exponent - x) / 2;
        Ok(Mg { ranks: [1 << x, 1 << y, 1 << (exponent - x - y)], levels })
    }

    /// Returns a rank's partition of a grid.
    fn partition(&self, rank: u32, level: u32) -> Partition {
        let place = self.place(rank);
        let mut partition = Partition { points: [0; 3], distance: [1; 3], gives: [false; 3], takes: [false; 3] };
        for axis in 0..3 {
            let exponent = self.ranks[axis].trailing_zeros();
            let points = |place: u32, level: u32| {
                let upto = |place: u32| (u64::from(place) << level) >> exponent;
                2 + upto(place + 1) - upto(place)
            };
            let distance = &mut partition.distance[axis];
            let both = |level: u32, distance: u32| [points(place[axis], level), points(place[axis] + distance, level)];
            for grid in (level..=self.levels).rev() {
                if both(grid, *distance).contains(&2) {
                    *distance *= 2;
                }
            }
            if level > 1 {
                let coarser = both(level - 1, *distance);
                (partition.gives[axis], partition.takes[axis]) = (coarser == [3, 2], coarser == [2, 3]);
            }
            partition.points[axis] = points(place[axis], level);
        }
        partition
    }

    /// Returns the lower and the upper neighbour in a dimension of a grid.
    fn neighbours_on(&self, rank: u32, axis: usize, partition: &Partition) -> [u32; 2] {
        self.neighbours(rank, axis, partition.distance[axis])
    }

    /// Returns a rank's partition of each grid, the coarsest first.
    pub(in crate::workload::programs) fn partitions(&self, rank: u32) -> impl Iterator<Item = Partition> {
        (1..=self.levels).map(move |level| self.partition(rank, level))
    }

    /// Sends the faces to both neighbours in each dimension. Faces of later dimensions include the edges received
    /// before.
    pub(in crate::workload::programs) fn exchange(
        &self,
        rank: u32,
        partition: &Partition,
        times: u64,
        visit: &mut dyn FnMut(Flow),
    ) {
        for (axis, face) in partition.faces().into_iter().enumerate() {
            for to in self.neighbours_on(rank, axis, partition) {
                visit(Flow { to, messages: times, bytes: face * DOUBLE });
            }
        }
    }

    /// Sends idle neighbours their share of this grid: one layer to the lower neighbour, two to the upper one.
    pub(in crate::workload::programs) fn give(&self, rank: u32, partition: &Partition, visit: &mut dyn FnMut(Flow)) {
        for (axis, face) in partition.whole_faces().into_iter().enumerate() {
            if partition.gives[axis] {
                let [lower, upper] = self.neighbours_on(rank, axis, partition);
                visit(Flow { to: lower, messages: 1, bytes: face * DOUBLE });
                visit(Flow { to: upper, messages: 1, bytes: 2 * face * DOUBLE });
            }
        }
    }

    /// Returns the coordinates of a rank.
    fn place(&self, rank: u32) -> [u32; 3] {
        let [x, y, _] = self.ranks;
        [rank % x, rank / x % y, rank / (x * y)]
    }

    /// Returns the lower and the upper neighbour in a dimension.
    fn neighbours(&self, rank: u32, axis: usize, distance: u32) -> [u32; 2] {
        let (size, at) = (self.ranks[axis], self.place(rank)[axis]);
        let unit: u32 = self.ranks[..axis].iter().product();
        let distance = distance % size;
        [(at + size - distance) % size, (at + distance) % size].map(|other| rank - at * unit + other * unit)
    }
}

impl Communication for Mg {
    fn ranks(&self) -> u32 {
        self.ranks.iter().product()
    }

    fn flows(&self, rank: u32, visit: &mut dyn FnMut(Flow)) {
        for (level, partition) in (1..).zip(self.partitions(rank)) {
            // Restriction and smoother end with an exchange; on all but the coarsest grid the residual does, too.
            let exchanges = if level == 1 { 2 } else { 3 };
            if !partition.is_idle() {
                self.exchange(rank, &partition, exchanges, visit);
            }
            self.give(rank, &partition, visit);
        }
    }
}

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

    /// Sends to neighbours that have no points of the next coarser grid their share of this one, or receives it.
    fn shares(&self, rank: u32, level: u32, writer: &mut Writer<'_>) {
        let partition = self.partition(rank, level);
        for (axis, bytes) in partition.whole_faces().into_iter().enumerate() {
            let [lower, upper] = self.neighbours_on(rank, axis, &partition);
            if partition.takes[axis] {
                writer.post(upper, DOWN, 0);
                writer.post(lower, UP, 1);
                (0..2).for_each(|request| writer.wait(request));
            }
            if partition.gives[axis] {
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
        self.faces(rank, self.levels, writer);
    }

    /// Returns the volume of an exchange of the finest grid.
    fn finest(&self) -> Volume {
        let mut volume = Volume::default();
        for rank in (0..self.ranks()).filter(|_| self.ranks() > 1) {
            let partition = self.partition(rank, self.levels);
            let bytes: u64 = partition.faces().into_iter().map(|face| 2 * face * DOUBLE).sum();
            volume = volume + Volume { messages: 6, bytes, calls: 6 };
        }
        volume
    }
}

impl Benchmark for Mg {
    /// A face of the finest grid with two layers of the neighbours.
    fn largest(&self) -> u64 {
        2 * ((1 << self.levels) + 2_u64).pow(2) * DOUBLE
    }

    fn computations(&self) -> u64 {
        self.steps()
    }

    fn iteration(&self, _: bool) -> Volume {
        let mut volume = Volume::default();
        for rank in (0..self.ranks()).filter(|_| self.ranks() > 1) {
            self.flows(rank, &mut |Flow { messages, bytes, .. }| {
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
        3 * u64::from(self.levels - 1) + 2
    }

    fn step(&self, rank: u32, step: u64, _: bool, writer: &mut Writer<'_>) {
        let down = u64::from(self.levels - 1);
        writer.compute_part(step..step + 1, self.steps());
        // Below three times the number of levels.
        #[expect(clippy::cast_possible_truncation, reason = "a few dozen steps")]
        let at = |step: u64| step as u32;
        if step < down {
            self.faces(rank, self.levels - 1 - at(step), writer);
        } else if step == down {
            self.faces(rank, 1, writer);
        } else if step + 1 == self.steps() {
            self.faces(rank, self.levels, writer);
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

    fn before_warm_up(&self, rank: u32, writer: &mut Writer<'_>) {
        writer.call(Collective::Barrier);
        (0..5).for_each(|_| tell(1, INTEGER, writer));
        tell(8, INTEGER, writer);
        tell(1, INTEGER, writer);
        self.fill(rank, writer);
        Self::norms(writer);
        self.faces(rank, self.levels, writer);
        Self::norms(writer);
    }

    fn after_warm_up(&self, rank: u32, writer: &mut Writer<'_>) {
        self.fill(rank, writer);
        writer.call(Collective::Barrier);
        self.faces(rank, self.levels, writer);
        Self::norms(writer);
    }

    fn verify(&self, _: u32, writer: &mut Writer<'_>) {
        Self::norms(writer);
        sum_at_root(1, DOUBLE, writer);
    }
}

impl Classed for Mg {
    const KIND: &'static str = "mg";
    const ABOUT: &'static str = "MG of the NAS Parallel Benchmarks: multigrid.";
    const ITERATIONS: [u32; 7] = [4, 4, 4, 20, 20, 50, 50];
    type Benchmark = Self;

    fn problem(ranks: u32, class: Class) -> Result<Self, ProgramError> {
        Self::new(ranks, class)
    }
}
