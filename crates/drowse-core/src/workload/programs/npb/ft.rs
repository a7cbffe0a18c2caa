//! NPB FT: one three-dimensional Fourier transform and a checksum per iteration.
//!
//! If there are at least as many planes as ranks, each rank holds several planes, and one transposition exchanges
//! blocks between all ranks. More ranks form rows and columns, with a transposition in each.
//!
//! FT: an iteration transforms back, which exchanges blocks within rows and columns of ranks or between all, and sums a
//! checksum. Before the iterations the data is transformed twice, once to touch all memory.

use super::super::error::{ProgramError, power_of_two};
use super::super::flow::{Communication, Flow, collective};
use super::super::writer::Writer;
use super::benchmark::{Benchmark, Classed, INTEGER, Volume, sum_at_root, tell};
use super::class::Class;
use crate::model::units::Time;
use crate::workload::operation::Collective;

/// The size of a complex number.
const COMPLEX: u64 = 16;

/// A cube over rows and columns of ranks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Ft {
    rows: u32,
    columns: u32,
    points: u64,
}

impl Ft {
    /// Makes the problem of a class.
    pub fn new(ranks: u32, class: Class) -> Result<Self, ProgramError> {
        // Total points, planes, and lines per plane, as powers of two.
        let (points, planes, lines) =
            class.of([(18, 6, 6), (19, 5, 7), (23, 7, 8), (25, 8, 8), (27, 9, 9), (31, 10, 10), (35, 11, 11)]);
        let exponent = power_of_two(ranks, 1 << (planes + lines))?;
        let rows = if exponent > planes { 1 << planes } else { 1 };
        Ok(Ft { rows, columns: ranks / rows, points: 1 << points })
    }

    /// Exchanges blocks among the members of a row or column.
    fn transpose(&self, member: u32, size: u32, visit: &mut dyn FnMut(Flow), rank: impl Fn(u32) -> u32) {
        if size > 1 {
            let exchange = Collective::Alltoall { bytes: self.block(size) };
            collective(&exchange, member, size, &mut |flow| visit(Flow { to: rank(flow.to), ..flow }));
        }
    }

    /// Returns the rows and columns of ranks.
    fn layout(&self) -> [u32; 2] {
        [self.rows, self.columns]
    }

    /// Returns the bytes that a rank has for each member of a row or column.
    fn block(&self, size: u32) -> u64 {
        self.points * COMPLEX / u64::from(self.ranks()) / u64::from(size)
    }
}

impl Communication for Ft {
    fn ranks(&self) -> u32 {
        self.rows * self.columns
    }

    fn flows(&self, rank: u32, visit: &mut dyn FnMut(Flow)) {
        if self.to_all().is_none() {
            let (row, column) = (rank / self.columns, rank % self.columns);
            self.transpose(column, self.columns, visit, |other| row * self.columns + other);
            self.transpose(row, self.rows, visit, |other| other * self.columns + column);
        }
        let checksum = Collective::Reduce { root: 0, bytes: COMPLEX, count: 1, compute: Time::ZERO };
        collective(&checksum, rank, self.ranks(), visit);
    }

    /// With several planes per rank, blocks have at least 1 KiB in every class, so none travels through other ranks.
    fn to_all(&self) -> Option<u64> {
        Some(self.block(self.columns)).filter(|_| self.rows == 1 && self.columns > 1)
    }
}

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

impl Benchmark for Ft {
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

    fn before_warm_up(&self, rank: u32, writer: &mut Writer<'_>) {
        (0..5).for_each(|_| tell(1, INTEGER, writer));
        self.transform(rank, true, writer);
    }

    fn after_warm_up(&self, rank: u32, writer: &mut Writer<'_>) {
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

impl Classed for Ft {
    const KIND: &'static str = "ft";
    const ABOUT: &'static str = "FT of the NAS Parallel Benchmarks: a three-dimensional FFT.";
    const ITERATIONS: [u32; 7] = [6, 6, 6, 20, 20, 25, 25];
    type Benchmark = Self;

    fn problem(ranks: u32, class: Class) -> Result<Self, ProgramError> {
        Self::new(ranks, class)
    }
}
