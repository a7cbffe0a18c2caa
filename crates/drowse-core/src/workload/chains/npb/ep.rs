//! EP: random numbers. Ranks compute, and sum what they have counted; the class changes only how long they compute.

use super::{DOUBLE, INTEGER, Parts, Volume, tell};
use crate::workload::chains::steps::Writer;
use crate::workload::operation::Collective;

impl Parts for u32 {
    fn ranks(&self) -> u32 {
        *self
    }

    fn largest(&self) -> u64 {
        10 * DOUBLE
    }

    fn computations(&self) -> u64 {
        1
    }

    fn iteration(&self, _: bool) -> Volume {
        Volume::of_calls(4 * u64::from(*self))
    }

    fn set_up(&self) -> Volume {
        Volume::of_calls(2 * u64::from(*self))
    }

    fn verification(&self) -> Volume {
        Volume::default()
    }

    fn warms_up(&self) -> bool {
        false
    }

    fn steps(&self) -> u64 {
        1
    }

    /// Both sums, the ten counts, and the time.
    fn step(&self, _: u32, _: u64, _: bool, writer: &mut Writer<'_>) {
        writer.compute();
        [1, 1, 10, 1].into_iter().for_each(|count| writer.sum(count, DOUBLE));
    }

    fn begin(&self, _: u32, writer: &mut Writer<'_>) {
        tell(1, INTEGER, writer);
    }

    fn settle(&self, _: u32, writer: &mut Writer<'_>) {
        writer.call(Collective::Barrier);
    }

    fn verify(&self, _: u32, _: &mut Writer<'_>) {}
}
