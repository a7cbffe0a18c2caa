//! A reduction to rank 0 over a binary tree: at level n, each multiple of 2^(n+1) receives from the rank 2^n above it,
//! which sends what it has and ends.

use serde::Deserialize;

use super::error::{MOST_RANKS, ProgramError, power_of_two};
use super::keys::{Given, Parts, ProgramKeys};
use super::program::{Program, Steps};
use super::writer::Writer;
use crate::model::units::Bytes;

/// Ranks that reduce to rank 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct BinaryTree {
    /// Ranks, a power of two.
    #[cfg_attr(feature = "schema", schemars(extend("examples" = [64])))]
    ranks: u32,
    /// Size of each message.
    #[cfg_attr(feature = "schema", schemars(extend("examples" = ["8 KiB"])))]
    bytes: Bytes,
}

impl BinaryTree {
    /// Makes the reduction of a power of two of ranks, by messages of `bytes` bytes.
    pub fn new(ranks: u32, bytes: u64) -> Result<Self, ProgramError> {
        power_of_two(ranks, MOST_RANKS)?;
        Ok(BinaryTree { ranks, bytes: Bytes(bytes) })
    }
}

impl ProgramKeys for BinaryTree {
    const KIND: &'static str = "binary-tree";
    const ABOUT: &'static str = "A reduction to rank 0 over a binary tree.";

    fn parts(self, given: Given) -> Result<Parts, ProgramError> {
        Ok(given.iterated(BinaryTree::new(self.ranks, self.bytes.0)?))
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
        self.bytes.0
    }

    fn prepare(&self) -> Box<dyn Steps> {
        Box::new(*self)
    }
}

impl Steps for BinaryTree {
    fn take(&self, rank: u32, _: u64, writer: &mut Writer<'_>) {
        writer.compute();
        for level in 0..self.ranks.ilog2() {
            let distance = 1 << level;
            if rank & distance != 0 {
                writer.send(rank - distance, 0, self.bytes.0);
                return;
            }
            writer.receive(rank + distance, 0);
        }
    }
}
