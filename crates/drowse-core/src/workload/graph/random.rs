//! Random graphs: every rank sends messages to uniformly drawn other ranks, or some of them on purpose to a hot region: the
//! first ranks (as for traffic with hot spots, Pfister and Norton 1985).

use super::error::{GraphError, MOST_RANKS, check};
use super::flow::{Communication, Flow};
use crate::model::rng::{Purpose, Stream};

/// The parts of a share.
const BILLION: u32 = 1_000_000_000;

/// Ranks that receive more than others.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Region {
    /// The first so many ranks.
    pub ranks: u32,
    /// The share of messages that are sent to them on purpose, in billionths; the rest goes to all, them included.
    pub share: u32,
}

/// Ranks that send to random others.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Random {
    ranks: u32,
    degree: u32,
    region: Option<Region>,
    bytes: u64,
    seed: u64,
}

impl Random {
    /// Makes the graph in which each rank sends `degree` messages, each to a newly drawn rank.
    pub fn new(ranks: u32, degree: u32, region: Option<Region>, bytes: u64, seed: u64) -> Result<Self, GraphError> {
        check("ranks", ranks, 2..=MOST_RANKS)?;
        check("degree", degree, 1..=65_536)?;
        if let Some(region) = region {
            check("region.ranks", region.ranks, 2..=ranks)?;
        }
        Ok(Random { ranks, degree, region, bytes, seed })
    }

    /// Draws among how many of the first ranks the receiver of a message is.
    fn among(&self, stream: &mut Stream) -> u32 {
        match self.region {
            Some(region) if stream.below(BILLION) < region.share => region.ranks,
            _ => self.ranks,
        }
    }
}

impl Communication for Random {
    fn ranks(&self) -> u32 {
        self.ranks
    }

    fn flows(&self, rank: u32, visit: &mut dyn FnMut(Flow)) {
        let mut stream = Stream::new(self.seed, Purpose::Graph, rank);
        for _ in 0..self.degree {
            let among = self.among(&mut stream);
            // A rank beyond the region may send to all of it, any other to all but itself.
            let inside = rank < among;
            let drawn = stream.below(if inside { among - 1 } else { among });
            visit(Flow { to: drawn + u32::from(inside && drawn >= rank), messages: 1, bytes: self.bytes });
        }
    }
}
