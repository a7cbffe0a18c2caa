//! ASCI Sweep3D 2.2b (Los Alamos 1995; Koch, Baker and Alcouffe 1992): neutron transport in three dimensions by discrete
//! ordinates, on a grid of ranks that share the cells in x and y.
//!
//! An iteration sweeps the cells from each of the eight corners, with the angles of its octant. A rank takes the cells in
//! blocks of planes in z and of angles: it receives the inflows of a block from its neighbour in x and then in y,
//! computes, and sends the outflows on in that order. Sweeps follow each other as in a pipeline. At the end ranks sum how
//! many fluxes were fixed, and find the largest error. A message is as large for the last block of planes, which may have
//! fewer. One rank takes all cells and angles of an octant at once. All computing is that of blocks, by their planes.
//! Left out: set-up, and the balance that is printed at the end.

use serde::Deserialize;

use super::error::{ProgramError, check};
use super::grid::Grid;
use super::keys::{Given, Parts, ProgramKeys};
use super::program::{Program, Steps};
use super::writer::Writer;
use crate::workload::operation::SendMode;

/// Bytes of a number, and of an integer.
const DOUBLE: u64 = 8;
const INTEGER: u64 = 4;
/// Corners from which cells are swept.
const OCTANTS: u64 = 8;
/// The most cells in a dimension, and the most angles.
const MOST_CELLS: u32 = 1 << 20;
const MOST_ANGLES: u32 = 1 << 10;

/// Cells and angles, and how they are taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Cells {
    /// Cells of all ranks in each dimension.
    pub cells: [u32; 3],
    /// Angles of an octant.
    pub angles: u32,
    /// Planes of a block, in z.
    pub planes: u32,
    /// Angles of a block.
    pub batch: u32,
}

/// Sweeps on a grid of ranks.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sweep3d {
    grid: Grid,
    sides: [u32; 2],
    cells: Cells,
}

impl Sweep3d {
    /// Makes sweeps on a grid of columns and rows of ranks.
    pub fn new(sides: [u32; 2], cells: Cells) -> Result<Self, ProgramError> {
        let grid = Grid::new(sides.to_vec(), false).map_err(|error| ProgramError { key: "grid", ..error })?;
        if let Some(reason) = wrong(cells.cells, sides) {
            return Err(ProgramError::out_of_range("cells", format!("{:?}", cells.cells), reason));
        }
        check("angles", cells.angles, 1..=MOST_ANGLES)?;
        check("planes", cells.planes, 1..=MOST_CELLS)?;
        check("batch", cells.batch, 1..=cells.angles)?;
        if !cells.angles.is_multiple_of(cells.batch) {
            let reason = format!("write a number that divides the {} angles", cells.angles);
            return Err(ProgramError::out_of_range("batch", cells.batch, reason));
        }
        let [_, _, depth] = cells.cells;
        let cells = match grid.ranks() {
            1 => Cells { planes: depth, batch: cells.angles, ..cells },
            _ => Cells { planes: cells.planes.min(depth), ..cells },
        };
        Ok(Sweep3d { grid, sides, cells })
    }

    /// Returns the blocks of planes of a sweep.
    fn layers(&self) -> u64 {
        self.cells.cells[2].div_ceil(self.cells.planes).into()
    }

    /// Returns the blocks of an octant.
    fn blocks(&self) -> u64 {
        u64::from(self.cells.angles / self.cells.batch) * self.layers()
    }

    /// Returns the bytes of a block's side that is so many cells wide.
    fn face(&self, cells: u32) -> u64 {
        DOUBLE * u64::from(cells) * u64::from(self.cells.planes) * u64::from(self.cells.batch)
    }

    /// Returns the bytes that a rank sends in x, and in y: the first ranks have the cells that are left over.
    fn faces(&self, rank: u32) -> [u64; 2] {
        let [columns, rows] = self.sides;
        let share = |cells: u32, place: u32, of: u32| cells / of + u32::from(place < cells % of);
        let [x, y, _] = self.cells.cells;
        [self.face(share(y, rank / columns, rows)), self.face(share(x, rank % columns, columns))]
    }

    /// Returns from whom a rank receives in an octant and to whom it sends, in x and in y. The octants downwards come first:
    /// in x those of the first half, in y each other pair.
    fn ends(&self, rank: u32, octant: u64) -> impl Iterator<Item = [Option<u32>; 2]> {
        let upwards = [octant >= OCTANTS / 2, octant % 4 >= 2];
        let end = |([lower, higher], is_upwards): ([Option<u32>; 2], bool)| {
            if is_upwards { [lower, higher] } else { [higher, lower] }
        };
        self.grid.neighbours(rank).zip(upwards).map(end)
    }

