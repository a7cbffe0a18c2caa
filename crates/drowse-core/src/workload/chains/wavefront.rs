//! A wavefront: a sweep over an open grid, from rank 0 to the last. Each rank receives from its lower neighbours, the
//! last dimension first, computes, and sends to its higher ones, the first dimension first. Several iterations follow
//! each other as in a pipeline, as the sweeps of LU and Sweep3D do.

use super::mesh::Grid;
use super::steps::{Program, Steps, Writer};
use crate::workload::graph::GraphError;

/// A grid of ranks.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Wavefront {
    grid: Grid,
    bytes: u64,
}

impl Wavefront {
    /// Makes a grid; each message to a neighbour has `bytes` bytes.
    pub fn new(dims: Vec<u32>, bytes: u64) -> Result<Self, GraphError> {
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
    fn count(&self, _: u32) -> u64 {
        1
    }

    fn take(&self, rank: u32, _: u64, writer: &mut Writer<'_>) {
        let (grid, bytes) = (&self.grid, self.bytes);
        grid.neighbours(rank).rev().filter_map(|[lower, _]| lower).for_each(|from| writer.receive(from, 0));
        writer.compute();
        grid.neighbours(rank).filter_map(|[_, higher]| higher).for_each(|to| writer.send(to, 0, bytes));
    }
}
