//! The NAS Parallel Benchmarks (versions 3.1 to 3.4, MPI) as programs: their calls of MPI in order, from `MPI_Init` to
//! `MPI_Finalize`. Sizes are those of the graphs of the same names ([`crate::workload::graph`]).
//!
//! A program sets up, does one time step that is not counted where the original does, iterates, and verifies. Each is a
//! part of its own, so that only the iterations are marked and repeated.

mod cg;
mod ep;
mod ft;
mod is;
mod lu;
mod mg;
mod multipartition;

use std::fmt::Debug;

use super::steps::{Program, Steps, Writer};
use crate::workload::graph::{Cg, Ft, GraphError, Is, Lu, MOST_RANKS, Mg, Multipartition, check};
use crate::workload::operation::Collective;

/// A part of a program.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Part {
    /// All before the iterations that count.
    SetUp,
    /// An iteration.
    Iteration,
    /// The last iteration.
    Last,
    /// Verification.
    End,
}

/// A program.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Benchmark {
    /// BT and SP.
    Multipartition(Multipartition),
    /// CG.
    Cg(Cg),
    /// EP, which has no sizes: its number of ranks.
    Ep(u32),
    /// FT.
    Ft(Ft),
    /// IS.
    Is(Is),
    /// LU.
    Lu(Lu),
    /// MG.
    Mg(Mg),
}

/// A part of a program of the NAS Parallel Benchmarks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Npb {
    benchmark: Benchmark,
    part: Part,
}

/// What a part of a program sends from rank to rank, and what else its ranks call, of all ranks together.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Volume {
    /// Messages, without those of collectives.
    messages: u64,
    /// Their bytes.
    bytes: u64,
    /// Waits and collectives.
    calls: u64,
}

/// What a benchmark does.
trait Parts: Debug + Send + Sync {
    fn ranks(&self) -> u32;

    /// Returns the size of the largest message or block of a collective, or a bound of it.
    fn largest(&self) -> u64;

    /// Returns how often a rank computes in an iteration.
    fn computations(&self) -> u64;

    /// Returns the volume of an iteration.
    fn iteration(&self, is_last: bool) -> Volume;

    /// Returns the volume of what is before and behind the step that is not counted.
    fn set_up(&self) -> Volume;

    /// Returns the volume of the verification.
    fn verification(&self) -> Volume;

    /// Returns whether an iteration precedes those that count.
    fn warms_up(&self) -> bool {
        true
    }

    /// Returns the steps of an iteration of any rank.
    fn steps(&self) -> u64;

    /// Writes a step of an iteration.
    fn step(&self, rank: u32, step: u64, is_last: bool, writer: &mut Writer<'_>);

    /// Writes what is before the step that is not counted.
    fn begin(&self, rank: u32, writer: &mut Writer<'_>);

    /// Writes what is between that step and the others.
    fn settle(&self, rank: u32, writer: &mut Writer<'_>);

    /// Writes the verification.
    fn verify(&self, rank: u32, writer: &mut Writer<'_>);

    /// Returns the groups of ranks that call collectives among themselves.
    fn groups(&self) -> Vec<Vec<u32>> {
        Vec::new()
    }
}

impl Benchmark {
    /// Makes EP.
    pub fn ep(ranks: u32) -> Result<Self, GraphError> {
        check("ranks", ranks, 1..=MOST_RANKS)?;
        Ok(Benchmark::Ep(ranks))
    }

    fn parts(&self) -> &dyn Parts {
        match self {
            Benchmark::Multipartition(parts) => parts,
            Benchmark::Cg(parts) => parts,
            Benchmark::Ep(ranks) => ranks,
            Benchmark::Ft(parts) => parts,
            Benchmark::Is(parts) => parts,
            Benchmark::Lu(parts) => parts,
            Benchmark::Mg(parts) => parts,
        }
    }
}

impl Npb {
    /// Takes a part of a benchmark.
    pub fn new(benchmark: Benchmark, part: Part) -> Self {
        Npb { benchmark, part }
    }

    /// Returns the iteration of this part, and whether it is the last.
    fn iteration(&self) -> Option<bool> {
        match self.part {
            Part::SetUp => self.benchmark.parts().warms_up().then_some(false),
            Part::Iteration => Some(false),
            Part::Last => Some(true),
            Part::End => None,
        }
    }

    fn volume(&self) -> Volume {
        let parts = self.benchmark.parts();
        let around = match self.part {
            Part::SetUp => parts.set_up(),
            Part::Iteration | Part::Last => Volume::default(),
            Part::End => parts.verification(),
        };
        around + self.iteration().map_or(Volume::default(), |is_last| parts.iteration(is_last))
    }
}

impl Program for Npb {
    fn ranks(&self) -> u32 {
        self.benchmark.parts().ranks()
    }

    fn messages(&self) -> u64 {
        self.volume().messages
    }

    fn bytes(&self) -> u64 {
        self.volume().bytes
    }

    fn largest(&self) -> u64 {
        self.benchmark.parts().largest()
    }

    fn computations(&self) -> u64 {
        self.iteration().map_or(0, |_| self.benchmark.parts().computations())
    }

    fn calls(&self) -> u64 {
        self.volume().calls
    }

    fn is_marked(&self) -> bool {
        matches!(self.part, Part::Iteration | Part::Last)
    }

    fn groups(&self) -> Vec<Vec<u32>> {
        self.benchmark.parts().groups()
    }

    fn prepare(&self) -> Box<dyn Steps> {
        Box::new(*self)
    }
}

impl Steps for Npb {
    /// What is before and behind an iteration, and its steps.
    fn count(&self, _: u32) -> u64 {
        let around = if self.part == Part::SetUp { 2 } else { u64::from(self.part == Part::End) };
        around + self.iteration().map_or(0, |_| self.benchmark.parts().steps())
    }

    fn take(&self, rank: u32, step: u64, writer: &mut Writer<'_>) {
        let parts = self.benchmark.parts();
        let last = self.count(rank) - 1;
        match self.part {
            Part::SetUp if step == 0 => parts.begin(rank, writer),
            Part::SetUp if step == last => parts.settle(rank, writer),
            Part::SetUp => parts.step(rank, step - 1, false, writer),
            Part::Iteration | Part::Last => parts.step(rank, step, self.part == Part::Last, writer),
            Part::End => parts.verify(rank, writer),
        }
    }
}

impl std::ops::Add for Volume {
    type Output = Volume;

    fn add(self, other: Volume) -> Volume {
        Volume {
            messages: self.messages + other.messages,
            bytes: self.bytes + other.bytes,
            calls: self.calls + other.calls,
        }
    }
}

impl Volume {
    /// Waits and collectives only.
    fn of_calls(calls: u64) -> Self {
        Volume { calls, ..Volume::default() }
    }
}

/// Sizes of the elements of Fortran and C.
const INTEGER: u64 = 4;
const DOUBLE: u64 = 8;

/// Rank 0 tells all so many elements.
fn tell(count: u64, size: u64, writer: &mut Writer<'_>) {
    writer.call(Collective::Bcast { root: 0, bytes: count * size, count });
}

/// Sums so many elements at rank 0.
fn sum_at_root(count: u64, size: u64, writer: &mut Writer<'_>) {
    writer.call(Collective::Reduce { root: 0, bytes: count * size, count, compute: crate::model::units::Time::ZERO });
}

#[cfg(test)]
mod tests;
