//! High Performance Linpack (HPL 2.3): solves a dense system of linear equations on a grid of processes, row by row. Blocks
//! of the matrix go round the rows and the columns of the grid. For each panel of a block's columns,
//!
//! - the processes of its column find a pivot for each matrix column: they exchange their best row with all others, over
//!   distances that double, and the row that it swaps places with;
//! - each sends its part of the panel along its row (a ring whose first process is served first, `1ringM`);
//! - in all columns the rows of the pivots are spread from the panel's row over a tree, rolled round a ring (the `long`
//!   swap), and the rest of the matrix is updated.
//!
//! There is no look-ahead. At the end the triangular system is solved, block by block from the last. Each row of
//! processes has as many pivots as the others. All computing is that of updates. Left out: making the matrix, and the
//! check of the result.

use serde::Deserialize;

use super::error::{MOST_RANKS, ProgramError, check};
use super::keys::{Given, Parts, ProgramKeys};
use super::program::{Program, Steps};
use super::writer::{Writer, parts};

/// Bytes of a number.
const DOUBLE: u64 = 8;
/// Tags: pivots, panels, swaps of rows; the triangular system along rows and columns of processes, and its first block.
const PIVOT: u32 = 0;
const PANEL: u32 = 1;
const SWAP: u32 = 2;
const ROWS: u32 = 3;
const SOLUTION: u32 = 4;
const FIRST: u32 = 5;
/// What goes with a pivot's row: its value and its place.
const PLACE: u64 = 4;

/// A solver on a grid of processes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Linpack {
    rows: u32,
    columns: u32,
    /// Equations.
    size: u64,
    /// Columns of a panel.
    block: u64,
}

/// Where a process is.
#[derive(Clone, Copy)]
struct Place {
    row: u32,
    column: u32,
}

impl Linpack {
    /// Makes a solver of `size` equations in blocks of `block`; the rows of the grid are a power of two.
    pub fn new([rows, columns]: [u32; 2], size: u32, block: u32) -> Result<Self, ProgramError> {
        let refuse = |reason: String| Err(ProgramError::out_of_range("grid", format!("[{rows}, {columns}]"), reason));
        if !rows.is_power_of_two() || rows > 1 << 14 {
            return refuse("write rows and columns of processes; the rows are a power of two of at most 16384".into());
        }
        if columns == 0 || columns > 1 << 14 || rows * columns > MOST_RANKS {
            return refuse("write rows and columns of processes, at most 16384 of each".into());
        }
        check("size", size, 1..=10_000_000)?;
        check("block", block, 1..=4_096)?;
        Ok(Linpack { rows, columns, size: size.into(), block: block.into() })
    }

    fn panels(&self) -> u64 {
        self.size.div_ceil(self.block)
    }

    /// Returns the columns of a panel.
    fn width(&self, panel: u64) -> u64 {
        self.block.min(self.size - panel * self.block)
    }

    /// Returns the row or column of processes that has a block.
    fn owner(block: u64, of: u32) -> u32 {
        // Below a number of rows or columns.
        (block % u64::from(of)) as u32
    }

    fn place(&self, rank: u32) -> Place {
        Place { row: rank / self.columns, column: rank % self.columns }
    }

    fn rank(&self, row: u32, column: u32) -> u32 {
        row % self.rows * self.columns + column % self.columns
    }

    /// Returns how many of the rows or columns from the first to the last a row or column of processes has.
    fn owned(&self, from: u64, to: u64, process: u32, of: u32) -> u64 {
        let (of, process) = (u64::from(of), u64::from(process));
        // All before `end`: whole rounds of blocks, and a part of the last.
        let before = |end: u64| {
            let (rounds, rest) = (end / (self.block * of), end % (self.block * of));
            rounds * self.block + rest.saturating_sub(process * self.block).min(self.block)
        };
        before(to) - before(from)
    }

    /// Returns the rows of a panel's pivots that each of the processes in a column has, by its distance from the panel's.
    fn share(&self, panel: u64, from: u32, to: u32) -> u64 {
        parts(self.width(panel), from.into()..to.into(), self.rows.into())
    }

    /// Returns the columns of the matrix, with the right-hand side, that a column of processes updates.
    fn updated(&self, panel: u64, column: u32) -> u64 {
        self.owned(panel * self.block + self.width(panel), self.size + 1, column, self.columns)
    }

