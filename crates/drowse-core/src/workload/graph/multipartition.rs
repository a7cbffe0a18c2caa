//! NPB BT and SP: solvers along the lines of a cube in each dimension, by multipartitioning.
//!
//! Each of q^2 ranks has q cells, one in every slice of the cube in each dimension. So all ranks are busy whichever
//! slice a solver is in. In an iteration, ranks send two layers of their cells' faces to six neighbours. A solver then
//! sweeps the slices of each dimension forwards, from each rank to its successor, and backwards, to its predecessor.

use super::error::{GraphError, check};
use super::flow::{Communication, DOUBLE, Flow};
use super::npb::{self, Class, share};

/// The two programs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Solver {
    /// BT: systems of blocks of five by five.
    BlockTridiagonal,
    /// SP: systems of scalars, five diagonals.
    ScalarPentadiagonal,
}

/// A cube over a square of ranks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Multipartition {
    solver: Solver,
    side: u32,
    points: u64,
}

impl Multipartition {
    /// Makes the graph of a problem class.
    pub fn new(solver: Solver, ranks: u32, class: Class) -> Result<Self, GraphError> {
        let workstation = if solver == Solver::BlockTridiagonal { 24 } else { 36 };
        let points = npb::grid(class, workstation);
        check("ranks", ranks, 1..=(points / 3 * (points / 3)) as u32)?;
        let side = ranks.isqrt();
        if side * side != ranks {
            let reason = "write the square of a number, as the program demands".into();
            return Err(GraphError { key: "ranks", value: ranks.to_string(), reason });
        }
        Ok(Multipartition { solver, side, points })
    }

    /// Returns which program it is.
    pub(in crate::workload) fn solver(&self) -> Solver {
        self.solver
    }

    /// Returns the slices in each dimension.
    pub(in crate::workload) fn side(&self) -> u32 {
        self.side
    }

    /// Returns the points in each dimension.
    pub(in crate::workload) fn points(&self) -> u64 {
        self.points
    }

    /// Returns a rank's predecessor and successor in a dimension.
    pub(in crate::workload) fn neighbours(&self, rank: u32, axis: usize) -> [u32; 2] {
        let q = self.side;
        let (i, j) = (rank % q, rank / q);
        let (up, down) = (|x: u32| (x + 1) % q, |x: u32| (x + q - 1) % q);
        let at = |i: u32, j: u32| i + q * j;
        match axis {
            0 => [at(down(i), j), at(up(i), j)],
            1 => [at(i, down(j)), at(i, up(j))],
            _ => [at(up(i), down(j)), at(down(i), up(j))],
        }
    }

    /// Returns the slices of a rank's cell in each dimension; `c` is its slice in the last dimension.
    pub(super) fn cell(&self, rank: u32, c: u32) -> [u32; 3] {
        let q = self.side;
        [(rank % q + c) % q, (rank / q + q - c) % q, c]
    }

    /// Returns the slice in the last dimension of a rank's cell that is in a slice of another.
    fn last_slice(&self, rank: u32, axis: usize, slice: u32) -> u32 {
        let q = self.side;
        [(slice + q - rank % q) % q, (rank / q + q - slice) % q, slice][axis]
    }

    /// Returns the bytes of all faces towards lower slices, and towards higher slices: two layers of five values.
    pub(in crate::workload) fn faces(&self, rank: u32, axis: usize) -> (u64, u64) {
        let (mut below, mut above) = (0, 0);
        for cell in (0..self.side).map(|c| self.cell(rank, c)) {
            let [a, b] = across(axis).map(|other| share(self.points, self.side, cell[other]));
            let face = 10 * a * b * DOUBLE;
            below += if cell[axis] > 0 { face } else { 0 };
            above += if cell[axis] + 1 < self.side { face } else { 0 };
        }
        (below, above)
    }

    /// Returns the bytes that a solver sends from a slice forwards and backwards.
    pub(in crate::workload) fn solved(&self, rank: u32, axis: usize, slice: u32) -> [u64; 2] {
        match self.solver {
            // The program sizes its buffers for the largest cell.
            Solver::BlockTridiagonal => {
                let lines = (self.points / u64::from(self.side) + 1).pow(2);
                [(25 + 5) * lines * DOUBLE, 5 * lines * DOUBLE]
            }
            Solver::ScalarPentadiagonal => {
                let cell = self.cell(rank, self.last_slice(rank, axis, slice));
                let lines: u64 = across(axis).map(|other| self.inner(cell[other])).iter().product();
                [22 * lines * DOUBLE, 10 * lines * DOUBLE]
            }
        }
    }

    /// Returns the points of a slice without the boundary.
    fn inner(&self, slice: u32) -> u64 {
        share(self.points, self.side, slice) - u64::from(slice == 0) - u64::from(slice + 1 == self.side)
    }
}

impl Communication for Multipartition {
    fn ranks(&self) -> u32 {
        self.side * self.side
    }

    fn flows(&self, rank: u32, visit: &mut dyn FnMut(Flow)) {
        if self.side == 1 {
            return;
        }
        for axis in 0..3 {
            let [predecessor, successor] = self.neighbours(rank, axis);
            let (below, above) = self.faces(rank, axis);
            visit(Flow { to: predecessor, messages: 1, bytes: below });
            visit(Flow { to: successor, messages: 1, bytes: above });
            // All slices but the last send forwards, all but the first backwards.
            for slice in 1..self.side {
                let [forward, _] = self.solved(rank, axis, slice - 1);
                let [_, backward] = self.solved(rank, axis, slice);
                visit(Flow { to: successor, messages: 1, bytes: forward });
                visit(Flow { to: predecessor, messages: 1, bytes: backward });
            }
        }
    }
}

/// Returns the other two dimensions.
fn across(axis: usize) -> [usize; 2] {
    [[1, 2], [0, 2], [0, 1]][axis]
}
