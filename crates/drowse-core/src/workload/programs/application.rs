//! The phases of an application, and whether they can be run.

use std::sync::Arc;

use super::computing::Computing;
use super::phased::volume;
use super::program::{Program, Steps, Work};
use crate::workload::communicators::{ALL, CommId, Communicators};
use crate::workload::operation::{MOST_BYTES, SendMode};

/// The largest number of messages that ranks send at once, since all of them may be in the network.
const MOST_MESSAGES: u64 = 1 << 25;

/// Several iterations of one piece of work.
///
/// ```
/// use drowse_core::engine::run;
/// use drowse_core::model::{config::Config, units::{BitRate, Time}};
/// use drowse_core::power::StallTimer;
/// use drowse_core::topology::{Ideal, TopologySpec};
/// use drowse_core::workload::{Workload, programs::{Application, Phase, Phased, Stencil}};
///
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// // Eight ranks in a ring, which compute for 10 us and exchange 1 KiB with both neighbours, 100 times.
/// let ring = Phased(Stencil::new(vec![8], true, 1 << 10)?);
/// let program = Application::new(vec![Phase::new(ring, 100, Time::from_us(10))])?;
/// let ideal = Ideal { nodes: 8, latency: Time::from_us(3), bandwidth: BitRate::UNLIMITED };
/// let network = TopologySpec::Ideal(ideal).build()?;
/// let always_on = StallTimer::always_on(network.classes.len());
/// let workload = Workload::application(program, &network)?;
/// let record = run(&network, &Config::new(&network), &always_on, workload)??;
/// assert_eq!(record.makespan, Some(Time::from_us(100 * (10 + 3))));
/// assert_eq!(record.ranks[0].messages, 100 * 2);
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Debug)]
pub struct Phase {
    /// What the ranks do in each iteration.
    pub work: Work,
    /// The number of iterations.
    pub iterations: u32,
    /// The time that each rank computes in each iteration.
    pub compute: Computing,
    /// How sends complete.
    pub mode: SendMode,
}

impl Phase {
    /// Makes a phase whose sends complete as MPI's standard ones.
    pub fn new(work: impl Into<Work>, iterations: u32, compute: impl Into<Computing>) -> Self {
        Phase { work: work.into(), iterations, compute: compute.into(), mode: SendMode::Standard }
    }
}

/// Consecutive phases, prepared to be run.
#[derive(Debug)]
pub struct Application {
    phases: Vec<Phase>,
    /// What is needed to list the operations, by phase.
    prepared: Vec<Prepared>,
    communicators: Arc<Communicators>,
}

/// What is needed to list the operations of a phase.
#[derive(Debug)]
pub(super) struct Prepared {
    pub steps: Box<dyn Steps>,
    /// Whether iterations are marked.
    pub is_marked: bool,
    /// Whether all messages of an iteration are sent at once.
    pub is_at_once: bool,
    /// The communicator of the program's first group.
    pub first: CommId,
}

/// Why an application cannot be run: the position of the phase, and what is wrong with it.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{excess}")]
pub struct TooMuch {
    /// The position of the phase.
    pub phase: usize,
    /// What it has too much of.
    pub excess: Excess,
}

/// What an iteration has too much of.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Excess {
    /// Too many messages.
    #[error("{0} messages in one iteration are too many to be simulated: the most is {MOST_MESSAGES}")]
    Messages(u64),
    /// A message that is too long.
    #[error("a message has {0} B, and the most is {MOST_BYTES} B (32 GiB)")]
    Bytes(u64),
}

/// Refuses what cannot be run.
fn check(program: &dyn Program) -> Result<(), Excess> {
    let largest = match program.at_once().map(volume) {
        Some(volume) if volume.messages > MOST_MESSAGES => return Err(Excess::Messages(volume.messages)),
        Some(volume) => volume.largest,
        None => program.largest(),
    };
    if largest > MOST_BYTES { Err(Excess::Bytes(largest)) } else { Ok(()) }
}

