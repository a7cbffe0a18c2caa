//! Random graphs: every rank sends messages to uniformly drawn other ranks, or some of them on purpose to a hot region: the
//! first ranks (as for traffic with hot spots, Pfister and Norton 1985).

use serde::Deserialize;

use super::error::{MOST_RANKS, ProgramError, billionths, check};
use super::flow::{Communication, Flow};
use super::keys::{Given, Parts, ProgramKeys};
use super::phased::Phased;
use crate::model::rng::{Purpose, Stream};
use crate::model::units::Bytes;

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
    pub fn new(ranks: u32, degree: u32, region: Option<Region>, bytes: u64, seed: u64) -> Result<Self, ProgramError> {
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

/// The keys of a random graph.
#[derive(Clone, Copy, Debug, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct RandomKeys {
    /// Ranks, at least 2.
    #[cfg_attr(feature = "schema", schemars(extend("examples" = [64]), range(min = 2)))]
    ranks: u32,
    /// Messages that each rank sends, each to a rank drawn anew.
    #[cfg_attr(feature = "schema", schemars(extend("examples" = [4]), extend("x-hint" = "the messages of each rank")))]
    #[cfg_attr(feature = "schema", schemars(range(min = 1, max = 65_536)))]
    degree: u32,
    /// Ranks to which some messages go on purpose. Default: none.
    region: Option<RegionKeys>,
    /// Size of each message.
    #[cfg_attr(feature = "schema", schemars(extend("examples" = ["8 KiB"])))]
    bytes: Bytes,
}

/// A hot region.
#[derive(Clone, Copy, Debug, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct RegionKeys {
    /// The first so many ranks, at least 2.
    #[cfg_attr(feature = "schema", schemars(extend("examples" = [8]), extend("x-hint" = "the ranks of the region")))]
    #[cfg_attr(feature = "schema", schemars(range(min = 2)))]
    ranks: u32,
    /// Share of the messages that go to the region; the rest goes to all ranks, those of the region included.
    #[cfg_attr(feature = "schema", schemars(extend("examples" = [0.25]), extend("x-hint" = "the share of messages")))]
    #[cfg_attr(feature = "schema", schemars(range(min = 0, max = 1)))]
    share: f64,
}

impl ProgramKeys for RandomKeys {
    const KIND: &'static str = "random";
    const ABOUT: &'static str = "Every rank sends to others that are drawn at random.";

    fn parts(self, given: Given) -> Result<Parts, ProgramError> {
        let region = self
            .region
            .map(|RegionKeys { ranks, share }| Ok(Region { ranks, share: billionths("region.share", share)? }));
        let random = Random::new(self.ranks, self.degree, region.transpose()?, self.bytes.0, given.seed)?;
        Ok(given.iterated(Phased(random)))
    }
}
