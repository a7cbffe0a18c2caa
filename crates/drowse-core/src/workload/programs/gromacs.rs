//! GROMACS: molecular dynamics on a grid of cells (version 4, domain decomposition by the eighth shell; Hess et al. 2008).
//!
//! A rank has the atoms of a cell. In a time step it needs the coordinates of all within the cut-off above it in each
//! dimension. Cells send them down, dimension by dimension, with what they have got in those before; where the cut-off is
//! longer than a cell, in several pulses. Forces go back in the opposite order. After a neighbour search, which begins an
//! iteration, the numbers of these atoms go before; an iteration ends with a sum of energies.
//!
//! Atoms are spread evenly. Left out: the migration of atoms, and PME.

use serde::Deserialize;

use super::error::{ProgramError, check};
use super::grid::check_dims;
use super::keys::{Given, Parts, ProgramKeys};
use super::program::{Program, Steps};
use super::writer::Writer;

/// Bytes of an atom's number, and of its coordinates or its force.
const NUMBER: u64 = 4;
const VECTOR: u64 = 12;
/// Bytes of an energy.
const ENERGY: u64 = 8;
/// Tags.
const NUMBERS: u32 = 0;
const COORDINATES: u32 = 1;
const FORCES: u32 = 2;
/// The longest side of a box, in picometres.
const LONGEST: u32 = 1_000_000;

/// A simulation of atoms in a periodic cube.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Gromacs {
    cells: [u32; 3],
    atoms: u32,
    /// The side of the cube, in picometres.
    side: u64,
    /// How far forces reach, in picometres.
    cutoff: u64,
    /// Time steps from one neighbour search to the next.
    search: u32,
    /// Energies that are summed.
    energies: u32,
}

/// Atoms in a cube whose side is in picometres, as is how far their forces reach.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Cube {
    /// How many.
    pub atoms: u32,
    /// The side.
    pub side: u32,
    /// The cut-off.
    pub cutoff: u32,
}

/// A message to the next cell below in a dimension.
#[derive(Clone, Copy)]
struct Pulse {
    axis: usize,
    /// How many cells away the atoms are from.
    distance: u64,
}

impl Gromacs {
    /// Makes a simulation on a grid of cells.
    pub fn new(cells: [u32; 3], cube: Cube, search: u32, energies: u32) -> Result<Self, ProgramError> {
        check_dims(&cells)?;
        check("atoms", cube.atoms, 1..=1 << 29)?;
        check("side", cube.side, 1..=LONGEST)?;
        check("search", search, 1..=100_000)?;
        check("energies", energies, 1..=1 << 20)?;
        let (side, cutoff) = (cube.side.into(), cube.cutoff.into());
        let gromacs = Gromacs { cells, atoms: cube.atoms, side, cutoff, search, energies };
        if cube.cutoff == 0 || (0..3).any(|axis| gromacs.pulses(axis) >= gromacs.cells[axis].max(2).into()) {
            let reason = "write more than 0, and so much less than `side` that a cell does not reach itself";
            return Err(ProgramError::out_of_range("cutoff", f64::from(cube.cutoff) / 1e3, reason));
        }
        Ok(gromacs)
    }

    /// Returns the messages of a cell in a dimension.
    fn pulses(&self, axis: usize) -> u64 {
        let cells = u64::from(self.cells[axis]);
        if cells > 1 { (self.cutoff * cells).div_ceil(self.side) } else { 0 }
    }

    /// Returns the messages of a cell in all dimensions.
    fn all_pulses(&self) -> u64 {
        (0..3).map(|axis| self.pulses(axis)).sum()
    }

    /// Returns one of the messages of a cell.
    fn pulse(&self, mut number: u64) -> Pulse {
        let mut axis = 0;
        while axis < 2 && number >= self.pulses(axis) {
            number -= self.pulses(axis);
            axis += 1;
        }
        Pulse { axis, distance: number }
    }

    /// Returns the atoms of a message: those of a slice of a cell, widened by the cut-off in the dimensions before.
    fn atoms(&self, Pulse { axis, distance }: Pulse) -> u64 {
        let length = |other: usize| {
            let cells = u64::from(self.cells[other]);
            // In parts of a picometre, of which a picometre has as many as there are cells.
            match other.cmp(&axis) {
                std::cmp::Ordering::Less if cells > 1 => self.side + self.cutoff * cells,
                std::cmp::Ordering::Equal => self.side.min(self.cutoff * cells - distance * self.side),
                _ => self.side,
            }
        };
        let volume: u128 = (0..3).map(|other| u128::from(length(other))).product();
        let cells: u128 = self.cells.into_iter().map(u128::from).product();
        let all = cells * u128::from(self.side).pow(3);
        // At most a few times the atoms.
        (u128::from(self.atoms) * volume / all) as u64
    }

    /// Returns the atoms of all messages of a cell.
    fn all_atoms(&self) -> u64 {
        (0..self.all_pulses()).map(|number| self.atoms(self.pulse(number))).sum()
    }

    /// Returns the cells below and above another in a dimension.
    fn neighbours(&self, rank: u32, axis: usize) -> [u32; 2] {
        let stride: u32 = self.cells[..axis].iter().product();
        let (cells, place) = (self.cells[axis], rank / stride % self.cells[axis]);
        [cells - 1, 1].map(|ahead| rank - place * stride + (place + ahead) % cells * stride)
    }

