//! A butterfly: in stage n, each rank sends to the one whose number differs in bit n, and waits for its message, as in
//! an allreduce by recursive doubling. If messages grow, their size doubles from stage to stage, as in an allgather.

use super::steps::{Program, Steps, Writer};
use crate::workload::graph::{GraphError, MOST_RANKS, power_of_two};

/// Ranks that exchange messages over doubling distances.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Butterfly {
    ranks: u32,
    bytes: u64,
    growing: bool,
}

impl Butterfly {
    /// Makes the butterfly of a power of two of ranks; the first messages have `bytes` bytes.
    pub fn new(ranks: u32, bytes: u64, growing: bool) -> Result<Self, GraphError> {
        power_of_two(ranks, MOST_RANKS)?;
        Ok(Butterfly { ranks, bytes, growing })
    }

    /// Returns the size of the messages of a stage.
    fn bytes_of(&self, stage: u32) -> u64 {
        if self.growing { self.bytes.saturating_mul(1 << stage) } else { self.bytes }
    }
}

impl Program for Butterfly {
    fn ranks(&self) -> u32 {
        self.ranks
    }

    fn messages(&self) -> u64 {
        u64::from(self.ranks) * u64::from(self.ranks.ilog2())
    }

    fn largest(&self) -> u64 {
        self.bytes_of(self.ranks.ilog2().saturating_sub(1))
    }

    /// Growing sizes sum to those of an allgather: each rank has what the others began with.
    fn bytes(&self) -> u64 {
        let of_a_rank = if self.growing { self.ranks - 1 } else { self.ranks.ilog2() };
        u64::from(self.ranks).saturating_mul(of_a_rank.into()).saturating_mul(self.bytes)
    }

    fn prepare(&self) -> Box<dyn Steps> {
        Box::new(*self)
    }
}

impl Steps for Butterfly {
    fn count(&self, _: u32) -> u64 {
        1
    }

    fn take(&self, rank: u32, _: u64, writer: &mut Writer<'_>) {
        writer.compute();
        for stage in 0..self.ranks.ilog2() {
            let partner = rank ^ (1 << stage);
            writer.send(partner, stage, self.bytes_of(stage));
            writer.receive(partner, stage);
        }
    }
}
