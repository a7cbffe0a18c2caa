//! Random graphs: every rank sends messages to uniformly drawn other ranks.

use super::error::{GraphError, MOST_RANKS, check};
use super::flow::{Communication, Flow};
use crate::model::rng::{Purpose, Stream};

/// Ranks that send to random others.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Random {
    ranks: u32,
    degree: u32,
    bytes: u64,
    seed: u64,
}

impl Random {
    /// Makes the graph in which each rank sends `degree` messages, each to a newly drawn rank.
    pub fn new(ranks: u32, degree: u32, bytes: u64, seed: u64) -> Result<Self, GraphError> {
        check("ranks", ranks, 2..=MOST_RANKS)?;
        check("degree", degree, 1..=65_536)?;
        Ok(Random { ranks, degree, bytes, seed })
    }
}

impl Communication for Random {
    fn ranks(&self) -> u32 {
        self.ranks
    }

    fn flows(&self, rank: u32, visit: &mut dyn FnMut(Flow)) {
        let mut stream = Stream::new(self.seed, Purpose::Graph, rank);
        for _ in 0..self.degree {
            let drawn = stream.below(self.ranks - 1);
            visit(Flow { to: drawn + u32::from(drawn >= rank), messages: 1, bytes: self.bytes });
        }
    }
}
