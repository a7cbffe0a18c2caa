//! Runs one case.

use std::time::Instant;

use drowse_core::engine::{self, Failure, SetupError, Simulation};
use drowse_core::measure::{ProbeOptions, ProbeRecord, Record};
use drowse_core::model::units::Time;
use drowse_core::power::{Policy, Probe, StallTimer};
use drowse_core::workload::operation::SourceError;

use crate::inputs::Inputs;
use crate::progress::Progress;
use crate::threads::{self, Share};
use drowse_experiment::machine::{is_bad_input, peak_rss_bytes, thread_cpu_ns};
use drowse_experiment::memory;
use drowse_experiment::{Case, Diagnostic, LoadError, System, WorkloadSpec};

/// Events between two reports of progress: some tens of milliseconds of work.
const EVENTS_PER_REPORT: u64 = 200_000;
/// The same where several threads work, which are started anew after each: some tenths of a second, against which that is
/// nothing.
const EVENTS_BETWEEN_STARTS: u64 = 3_000_000;

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
    /// What was seen of each channel, where that was asked for.
    pub seen: Vec<ProbeRecord>,
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
    let system = &case.system;
    check_memory(system, &system.policy)?;
    let checked = engine::check(&system.network, &system.config, &system.policy, &inputs.workload(case));
    checked.map_err(|error| diagnose(system, &error).into())
}

/// Runs a case on this thread; `progress` is told now and then how far it has come.
pub fn run(case: &Case, inputs: &Inputs, progress: &mut dyn FnMut(Progress)) -> Result<Run, RunError> {
    run_on(Share::ONE, ProbeOptions::default(), case, inputs, progress)
}

/// Runs a case on so many threads, this one included; the record is the same, but for the number of events, and does not depend on
/// what else is wanted.
pub fn run_on(
    share: Share,
    wanted: ProbeOptions,
    case: &Case,
    inputs: &Inputs,
    progress: &mut dyn FnMut(Progress),
) -> Result<Run, RunError> {
    let policy = &case.system.policy;
    if wanted.any() {
        return run_probed(policy, wanted, share, case, inputs, progress);
    }
    // Most runs have plain stall timers: a loop of their own is the fastest.
    match policy.stall_timers() {
        Some(timers) => run_policy(&StallTimer { timers }, share, case, inputs, progress),
        None => run_policy(policy, share, case, inputs, progress),
    }
}

/// Runs a case under another policy than its own on this thread; channels that are always on under its own stay so.
pub fn run_under<P: Policy>(
    policy: &P,
    case: &Case,
    inputs: &Inputs,
    progress: &mut dyn FnMut(Progress),
) -> Result<Run, RunError> {
    run_policy(policy, Share::ONE, case, inputs, progress)
}

/// Runs a case and records what is wanted of its channels.
fn run_probed<P: Policy>(
    policy: &P,
    wanted: ProbeOptions,
    share: Share,
    case: &Case,
    inputs: &Inputs,
    progress: &mut dyn FnMut(Progress),
) -> Result<Run, RunError> {
    let measured = match &case.workload {
        WorkloadSpec::Traffic(traffic) => Some(traffic.warmup..traffic.warmup.saturating_add(traffic.measure)),
        WorkloadSpec::Jobs(_) => None,
    };
    let start = measured.as_ref().map_or(Time::ZERO, |measured| measured.start);
    let policy = Probe::new(policy, wanted, &case.system.config.classes, measured);
    let (mut run, states) = simulate(&policy, share, case, inputs, progress)?;
    let end = start.saturating_add(run.record.measured);
    run.seen = states.into_iter().map(|state| state.seen).collect();
    run.seen.iter_mut().for_each(|seen| seen.end_at(end));
    Ok(run)
}

fn run_policy<P: Policy>(
    policy: &P,
    share: Share,
    case: &Case,
    inputs: &Inputs,
    progress: &mut dyn FnMut(Progress),
) -> Result<Run, RunError> {
    Ok(simulate(policy, share, case, inputs, progress)?.0)
}

/// Runs a case under a policy, and gives what that remembers of each channel at the end.
fn simulate<P: Policy>(
    policy: &P,
    share: Share,
    case: &Case,
    inputs: &Inputs,
    progress: &mut dyn FnMut(Progress),
) -> Result<(Run, Vec<P::State>), RunError> {
    let mut simulation = simulation(policy, case, inputs, share.threads)?;
    let (wall, cpu, mut others_cpu) = (Instant::now(), thread_cpu_ns(), Some(0));
    let mut advance = |simulation: &mut Simulation<'_, P>| -> Result<engine::Progress, RunError> {
        if simulation.shards() == 1 {
            return Ok(simulation.advance(EVENTS_PER_REPORT)?);
        }
        let advanced = threads::advance(simulation, EVENTS_BETWEEN_STARTS, share.crowded)
            .map_err(|error| RunError::Machine(format!("no {} threads can be had: {error}", share.threads)))?;
        others_cpu = others_cpu.zip(advanced.others_cpu_ns).map(|(before, more)| before + more);
        Ok(advanced.progress?)
    };
    while let engine::Progress::Running(now) = advance(&mut simulation)? {
        let fraction = inputs.fraction(case, now, || simulation.operations_begun());
        progress(Progress { now, fraction });
    }
    let own_cpu = thread_cpu_ns().zip(cpu).map(|(end, start)| end.saturating_sub(start));
    let cpu_ns = own_cpu.zip(others_cpu).map(|(own, others)| own + others);
    let wall_s = wall.elapsed().as_secs_f64();
    let cpu_s = cpu_ns.filter(|&ns| ns > 0).map(|ns| ns as f64 / 1e9);
    let (record, states) = simulation.into_record_and_states();
    // Where channels have much to tell, memory is largest when the record is made.
    let cost = Cost { wall_s, cpu_s, peak_rss_bytes: peak_rss_bytes() };
    Ok((Run { record, seen: Vec::new(), cost }, states))
}

/// Sets a case up under a policy, cut into at most so many parts.
fn simulation<'c, P: Policy>(
    policy: &'c P,
    case: &'c Case,
    inputs: &Inputs,
    parts: usize,
) -> Result<Simulation<'c, P>, Diagnostic> {
    let system = &case.system;
    check_memory(system, policy)?;
    Simulation::in_parts(&system.network, &system.config, policy, inputs.workload(case), parts)
        .map_err(|error| diagnose(system, &error))
}

/// Refuses a simulation that this machine has no memory for.
fn check_memory(system: &System, policy: &impl Policy) -> Result<(), Diagnostic> {
    let Some(lack) = memory::lack(memory::of_simulation(system, policy), "the simulation") else { return Ok(()) };
    let help = "make the network smaller, or use a larger machine";
    Err(Diagnostic { machine: true, ..system.keys.error("network", lack, help) })
}

/// Points to the key that keeps a simulation from being set up.
fn diagnose(system: &System, SetupError { key, reason }: &SetupError) -> Diagnostic {
    system.keys.error(key, reason, "")
}
