//! Permutations: every rank sends to one rank, and receives from one. The rules are those of traffic patterns, with ranks
//! in place of nodes, and two of INRFlow. A rank that is sent to itself sends nothing.

use super::error::{GraphError, MOST_RANKS, check};
use super::flow::{Communication, Flow};
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
    pub fn new(ranks: u32, rule: Rule, messages: u32, bytes: u64, seed: u64) -> Result<Self, GraphError> {
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
fn refused(ranks: u32, error: &PatternError) -> GraphError {
    let power = if matches!(error, PatternError::OddBits { .. }) { "four" } else { "two" };
    let reason = format!("write a power of {power}, since this pattern permutes the bits of ranks' numbers");
    GraphError { key: "ranks", value: ranks.to_string(), reason }
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
