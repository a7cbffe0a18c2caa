//! Forces between bodies on a ring of ranks: the bodies of each rank travel from rank to rank, half way round, and from
//! there straight home. A rank sends its own on; then it receives those of the ranks before it, the nearest first,
//! computes their forces, and passes them on, or home from the last stop. At last its own return.
//!
//! Bodies carry the number of their rank as tag.

use super::steps::{Program, Steps, Writer};
use crate::workload::graph::{GraphError, MOST_RANKS, check};

/// A ring of ranks with bodies.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NBodies {
    ranks: u32,
    bytes: u64,
}

impl NBodies {
    /// Makes a ring; the bodies of a rank have `bytes` bytes.
    pub fn new(ranks: u32, bytes: u64) -> Result<Self, GraphError> {
        check("ranks", ranks, 2..=MOST_RANKS)?;
        Ok(NBodies { ranks, bytes })
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

impl Program for NBodies {
    fn ranks(&self) -> u32 {
        self.ranks
    }

    /// The bodies of each rank travel to each stop, and home.
    fn messages(&self) -> u64 {
        u64::from(self.ranks) * u64::from(self.stops() + 1)
    }

    fn largest(&self) -> u64 {
        self.bytes
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
            0 => writer.send(next, rank, self.bytes),
            step if step <= stops => {
                let home = self.behind(rank, step);
                writer.receive(self.behind(rank, 1), home);
                writer.compute_part(u64::from(step - 1)..step.into(), stops.into());
                writer.send(if step < stops { next } else { home }, home, self.bytes);
            }
            _ => writer.receive((rank + stops) % self.ranks, rank),
        }
    }
}
