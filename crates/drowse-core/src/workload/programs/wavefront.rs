//! A wavefront: a sweep over an open grid, from rank 0 to the last. Each rank receives from its lower neighbours, the
//! last dimension first, computes, and sends to its higher ones, the first dimension first. Several iterations follow
//! each other as in a pipeline, as the sweeps of LU and Sweep3D do.

use serde::Deserialize;

use super::error::ProgramError;
use super::grid::Grid;
use super::keys::{Given, Parts, ProgramKeys};
use super::program::{Program, Steps};
use super::writer::Writer;
use crate::model::units::Bytes;

/// A grid of ranks.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Wavefront {
    grid: Grid,
    bytes: u64,
}

impl Wavefront {
    /// Makes a grid; each message to a neighbour has `bytes` bytes.
    pub fn new(dims: Vec<u32>, bytes: u64) -> Result<Self, ProgramError> {
        Ok(Wavefront { grid: Grid::new(dims, false)?, bytes })
    }
}

impl Program for Wavefront {
    fn ranks(&self) -> u32 {
        self.grid.ranks()
    }

    fn messages(&self) -> u64 {
        self.grid.links()
    }

    fn largest(&self) -> u64 {
        self.bytes
    }

    fn prepare(&self) -> Box<dyn Steps> {
        Box::new(self.clone())
    }
}

impl Steps for Wavefront {
    fn take(&self, rank: u32, _: u64, writer: &mut Writer<'_>) {
        let (grid, bytes) = (&self.grid, self.bytes);
        grid.neighbours(rank).rev().filter_map(|[lower, _]| lower).for_each(|from| writer.receive(from, 0));
        writer.compute();
        grid.neighbours(rank).filter_map(|[_, higher]| higher).for_each(|to| writer.send(to, 0, bytes));
    }
}

/// The keys of a wavefront.
#[derive(Clone, Debug, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct WavefrontKeys {
    /// Ranks in each dimension, 1 to 10 of them.
    #[cfg_attr(feature = "schema", schemars(extend("examples" = [[8, 8]])))]
    dims: Vec<u32>,
    /// Size of each message to a neighbour.
    #[cfg_attr(feature = "schema", schemars(extend("examples" = ["8 KiB"])))]
    bytes: Bytes,
}

impl ProgramKeys for WavefrontKeys {
    const KIND: &'static str = "wavefront";
    const ABOUT: &'static str = "A sweep from one corner of an open grid to the other: each rank receives from its lower neighbours, computes, and sends to its higher ones.";

    fn parts(self, given: Given) -> Result<Parts, ProgramError> {
        Ok(given.iterated(Wavefront::new(self.dims, self.bytes.0)?))
    }
}