    /// Returns the numbers of a panel that a row of processes sends.
    fn part(&self, panel: u64, row: u32) -> u64 {
        let (width, end) = (self.width(panel), panel * self.block + self.width(panel));
        self.owned(end, self.size, row, self.rows) * width + width * width + width + 1
    }

    /// Returns the first row above a block that its solution changes at once, and its own first.
    fn window(&self, block: u64) -> [u64; 2] {
        let ahead = u64::from(self.columns - 1).max(1);
        [block.saturating_sub(ahead) * self.block, block * self.block]
    }

    /// Returns the steps of a panel: its pivots, sending it, spreading rows, rolling them, and the update.
    fn steps_of(&self, panel: u64) -> u64 {
        self.width(panel) + 2 + u64::from(self.rows - 1) + 1
    }

    /// Returns how much of the time is that of the updates before a panel, which take the squares of the panels left.
    fn share_before(&self, panel: u64) -> u64 {
        let pyramid = |height: u64| height * (height + 1) * (2 * height + 1) / 6;
        pyramid(self.panels()) - pyramid(self.panels() - panel)
    }

    /// Finds a pivot: exchanges rows with all processes of the column.
    fn pivot(&self, panel: u64, at: Place, writer: &mut Writer<'_>) {
        if at.column != Self::owner(panel, self.columns) {
            return;
        }
        let (first, width) = (Self::owner(panel, self.rows), self.width(panel));
        let distance = (at.row + self.rows - first) % self.rows;
        for bit in 0..self.rows.ilog2() {
            // Those that know of the row that is swapped send it with theirs.
            let numbers = PLACE + width + if distance >> bit == 0 { width } else { 0 };
            let partner = self.rank(first + (distance ^ 1 << bit), at.column);
            writer.exchange([partner; 2], PIVOT, numbers * DOUBLE);
        }
    }

    /// Sends a part of a panel along a row of processes: the first serves two.
    fn send(&self, panel: u64, at: Place, writer: &mut Writer<'_>) {
        if self.columns == 1 {
            return;
        }
        let root = Self::owner(panel, self.columns);
        let distance = (at.column + self.columns - root) % self.columns;
        let other = |distance: u32| self.rank(at.row, root + distance);
        let bytes = self.part(panel, at.row) * DOUBLE;
        match distance {
            0 => (1..self.columns.min(3)).for_each(|to| writer.send(other(to), PANEL, bytes)),
            1 => writer.receive(other(0), PANEL),
            _ => {
                writer.receive(other(if distance == 2 { 0 } else { distance - 1 }), PANEL);
                if distance + 1 < self.columns {
                    writer.send(other(distance + 1), PANEL, bytes);
                }
            }
        }
    }

    /// Spreads from the first of a column of processes over a tree, whose larger half is served first; `bytes` tells what
    /// is for the processes of two distances and those between.
    fn spread(&self, first: u32, at: Place, tag: u32, bytes: impl Fn(u32, u32) -> u64, writer: &mut Writer<'_>) {
        let distance = (at.row + self.rows - first) % self.rows;
        let other = |distance: u32| self.rank(first + distance, at.column);
        // The first has as many below it as there are rows.
        let below = if distance == 0 { self.rows } else { 1 << distance.trailing_zeros() };
        if distance > 0 && bytes(distance, distance + below) > 0 {
            writer.receive(other(distance - below), tag);
        }
        let mut half = below / 2;
        while half > 0 {
            let size = bytes(distance + half, distance + 2 * half);
            if size > 0 {
                writer.send(other(distance + half), tag, size);
            }
            half /= 2;
        }
    }

    /// Spreads the rows of pivots over a column of processes.
    fn spread_rows(&self, panel: u64, at: Place, writer: &mut Writer<'_>) {
        let updated = self.updated(panel, at.column);
        let bytes = |from, to| self.share(panel, from, to) * updated * DOUBLE;
        self.spread(Self::owner(panel, self.rows), at, SWAP, bytes, writer);
    }

    /// Rolls the rows of pivots a step: neighbours in pairs exchange what came last from the other side.
    fn roll(&self, panel: u64, step: u32, at: Place, writer: &mut Writer<'_>) {
        let first = Self::owner(panel, self.rows);
        let distance = (at.row + self.rows - first) % self.rows;
        let updated = self.updated(panel, at.column);
        let bytes = |piece: u32| self.share(panel, piece % self.rows, piece % self.rows + 1) * updated * DOUBLE;
        let (ahead, behind) = (distance + self.rows, step / 2);
        let [partner, sent, received] = if (distance + step).is_multiple_of(2) {
            [ahead + 1, ahead - behind, ahead + behind + 1]
        } else {
            [ahead - 1, ahead + behind, ahead - behind - 1]
        };
        let partner = self.rank(first + partner, at.column);
        if bytes(received) > 0 {
            writer.post(partner, SWAP, 0);
        }
        if bytes(sent) > 0 {
            writer.send(partner, SWAP, bytes(sent));
        }
        if bytes(received) > 0 {
            writer.wait(0);
        }
    }

