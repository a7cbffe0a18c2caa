//! The share of a sweep that a shard runs, and how it is written.

use std::fmt;
use std::str::FromStr;

/// One of so many shares of a sweep, counted from 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Shard {
    /// All shards.
    pub of: u64,
    /// Which of them.
    pub number: u64,
}

impl Shard {
    /// Returns all shards of so many.
    pub fn all(of: u64) -> impl Iterator<Item = Shard> {
        (1..=of).map(move |number| Shard { of, number })
    }

    /// Returns the shard of so many that runs an item, by its place among the cases and baselines that are run.
    pub fn with(item: u64, of: u64) -> Shard {
        let round = item / of;
        // Multiplied by the golden ratio: a hash of the round, and 0 for the first.
        let first = (round.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 32) % of;
        Shard { of, number: (item + first) % of + 1 }
    }

    /// Picks the items of this shard.
    pub fn pick<T>(self, items: impl IntoIterator<Item = T>) -> impl Iterator<Item = T> {
        (0..).zip(items).filter(move |&(item, _)| Shard::with(item, self.of) == self).map(|(_, item)| item)
    }
}

/// What is wrong with the text of a shard.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ShardError {
    /// It is not two numbers.
    #[error("write it as K/N, such as 1/4 for the first of four")]
    NotTwoNumbers,
    /// There is no such shard.
    #[error("shards count from 1 to N, such as 1/4 to 4/4")]
    OutOfRange,
}

impl FromStr for Shard {
    type Err = ShardError;

    fn from_str(text: &str) -> Result<Self, ShardError> {
        let number = |digits: &str| digits.parse().map_err(|_| ShardError::NotTwoNumbers);
        let (first, of) = text.split_once('/').ok_or(ShardError::NotTwoNumbers)?;
        let shard = Shard { number: number(first)?, of: number(of)? };
        if (1..=shard.of).contains(&shard.number) { Ok(shard) } else { Err(ShardError::OutOfRange) }
    }
}

impl fmt::Display for Shard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.number, self.of)
    }
}
