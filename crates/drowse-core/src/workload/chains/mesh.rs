//! Neighbours on an open grid or a torus: each rank sends to all of its neighbours, dimension by dimension, the higher one
//! first; then it receives from all higher ones, and then from all lower ones.

use super::steps::{Program, Steps, Writer};
use crate::workload::graph::{GraphError, check_dims};

/// A grid of ranks.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mesh {
    pub(super) grid: Grid,
    bytes: u64,
}

/// A grid of ranks, whose first dimension has consecutive ones.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Grid {
    dims: Vec<u32>,
    /// Whether it is closed to a torus.
    periodic: bool,
}

impl Grid {
    /// Makes an open grid, or a torus.
    pub fn new(dims: Vec<u32>, periodic: bool) -> Result<Self, GraphError> {
        check_dims(&dims)?;
        Ok(Grid { dims, periodic })
    }

    /// Returns the number of ranks.
    pub fn ranks(&self) -> u32 {
        self.dims.iter().product()
    }

    /// Returns the number of links between neighbours; in a torus, two ranks of a dimension have two.
    pub fn links(&self) -> u64 {
        let ranks = u64::from(self.ranks());
        let of_a_line = |size: u32| u64::from(if self.periodic && size > 1 { size } else { size - 1 });
        self.dims.iter().map(|&size| ranks / u64::from(size) * of_a_line(size)).sum()
    }

    /// Returns the lower and the higher neighbour of a rank in each dimension.
    pub fn neighbours(&self, rank: u32) -> impl DoubleEndedIterator<Item = [Option<u32>; 2]> + '_ {
        let place = move |d: usize| {
            let (unit, size): (u32, u32) = (self.dims[..d].iter().product(), self.dims[d]);
            let x = rank / unit % size;
            let at = |y: u32| rank - x * unit + y * unit;
            let around = self.periodic && size > 1;
            let lower = (x > 0 || around).then(|| at((x + size - 1) % size));
            [lower, (x + 1 < size || around).then(|| at((x + 1) % size))]
        };
        (0..self.dims.len()).map(place)
    }
}

impl Mesh {
    /// Makes an open grid, or a torus; each message to a neighbour has `bytes` bytes.
    pub fn new(dims: Vec<u32>, periodic: bool, bytes: u64) -> Result<Self, GraphError> {
        Ok(Mesh { grid: Grid::new(dims, periodic)?, bytes })
    }
}

impl Program for Mesh {
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

impl Steps for Mesh {
    fn count(&self, _: u32) -> u64 {
        1
    }

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