    /// Brings the right-hand side to the column of processes that has the last block.
    fn bring(&self, at: Place, writer: &mut Writer<'_>) {
        let numbers = self.owned(0, self.size, at.row, self.rows);
        let [has, needs] = [self.size / self.block, self.panels() - 1].map(|block| Self::owner(block, self.columns));
        if has != needs && numbers > 0 {
            if at.column == has {
                writer.send(self.rank(at.row, needs), ROWS, numbers * DOUBLE);
            } else if at.column == needs {
                writer.receive(self.rank(at.row, has), ROWS);
            }
        }
    }

    /// Sends the solution of a block up its column of processes, and what it changes to the next column.
    fn solve(&self, block: u64, at: Place, writer: &mut Writer<'_>) {
        let [column, next] = [block, block - 1].map(|block| Self::owner(block, self.columns));
        let [from, to] = self.window(block);
        let changed = self.owned(from, to, at.row, self.rows);
        if at.column == column {
            let distance = (Self::owner(block, self.rows) + self.rows - at.row) % self.rows;
            let up = self.rank(at.row + self.rows - 1, at.column);
            let bytes = self.width(block) * DOUBLE;
            if distance > 0 {
                writer.receive(self.rank(at.row + 1, at.column), SOLUTION);
            } else if self.rows > 1 {
                writer.send(up, SOLUTION, bytes);
            }
            if changed > 0 && self.columns > 1 {
                writer.send(self.rank(at.row, next), ROWS, changed * DOUBLE);
            }
            if distance > 0 && distance + 1 < self.rows {
                writer.send(up, SOLUTION, bytes);
            }
        } else if at.column == next && changed > 0 {
            writer.receive(self.rank(at.row, column), ROWS);
        }
    }

    /// Tells the solution of the first block to its column of processes.
    fn tell(&self, at: Place, writer: &mut Writer<'_>) {
        if at.column == 0 {
            self.spread(0, at, FIRST, |_, _| self.width(0) * DOUBLE, writer);
        }
    }
}

/// Messages and their bytes; those that are exchanged are waited for.
#[derive(Clone, Copy, Default)]
struct Volume {
    messages: u64,
    bytes: u64,
    waits: u64,
}

impl Volume {
    fn add(&mut self, messages: u64, numbers: u64) {
        self.messages += messages;
        self.bytes += numbers * DOUBLE;
    }
}

impl Linpack {
    fn volume(&self) -> Volume {
        let mut volume = Volume::default();
        let [rows, columns] = [self.rows, self.columns].map(u64::from);
        for panel in 0..self.panels() {
            let (width, below) = (self.width(panel), self.size - panel * self.block - self.width(panel));
            let exchanges = rows * u64::from(self.rows.ilog2());
            volume.add(width * exchanges, width * (exchanges * (PLACE + width) + (rows - 1) * width));
            volume.waits += width * exchanges;
            let along = columns - 1;
            volume.add(along * rows, along * (below * width + rows * (width * width + width + 1)));
            self.add_swap(panel, &mut volume);
        }
        self.add_solution(&mut volume);
        volume
    }

    /// Adds the spreading and rolling of the rows of a panel's pivots.
    fn add_swap(&self, panel: u64, volume: &mut Volume) {
        let (mut pieces, mut spread) = (Volume::default(), Volume::default());
        for distance in 0..self.rows {
            let piece = self.share(panel, distance, distance + 1);
            pieces.add(u64::from(piece > 0), piece);
            // A piece goes down the tree once for each bit of its distance.
            let below = if distance == 0 { 0 } else { 1 << distance.trailing_zeros() };
            spread.add(
                u64::from(self.share(panel, distance, distance + below) > 0),
                piece * u64::from(distance.count_ones()),
            );
        }
        let (steps, first) = (u64::from(self.rows - 1), panel * self.block + self.width(panel));
        let busy = (self.size / self.block + 1 - first / self.block).min(self.columns.into());
        let updated = self.size + 1 - first;
        volume.messages += busy * (spread.messages + steps * pieces.messages);
        volume.bytes += updated * (spread.bytes + steps * pieces.bytes);
        volume.waits += busy * steps * pieces.messages;
    }

