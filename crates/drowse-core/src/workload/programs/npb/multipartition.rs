//! NPB BT and SP: solvers along the lines of a cube in each dimension, by multipartitioning.
//!
//! Each of q^2 ranks has q cells, one in every slice of the cube in each dimension. So all ranks are busy whichever
//! slice a solver is in. In an iteration, ranks send two layers of their cells' faces to six neighbours. A solver then
//! sweeps the slices of each dimension forwards, from each rank to its successor, and backwards, to its predecessor.
//!
//! BT and SP: an iteration exchanges the faces of all cells with six neighbours, and then solves in each dimension, slice by
//! slice forwards and back. In a slice a rank computes, and sends to the next; it waits for its last message together with
//! the next one to it.

use super::super::error::{ProgramError, check};
use super::super::flow::{Communication, DOUBLE, Flow};
use super::super::writer::Writer;
use super::benchmark::{Benchmark, Classed, INTEGER, Volume, sum_at_root, tell};
use super::class::{self, Class, share};
use crate::workload::operation::Collective;

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
    /// Makes the problem of a class.
    pub fn new(solver: Solver, ranks: u32, class: Class) -> Result<Self, ProgramError> {
        let workstation = if solver == Solver::BlockTridiagonal { 24 } else { 36 };
        let points = class::grid(class, workstation);
        check("ranks", ranks, 1..=(points / 3 * (points / 3)) as u32)?;
        let side = ranks.isqrt();
        if side * side != ranks {
            let reason = "write the square of a number, as the program demands";
            return Err(ProgramError::out_of_range("ranks", ranks, reason));
        }
        Ok(Multipartition { solver, side, points })
    }

    /// Returns a rank's predecessor and successor in a dimension.
    pub(in crate::workload::programs) fn neighbours(&self, rank: u32, axis: usize) -> [u32; 2] {
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
    pub(in crate::workload::programs) fn cell(&self, rank: u32, c: u32) -> [u32; 3] {
        let q = self.side;
        [(rank % q + c) % q, (rank / q + q - c) % q, c]
    }

    /// Returns the slice in the last dimension of a rank's cell that is in a slice of another.
    fn last_slice(&self, rank: u32, axis: usize, slice: u32) -> u32 {
        let q = self.side;
        [(slice + q - rank % q) % q, (rank / q + q - slice) % q, slice][axis]
    }

    /// Returns the bytes of all faces towards lower slices, and towards higher slices: two layers of five values.
    fn faces(&self, rank: u32, axis: usize) -> (u64, u64) {
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
    fn solved(&self, rank: u32, axis: usize, slice: u32) -> [u64; 2] {
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

/// Values of a point.
const VALUES: u64 = 5;
/// Requests of a slice's messages.
const SENT: u32 = 0;
const POSTED: u32 = 1;
/// Tags of messages to successors and predecessors, by dimension.
const AHEAD: u32 = 0;
const BACK: u32 = 1;

impl Multipartition {
    /// Exchanges the faces with all neighbours.
    fn faces_of_all(&self, rank: u32, writer: &mut Writer<'_>) {
        if self.side == 1 {
            return;
        }
        let sides = || (0..3u32).flat_map(|axis| [(axis, AHEAD), (axis, BACK)]);
        for (request, (axis, way)) in (0..).zip(sides()) {
            let [predecessor, successor] = self.neighbours(rank, axis as usize);
            let (from, tag) = if way == AHEAD { (successor, BACK) } else { (predecessor, AHEAD) };
            writer.post(from, 2 * axis + tag, request);
        }
        for (request, (axis, way)) in (6..).zip(sides()) {
            let [predecessor, successor] = self.neighbours(rank, axis as usize);
            let (below, above) = self.faces(rank, axis as usize);
            let (to, bytes) = if way == AHEAD { (successor, above) } else { (predecessor, below) };
            writer.start(to, 2 * axis + way, bytes, request);
        }
        writer.wait_all();
    }

    /// Solves in a slice: receives from the slice before, computes, and sends to the next.
    fn solve(&self, rank: u32, axis: u32, stage: u32, way: u32, share: u64, writer: &mut Writer<'_>) {
        let (slices, dimension) = (self.side, axis as usize);
        let [predecessor, successor] = self.neighbours(rank, dimension);
        let (from, to) = if way == AHEAD { (predecessor, successor) } else { (successor, predecessor) };
        if stage > 0 {
            writer.post(from, 2 * axis + way, POSTED);
            match self.solver {
                Solver::BlockTridiagonal => [SENT, POSTED].into_iter().for_each(|request| writer.wait(request)),
                Solver::ScalarPentadiagonal => writer.wait_all(),
            }
        }
        writer.compute_part(share..share + 1, self.computations());
        if stage + 1 < slices {
            let slice = if way == AHEAD { stage } else { slices - 1 - stage };
            let bytes = self.solved(rank, dimension, slice)[way as usize];
            writer.start(to, 2 * axis + way, bytes, SENT);
        }
    }

    /// Returns the volume of an exchange of faces.
    fn exchange(&self) -> Volume {
        let side = u64::from(self.side);
        if side == 1 {
            return Volume::default();
        }
        // Between two slices lies a face of all points, of which each side sends two layers.
        let bytes = 3 * (side - 1) * 2 * 2 * VALUES * self.points.pow(2) * DOUBLE;
        Volume { messages: 6 * side * side, bytes, calls: side * side }
    }
}

impl Benchmark for Multipartition {
    /// A face of the cube cannot be exceeded by those of a rank's cells.
    fn largest(&self) -> u64 {
        30 * (self.points + 1).pow(2) * DOUBLE
    }

    /// One before the solvers, and one in each slice of each dimension, forwards and back.
    fn computations(&self) -> u64 {
        1 + 6 * u64::from(self.side)
    }

    fn iteration(&self, _: bool) -> Volume {
        let (side, points) = (u64::from(self.side), self.points);
        let (of_all, waits) = match self.solver {
            Solver::BlockTridiagonal => (side * side * (25 + 5 + 5) * (points / side + 1).pow(2), 2),
            Solver::ScalarPentadiagonal => ((22 + 10) * (points - 2).pow(2), 1),
        };
        let messages = 6 * side * side * (side - 1);
        let solvers = Volume { messages, bytes: 3 * (side - 1) * of_all * DOUBLE, calls: waits * messages };
        solvers + self.exchange()
    }

    /// The inputs and a barrier.
    fn set_up(&self) -> Volume {
        let inputs = if self.solver == Solver::BlockTridiagonal { 6 } else { 4 };
        Volume::of_calls((inputs + 1) * u64::from(self.ranks()))
    }

    fn verification(&self) -> Volume {
        self.exchange() + Volume::of_calls(4 * u64::from(self.ranks()))
    }

    fn steps(&self) -> u64 {
        self.computations()
    }

    fn step(&self, rank: u32, step: u64, _: bool, writer: &mut Writer<'_>) {
        let Some(solve) = step.checked_sub(1) else {
            self.faces_of_all(rank, writer);
            return writer.compute_part(0..1, self.computations());
        };
        // Below six times the number of slices.
        #[expect(clippy::cast_possible_truncation, reason = "a few thousand slices at most")]
        let (sweep, stage) = ((solve / u64::from(self.side)) as u32, (solve % u64::from(self.side)) as u32);
        self.solve(rank, sweep / 2, stage, sweep % 2, step, writer);
    }

    fn before_warm_up(&self, _: u32, writer: &mut Writer<'_>) {
        let more = if self.solver == Solver::BlockTridiagonal { 3 } else { 1 };
        tell(1, INTEGER, writer);
        tell(1, DOUBLE, writer);
        tell(3, INTEGER, writer);
        (0..more).for_each(|_| tell(1, INTEGER, writer));
    }

    fn after_warm_up(&self, _: u32, writer: &mut Writer<'_>) {
        writer.call(Collective::Barrier);
    }

    fn verify(&self, rank: u32, writer: &mut Writer<'_>) {
        writer.sum(VALUES, DOUBLE);
        self.faces_of_all(rank, writer);
        writer.sum(VALUES, DOUBLE);
        sum_at_root(1, DOUBLE, writer);
        writer.call(Collective::Barrier);
    }
}

/// BT.
#[derive(Debug)]
pub struct Bt;

/// SP.
#[derive(Debug)]
pub struct Sp;

impl Classed for Bt {
    const KIND: &'static str = "bt";
    const ABOUT: &'static str = "BT of the NAS Parallel Benchmarks: a block-tridiagonal solver.";
    const ITERATIONS: [u32; 7] = [60, 200, 200, 200, 200, 250, 250];
    type Benchmark = Multipartition;

    fn problem(ranks: u32, class: Class) -> Result<Multipartition, ProgramError> {
        Multipartition::new(Solver::BlockTridiagonal, ranks, class)
    }
}

impl Classed for Sp {
    const KIND: &'static str = "sp";
    const ABOUT: &'static str = "SP of the NAS Parallel Benchmarks: a scalar pentadiagonal solver.";
    const ITERATIONS: [u32; 7] = [100, 400, 400, 400, 400, 500, 500];
    type Benchmark = Multipartition;

    fn problem(ranks: u32, class: Class) -> Result<Multipartition, ProgramError> {
        Multipartition::new(Solver::ScalarPentadiagonal, ranks, class)
    }
}
