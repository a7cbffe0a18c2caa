//! IS: in an iteration ranks sum the sizes of all buckets, tell each other how many keys to expect, and exchange them. At
//! the end each rank sends its largest key to the next.

use super::{DOUBLE, INTEGER, Parts, Volume, sum_at_root, tell};
use crate::workload::chains::steps::Writer;
use crate::workload::graph::Is;
use crate::workload::operation::Collective;

impl Parts for Is {
    fn ranks(&self) -> u32 {
        self.ranks
    }

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

    fn begin(&self, _: u32, writer: &mut Writer<'_>) {
        tell(1, INTEGER, writer);
    }

    fn settle(&self, _: u32, _: &mut Writer<'_>) {}

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
