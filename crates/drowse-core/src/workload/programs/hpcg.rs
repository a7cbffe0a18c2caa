//! HPCG 3.1 (High Performance Conjugate Gradients; Dongarra, Heroux and Luszczek 2016) on a grid of ranks, each of which
//! has a box of points. A matrix joins each point to the 26 around it. An iteration of conjugate gradients has a cycle of
//! multigrid over four levels, each half as wide as the one before, a product, and three sums.
//!
//! Before each smoothing and each product a rank exchanges its halo with up to 26 neighbours, as `ExchangeHalo` does: in
//! the order of their numbers it posts all receives, sends a face, an edge or a corner to each, and waits for each.
//! Ranks compute by the floating-point operations that the program counts itself (`ReportResults`), those of a rank with
//! neighbours on all sides. The first iteration of a set copies a vector that the others add to; here it adds, too. Left
//! out: making the problem, its checks, and the run by which the program finds how long a set takes.

use serde::Deserialize;

use super::error::ProgramError;
use super::grid::check_dims;
use super::halo::Boxes;
use super::keys::{Given, Parts, ProgramKeys, parts};
use super::program::{Program, Steps};
use super::writer::Writer;
use crate::workload::operation::SendMode;

/// Bytes of a number.
const DOUBLE: u64 = 8;
/// Non-zeros in a row of the matrix.
const ROW: u64 = 27;
/// The coarsest level is so many times narrower than the finest.
const COARSEST: u32 = 8;
/// The longest side of a rank's box.
const LONGEST: u32 = 1 << 12;

/// A solver on a grid of ranks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Hpcg {
    dims: [u32; 3],
    /// Points of a rank in each dimension.
    local: [u32; 3],
    /// Whether it is what comes before the iterations of a set.
    begins: bool,
}

/// What all ranks do, one thing after the other.
#[derive(Clone, Copy)]
enum Action {
    /// They exchange the halo of a level.
    Exchange(u32),
    /// They multiply the matrix of a level by a vector.
    Multiply(u32),
    /// They smooth on a level: a symmetric Gauss-Seidel sweep.
    Smooth(u32),
    /// They add so many pairs of vectors, or multiply them.
    Vectors(u64),
    /// They sum a number.
    Sum,
}

use Action::{Exchange, Multiply, Smooth, Sum, Vectors};

/// An iteration: down to the coarsest level and up again, then the steps of conjugate gradients.
const ITERATION: [Action; 30] = [
    Exchange(0),
    Smooth(0),
    Exchange(0),
    Multiply(0),
    Exchange(1),
    Smooth(1),
    Exchange(1),
    Multiply(1),
    Exchange(2),
    Smooth(2),
    Exchange(2),
    Multiply(2),
    Exchange(3),
    Smooth(3),
    Exchange(2),
    Smooth(2),
    Exchange(1),
    Smooth(1),
    Exchange(0),
    Smooth(0),
    Vectors(1),
    Sum,
    Vectors(1),
    Exchange(0),
    Multiply(0),
    Vectors(1),
    Sum,
    Vectors(2),
    Vectors(1),
    Sum,
];

/// Before the iterations of a set: the residual and its norm.
const BEGINNING: [Action; 4] = [Exchange(0), Multiply(0), Vectors(2), Sum];

/// Steps of an action: an exchange posts receives, sends, and waits.
const STEPS: u64 = 3;

impl Hpcg {
    /// Makes iterations on a grid of ranks with so many points each.
    pub fn new(dims: [u32; 3], local: [u32; 3]) -> Result<Self, ProgramError> {
        check_dims(&dims)?;
        if local.into_iter().any(|side| side == 0 || side > LONGEST || !side.is_multiple_of(COARSEST)) {
            let reason =
                format!("write three multiples of {COARSEST} of at most {LONGEST}: levels halve them three times");
            return Err(ProgramError::out_of_range("local", format!("{local:?}"), reason));
        }
        Ok(Hpcg { dims, local, begins: false })
    }

    /// Returns what comes before the iterations of a set.
    #[must_use]
    pub fn beginning(self) -> Self {
        Hpcg { begins: true, ..self }
    }

