//! FT: an iteration transforms back, which exchanges blocks within rows and columns of ranks or between all, and sums a
//! checksum. Before the iterations the data is transformed twice, once to touch all memory.

use super::{INTEGER, Parts, Volume, sum_at_root, tell};
use crate::workload::chains::steps::Writer;
use crate::workload::graph::Ft;
use crate::workload::operation::Collective;

/// The size of a complex number.
const COMPLEX: u64 = 16;

impl Ft {
    /// Returns the members of a rank's row and of its column, and the numbers of these groups, where there are several rows.
    fn lines(&self, rank: u32) -> Option<[(u32, u32); 2]> {
        let [rows, columns] = self.layout();
        let [row, column] = [rank / columns, rank % columns];
        (rows > 1).then_some([(columns, row), (rows, rows + column)])
    }

    /// Transforms, forward or back.
    fn transform(&self, rank: u32, is_forward: bool, writer: &mut Writer<'_>) {
        match self.lines(rank) {
            Some([row, column]) => {
                let lines = if is_forward { [column, row] } else { [row, column] };
                for (members, group) in lines {
                    writer.call_in(group, Collective::Alltoall { bytes: self.block(members) });
                }
            }
            None if self.ranks() > 1 => writer.call(Collective::Alltoall { bytes: self.block(self.ranks()) }),
            None => {}
        }
    }

    /// Returns the exchanges of a transform of all ranks.
    fn exchanges(&self) -> u64 {
        let of_a_rank = if self.layout()[0] > 1 { 2 } else { u64::from(self.ranks() > 1) };
        of_a_rank * u64::from(self.ranks())
    }
}

impl Parts for Ft {
    fn ranks(&self) -> u32 {
        self.layout().into_iter().product()
    }

    fn largest(&self) -> u64 {
        if self.ranks() > 1 {
            self.layout().map(|members| self.block(members)).into_iter().max().unwrap_or(0)
        } else {
            0
        }
    }

    fn computations(&self) -> u64 {
        2
    }

    fn iteration(&self, _: bool) -> Volume {
        Volume::of_calls(self.exchanges() + u64::from(self.ranks()))
    }

    fn set_up(&self) -> Volume {
        Volume::of_calls(2 * self.exchanges() + 6 * u64::from(self.ranks()))
    }

    fn verification(&self) -> Volume {
        Volume::default()
    }

    fn warms_up(&self) -> bool {
        false
    }

    fn steps(&self) -> u64 {
        1
    }

    fn step(&self, rank: u32, _: u64, _: bool, writer: &mut Writer<'_>) {
        writer.compute_part(0..1, 2);
        self.transform(rank, false, writer);
        writer.compute_part(1..2, 2);
        sum_at_root(1, COMPLEX, writer);
    }

    fn begin(&self, rank: u32, writer: &mut Writer<'_>) {
        (0..5).for_each(|_| tell(1, INTEGER, writer));
        self.transform(rank, true, writer);
    }

    fn settle(&self, rank: u32, writer: &mut Writer<'_>) {
        writer.call(Collective::Barrier);
        self.transform(rank, true, writer);
    }

    fn verify(&self, _: u32, _: &mut Writer<'_>) {}

    fn groups(&self) -> Vec<Vec<u32>> {
        let [rows, columns] = self.layout();
        if rows == 1 {
            return Vec::new();
        }
        let of_rows = (0..rows).map(|row| (row * columns..(row + 1) * columns).collect());
        let of_columns = (0..columns).map(|column| (column..rows * columns).step_by(columns as usize).collect());
        of_rows.chain(of_columns).collect()
    }
}
