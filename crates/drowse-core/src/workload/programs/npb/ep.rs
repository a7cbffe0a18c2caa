//! NPB EP: random numbers. Ranks compute, and sum what they have counted; the class changes only how long they compute.

use serde::Deserialize;

use super::super::error::{MOST_RANKS, ProgramError, check};
use super::super::flow::{Communication, DOUBLE, Flow, collective};
use super::super::keys::{Given, Parts, ProgramKeys};
use super::super::writer::Writer;
use super::benchmark::{Benchmark, INTEGER, Volume, tell, whole};
use crate::model::units::Time;
use crate::workload::operation::Collective;

/// Elements of the sums of an iteration: both sums, the ten counts, and the time.
const SUMMED: [u64; 4] = [1, 1, 10, 1];

/// EP of the NAS Parallel Benchmarks. Its class changes only how long ranks compute.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Ep {
    /// Ranks.
    #[cfg_attr(feature = "schema", schemars(extend("examples" = [64])))]
    ranks: u32,
}

impl Ep {
    /// Makes the program.
    pub fn new(ranks: u32) -> Result<Self, ProgramError> {
        check("ranks", ranks, 1..=MOST_RANKS)?;
        Ok(Ep { ranks })
    }
}

impl ProgramKeys for Ep {
    const KIND: &'static str = "ep";
    const ABOUT: &'static str = "EP of the NAS Parallel Benchmarks: random numbers, and sums of what was counted.";

    fn parts(self, given: Given) -> Result<Parts, ProgramError> {
        Ok(whole(Ep::new(self.ranks)?, given.iterations.unwrap_or(1)))
    }
}

impl Communication for Ep {
    fn ranks(&self) -> u32 {
        self.ranks
    }

    fn flows(&self, rank: u32, visit: &mut dyn FnMut(Flow)) {
        for count in SUMMED {
            let sum = Collective::Allreduce { bytes: count * DOUBLE, count, compute: Time::ZERO };
            collective(&sum, rank, self.ranks, visit);
        }
    }
}

impl Benchmark for Ep {
    fn largest(&self) -> u64 {
        10 * DOUBLE
    }

    fn computations(&self) -> u64 {
        1
    }

    fn iteration(&self, _: bool) -> Volume {
        Volume::of_calls(4 * u64::from(self.ranks))
    }

    fn set_up(&self) -> Volume {
        Volume::of_calls(2 * u64::from(self.ranks))
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

    fn step(&self, _: u32, _: u64, _: bool, writer: &mut Writer<'_>) {
        writer.compute();
        SUMMED.into_iter().for_each(|count| writer.sum(count, DOUBLE));
    }

    fn before_warm_up(&self, _: u32, writer: &mut Writer<'_>) {
        tell(1, INTEGER, writer);
    }

    fn after_warm_up(&self, _: u32, writer: &mut Writer<'_>) {
        writer.call(Collective::Barrier);
    }

    fn verify(&self, _: u32, _: &mut Writer<'_>) {}
}
