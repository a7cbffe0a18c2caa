//! Neighbours on an open grid: each rank sends to all of its neighbours, dimension by dimension, the higher one first;
//! then it receives from all higher ones, and then from all lower ones.

use super::steps::{Program, Steps, Writer};
use crate::workload::graph::{GraphError, check_dims};

/// A grid of ranks.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mesh {
    pub(super) grid: Grid,
    bytes: u64,
}

/// An open grid of ranks, whose first dimension has consecutive ones.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Grid(Vec<u32>);

impl Grid {
    /// Makes a grid.
    pub fn new(dims: Vec<u32>) -> Result<Self, GraphError> {
        check_dims(&dims)?;
        Ok(Grid(dims))
    }

    /// Returns the number of ranks.
    pub fn ranks(&self) -> u32 {
        self.0.iter().product()
    }

    /// Returns the number of pairs of neighbours.
    pub fn pairs(&self) -> u64 {
        let ranks = u64::from(self.ranks());
        self.0.iter().map(|&size| ranks / u64::from(size) * u64::from(size - 1)).sum()
    }

    /// Returns the lower and the higher neighbour of a rank in each dimension.
    pub fn neighbours(&self, rank: u32) -> impl DoubleEndedIterator<Item = [Option<u32>; 2]> + '_ {
        let place = move |d: usize| {
            let unit: u32 = self.0[..d].iter().product();
            let x = rank / unit % self.0[d];
            [(x > 0).then(|| rank - unit), (x + 1 < self.0[d]).then(|| rank + unit)]
        };
        (0..self.0.len()).map(place)
    }
}

impl Mesh {
    /// Makes a grid; each message to a neighbour has `bytes` bytes.
    pub fn new(dims: Vec<u32>, bytes: u64) -> Result<Self, GraphError> {
        Ok(Mesh { grid: Grid::new(dims)?, bytes })
    }
}

impl Program for Mesh {
    fn ranks(&self) -> u32 {
        self.grid.ranks()
    }

    fn messages(&self) -> u64 {
        2 * self.grid.pairs()
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
