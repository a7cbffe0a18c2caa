//! Forces between bodies on a ring of ranks: the bodies of each rank travel from rank to rank, half way round, and from
//! there straight home. A rank sends its own on; then it receives those of the ranks before it, the nearest first,
//! computes their forces, and passes them on, or home from the last stop. At last its own return.
//!
//! Bodies carry the number of their rank as tag.

use serde::Deserialize;

use super::error::{MOST_RANKS, ProgramError, check};
use super::keys::{Given, Parts, ProgramKeys};
use super::program::{Program, Steps};
use super::writer::Writer;
use crate::model::units::Bytes;

/// A ring of ranks with bodies.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct NBodies {
    /// Ranks, at least 2.
    #[cfg_attr(feature = "schema", schemars(extend("examples" = [64]), range(min = 2)))]
    ranks: u32,
    /// Size of the bodies of a rank.
    #[cfg_attr(feature = "schema", schemars(extend("examples" = ["8 KiB"])))]
    bytes: Bytes,
}

impl NBodies {
    /// Makes a ring; the bodies of a rank have `bytes` bytes.
    pub fn new(ranks: u32, bytes: u64) -> Result<Self, ProgramError> {
        check("ranks", ranks, 2..=MOST_RANKS)?;
        Ok(NBodies { ranks, bytes: Bytes(bytes) })
    }

    /// Returns how many ranks visit each other one's bodies.
    fn stops(&self) -> u32 {
        self.ranks / 2
    }

    /// Returns the rank so many places behind another.
    fn behind(&self, rank: u32, places: u32) -> u32 {
        (rank + self.ranks - places) % self.ranks
    }
}

impl ProgramKeys for NBodies {
    const KIND: &'static str = "n-bodies";
    const ABOUT: &'static str =
        "Bodies of each rank travel half way round a ring of ranks, each of which computes their forces, and return.";

    fn parts(self, given: Given) -> Result<Parts, ProgramError> {
        Ok(given.iterated(NBodies::new(self.ranks, self.bytes.0)?))
    }
}

impl Program for NBodies {
    fn ranks(&self) -> u32 {
        self.ranks
    }

    /// The bodies of each rank travel to each stop, and home.
    fn messages(&self) -> u64 {
        u64::from(self.ranks) * u64::from(self.stops() + 1)
    }

    fn largest(&self) -> u64 {
        self.bytes.0
    }

    fn computations(&self) -> u64 {
        self.stops().into()
    }

    fn prepare(&self) -> Box<dyn Steps> {
        Box::new(*self)
    }
}

impl Steps for NBodies {
    /// A send, the bodies of others, and the return of its own.
    fn count(&self, _: u32) -> u64 {
        u64::from(self.stops()) + 2
    }

    fn take(&self, rank: u32, step: u64, writer: &mut Writer<'_>) {
        let (stops, next) = (self.stops(), (rank + 1) % self.ranks);
        // At most half the number of ranks and one.
        #[expect(clippy::cast_possible_truncation, reason = "steps are fewer than 2^28")]
        match step as u32 {
            0 => writer.send(next, rank, self.bytes.0),
            step if step <= stops => {
                let home = self.behind(rank, step);
                writer.receive(self.behind(rank, 1), home);
                writer.compute_part(u64::from(step - 1)..step.into(), stops.into());
                writer.send(if step < stops { next } else { home }, home, self.bytes.0);
            }
            _ => writer.receive((rank + stops) % self.ranks, rank),
        }
    }
}
