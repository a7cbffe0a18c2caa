//! A butterfly: in stage n, each rank sends to the one whose number differs in bit n, and waits for its message, as in
//! an allreduce by recursive doubling. If messages grow, their size doubles from stage to stage, as in an allgather.

use serde::Deserialize;

use super::error::{MOST_RANKS, ProgramError, power_of_two};
use super::keys::{Given, Parts, ProgramKeys};
use super::program::{Program, Steps};
use super::writer::Writer;
use crate::model::units::Bytes;

/// Ranks that exchange messages over doubling distances.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Butterfly {
    /// Ranks, a power of two.
    #[cfg_attr(feature = "schema", schemars(extend("examples" = [64])))]
    ranks: u32,
    /// Size of the first messages.
    #[cfg_attr(feature = "schema", schemars(extend("examples" = ["8 KiB"])))]
    bytes: Bytes,
    /// Whether messages double from bit to bit, as in an allgather.
    #[serde(default)]
    growing: bool,
}

impl Butterfly {
    /// Makes the butterfly of a power of two of ranks; the first messages have `bytes` bytes.
    pub fn new(ranks: u32, bytes: u64, growing: bool) -> Result<Self, ProgramError> {
        power_of_two(ranks, MOST_RANKS)?;
        Ok(Butterfly { ranks, bytes: Bytes(bytes), growing })
    }

    /// Returns the size of the messages of a stage.
    fn bytes_of(&self, stage: u32) -> u64 {
        if self.growing { self.bytes.0.saturating_mul(1 << stage) } else { self.bytes.0 }
    }
}

impl ProgramKeys for Butterfly {
    const KIND: &'static str = "butterfly";
    const ABOUT: &'static str = "Exchanges with the ranks that differ in one bit of their numbers, bit by bit.";

    fn parts(self, given: Given) -> Result<Parts, ProgramError> {
        Ok(given.iterated(Butterfly::new(self.ranks, self.bytes.0, self.growing)?))
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
        u64::from(self.ranks).saturating_mul(of_a_rank.into()).saturating_mul(self.bytes.0)
    }

    fn prepare(&self) -> Box<dyn Steps> {
        Box::new(*self)
    }
}

impl Steps for Butterfly {
    fn take(&self, rank: u32, _: u64, writer: &mut Writer<'_>) {
        writer.compute();
        for stage in 0..self.ranks.ilog2() {
            let partner = rank ^ (1 << stage);
            writer.send(partner, stage, self.bytes_of(stage));
            writer.receive(partner, stage);
        }
    }
}
