//! Pairs of ranks that send a message there and back, as benchmarks of latency do (OSU Micro-Benchmarks, `osu_multi_lat`).

use super::error::{MOST_RANKS, ProgramError};
use super::keys::{Given, Parts, ProgramKeys};
use super::program::{Program, Steps};
use super::writer::Writer;
use crate::model::units::Bytes;

/// Messages there and back between the ranks of a pair.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct PingPong {
    /// Ranks, an even number: rank r of the lower half is paired with rank r + `ranks`/2.
    #[cfg_attr(feature = "schema", schemars(extend("examples" = [2]), range(min = 2)))]
    pub ranks: u32,
    /// Size of each message.
    #[cfg_attr(feature = "schema", schemars(extend("examples" = ["8 B"])))]
    pub bytes: Bytes,
}

impl PingPong {
    /// Refuses ranks without a partner.
    pub fn checked(self) -> Result<Self, ProgramError> {
        if self.ranks.is_multiple_of(2) && (2..=MOST_RANKS).contains(&self.ranks) {
            return Ok(self);
        }
        let reason = format!("write an even number from 2 to {MOST_RANKS}");
        Err(ProgramError::out_of_range("ranks", self.ranks, reason))
    }
}

impl ProgramKeys for PingPong {
    const KIND: &'static str = "ping-pong";
    const ABOUT: &'static str = "Pairs of ranks send a message there and back, one pair beside the other.";

    fn parts(self, given: Given) -> Result<Parts, ProgramError> {
        Ok(given.iterated(self.checked()?))
    }
}

impl Program for PingPong {
    fn ranks(&self) -> u32 {
        self.ranks
    }

    fn messages(&self) -> u64 {
        self.ranks.into()
    }

    fn largest(&self) -> u64 {
        self.bytes.0
    }

    fn prepare(&self) -> Box<dyn Steps> {
        Box::new(*self)
    }
}

impl Steps for PingPong {
    fn take(&self, rank: u32, _step: u64, writer: &mut Writer<'_>) {
        let half = self.ranks / 2;
        writer.compute();
        if rank < half {
            writer.send(rank + half, 0, self.bytes.0);
            writer.receive(rank + half, 0);
        } else {
            writer.receive(rank - half, 0);
            writer.send(rank - half, 0, self.bytes.0);
        }
    }
}
