//! A three-dimensional FFT on pencils, as P3DFFT (Pekurovsky 2012, SIAM J. Sci. Comput. 34(4)), heFFTe and SWFFT compute
//! it: a grid of points is cut along two dimensions over rows and columns of ranks.
//!
//! Each rank holds whole lines of points in one dimension. It transforms these, changes them against whole lines of the
//! next dimension with the ranks of its row, transforms, changes again with the ranks of its column, and transforms.
//! An iteration goes forward and back: four exchanges and six transformations, each a sixth of the computing time.

use serde::Deserialize;

use super::error::{MOST_RANKS, ProgramError, check};
use super::keys::{Given, Parts, ProgramKeys};
use super::program::{Program, Steps};
use super::writer::Writer;
use crate::model::units::Bytes;
use crate::workload::operation::Collective;

/// Transformations of an iteration: one of each dimension, forward and back.
const TRANSFORMATIONS: u64 = 6;
/// The widest grid of points.
const WIDEST: u32 = 1 << 16;

/// Points over rows and columns of ranks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PencilFft {
    /// Ranks in a row, and ranks in a column.
    grid: [u32; 2],
    /// Bytes of the points of a rank.
    pencil: u64,
}

impl PencilFft {
    /// Makes an FFT of points of `element` bytes each. Ranks of a row cut the first two dimensions by turns, and ranks of
    /// a column the last two.
    pub fn new(grid: [u32; 2], points: [u32; 3], element: u64) -> Result<Self, ProgramError> {
        let [row, column] = grid;
        check("grid.0", row, 1..=MOST_RANKS)?;
        check("grid.1", column, 1..=MOST_RANKS / row)?;
        let names = ["points.0", "points.1", "points.2"];
        for (name, &points) in names.iter().zip(&points) {
            check(name, points, 1..=WIDEST)?;
        }
        for (dimension, ranks) in [(0, row), (1, row), (1, column), (2, column)] {
            if !points[dimension].is_multiple_of(ranks) {
                let reason = format!("write a multiple of {ranks}: so many ranks cut this dimension in equal parts");
                return Err(ProgramError::out_of_range(names[dimension], points[dimension], reason));
            }
        }
        let all = points.into_iter().map(u64::from).product::<u64>();
        Ok(PencilFft { grid, pencil: all / u64::from(row * column) * element })
    }

    /// Returns the bytes that a rank has for each rank of its row, or of its column.
    fn block(&self, ranks: u32) -> u64 {
        self.pencil / u64::from(ranks)
    }

    /// Changes lines among the ranks of a row, or of a column: the groups of all rows come first.
    fn exchange(&self, rank: u32, is_row: bool, writer: &mut Writer<'_>) {
        let [row, column] = self.grid;
        let (ranks, group) = if is_row { (row, rank / row) } else { (column, column + rank % row) };
        if ranks > 1 {
            writer.call_in(group, Collective::Alltoall { bytes: self.block(ranks) });
        }
    }
}

impl Program for PencilFft {
    fn ranks(&self) -> u32 {
        self.grid.into_iter().product()
    }

    fn messages(&self) -> u64 {
        0
    }

    fn largest(&self) -> u64 {
        self.grid.into_iter().filter(|&ranks| ranks > 1).map(|ranks| self.block(ranks)).max().unwrap_or(0)
    }

    fn computations(&self) -> u64 {
        TRANSFORMATIONS
    }

    /// Two exchanges among rows and two among columns.
    fn calls(&self) -> u64 {
        let exchanges = 2 * self.grid.into_iter().filter(|&ranks| ranks > 1).count() as u64;
        u64::from(Program::ranks(self)) * exchanges
    }

    fn groups(&self) -> Vec<Vec<u32>> {
        let [row, column] = self.grid;
        let of_rows = (0..column).map(|at| (at * row..(at + 1) * row).collect());
        let of_columns = (0..row).map(|at| (at..row * column).step_by(row as usize).collect());
        of_rows.chain(of_columns).collect()
    }

    fn prepare(&self) -> Box<dyn Steps> {
        Box::new(*self)
    }
}