impl Application {
    /// Prepares phases that all have the same number of ranks.
    pub fn new(phases: Vec<Phase>) -> Result<Self, TooMuch> {
        for (phase, work) in phases.iter().map(|phase| &phase.work).enumerate() {
            check(&**work).map_err(|excess| TooMuch { phase, excess })?;
        }
        let mut groups = Groups::of(phases.first().map_or(0, |phase| phase.work.ranks()));
        let prepared = |Phase { work, .. }: &Phase| Prepared {
            steps: work.prepare(),
            is_marked: work.is_marked(),
            is_at_once: work.at_once().is_some(),
            first: groups.first(work.groups()),
        };
        let prepared = phases.iter().map(prepared).collect();
        Ok(Application { phases, prepared, communicators: Arc::new(groups.communicators) })
    }

    /// Returns the communicators of all phases.
    pub fn communicators(&self) -> Arc<Communicators> {
        Arc::clone(&self.communicators)
    }

    /// Returns the phases.
    pub fn phases(&self) -> &[Phase] {
        &self.phases
    }

    /// Returns the number of ranks.
    pub fn ranks(&self) -> u32 {
        self.phases.first().map_or(0, |phase| phase.work.ranks())
    }

    /// Returns the number of iterations.
    pub fn iterations(&self) -> u64 {
        self.phases.iter().map(|phase| u64::from(phase.iterations)).sum()
    }

    /// Returns the number of iterations that are marked.
    pub fn marks(&self) -> u64 {
        let phases = self.phases.iter().zip(&self.prepared).filter(|(_, prepared)| prepared.is_marked);
        phases.map(|(phase, _)| u64::from(phase.iterations)).sum()
    }

    /// Returns the number of operations of all ranks.
    pub fn operations(&self) -> u64 {
        let of = |phase: &Phase| {
            let work = &phase.work;
            let marks = u64::from(work.ranks()) * u64::from(work.is_marked());
            let computed = if phase.compute.time.0 > 0 { work.all_computations() } else { 0 };
            let messages = work.messages().saturating_mul(2);
            let iteration = messages.saturating_add(work.calls()).saturating_add(marks).saturating_add(computed);
            iteration.saturating_mul(u64::from(phase.iterations))
        };
        self.phases.iter().fold(0, |sum: u64, phase| sum.saturating_add(of(phase)))
    }

    /// Returns the iteration with which the phase of an iteration ends, both counted from 0 in the first run.
    pub(super) fn end_of_phase(&self, iteration: u64) -> u64 {
        let mut ends = self.phases.iter().scan(0, |end: &mut u64, phase| {
            *end += u64::from(phase.iterations);
            Some(*end)
        });
        ends.find(|&end| end > iteration).unwrap_or(iteration)
    }

    /// Returns the phase of an iteration, counted from 0.
    pub(super) fn phase(&self, mut iteration: u64) -> Option<(&Phase, &Prepared)> {
        self.phases.iter().zip(&self.prepared).find(|(phase, _)| {
            let before = iteration;
            iteration = iteration.saturating_sub(phase.iterations.into());
            before < phase.iterations.into()
        })
    }
}

/// The communicators of the phases so far.
struct Groups {
    communicators: Communicators,
    /// The groups of the last phase that had some, and the communicator of the first.
    last: (Vec<Vec<u32>>, CommId),
}

impl Groups {
    fn of(ranks: u32) -> Self {
        Groups { communicators: Communicators::of(ranks), last: (Vec::new(), ALL) }
    }

    /// Returns the communicator of the first of these groups; those that follow have the next numbers. Groups are made of
    /// ranks that exist, each once.
    fn first(&mut self, groups: Vec<Vec<u32>>) -> CommId {
        if !groups.is_empty() && groups != self.last.0 {
            let added: Vec<CommId> =
                groups.iter().filter_map(|group| self.communicators.add(group.clone()).ok()).collect();
            self.last = (groups, added.first().copied().unwrap_or(ALL));
        }
        self.last.1
    }
}
