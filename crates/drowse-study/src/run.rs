//! Runs one case.

use std::time::Instant;

use drowse_core::engine::{self, Failure, SetupError, Simulation};
use drowse_core::measure::Record;
use drowse_core::power::StallTimer;
use drowse_core::workload::operation::SourceError;

use crate::experiment::{Case, Diagnostic, LoadError};
use crate::inputs::Inputs;
use crate::machine::{is_bad_input, peak_rss_bytes, thread_cpu_ns};
use crate::memory;
use crate::progress::Progress;

/// Events between two reports of progress: some tens of milliseconds of work.
const EVENTS_PER_REPORT: u64 = 200_000;

/// Why a case has no result.
#[derive(Debug, thiserror::Error)]
pub enum RunError {
    /// The experiment is wrong.
    #[error(transparent)]
    Input(#[from] Diagnostic),
    /// A trace holds what makes no sense.
    #[error("error: {0}")]
    Source(SourceError),
    /// The run came to a standstill before its jobs had finished.
    #[error("error: {0}")]
    Stuck(Failure),
    /// The machine failed.
    #[error("error: {0}")]
    Machine(String),
}

impl From<LoadError> for RunError {
    fn from(error: LoadError) -> Self {
        match error {
            LoadError::Wrong(diagnostic) => RunError::Input(diagnostic),
            LoadError::Unreadable { path, error } => {
                let message = format!("this file cannot be read: {error}");
                let diagnostic = Diagnostic::of_file(&path, message, "give the path of an experiment file");
                if is_bad_input(&error) { diagnostic.into() } else { RunError::Machine(diagnostic.to_string()) }
            }
        }
    }
}

impl From<Failure> for RunError {
    fn from(failure: Failure) -> Self {
        match failure {
            Failure::Source(error) => RunError::Source(error),
            Failure::Deadlock(_) => RunError::Stuck(failure),
        }
    }
}

/// What a run measured, and what it cost.
#[derive(Clone, Debug)]
pub struct Run {
    /// The result.
    pub record: Record,
    /// What the event loop cost the machine.
    pub cost: Cost,
}

/// What the event loop of a run cost the machine.
#[derive(Clone, Copy, Debug)]
pub struct Cost {
    /// Time passed, in seconds.
    pub wall_s: f64,
    /// CPU time in seconds, where the system tells it.
    pub cpu_s: Option<f64>,
    /// Largest resident memory of the process so far, where the system tells it.
    pub peak_rss_bytes: Option<u64>,
}

/// Checks all that can be wrong with a case before its first event; the workload is read no further than that takes.
pub fn check(case: &Case, inputs: &Inputs) -> Result<(), RunError> {
    Ok(simulation(case, inputs).map(|_| ())?)
}

/// Runs a case; `progress` is told now and then how far it has come.
pub fn run(case: &Case, inputs: &Inputs, progress: &mut dyn FnMut(Progress)) -> Result<Run, RunError> {
    let mut simulation = simulation(case, inputs)?;
    let (wall, cpu) = (Instant::now(), thread_cpu_ns());
    while let engine::Progress::Running(now) = simulation.advance(EVENTS_PER_REPORT)? {
        let fraction = inputs.fraction(case, now, || simulation.operations_begun());
        progress(Progress { now, fraction });
    }
    let cpu_ns = thread_cpu_ns().zip(cpu).map(|(end, start)| end.saturating_sub(start));
    let cost = Cost {
        wall_s: wall.elapsed().as_secs_f64(),
        cpu_s: cpu_ns.filter(|&ns| ns > 0).map(|ns| ns as f64 / 1e9),
        peak_rss_bytes: peak_rss_bytes(),
    };
    Ok(Run { record: simulation.into_record(), cost })
}

/// Sets a case up.
fn simulation<'c>(case: &'c Case, inputs: &Inputs) -> Result<Simulation<'c, StallTimer>, Diagnostic> {
    let system = &case.system;
    if let Some(lack) = memory::lack(memory::of_engine(&system.network, &system.config.switch), "the simulation") {
        let help = "make the network smaller, or use a larger machine";
        return Err(Diagnostic { machine: true, ..system.keys.error("network", lack, help) });
    }
    Simulation::new(&system.network, &system.config, &system.policy, inputs.workload(case))
        .map_err(|SetupError { key, reason }| system.keys.error(key, reason, ""))
}
