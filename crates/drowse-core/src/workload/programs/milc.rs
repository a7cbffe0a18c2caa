//! MILC: lattice QCD on a periodic four-dimensional grid, by conjugate gradients with the Kogut-Susskind action and
//! Naik's term (Bernard et al. 2000, the version of Totoni et al. 2014).
//!
//! One iteration applies the operator twice, from even to odd sites and back. Each time, a rank sends to its neighbour
//! in each of eight directions the vectors of the sites of one parity: those at the face (for links of length 1), and
//! those up to three layers deep (for links of length 3). Each iteration ends with sums over all ranks, which Totoni et
//! al. 2014 leave out.

use serde::Deserialize;

use super::error::{ProgramError, check};
use super::flow::{Communication, DOUBLE, Flow, collective};
use super::grid::Grid;
use super::keys::{Given, Parts, ProgramKeys};
use super::phased::Phased;
use crate::model::units::Time;
use crate::workload::operation::Collective;

/// Three complex numbers of double precision.
const VECTOR: u64 = 48;

/// A grid of ranks, each with a partition of the lattice.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Milc {
    grid: Grid,
    local: [u32; 4],
    sums: u32,
}

impl Milc {
    /// Makes a four-dimensional grid. `local` is the number of sites per rank in each dimension, `sums` the number of
    /// sums over all ranks in an iteration.
    pub fn new(dims: Vec<u32>, local: [u32; 4], sums: u32) -> Result<Self, ProgramError> {
        let value = format!("{dims:?}");
        let is_wrong = dims.len() != 4;
        let grid = Grid::new(dims, true)?;
        if is_wrong {
            let reason = "write four numbers of ranks, such as [8, 8, 8, 8]";
            return Err(ProgramError::out_of_range("dims", value, reason));
        }
        if local.iter().any(|sites| !(4..=1024).contains(sites) || sites % 2 == 1) {
            // Links of length 3 must end at the next rank, and every rank must have equally many even and odd sites.
            let reason = "write four even numbers of sites, from 4 to 1024";
            return Err(ProgramError::out_of_range("local", format!("{local:?}"), reason));
        }
        check("sums", sums, 0..=1000)?;
        Ok(Milc { grid, local, sums })
    }
}

impl Communication for Milc {
    fn ranks(&self) -> u32 {
        self.grid.ranks()
    }

    fn flows(&self, rank: u32, visit: &mut dyn FnMut(Flow)) {
        let sites: u64 = self.local.iter().map(|&sites| u64::from(sites)).product();
        for (neighbours, length) in self.grid.neighbours(rank).zip(self.local) {
            let half_face = sites / u64::from(length) / 2;
            for to in neighbours.into_iter().flatten() {
                visit(Flow { to, messages: 2, bytes: half_face * VECTOR });
                visit(Flow { to, messages: 2, bytes: 3 * half_face * VECTOR });
            }
        }
        for _ in 0..self.sums {
            let sum = Collective::Allreduce { bytes: DOUBLE, count: 1, compute: Time::ZERO };
            collective(&sum, rank, self.ranks(), visit);
        }
    }
}

/// The keys of MILC.
#[derive(Clone, Debug, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct MilcKeys {
    /// Ranks in each of the four dimensions.
    #[cfg_attr(feature = "schema", schemars(extend("examples" = [[4, 4, 4, 4]])))]
    dims: Vec<u32>,
    /// Sites of a rank in each dimension; even numbers from 4 to 1024.
    #[cfg_attr(feature = "schema", schemars(extend("default" = [8, 8, 8, 8])))]
    local: Option<[u32; 4]>,
    /// Sums over all ranks in an iteration.
    #[cfg_attr(feature = "schema", schemars(extend("default" = 0), range(max = 1000)))]
    sums: Option<u32>,
}

impl ProgramKeys for MilcKeys {
    const KIND: &'static str = "milc";
    const ABOUT: &'static str = "MILC, lattice QCD on a periodic grid of four dimensions.";

    fn parts(self, given: Given) -> Result<Parts, ProgramError> {
        Ok(given.iterated(Phased(Milc::new(self.dims, self.local.unwrap_or([8; 4]), self.sums.unwrap_or(0))?)))
    }
}
