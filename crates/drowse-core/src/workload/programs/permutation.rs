//! Permutations: every rank sends to one rank, and receives from one. The rules are those of traffic patterns, with ranks
//! in place of nodes, and two of INRFlow. A rank that is sent to itself sends nothing.

use serde::Deserialize;

use super::error::{MOST_RANKS, ProgramError, check};
use super::flow::{Communication, Flow};
use super::keys::{Given, Parts, ProgramKeys};
use super::phased::Phased;
use crate::model::units::Bytes;
use crate::workload::traffic::PatternError;
use crate::workload::traffic::pattern::{bit_reversal, complement, permutation, shuffle, tornado, transpose};

/// Whom a rank sends to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Rule {
    /// The rank so many places ahead, around the end.
    Shift(u32),
    /// The rank ceil(N / 2) - 1 places ahead, around the end.
    Tornado,
    /// Rank r sends to rank N - 1 - r.
    Complement,
    /// The halves of the bits of a rank's number change places.
    Transpose,
    /// The bits of a rank's number in reverse order.
    BitReversal,
    /// The bits of a rank's number, rotated up by one.
    Shuffle,
    /// Ranks form random pairs, whose ranks send to each other; one is left where there are an odd number.
    Bisection,
    /// Drawn at random.
    Random,
}

/// Ranks that send to one each.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Permutation {
    /// Whom each rank sends to.
    to: Vec<u32>,
    messages: u32,
    bytes: u64,
}

impl Permutation {
    /// Makes the graph in which each rank sends so many messages of `bytes` bytes.
    pub fn new(ranks: u32, rule: Rule, messages: u32, bytes: u64, seed: u64) -> Result<Self, ProgramError> {
        check("ranks", ranks, 1..=MOST_RANKS)?;
        check("messages", messages, 1..=65_536)?;
        if let Rule::Shift(by) = rule {
            check("by", by, 0..=ranks - 1)?;
        }
        let to = match rule {
            Rule::Shift(by) => Ok((0..ranks).map(|rank| (rank + by) % ranks).collect()),
            Rule::Tornado => Ok((0..ranks).map(|rank| tornado::up(rank, ranks)).collect()),
            Rule::Complement => Ok(complement::table(ranks)),
            Rule::Transpose => transpose::table(ranks),
            Rule::BitReversal => bit_reversal::table(ranks),
            Rule::Shuffle => shuffle::table(ranks),
            Rule::Bisection => Ok(pairs(&permutation::table(ranks, seed))),
            Rule::Random => Ok(permutation::table(ranks, seed)),
        };
        let to = to.map_err(|error| refused(ranks, &error))?;
        Ok(Permutation { to, messages, bytes })
    }
}

/// Says which numbers of ranks a rule has.
fn refused(ranks: u32, error: &PatternError) -> ProgramError {
    let power = if matches!(error, PatternError::OddBits { .. }) { "four" } else { "two" };
    let reason = format!("write a power of {power}, since this pattern permutes the bits of ranks' numbers");
    ProgramError::out_of_range("ranks", ranks, reason)
}

/// Pairs those that follow each other in a list.
fn pairs(order: &[u32]) -> Vec<u32> {
    let mut to: Vec<u32> = (0..order.len() as u32).collect();
    for pair in order.chunks_exact(2) {
        to.swap(pair[0] as usize, pair[1] as usize);
    }
    to
}

impl Communication for Permutation {
    fn ranks(&self) -> u32 {
        self.to.len() as u32
    }

    fn flows(&self, rank: u32, visit: &mut dyn FnMut(Flow)) {
        visit(Flow { to: self.to[rank as usize], messages: self.messages.into(), bytes: self.bytes });
    }
}

/// The keys of a permutation.
#[derive(Clone, Copy, Debug, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct PermutationKeys {
    /// Ranks; a power of two for `bit-reversal` and `shuffle`, of four for `transpose`.
    #[cfg_attr(feature = "schema", schemars(extend("examples" = [64])))]
    ranks: u32,
    /// Whom each rank sends to.
    #[cfg_attr(feature = "schema", schemars(extend("examples" = ["tornado"])))]
    pattern: PermutationPattern,
    /// How far ahead (`pattern = "shift"`).
    #[cfg_attr(feature = "schema", schemars(extend("default" = 1), range(min = 0)))]
    by: Option<u32>,
    /// Messages of each rank.
    #[cfg_attr(feature = "schema", schemars(extend("default" = 1), range(min = 1, max = 65_536)))]
    messages: Option<u32>,
    /// Size of each message.
    #[cfg_attr(feature = "schema", schemars(extend("examples" = ["8 KiB"])))]
    bytes: Bytes,
}

/// Whom a rank sends to, by its word.
#[derive(Clone, Copy, Debug, Deserialize, PartialEq, Eq)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum PermutationPattern {
    /// The rank that is `by` ranks ahead, around the end.
    Shift,
    /// The rank that is half of the ranks less one ahead, around the end.
    Tornado,
    /// Rank r of N sends to rank N - 1 - r.
    Complement,
    /// The upper half of the bits of a rank's number changes places with the lower half.
    Transpose,
    /// The bits of a rank's number in reverse order.
    BitReversal,
    /// The bits of a rank's number, rotated up by one (a perfect shuffle).
    Shuffle,
    /// Ranks form pairs, drawn from the seed of the job, and send to each other.
    Bisection,
    /// Drawn from the seed of the job.
    Random,
}

impl ProgramKeys for PermutationKeys {
    const KIND: &'static str = "permutation";
    const ABOUT: &'static str = "Every rank sends to one, and receives from one.";

    fn parts(self, given: Given) -> Result<Parts, ProgramError> {
        let PermutationKeys { ranks, pattern, by, messages, bytes } = self;
        if let Some(by) = by.filter(|_| pattern != PermutationPattern::Shift) {
            let reason = "only a shift goes by a number of ranks: leave it out";
            return Err(ProgramError::out_of_range("by", by, reason));
        }
        let rule = match pattern {
            PermutationPattern::Shift => Rule::Shift(by.unwrap_or(1)),
            PermutationPattern::Tornado => Rule::Tornado,
            PermutationPattern::Complement => Rule::Complement,
            PermutationPattern::Transpose => Rule::Transpose,
            PermutationPattern::BitReversal => Rule::BitReversal,
            PermutationPattern::Shuffle => Rule::Shuffle,
            PermutationPattern::Bisection => Rule::Bisection,
            PermutationPattern::Random => Rule::Random,
        };
        let permutation = Permutation::new(ranks, rule, messages.unwrap_or(1), bytes.0, given.seed)?;
        Ok(given.iterated(Phased(permutation)))
    }
}
