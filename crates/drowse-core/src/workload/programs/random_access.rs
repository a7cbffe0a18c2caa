//! MPI Random Access of HPC Challenge: ranks update random words of a table that is shared among them. A rank keeps a
//! bucket of updates for each other one. When it looks as many updates ahead as it may, it sends the fullest bucket. At the
//! end it tells all others that it has finished.
//!
//! The fullest bucket is nearly always the one that was sent longest ago, so a rank goes round all others. While one bucket
//! is full, the others are half full in the mean: of P ranks that look L updates ahead, a bucket has 2 L / (P - 1) updates,
//! and one more since they are whole. Each round has an order of its own, drawn from the seed. The original takes
//! messages when they have come; here a rank takes one for each that it sends, from its second round on, so that it is
//! never more than a round ahead.

use serde::Deserialize;

use super::error::{MOST_RANKS, ProgramError, check};
use super::keys::{Given, Parts, ProgramKeys};
use super::program::{Program, Steps};
use super::writer::{Writer, parts};
use crate::model::rng::{Purpose, draw};

/// Bytes of an update.
const UPDATE: u64 = 8;
/// Tags: updates, and the end of them. No other program uses them: a rank takes updates from any other, of which those that
/// have finished may have begun the next program of a list.
const UPDATES: u32 = i32::MAX as u32 - 1;
const FINISHED: u32 = i32::MAX as u32;
/// The most updates of a rank for another.
const MOST_UPDATES: u32 = 1 << 30;

/// Ranks that update a table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RandomAccess {
    ranks: u32,
    /// Updates of a rank for each other one.
    updates: u64,
    /// How often a rank sends to all others.
    rounds: u64,
    seed: u64,
}

impl RandomAccess {
    /// Makes a program in which each rank makes `updates` updates and looks `ahead` updates ahead.
    pub fn new(ranks: u32, updates: u32, ahead: u32, seed: u64) -> Result<Self, ProgramError> {
        check("ranks", ranks, 2..=MOST_RANKS)?;
        check("updates", updates, ranks..=MOST_UPDATES)?;
        check("ahead", ahead, 1..=MOST_UPDATES)?;
        let updates = u64::from(updates / ranks);
        Ok(RandomAccess { ranks, updates, rounds: updates.div_ceil(Self::bucket(ranks, ahead)), seed })
    }

    /// Returns the updates of a bucket when it is sent.
    pub(super) fn bucket(ranks: u32, ahead: u32) -> u64 {
        2 * u64::from(ahead) / u64::from(ranks - 1) + 1
    }

    /// Returns the number of other ranks.
    fn others(&self) -> u64 {
        u64::from(self.ranks - 1)
    }

    /// Returns to whom a rank sends at a place of a round.
    fn partner(&self, rank: u32, round: u64, place: u64) -> u32 {
        let others = self.others();
        let drawn = draw(self.seed, Purpose::Buckets, rank, round);
        let (mut factor, first) = (drawn % others, (drawn >> 32) % others);
        while gcd(factor, others) != 1 {
            factor = (factor + 1) % others;
        }
        let ahead = 1 + (factor * place + first) % others;
        // A number of a rank.
        ((u64::from(rank) + ahead) % u64::from(self.ranks)) as u32
    }

    /// Returns the bytes of a rank's message to each other in a round; all rounds sum to its updates.
    fn bytes_of(&self, round: u64) -> u64 {
        UPDATE * parts(self.updates, round..round + 1, self.rounds)
    }
}

/// Returns the greatest common divisor; that of 0 and a number is the number.
fn gcd(one: u64, other: u64) -> u64 {
    if one == 0 { other } else { gcd(other % one, one) }
}

impl Program for RandomAccess {
    fn ranks(&self) -> u32 {
        self.ranks
    }

    fn messages(&self) -> u64 {
        u64::from(self.ranks) * self.others() * (self.rounds + 1)
    }

    fn bytes(&self) -> u64 {
        u64::from(self.ranks) * self.others() * UPDATE * (self.updates + 1)
    }

    fn largest(&self) -> u64 {
        UPDATE * self.updates.div_ceil(self.rounds)
    }

    fn computations(&self) -> u64 {
        self.rounds * self.others()
    }

    fn prepare(&self) -> Box<dyn Steps> {
        Box::new(*self)
    }
}

impl Steps for RandomAccess {
    /// All rounds, one in which a rank tells that it has finished, and one in which it hears that others have.
    fn count(&self, _: u32) -> u64 {
        (self.rounds + 2) * self.others()
    }

    fn take(&self, rank: u32, step: u64, writer: &mut Writer<'_>) {
        let (round, place) = (step / self.others(), step % self.others());
        if round > self.rounds {
            return writer.receive_from_any(FINISHED);
        }
        if round < self.rounds {
            writer.compute_part(step..step + 1, self.computations());
            writer.send(self.partner(rank, round, place), UPDATES, self.bytes_of(round));
        } else {
            // In the order of numbers of ranks.
            let to = place as u32;
            writer.send(to + u32::from(to >= rank), FINISHED, UPDATE);
        }
        if round > 0 {
            writer.receive_from_any(UPDATES);
        }
    }
}

/// The keys of MPI Random Access.
#[derive(Clone, Copy, Debug, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct RandomAccessKeys {
    /// Ranks, at least 2.
    #[cfg_attr(feature = "schema", schemars(extend("examples" = [64]), range(min = 2)))]
    ranks: u32,
    /// Updates that each rank makes, at least one for each rank.
    #[cfg_attr(feature = "schema", schemars(extend("examples" = [4096]), extend("x-hint" = "the updates of a rank")))]
    #[cfg_attr(feature = "schema", schemars(range(min = 2, max = 1_073_741_824)))]
    updates: u32,
    /// Updates that a rank looks ahead.
    #[cfg_attr(feature = "schema", schemars(extend("default" = 1024), range(min = 1, max = 1_073_741_824)))]
    ahead: Option<u32>,
}

impl ProgramKeys for RandomAccessKeys {
    const KIND: &'static str = "random-access";
    const ABOUT: &'static str = "MPI Random Access of HPC Challenge: all updates in an iteration.";

    fn parts(self, given: Given) -> Result<Parts, ProgramError> {
        let ahead = self.ahead.unwrap_or(1_024);
        Ok(given.iterated(RandomAccess::new(self.ranks, self.updates, ahead, given.seed)?))
    }
}
