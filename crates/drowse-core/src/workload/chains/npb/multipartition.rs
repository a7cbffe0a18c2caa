//! BT and SP: an iteration exchanges the faces of all cells with six neighbours, and then solves in each dimension, slice by
//! slice forwards and back. In a slice a rank computes, and sends to the next; it waits for its last message together with
//! the next one to it.

use super::{DOUBLE, INTEGER, Parts, Volume, sum_at_root, tell};
use crate::workload::chains::steps::Writer;
use crate::workload::graph::{Multipartition, Solver};
use crate::workload::operation::Collective;

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
        if self.side() == 1 {
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
        let (slices, dimension) = (self.side(), axis as usize);
        let [predecessor, successor] = self.neighbours(rank, dimension);
        let (from, to) = if way == AHEAD { (predecessor, successor) } else { (successor, predecessor) };
        if stage > 0 {
            writer.post(from, 2 * axis + way, POSTED);
            match self.solver() {
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
        let side = u64::from(self.side());
        if side == 1 {
            return Volume::default();
        }
        // Between two slices lies a face of all points, of which each side sends two layers.
        let bytes = 3 * (side - 1) * 2 * 2 * VALUES * self.points().pow(2) * DOUBLE;
        Volume { messages: 6 * side * side, bytes, calls: side * side }
    }
}

impl Parts for Multipartition {
    fn ranks(&self) -> u32 {
        self.side() * self.side()
    }

    /// A face of the cube cannot be exceeded by those of a rank's cells.
    fn largest(&self) -> u64 {
        30 * (self.points() + 1).pow(2) * DOUBLE
    }

    /// One before the solvers, and one in each slice of each dimension, forwards and back.
    fn computations(&self) -> u64 {
        1 + 6 * u64::from(self.side())
    }

    fn iteration(&self, _: bool) -> Volume {
        let (side, points) = (u64::from(self.side()), self.points());
        let (of_all, waits) = match self.solver() {
            Solver::BlockTridiagonal => (side * side * (25 + 5 + 5) * (points / side + 1).pow(2), 2),
            Solver::ScalarPentadiagonal => ((22 + 10) * (points - 2).pow(2), 1),
        };
        let messages = 6 * side * side * (side - 1);
        let solvers = Volume { messages, bytes: 3 * (side - 1) * of_all * DOUBLE, calls: waits * messages };
        solvers + self.exchange()
    }

    /// The inputs and a barrier.
    fn set_up(&self) -> Volume {
        let inputs = if self.solver() == Solver::BlockTridiagonal { 6 } else { 4 };
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
        let (sweep, stage) = ((solve / u64::from(self.side())) as u32, (solve % u64::from(self.side())) as u32);
        self.solve(rank, sweep / 2, stage, sweep % 2, step, writer);
    }

    fn begin(&self, _: u32, writer: &mut Writer<'_>) {
        let more = if self.solver() == Solver::BlockTridiagonal { 3 } else { 1 };
        tell(1, INTEGER, writer);
        tell(1, DOUBLE, writer);
        tell(3, INTEGER, writer);
        (0..more).for_each(|_| tell(1, INTEGER, writer));
    }

    fn settle(&self, _: u32, writer: &mut Writer<'_>) {
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