    /// Computes a block: as long as it has planes.
    fn compute(&self, block: u64, writer: &mut Writer<'_>) {
        let (layers, depth) = (self.layers(), u64::from(self.cells.cells[2]));
        let until = |layer: u64| block / layers * depth + depth.min(layer * u64::from(self.cells.planes));
        let layer = block % layers;
        let sweeps = OCTANTS * self.blocks() / layers;
        writer.compute_part(until(layer)..until(layer + 1), sweeps * depth);
    }
}

/// Returns what is wrong with numbers of cells.
fn wrong([x, y, z]: [u32; 3], [columns, rows]: [u32; 2]) -> Option<String> {
    let is_right = x >= columns && y >= rows && z > 0 && x.max(y).max(z) <= MOST_CELLS;
    (!is_right)
        .then(|| format!("write at least {columns}, {rows} and 1, a cell for each rank, and at most {MOST_CELLS}"))
}

impl Program for Sweep3d {
    fn ranks(&self) -> u32 {
        self.grid.ranks()
    }

    fn messages(&self) -> u64 {
        OCTANTS * self.blocks() * self.grid.links()
    }

    /// Between two columns of ranks, the sides of all cells in y; between two rows, of all in x.
    fn bytes(&self) -> u64 {
        let ([columns, rows], [x, y, _]) = (self.sides.map(u64::from), self.cells.cells);
        let faces = (columns - 1) * self.face(y) + (rows - 1) * self.face(x);
        OCTANTS * self.blocks() * faces
    }

    /// The first rank has the most cells.
    fn largest(&self) -> u64 {
        let [columns, rows] = self.sides;
        let [x, y] = self.faces(0);
        let sent = [(columns, x), (rows, y)].into_iter().filter(|(ranks, _)| *ranks > 1);
        sent.map(|(_, face)| face).max().unwrap_or(DOUBLE)
    }

    fn computations(&self) -> u64 {
        OCTANTS * self.blocks()
    }

    /// The fluxes that were fixed, and the error.
    fn calls(&self) -> u64 {
        2 * u64::from(self.ranks())
    }

    fn mode(&self) -> SendMode {
        SendMode::Standard
    }

    fn prepare(&self) -> Box<dyn Steps> {
        Box::new(self.clone())
    }
}

impl Steps for Sweep3d {
    fn count(&self, _: u32) -> u64 {
        OCTANTS * self.blocks() + 1
    }

    fn take(&self, rank: u32, block: u64, writer: &mut Writer<'_>) {
        let octant = block / self.blocks();
        if octant == OCTANTS {
            writer.sum(1, INTEGER);
            return writer.sum(1, DOUBLE);
        }
        for (tag, [from, _]) in (0..).zip(self.ends(rank, octant)) {
            from.into_iter().for_each(|from| writer.receive(from, tag));
        }
        self.compute(block, writer);
        for ((tag, [_, to]), bytes) in (0..).zip(self.ends(rank, octant)).zip(self.faces(rank)) {
            to.into_iter().for_each(|to| writer.send(to, tag, bytes));
        }
    }
}

/// The keys of Sweep3D.
#[derive(Clone, Copy, Debug, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Sweep3dKeys {
    /// Ranks in x and y.
    #[cfg_attr(feature = "schema", schemars(extend("examples" = [[8, 8]])))]
    grid: [u32; 2],
    /// Cells of all ranks in x, y and z, at least one for each rank.
    #[cfg_attr(feature = "schema", schemars(extend("default" = [150, 150, 150])))]
    cells: Option<[u32; 3]>,
    /// Angles of an octant, `mm`.
    #[cfg_attr(feature = "schema", schemars(extend("default" = 6), range(min = 1, max = 1024)))]
    angles: Option<u32>,
    /// Planes of a block in z, `mk`.
    #[cfg_attr(feature = "schema", schemars(extend("default" = 30), range(min = 1, max = 1_048_576)))]
    planes: Option<u32>,
    /// Angles of a block, `mmi`, a divisor of `angles`.
    #[cfg_attr(feature = "schema", schemars(extend("default" = 2), range(min = 1, max = 1024)))]
    batch: Option<u32>,
}

impl ProgramKeys for Sweep3dKeys {
    const KIND: &'static str = "sweep3d";
    const ABOUT: &'static str =
        "ASCI Sweep3D: neutron transport, swept from the eight corners of a grid of cells in an iteration.";

    fn parts(self, given: Given) -> Result<Parts, ProgramError> {
        let cells = Cells {
            cells: self.cells.unwrap_or([150; 3]),
            angles: self.angles.unwrap_or(6),
            planes: self.planes.unwrap_or(30),
            batch: self.batch.unwrap_or(2),
        };
        Ok(given.iterated(Sweep3d::new(self.grid, cells)?))
    }
}
