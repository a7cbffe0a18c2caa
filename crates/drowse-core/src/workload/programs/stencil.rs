//! Stencils: ranks on a grid, each of which sends to its neighbours (Totoni et al. 2014, section 2.4).
//!
//! In the order of the program, each rank sends to all of its neighbours, dimension by dimension, the higher one first;
//! then it receives from all higher ones, and then from all lower ones.

use serde::Deserialize;

use super::error::ProgramError;
use super::flow::{Communication, Flow};
use super::grid::Grid;
use super::keys::{Given, Order, Parts, ProgramKeys};
use super::program::{Program, Steps};
use super::writer::Writer;
use crate::model::units::Bytes;

/// A grid of ranks.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Stencil {
    grid: Grid,
    bytes: u64,
}

impl Stencil {
    /// Makes an open grid, or a torus; each message to a neighbour has `bytes` bytes.
    pub fn new(dims: Vec<u32>, periodic: bool, bytes: u64) -> Result<Self, ProgramError> {
        Ok(Stencil { grid: Grid::new(dims, periodic)?, bytes })
    }
}

impl Communication for Stencil {
    fn ranks(&self) -> u32 {
        self.grid.ranks()
    }

    fn flows(&self, rank: u32, visit: &mut dyn FnMut(Flow)) {
        let all = self.grid.neighbours(rank).flatten().flatten();
        all.for_each(|to| visit(Flow { to, messages: 1, bytes: self.bytes }));
    }
}

impl Program for Stencil {
    fn ranks(&self) -> u32 {
        self.grid.ranks()
    }

    fn messages(&self) -> u64 {
        2 * self.grid.links()
    }

    fn largest(&self) -> u64 {
        self.bytes
    }

    fn prepare(&self) -> Box<dyn Steps> {
        Box::new(self.clone())
    }
}

impl Steps for Stencil {
    fn take(&self, rank: u32, _: u64, writer: &mut Writer<'_>) {
        writer.compute();
        let (grid, bytes) = (&self.grid, self.bytes);
        let all = grid.neighbours(rank).flat_map(|[lower, higher]| [higher, lower]).flatten();
        all.for_each(|to| writer.send(to, 0, bytes));
        let lower = grid.neighbours(rank).filter_map(|[lower, _]| lower);
        let higher = grid.neighbours(rank).filter_map(|[_, higher]| higher);
        higher.chain(lower).for_each(|from| writer.receive(from, 0));
    }
}

/// The keys of a stencil.
#[derive(Clone, Debug, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct StencilKeys {
    /// Ranks in each dimension, 1 to 10 of them.
    #[cfg_attr(feature = "schema", schemars(extend("examples" = [[8, 8]])))]
    dims: Vec<u32>,
    /// Whether the grid is closed to a torus.
    #[cfg_attr(feature = "schema", schemars(extend("default" = true)))]
    periodic: Option<bool>,
    /// Size of each message to a neighbour.
    #[cfg_attr(feature = "schema", schemars(extend("examples" = ["8 KiB"])))]
    bytes: Bytes,
    /// In which order an iteration sends its messages; `program`: to one neighbour after the other, and then ranks
    /// receive.
    #[cfg_attr(feature = "schema", schemars(extend("default" = "phases")))]
    order: Option<Order>,
}

impl ProgramKeys for StencilKeys {
    const KIND: &'static str = "stencil";
    const ABOUT: &'static str = "A grid of ranks that send to their neighbours.";

    fn parts(self, given: Given) -> Result<Parts, ProgramError> {
        Ok(given.ordered(self.order, Stencil::new(self.dims, self.periodic.unwrap_or(true), self.bytes.0)?))
    }
}
