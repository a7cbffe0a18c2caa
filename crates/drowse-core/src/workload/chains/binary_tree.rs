//! A reduction to rank 0 over a binary tree: at level n, each multiple of 2^(n+1) receives from the rank 2^n above it,
//! which sends what it has and ends.

use super::steps::{Program, Steps, Writer};
use crate::workload::graph::{GraphError, MOST_RANKS, power_of_two};

/// Ranks that reduce to rank 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BinaryTree {
    ranks: u32,
    bytes: u64,
}

impl BinaryTree {
    /// Makes the reduction of a power of two of ranks, by messages of `bytes` bytes.
    pub fn new(ranks: u32, bytes: u64) -> Result<Self, GraphError> {
        power_of_two(ranks, MOST_RANKS)?;
        Ok(BinaryTree { ranks, bytes })
    }
}

impl Program for BinaryTree {
    fn ranks(&self) -> u32 {
        self.ranks
    }

    fn messages(&self) -> u64 {
        u64::from(self.ranks) - 1
    }

    fn largest(&self) -> u64 {
        self.bytes
    }

    fn prepare(&self) -> Box<dyn Steps> {
        Box::new(*self)
    }
}

impl Steps for BinaryTree {
    fn count(&self, _: u32) -> u64 {
        1
    }

    fn take(&self, rank: u32, _: u64, writer: &mut Writer<'_>) {
        writer.compute();
        for level in 0..self.ranks.ilog2() {
            let distance = 1 << level;
            if rank & distance != 0 {
                writer.send(rank - distance, 0, self.bytes);
                return;
            }
            writer.receive(rank + distance, 0);
        }
    }
}