    /// Sends what a message has down, or back up.
    fn send(&self, rank: u32, pulse: Pulse, tag: u32, bytes: u64, writer: &mut Writer<'_>) {
        let [down, up] = self.neighbours(rank, pulse.axis);
        writer.exchange(if tag == FORCES { [up, down] } else { [down, up] }, tag, self.atoms(pulse) * bytes);
    }
}

impl Program for Gromacs {
    fn ranks(&self) -> u32 {
        self.cells.into_iter().product()
    }

    fn messages(&self) -> u64 {
        u64::from(self.ranks()) * self.all_pulses() * (1 + 2 * u64::from(self.search))
    }

    fn bytes(&self) -> u64 {
        let of_an_atom = NUMBER + 2 * VECTOR * u64::from(self.search);
        u64::from(self.ranks()) * self.all_atoms() * of_an_atom
    }

    fn largest(&self) -> u64 {
        let most = (0..self.all_pulses()).map(|number| self.atoms(self.pulse(number))).max().unwrap_or(0);
        (most * VECTOR).max(u64::from(self.energies) * ENERGY)
    }

    /// Once in a time step.
    fn computations(&self) -> u64 {
        self.search.into()
    }

    /// A wait for each message, and a sum.
    fn calls(&self) -> u64 {
        self.messages() + u64::from(self.ranks())
    }

    fn prepare(&self) -> Box<dyn Steps> {
        Box::new(*self)
    }
}

impl Steps for Gromacs {
    /// The numbers of atoms; coordinates, a computation and forces in each time step; and the sum.
    fn count(&self, _: u32) -> u64 {
        let pulses = self.all_pulses();
        pulses + u64::from(self.search) * (2 * pulses + 1) + 1
    }

    fn take(&self, rank: u32, step: u64, writer: &mut Writer<'_>) {
        let pulses = self.all_pulses();
        let Some(after) = step.checked_sub(pulses) else {
            return self.send(rank, self.pulse(step), NUMBERS, NUMBER, writer);
        };
        let (time_step, within) = (after / (2 * pulses + 1), after % (2 * pulses + 1));
        if time_step == u64::from(self.search) {
            writer.sum(self.energies.into(), ENERGY);
        } else if within < pulses {
            self.send(rank, self.pulse(within), COORDINATES, VECTOR, writer);
        } else if within == pulses {
            writer.compute_part(time_step..time_step + 1, self.search.into());
        } else {
            self.send(rank, self.pulse(2 * pulses - within), FORCES, VECTOR, writer);
        }
    }
}

/// The keys of GROMACS.
#[derive(Clone, Copy, Debug, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct GromacsKeys {
    /// Ranks in each of the three dimensions: the grid of cells.
    #[cfg_attr(feature = "schema", schemars(extend("examples" = [[8, 8, 8]])))]
    dims: [u32; 3],
    /// Atoms, virtual ones included.
    #[cfg_attr(feature = "schema", schemars(extend("default" = 12_000), range(min = 1)))]
    atoms: Option<u32>,
    /// The side of the periodic cube, in nanometres, at most 1,000.
    #[cfg_attr(feature = "schema", schemars(extend("default" = 5.6), range(min = 0, max = 1000)))]
    side: Option<f64>,
    /// How far forces reach, in nanometres.
    #[cfg_attr(feature = "schema", schemars(extend("default" = 0.9), range(min = 0, max = 1000)))]
    cutoff: Option<f64>,
    /// Time steps of an iteration, from one neighbour search to the next.
    #[cfg_attr(feature = "schema", schemars(extend("default" = 10), range(min = 1, max = 100_000)))]
    search: Option<u32>,
    /// Energies that are summed over all ranks in an iteration.
    #[cfg_attr(feature = "schema", schemars(extend("default" = 64), range(min = 1, max = 1_048_576)))]
    energies: Option<u32>,
}

impl ProgramKeys for GromacsKeys {
    const KIND: &'static str = "gromacs";
    const ABOUT: &'static str = "GROMACS: molecular dynamics on a grid of cells.";

    fn parts(self, given: Given) -> Result<Parts, ProgramError> {
        let cube = Cube {
            atoms: self.atoms.unwrap_or(12_000),
            side: picometres("side", self.side.unwrap_or(5.6))?,
            cutoff: picometres("cutoff", self.cutoff.unwrap_or(0.9))?,
        };
        let (search, energies) = (self.search.unwrap_or(10), self.energies.unwrap_or(64));
        Ok(given.iterated(Gromacs::new(self.dims, cube, search, energies)?))
    }
}

/// Converts nanometres.
fn picometres(key: &'static str, nanometres: f64) -> Result<u32, ProgramError> {
    if (0.0..=1_000.0).contains(&nanometres) {
        // At most a million.
        #[expect(clippy::cast_sign_loss, reason = "not negative")]
        return Ok((nanometres * 1e3).round() as u32);
    }
    let reason = "write a number of nanometres from 0 to 1000";
    Err(ProgramError::out_of_range(key, nanometres, reason))
}