impl Steps for PencilFft {
    fn take(&self, rank: u32, _: u64, writer: &mut Writer<'_>) {
        for (transformation, is_row) in (0..).zip([Some(true), Some(false), None, Some(false), Some(true), None]) {
            writer.compute_part(transformation..transformation + 1, TRANSFORMATIONS);
            if let Some(is_row) = is_row {
                self.exchange(rank, is_row, writer);
            }
        }
    }
}

/// The keys of an FFT on pencils.
#[derive(Clone, Copy, Debug, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct PencilFftKeys {
    /// Ranks in a row and in a column. Ranks of a row have consecutive numbers.
    #[cfg_attr(feature = "schema", schemars(extend("examples" = [[8, 8]])))]
    grid: [u32; 2],
    /// Points in each dimension, at most 65536: the first two multiples of the ranks in a row, the last two of the ranks
    /// in a column.
    #[cfg_attr(feature = "schema", schemars(extend("examples" = [[512, 512, 512]])))]
    points: [u32; 3],
    /// Size of a point; by default, a complex number of double precision.
    #[cfg_attr(feature = "schema", schemars(extend("default" = "16 B")))]
    element: Option<Bytes>,
}

impl ProgramKeys for PencilFftKeys {
    const KIND: &'static str = "pencil-fft";
    const ABOUT: &'static str = "A three-dimensional FFT on pencils, forward and back.";

    fn parts(self, given: Given) -> Result<Parts, ProgramError> {
        let element = self.element.map_or(16, |element| element.0);
        if !(1..=1024).contains(&element) {
            return Err(ProgramError::out_of_range("element", element, "a point has 1 to 1024 bytes"));
        }
        Ok(given.iterated(PencilFft::new(self.grid, self.points, element)?))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::units::Time;
    use crate::workload::operation::{Operation, SendMode};

    fn of_rank(fft: PencilFft, rank: u32) -> Vec<Operation> {
        let mut operations = Vec::new();
        let steps = fft.prepare();
        steps.take(rank, 0, &mut Writer::new(&mut operations, SendMode::Ready, Time::from_us(6), 100));
        operations
    }

    /// 16 x 8 x 4 points of 16 bytes over rows of four ranks and two columns' places: a rank has 1 KiB, a quarter of it for
    /// each rank of its row, and a half for each of its column.
    #[test]
    fn a_rank_changes_its_points_with_its_row_and_its_column() {
        let fft = PencilFft::new([4, 2], [16, 8, 4], 16).expect("equal parts");
        let compute = Operation::Compute(Time::from_us(1));
        let change = |comm, bytes| Operation::Collective { comm, collective: Collective::Alltoall { bytes } };
        // Rank 6 is the third of the second row: groups 1 and 2 + 2.
        let (row, column) = (change(101, 256), change(104, 512));
        let half = [compute.clone(), row.clone(), compute.clone(), column.clone(), compute.clone()];
        let back = [compute.clone(), column, compute.clone(), row, compute];
        assert_eq!(of_rank(fft, 6), [half, back].concat());
        let groups = fft.groups();
        assert_eq!((&groups[1][..], &groups[4][..]), (&[4, 5, 6, 7][..], &[2, 6][..]));
        // Every rank calls four exchanges.
        assert_eq!((fft.calls(), fft.largest()), (8 * 4, 512));
    }

    /// One row: columns of one rank change nothing.
    #[test]
    fn slabs_have_one_exchange_each_way() {
        let fft = PencilFft::new([4, 1], [8, 8, 8], 8).expect("equal parts");
        let calls = of_rank(fft, 1).into_iter().filter(|operation| matches!(operation, Operation::Collective { .. }));
        assert_eq!((calls.count(), fft.calls(), fft.largest()), (2, 8, 8 * 8 * 8 * 8 / 16));
    }

    #[test]
    fn parts_that_are_not_equal_are_refused() {
        for (grid, points) in [([4, 2], [6, 8, 8]), ([4, 2], [8, 6, 8]), ([2, 4], [8, 8, 6]), ([0, 1], [8, 8, 8])] {
            assert!(PencilFft::new(grid, points, 16).is_err(), "{grid:?} {points:?}");
        }
        assert!(PencilFft::new([2, 2], [0, 8, 8], 16).is_err());
    }
}
