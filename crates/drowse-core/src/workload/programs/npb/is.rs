//! NPB IS: a sort of integers by buckets.
//!
//! An iteration sums the sizes of all buckets over all ranks. Ranks then exchange the numbers of keys to expect, and
//! the keys themselves. The model sends the same number of keys between all pairs; in the program they differ by a few.
//!
//! IS: in an iteration ranks sum the sizes of all buckets, tell each other how many keys to expect, and exchange them. At
//! the end each rank sends its largest key to the next.

use super::super::error::{ProgramError, power_of_two};
use super::super::flow::{Communication, DOUBLE, Flow, collective};
use super::super::writer::Writer;
use super::benchmark::{Benchmark, Classed, INTEGER, Volume, sum_at_root, tell};
use super::class::Class;
use crate::model::units::Time;
use crate::workload::operation::Collective;

/// Keys over ranks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Is {
    ranks: u32,
    keys: u64,
}

impl Is {
    /// Buckets and checked keys, whose counts are summed.
    const SUMMED: u64 = 1024 + 5;

    /// Returns the bytes of keys from each rank to each.
    fn block(&self) -> u64 {
        self.keys * INTEGER / u64::from(self.ranks).pow(2)
    }

    /// Makes the problem of a class.
    pub fn new(ranks: u32, class: Class) -> Result<Self, ProgramError> {
        if class == Class::E {
            return Err(ProgramError::out_of_range("class", "\"E\"", "IS has the classes S to D"));
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

impl Benchmark for Is {
    fn largest(&self) -> u64 {
        self.block().max(Is::SUMMED * INTEGER)
    }

    fn computations(&self) -> u64 {
        2
    }

    fn iteration(&self, _: bool) -> Volume {
        Volume::of_calls(3 * u64::from(self.ranks))
    }

    fn set_up(&self) -> Volume {
        Volume::of_calls(self.ranks.into())
    }

    /// A message and a wait for each rank but one, and two sums.
    fn verification(&self) -> Volume {
        let pairs = u64::from(self.ranks - 1);
        Volume { messages: pairs, bytes: pairs * INTEGER, calls: pairs + 2 * u64::from(self.ranks) }
    }

    fn steps(&self) -> u64 {
        1
    }

    fn step(&self, _: u32, _: u64, _: bool, writer: &mut Writer<'_>) {
        writer.compute_part(0..1, 2);
        writer.sum(Is::SUMMED, INTEGER);
        writer.call(Collective::Alltoall { bytes: INTEGER });
        writer.call(Collective::Alltoallv { bytes: vec![self.block(); self.ranks as usize].into() });
        writer.compute_part(1..2, 2);
    }

    fn before_warm_up(&self, _: u32, writer: &mut Writer<'_>) {
        tell(1, INTEGER, writer);
    }

    fn after_warm_up(&self, _: u32, _: &mut Writer<'_>) {}

    fn verify(&self, rank: u32, writer: &mut Writer<'_>) {
        sum_at_root(1, DOUBLE, writer);
        let lower = rank.checked_sub(1);
        lower.into_iter().for_each(|from| writer.post(from, 0, 0));
        if rank + 1 < self.ranks {
            writer.send(rank + 1, 0, INTEGER);
        }
        lower.into_iter().for_each(|_| writer.wait(0));
        sum_at_root(1, INTEGER, writer);
    }
}

impl Classed for Is {
    const KIND: &'static str = "is";
    const ABOUT: &'static str = "IS of the NAS Parallel Benchmarks: an integer sort.";
    const ITERATIONS: [u32; 7] = [10; 7];
    type Benchmark = Self;

    fn problem(ranks: u32, class: Class) -> Result<Self, ProgramError> {
        Self::new(ranks, class)
    }
}
