//! One rank and all others: the root sends to the ranks that follow it, one after the other, or receives from them in that
//! order.

use serde::Deserialize;

use super::error::{MOST_RANKS, ProgramError, check};
use super::keys::{Given, Parts, ProgramKeys};
use super::program::{Program, Steps};
use super::writer::Writer;
use crate::model::units::Bytes;

/// Who sends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Way {
    /// The root.
    OneToAll,
    /// All others.
    AllToOne,
}

/// A root and all others.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OneAndAll {
    way: Way,
    ranks: u32,
    root: u32,
    bytes: u64,
}

impl OneAndAll {
    /// Makes the program of messages of `bytes` bytes.
    pub fn new(way: Way, ranks: u32, root: u32, bytes: u64) -> Result<Self, ProgramError> {
        check("ranks", ranks, 1..=MOST_RANKS)?;
        check("root", root, 0..=ranks - 1)?;
        Ok(OneAndAll { way, ranks, root, bytes })
    }
}

impl Program for OneAndAll {
    fn ranks(&self) -> u32 {
        self.ranks
    }

    fn messages(&self) -> u64 {
        u64::from(self.ranks - 1)
    }

    fn largest(&self) -> u64 {
        self.bytes
    }

    fn prepare(&self) -> Box<dyn Steps> {
        Box::new(*self)
    }
}

impl Steps for OneAndAll {
    /// A computation, and the messages.
    fn count(&self, rank: u32) -> u64 {
        if rank == self.root { self.ranks.into() } else { 2 }
    }

    fn take(&self, rank: u32, step: u64, writer: &mut Writer<'_>) {
        let is_root = rank == self.root;
        // At most the number of ranks.
        #[expect(clippy::cast_possible_truncation, reason = "steps are at most 2^28")]
        let other = if is_root { (self.root + step as u32) % self.ranks } else { self.root };
        match (step, is_root == (self.way == Way::OneToAll)) {
            (0, _) => writer.compute(),
            (_, true) => writer.send(other, 0, self.bytes),
            (_, false) => writer.receive(other, 0),
        }
    }
}

/// The keys of one rank and all others.
#[derive(Clone, Copy, Debug, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename = "OneAndAll"))]
#[serde(deny_unknown_fields)]
pub struct OneAndAllKeys<const TO_ONE: bool> {
    /// Ranks.
    #[cfg_attr(feature = "schema", schemars(extend("examples" = [64])))]
    ranks: u32,
    /// The one rank.
    #[cfg_attr(feature = "schema", schemars(extend("default" = 0), range(min = 0)))]
    root: Option<u32>,
    /// Size of each message.
    #[cfg_attr(feature = "schema", schemars(extend("examples" = ["8 KiB"])))]
    bytes: Bytes,
}

impl<const TO_ONE: bool> ProgramKeys for OneAndAllKeys<TO_ONE> {
    const KIND: &'static str = if TO_ONE { "all-to-one" } else { "one-to-all" };
    const ABOUT: &'static str = if TO_ONE {
        "One rank receives from every other, one after the other."
    } else {
        "One rank sends to every other, one after the other."
    };

    fn parts(self, given: Given) -> Result<Parts, ProgramError> {
        let way = if TO_ONE { Way::AllToOne } else { Way::OneToAll };
        Ok(given.iterated(OneAndAll::new(way, self.ranks, self.root.unwrap_or(0), self.bytes.0)?))
    }
}
