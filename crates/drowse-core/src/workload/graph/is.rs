//! NPB IS: a sort of integers by buckets.
//!
//! An iteration sums the sizes of all buckets over all ranks. Ranks then exchange the numbers of keys to expect, and
//! the keys themselves. The model sends the same number of keys between all pairs; in the program they differ by a few.

use super::error::{GraphError, power_of_two};
use super::flow::{Communication, Flow, collective};
use super::npb::Class;
use crate::model::units::Time;
use crate::workload::operation::Collective;

/// The size of a key, and of every other number.
const INTEGER: u64 = 4;
/// Keys over ranks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Is {
    pub(in crate::workload) ranks: u32,
    keys: u64,
}

impl Is {
    /// Buckets and checked keys, whose counts are summed.
    pub(in crate::workload) const SUMMED: u64 = 1024 + 5;

    /// Returns the bytes of keys from each rank to each.
    pub(in crate::workload) fn block(&self) -> u64 {
        self.keys * INTEGER / u64::from(self.ranks).pow(2)
    }

    /// Makes the graph of a problem class.
    pub fn new(ranks: u32, class: Class) -> Result<Self, GraphError> {
        if class == Class::E {
            return Err(GraphError { key: "class", value: "\"E\"".into(), reason: "IS has the classes S to D".into() });
        }
        // Each rank has at least one bucket.
        power_of_two(ranks, 1024)?;
        Ok(Is { ranks, keys: 1 << class.of([16, 20, 23, 25, 27, 29, 29]) })
    }
}

impl Communication for Is {
    fn ranks(&self) -> u32 {
        self.ranks
    }

    fn flows(&self, rank: u32, visit: &mut dyn FnMut(Flow)) {
        let sizes = Collective::Allreduce { bytes: Self::SUMMED * INTEGER, count: Self::SUMMED, compute: Time::ZERO };
        collective(&sizes, rank, self.ranks, visit);
        collective(&Collective::Alltoall { bytes: INTEGER }, rank, self.ranks, visit);
    }

    fn to_all(&self) -> Option<u64> {
        Some(self.block())
    }
}
