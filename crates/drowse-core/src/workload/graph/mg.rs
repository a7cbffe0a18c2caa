//! NPB MG: a multigrid solver on a cube whose side is a power of two.
//!
//! An iteration descends from the finest grid to one of 2^3 points and returns. On every grid, ranks send the faces of
//! their partition to both neighbours in each dimension, including the edges received in earlier dimensions. Where a
//! grid has fewer points than ranks in a dimension, some ranks are idle, and the neighbours of the others are twice as
//! far away. When the next finer grid is entered, the others send the idle ranks their share.

use super::error::{GraphError, power_of_two};
use super::flow::{Communication, DOUBLE, Flow};
use super::npb::Class;

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
pub(in crate::workload) struct Partition {
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
    pub(in crate::workload) fn is_idle(&self) -> bool {
        self.points.contains(&2)
    }

    /// Returns whether the rank gives its share to neighbours in a dimension.
    pub(in crate::workload) fn gives(&self, axis: usize) -> bool {
        self.gives[axis]
    }

    /// Returns whether it receives theirs.
    pub(in crate::workload) fn takes(&self, axis: usize) -> bool {
        self.takes[axis]
    }

    /// Returns the points of the faces in each dimension that are exchanged in turn: those of later dimensions have the
    /// edges received before.
    pub(in crate::workload) fn faces(&self) -> [u64; 3] {
        let [x, y, z] = self.points;
        [(y - 2) * (z - 2), x * (z - 2), x * y]
    }

    /// Returns the points of the faces in each dimension, with all layers of neighbours.
    pub(in crate::workload) fn whole_faces(&self) -> [u64; 3] {
        let [x, y, z] = self.points;
        [y * z, x * z, x * y]
    }
}

impl Mg {
    /// Makes the graph of a problem class.
    pub fn new(ranks: u32, class: Class) -> Result<Self, GraphError> {
        let levels = class.of([5, 7, 8, 8, 9, 10, 11]);
        // Every rank has points of the finest grid.
        let exponent = power_of_two(ranks, 1 << (3 * levels).min(28))?;
        let x = exponent / 3;
        let y = (exponent - x) / 2;
        Ok(Mg { ranks: [1 << x, 1 << y, 1 << (exponent - x - y)], levels })
    }

    /// Returns the ranks in each dimension.
    pub(in crate::workload) fn grid(&self) -> [u32; 3] {
        self.ranks
    }

    /// Returns the number of grids; the finest is the last.
    pub(in crate::workload) fn levels(&self) -> u32 {
        self.levels
    }

    /// Returns a rank's partition of a grid.
    pub(in crate::workload) fn partition(&self, rank: u32, level: u32) -> Partition {
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

    /// Calls `visit` with what a rank sends in one iteration.
    pub(in crate::workload) fn sent(&self, rank: u32, visit: &mut dyn FnMut(Flow)) {
        self.flows(rank, visit);
    }

    /// Returns the lower and the upper neighbour in a dimension of a grid.
    pub(in crate::workload) fn neighbours_on(&self, rank: u32, axis: usize, partition: &Partition) -> [u32; 2] {
        self.neighbours(rank, axis, partition.distance[axis])
    }

    /// Returns a rank's partition of each grid, the coarsest first.
    pub(super) fn partitions(&self, rank: u32) -> impl Iterator<Item = Partition> {
        (1..=self.levels).map(move |level| self.partition(rank, level))
    }

    /// Sends the faces to both neighbours in each dimension. Faces of later dimensions include the edges received
    /// before.
    pub(super) fn exchange(&self, rank: u32, partition: &Partition, times: u64, visit: &mut dyn FnMut(Flow)) {
        for (axis, face) in partition.faces().into_iter().enumerate() {
            for to in self.neighbours_on(rank, axis, partition) {
                visit(Flow { to, messages: times, bytes: face * DOUBLE });
            }
        }
    }

    /// Sends idle neighbours their share of this grid: one layer to the lower neighbour, two to the upper one.
    pub(super) fn give(&self, rank: u32, partition: &Partition, visit: &mut dyn FnMut(Flow)) {
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