    /// Adds what solving the triangular system sends.
    fn add_solution(&self, volume: &mut Volume) {
        let [rows, columns] = [self.rows, self.columns].map(u64::from);
        let [has, needs] = [self.size / self.block, self.panels() - 1].map(|block| Self::owner(block, self.columns));
        if has != needs {
            volume.add(rows.min(self.panels()), self.size);
        }
        for block in 1..self.panels() {
            volume.add(rows - 1, (rows - 1) * self.width(block));
            let [from, to] = self.window(block);
            if columns > 1 {
                volume.add(rows.min((to - from) / self.block), to - from);
            }
        }
        volume.add(rows - 1, (rows - 1) * self.width(0));
    }
}

impl Program for Linpack {
    fn ranks(&self) -> u32 {
        self.rows * self.columns
    }

    fn messages(&self) -> u64 {
        self.volume().messages
    }

    fn bytes(&self) -> u64 {
        self.volume().bytes
    }

    /// The first panel, the rows of its pivots, or the right-hand side.
    fn largest(&self) -> u64 {
        let panels = (0..self.rows).map(|row| self.part(0, row) * u64::from(self.columns > 1));
        let half = self.share(0, self.rows / 2, self.rows) * u64::from(self.rows > 1);
        let rows = (0..self.columns).map(|column| self.updated(0, column) * half);
        let pivots = (PLACE + 2 * self.width(0)) * u64::from(self.rows > 1);
        panels.chain(rows).chain([pivots, self.size.div_ceil(self.rows.into())]).max().unwrap_or(0) * DOUBLE
    }

    /// Once for each panel.
    fn computations(&self) -> u64 {
        self.panels()
    }

    fn calls(&self) -> u64 {
        self.volume().waits
    }

    fn prepare(&self) -> Box<dyn Steps> {
        Box::new(*self)
    }
}

impl Steps for Linpack {
    /// Those of all panels, one before the triangular system, and one for each of its blocks.
    fn count(&self, _: u32) -> u64 {
        let whole = self.panels() - 1;
        whole * self.steps_of(0) + self.steps_of(whole) + 1 + self.panels()
    }

    fn take(&self, rank: u32, step: u64, writer: &mut Writer<'_>) {
        let at = self.place(rank);
        let panel = (step / self.steps_of(0)).min(self.panels() - 1);
        let within = step - panel * self.steps_of(0);
        let width = self.width(panel);
        match within.checked_sub(width) {
            None => self.pivot(panel, at, writer),
            Some(0) => self.send(panel, at, writer),
            Some(1) => self.spread_rows(panel, at, writer),
            // Fewer than rows.
            Some(rolled) if rolled < u64::from(self.rows) + 1 => self.roll(panel, rolled as u32 - 2, at, writer),
            Some(last) if last == u64::from(self.rows) + 1 => {
                let shares = self.share_before(panel)..self.share_before(panel + 1);
                writer.compute_part(shares, self.share_before(self.panels()));
            }
            _ => match self.panels() - (within - self.steps_of(panel)) {
                all if all == self.panels() => self.bring(at, writer),
                0 => self.tell(at, writer),
                block => self.solve(block, at, writer),
            },
        }
    }
}

/// The keys of Linpack.
#[derive(Clone, Copy, Debug, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct LinpackKeys {
    /// Rows and columns of ranks, P and Q; the rows are a power of two.
    #[cfg_attr(feature = "schema", schemars(extend("examples" = [[8, 8]])))]
    grid: [u32; 2],
    /// Equations, N.
    #[cfg_attr(feature = "schema", schemars(extend("examples" = [2048]), extend("x-hint" = "the equations")))]
    #[cfg_attr(feature = "schema", schemars(range(min = 1, max = 10_000_000)))]
    size: u32,
    /// Rows and columns of a block, NB.
    #[cfg_attr(feature = "schema", schemars(extend("default" = 64), range(min = 1, max = 4096)))]
    block: Option<u32>,
}

impl ProgramKeys for LinpackKeys {
    const KIND: &'static str = "linpack";
    const ABOUT: &'static str = "High Performance Linpack: one solution in an iteration.";

    fn parts(self, given: Given) -> Result<Parts, ProgramError> {
        Ok(given.iterated(Linpack::new(self.grid, self.size, self.block.unwrap_or(64))?))
    }
}
