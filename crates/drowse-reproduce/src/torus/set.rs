//! The sets of programs of section 3.3, drawn at random and repeated with other seeds.

use super::program::{PROGRAMS, Program};
use super::table_2::Torus;

/// "We have averaged results from 30 different executions of each trace set and topology."
pub const SEEDS: u32 = 30;
/// Tasks of a job.
const SIZES: [u32; 3] = [128, 256, 512];

/// A set of section 3.3, with one draw of the scheduler.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Drawn {
    pub set: &'static Set,
    pub seed: u32,
}

/// A set: its name, and how often each size of each program of [`PROGRAMS`] is in it.
#[derive(Debug, PartialEq, Eq)]
pub struct Set {
    pub name: &'static str,
    counts: [u32; PROGRAMS.len()],
    /// How long programs compute, but for the heaviest, in percent of their usual time.
    pace: u32,
    /// Which cores a job gets.
    allocation: &'static str,
    /// Whether allocators begin anew only when they are through.
    one_at_a_time: bool,
}

impl Set {
    /// Makes a set as it is usually run.
    const fn usual(name: &'static str, counts: [u32; PROGRAMS.len()]) -> Self {
        Set { name, counts, pace: 100, allocation: "linear", one_at_a_time: false }
    }

    /// Makes a set whose jobs get free cores at random, and whose switches allocate once at a time.
    const fn scattered(name: &'static str, counts: [u32; PROGRAMS.len()]) -> Self {
        Set { allocation: "random", one_at_a_time: true, ..Set::usual(name, counts) }
    }

    /// Returns whether it is run as the paper says, and else with one thing changed.
    pub fn is_usual(&self) -> bool {
        !self.name.contains(", ")
    }
}

/// "Set A: Namd, Gromacs, Linpack, MPI Random Access and Graph500", and so on; those without Namd and without Gromacs have
/// Graph500 twice and three times.
///
/// How long programs compute is not printed, nor what is in [`super::choices`]. So sets are
/// run with one or several of these changed, with a few seeds.
pub static SETS: [Set; 10] = [
    Set::usual("A", A),
    Set::usual("B", B),
    Set::usual("C", C),
    // This is the most that programs can load a network.
    Set { pace: 0, ..Set::usual("B, communication alone", B) },
    Set { pace: 0, ..Set::usual("C, communication alone", C) },
    // Cores at random and one allocation at a time: Graph500 by itself comes nearest to the paper so.
    Set::scattered("A, scattered", A),
    Set::scattered("B, scattered", B),
    Set::scattered("C, scattered", C),
    Set { pace: 10, ..Set::scattered("B, scattered, a tenth of the computing", B) },
    Set { pace: 10, ..Set::scattered("C, scattered, a tenth of the computing", C) },
];
const A: [u32; 5] = [1, 1, 1, 1, 1];
const B: [u32; 5] = [0, 1, 1, 1, 2];
const C: [u32; 5] = [0, 0, 1, 1, 3];
/// Seeds of sets that are not as usual.
const SEEDS_CHANGED: u32 = 5;

/// Returns all sets that are run on so many nodes, each with so many seeds.
pub fn drawn(nodes: u32, seeds: u32) -> impl Iterator<Item = Drawn> {
    SETS.iter().filter(move |set| nodes == 64 || !set.is_alone()).flat_map(move |set| {
        let seeds = if set.is_usual() { seeds } else { seeds.min(SEEDS_CHANGED) };
        (1..=seeds).map(move |seed| Drawn { set, seed })
    })
}

impl Drawn {
    /// Returns the keys that it sets in the experiment of a network.
    pub fn overrides(self, torus: &Torus) -> Vec<String> {
        let programs = PROGRAMS.iter().zip(self.set.counts).filter(|(_, count)| *count > 0);
        let jobs = programs.flat_map(|(program, count)| SIZES.map(|tasks| self.set.job(program, tasks, count)));
        let mut overrides =
            vec![format!("job=[{}]", jobs.collect::<Vec<_>>().join(", ")), format!("seed={}", self.seed)];
        overrides.push(format!("scheduler.allocation=\"{}\"", self.set.allocation));
        if self.set.one_at_a_time {
            overrides.extend(torus.one_allocation_at_a_time());
        }
        overrides
    }
}

impl Set {
    /// Returns whether nothing is computed, which is the most that programs can load a network: small ones show it.
    pub fn is_alone(&self) -> bool {
        self.pace == 0
    }

    /// Writes a job.
    pub fn job(&self, program: &Program, tasks: u32, count: u32) -> String {
        let app = program.app(tasks, if program.is_heaviest() { 0 } else { self.pace });
        format!("{{ name = \"{}-{tasks}\", {app}, count = {count} }}", program.name)
    }
}
