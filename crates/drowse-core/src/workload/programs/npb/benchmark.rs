//! What a program of the benchmarks is: its keys, its parts, and the operations that several have.

use std::fmt::Debug;
use std::marker::PhantomData;

use serde::Deserialize;

use super::super::error::ProgramError;
use super::super::flow::Communication;
use super::super::keys::{Given, Order, Parts, ProgramKeys, parts};
use super::super::phased::Phased;
use super::super::program::{Program, Steps};
use super::super::writer::Writer;
use super::class::Class;
use crate::workload::operation::{Collective, SendMode};

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

/// A part of a program of the NAS Parallel Benchmarks, in the order of the program.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Npb<B> {
    benchmark: B,
    part: Part,
}

/// A program that has classes of sizes.
pub trait Classed {
    /// The word that selects it.
    const KIND: &'static str;
    /// What it is.
    const ABOUT: &'static str;
    /// The iterations of a class, S to E.
    const ITERATIONS: [u32; 7];
    /// What its ranks do.
    type Benchmark: Benchmark;

    /// Makes the problem of a class.
    fn problem(ranks: u32, class: Class) -> Result<Self::Benchmark, ProgramError>;
}

/// The keys of a program of the NAS Parallel Benchmarks.
#[derive(Debug, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename = "Npb"))]
#[serde(deny_unknown_fields, bound = "")]
pub struct NpbKeys<C> {
    /// Ranks.
    #[cfg_attr(feature = "schema", schemars(extend("examples" = [64])))]
    ranks: u32,
    /// Class of the problem's size.
    #[cfg_attr(feature = "schema", schemars(extend("examples" = ["A"])))]
    class: Class,
    /// In which order an iteration sends its messages; `program` has set-up and verification, too.
    #[cfg_attr(feature = "schema", schemars(extend("default" = "phases")))]
    order: Option<Order>,
    #[serde(skip)]
    program: PhantomData<C>,
}

impl<C: Classed> ProgramKeys for NpbKeys<C> {
    const KIND: &'static str = C::KIND;
    const ABOUT: &'static str = C::ABOUT;

    fn parts(self, given: Given) -> Result<Parts, ProgramError> {
        let problem = C::problem(self.ranks, self.class)?;
        Ok(match self.order.unwrap_or_default() {
            Order::Phases => given.iterated(Phased(problem)),
            Order::Program => whole(problem, given.iterations.unwrap_or(C::ITERATIONS[self.class as usize])),
        })
    }
}

/// Returns the parts of a program that iterates so often, at least once.
pub(super) fn whole(benchmark: impl Benchmark, iterations: u32) -> Parts {
    let times = [(Part::SetUp, 1), (Part::Iteration, iterations.saturating_sub(1)), (Part::Last, 1), (Part::End, 1)];
    parts(times.map(|(part, times)| (Npb::new(benchmark, part), times)))
}

/// What a part of a program sends from rank to rank, and what else its ranks call, of all ranks together.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Volume {
    /// Messages, without those of collectives.
    pub messages: u64,
    /// Their bytes.
    pub bytes: u64,
    /// Waits and collectives.
    pub calls: u64,
}

/// What a benchmark does in the order of its program.
pub trait Benchmark: Communication + Copy + 'static {
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
    fn before_warm_up(&self, rank: u32, writer: &mut Writer<'_>);

    /// Writes what is between that step and the others.
    fn after_warm_up(&self, rank: u32, writer: &mut Writer<'_>);

    /// Writes the verification.
    fn verify(&self, rank: u32, writer: &mut Writer<'_>);

    /// Returns the groups of ranks that call collectives among themselves.
    fn groups(&self) -> Vec<Vec<u32>> {
        Vec::new()
    }
}

impl<B: Benchmark> Npb<B> {
    /// Takes a part of a benchmark.
    pub fn new(benchmark: B, part: Part) -> Self {
        Npb { benchmark, part }
    }

    /// Returns the iteration of this part, and whether it is the last.
    fn iteration(&self) -> Option<bool> {
        match self.part {
            Part::SetUp => self.benchmark.warms_up().then_some(false),
            Part::Iteration => Some(false),
            Part::Last => Some(true),
            Part::End => None,
        }
    }

    fn volume(&self) -> Volume {
        let benchmark = self.benchmark;
        let around = match self.part {
            Part::SetUp => benchmark.set_up(),
            Part::Iteration | Part::Last => Volume::default(),
            Part::End => benchmark.verification(),
        };
        around + self.iteration().map_or(Volume::default(), |is_last| benchmark.iteration(is_last))
    }
}

impl<B: Benchmark> Program for Npb<B> {
    fn ranks(&self) -> u32 {
        self.benchmark.ranks()
    }

    fn messages(&self) -> u64 {
        self.volume().messages
    }

    fn bytes(&self) -> u64 {
        self.volume().bytes
    }

    fn largest(&self) -> u64 {
        self.benchmark.largest()
    }

    fn computations(&self) -> u64 {
        self.iteration().map_or(0, |_| self.benchmark.computations())
    }

    fn calls(&self) -> u64 {
        self.volume().calls
    }

    fn mode(&self) -> SendMode {
        SendMode::Standard
    }

    fn is_marked(&self) -> bool {
        matches!(self.part, Part::Iteration | Part::Last)
    }

    fn groups(&self) -> Vec<Vec<u32>> {
        self.benchmark.groups()
    }

    fn prepare(&self) -> Box<dyn Steps> {
        Box::new(*self)
    }
}

impl<B: Benchmark> Steps for Npb<B> {
    /// What is before and behind an iteration, and its steps.
    fn count(&self, _: u32) -> u64 {
        let around = if self.part == Part::SetUp { 2 } else { u64::from(self.part == Part::End) };
        around + self.iteration().map_or(0, |_| self.benchmark.steps())
    }

    fn take(&self, rank: u32, step: u64, writer: &mut Writer<'_>) {
        let benchmark = self.benchmark;
        let last = self.count(rank) - 1;
        match self.part {
            Part::SetUp if step == 0 => benchmark.before_warm_up(rank, writer),
            Part::SetUp if step == last => benchmark.after_warm_up(rank, writer),
            Part::SetUp => benchmark.step(rank, step - 1, false, writer),
            Part::Iteration | Part::Last => benchmark.step(rank, step, self.part == Part::Last, writer),
            Part::End => benchmark.verify(rank, writer),
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
    pub fn of_calls(calls: u64) -> Self {
        Volume { calls, ..Volume::default() }
    }
}

/// The size of an integer of Fortran and C.
pub(super) const INTEGER: u64 = 4;

/// Rank 0 tells all so many elements.
pub(super) fn tell(count: u64, size: u64, writer: &mut Writer<'_>) {
    writer.call(Collective::Bcast { root: 0, bytes: count * size, count });
}

/// Sums so many elements at rank 0.
pub(super) fn sum_at_root(count: u64, size: u64, writer: &mut Writer<'_>) {
    writer.call(Collective::Reduce { root: 0, bytes: count * size, count, compute: crate::model::units::Time::ZERO });
}