    fn actions(&self) -> &'static [Action] {
        if self.begins { &BEGINNING } else { &ITERATION }
    }

    /// Returns the boxes of a level.
    fn boxes(&self, level: u32) -> Boxes {
        Boxes { dims: self.dims, sides: self.local.map(|side| u64::from(side >> level)) }
    }

    /// Returns the floating-point operations of a rank in an action.
    fn operations(&self, action: Action) -> u64 {
        let points = |level| self.boxes(level).sides.into_iter().product::<u64>();
        match action {
            Multiply(level) => 2 * ROW * points(level),
            Smooth(level) => 4 * ROW * points(level),
            Vectors(pairs) => 2 * pairs * points(0),
            Exchange(_) | Sum => 0,
        }
    }

    fn all_operations(&self, actions: &[Action]) -> u64 {
        actions.iter().map(|&action| self.operations(action)).sum()
    }

    /// Returns the levels of the exchanges.
    fn exchanges(&self) -> impl Iterator<Item = u32> {
        let level = |action: &Action| if let Exchange(level) = action { Some(*level) } else { None };
        self.actions().iter().filter_map(level)
    }

    /// Returns the neighbours of a rank in the order of their numbers, and the bytes that go to each on a level.
    fn neighbours(&self, rank: u32, level: u32) -> impl Iterator<Item = (u32, u64)> {
        let neighbour = self.boxes(level).around(rank);
        let direction = |offset: i32| [offset % 3 - 1, offset / 3 % 3 - 1, offset / 9 - 1];
        let neighbours = (0..27).filter_map(move |offset| neighbour(direction(offset)));
        neighbours.map(|(other, points)| (other, points * DOUBLE))
    }

    /// Takes a step of an exchange.
    fn exchange(&self, rank: u32, level: u32, step: u64, writer: &mut Writer<'_>) {
        for (request, (other, bytes)) in (0..).zip(self.neighbours(rank, level)) {
            match step {
                0 => writer.post(other, 0, request),
                1 => writer.send(other, 0, bytes),
                _ => writer.wait(request),
            }
        }
    }
}

impl Program for Hpcg {
    fn ranks(&self) -> u32 {
        self.dims.into_iter().product()
    }

    fn messages(&self) -> u64 {
        self.exchanges().count() as u64 * self.boxes(0).pairs()
    }

    fn bytes(&self) -> u64 {
        DOUBLE * self.exchanges().map(|level| self.boxes(level).halos()).sum::<u64>()
    }

    /// A face between two ranks, or the number that all sum.
    fn largest(&self) -> u64 {
        DOUBLE * self.boxes(0).largest_face().unwrap_or(1)
    }

    fn computations(&self) -> u64 {
        self.actions().iter().filter(|action| !matches!(action, Exchange(_) | Sum)).count() as u64
    }

    /// A wait for each message, and sums.
    fn calls(&self) -> u64 {
        let sums = self.actions().iter().filter(|action| matches!(action, Sum)).count() as u64;
        self.messages() + u64::from(self.ranks()) * sums
    }

    fn is_marked(&self) -> bool {
        !self.begins
    }

    fn mode(&self) -> SendMode {
        SendMode::Standard
    }

    fn prepare(&self) -> Box<dyn Steps> {
        Box::new(*self)
    }
}

impl Steps for Hpcg {
    fn count(&self, _: u32) -> u64 {
        STEPS * self.actions().len() as u64
    }

    fn take(&self, rank: u32, step: u64, writer: &mut Writer<'_>) {
        // At most the number of actions.
        let (number, step) = ((step / STEPS) as usize, step % STEPS);
        let actions = self.actions();
        match actions[number] {
            Exchange(level) => self.exchange(rank, level, step, writer),
            _ if step > 0 => {}
            Sum => writer.sum(1, DOUBLE),
            action => {
                let before = self.all_operations(&actions[..number]);
                writer.compute_part(before..before + self.operations(action), self.all_operations(&ITERATION));
            }
        }
    }
}

/// The keys of HPCG.
#[derive(Clone, Copy, Debug, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct HpcgKeys {
    /// Ranks in each of the three dimensions.
    #[cfg_attr(feature = "schema", schemars(extend("examples" = [[4, 4, 4]])))]
    dims: [u32; 3],
    /// Points of a rank in each dimension, `nx`, `ny` and `nz`; multiples of 8 up to 4096.
    #[cfg_attr(feature = "schema", schemars(extend("default" = [104, 104, 104])))]
    local: Option<[u32; 3]>,
}

impl ProgramKeys for HpcgKeys {
    const KIND: &'static str = "hpcg";
    const ABOUT: &'static str = "HPCG: an iteration of conjugate gradients with multigrid.";

    fn parts(self, given: Given) -> Result<Parts, ProgramError> {
        // The iterations of a set, and what comes before them.
        let hpcg = Hpcg::new(self.dims, self.local.unwrap_or([104; 3]))?;
        Ok(parts([(hpcg.beginning(), 1), (hpcg, given.iterations.unwrap_or(50))]))
    }
}
