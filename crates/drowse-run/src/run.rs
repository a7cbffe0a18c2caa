//! Runs one case.

use std::sync::Arc;
use std::time::{Duration, Instant};

use drowse_core::engine::{self, SetupError, Simulation};
use drowse_core::measure::timeline::{Excerpt, RankTimeline};
use drowse_core::measure::{ProbeOptions, ProbeRecord, Record};
use drowse_core::model::units::Time;
use drowse_core::power::{Policy, Probe, StallTimer};

use crate::cost::Cost;
use crate::error::RunError;
use crate::inputs::Inputs;
use crate::processes::{self, Peers};
use crate::progress::Progress;
use crate::threads::{self, Share};
use drowse_experiment::machine::{peak_rss_bytes, thread_cpu_ns};
use drowse_experiment::memory;
use drowse_experiment::{Case, Diagnostic, System, WorkloadSpec};

/// Events between two reports of progress: some tens of milliseconds of work.
const EVENTS_PER_REPORT: u64 = 200_000;
/// The same with several threads, which are started again after each report: some tenths of a second, so that the start
/// costs nothing.
const EVENTS_BETWEEN_STARTS: u64 = 3_000_000;

/// The result of a run, and its cost.
#[derive(Clone, Debug)]
pub struct Run {
    /// The result.
    pub record: Record,
    /// The record of each channel's probe, where probes were wanted.
    pub seen: Vec<ProbeRecord>,
    /// What was recorded of ranks, where a timeline was wanted.
    pub ranks: Vec<RankTimeline>,
    /// The cost of the event loop.
    pub cost: Cost,
}

/// Checks everything that can be wrong with a case before its first event; the workload is read only as far as needed.
pub fn check(case: &Case, inputs: &Inputs) -> Result<(), RunError> {
    check_memory(&case.system, &case.system.policy, WHOLE)?;
    check_setup(case, inputs)
}

/// Does as [`check()`] for a case that several processes run, of which so many are on this machine.
pub fn check_in_processes(case: &Case, inputs: &Inputs, peers: &dyn Peers) -> Result<(), RunError> {
    check_memory(&case.system, &case.system.policy, (peers.here(), peers.count()))?;
    check_setup(case, inputs)
}

fn check_setup(case: &Case, inputs: &Inputs) -> Result<(), RunError> {
    let system = &case.system;
    let checked = engine::check(&system.network, &system.config, &system.policy, &inputs.workload(case));
    checked.map_err(|error| diagnose(system, &error).into())
}

/// Runs a case on this thread, and calls `progress` now and then.
pub fn run(case: &Case, inputs: &Inputs, progress: &mut dyn FnMut(Progress)) -> Result<Run, RunError> {
    run_on(Share::ONE, ProbeOptions::default(), case, inputs, progress)
}

/// Runs a case on so many threads, this one included. The record depends neither on the threads, except for the number
/// of events, nor on the probes that are wanted.
pub fn run_on(
    share: Share,
    wanted: ProbeOptions,
    case: &Case,
    inputs: &Inputs,
    progress: &mut dyn FnMut(Progress),
) -> Result<Run, RunError> {
    let policy = &case.system.policy;
    if wanted.any() {
        return run_probed(policy, (wanted, None), share, case, inputs, progress);
    }
    // Most runs have plain stall timers: an event loop compiled for them is the fastest.
    match policy.stall_timers() {
        Some(timers) => run_policy(&StallTimer { timers }, share, case, inputs, progress),
        None => run_policy(policy, share, case, inputs, progress),
    }
}

/// Does as [`run_on`], and records a timeline; the probes that are wanted are not bounded by it.
pub fn run_recorded(
    share: Share,
    wanted: ProbeOptions,
    excerpt: &Arc<Excerpt>,
    case: &Case,
    inputs: &Inputs,
    progress: &mut dyn FnMut(Progress),
) -> Result<Run, RunError> {
    run_probed(&case.system.policy, (wanted, Some(excerpt)), share, case, inputs, progress)
}

/// Runs a partition of a case, the others in other processes, which do the same. Process 0 gets the result.
pub fn run_in_processes(
    peers: &mut dyn Peers,
    case: &Case,
    inputs: &Inputs,
    progress: &mut dyn FnMut(Progress),
) -> Result<Option<Run>, RunError> {
    match case.system.policy.stall_timers() {
        Some(timers) => in_processes(&StallTimer { timers }, peers, case, inputs, progress),
        None => in_processes(&case.system.policy, peers, case, inputs, progress),
    }
}

fn in_processes<P: Policy>(
    policy: &P,
    peers: &mut dyn Peers,
    case: &Case,
    inputs: &Inputs,
    progress: &mut dyn FnMut(Progress),
) -> Result<Option<Run>, RunError> {
    let System { network, config, .. } = &case.system;
    let (partition, count) = (peers.number(), peers.count());
    let prepared = Simulation::in_one_partition(network, config, policy, inputs.workload(case), (partition, count));
    let simulation = prepared.map_err(|error| diagnose(&case.system, &error))?;
    let ended = processes::run(simulation, peers, |simulation, now| {
        // Others have begun about as many.
        let fraction = inputs.fraction(case, now, || simulation.operations_begun() * count as u64);
        progress(Progress { now, fraction });
    })?;
    Ok(ended.map(|(record, cost)| Run { record, seen: Vec::new(), ranks: Vec::new(), cost }))
}

/// Runs a case on this thread under another policy than its own; channels that are always on under its own stay so.
pub fn run_under<P: Policy>(
    policy: &P,
    case: &Case,
    inputs: &Inputs,
    progress: &mut dyn FnMut(Progress),
) -> Result<Run, RunError> {
    run_policy(policy, Share::ONE, case, inputs, progress)
}

/// What a part of a run took.
#[derive(Clone, Copy, Debug)]
pub struct Sample {
    /// Time passed, in seconds.
    pub wall_s: f64,
    /// The share of the run that this was; `None` where it is unknown.
    pub share: Option<f64>,
}

/// Runs a case on this thread until it ends or so much time has passed.
pub fn sample(case: &Case, inputs: &Inputs, limit: Duration) -> Result<Sample, RunError> {
    let begun = Instant::now();
    let mut simulation = simulation(&case.system.policy, case, inputs, 1)?;
    loop {
        let engine::Progress::Running(now) = simulation.advance(EVENTS_PER_REPORT)? else {
            return Ok(Sample { wall_s: begun.elapsed().as_secs_f64(), share: Some(1.0) });
        };
        if begun.elapsed() >= limit {
            let share = inputs.fraction(case, now, || simulation.operations_begun());
            return Ok(Sample { wall_s: begun.elapsed().as_secs_f64(), share });
        }
    }
}

/// Runs a case with probes on its channels; with an excerpt, ranks are recorded, too.
fn run_probed<P: Policy>(
    policy: &P,
    (wanted, excerpt): (ProbeOptions, Option<&Arc<Excerpt>>),
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
    let all = ProbeOptions { timeline: wanted.timeline || excerpt.is_some(), ..wanted };
    let probe = Probe::new(policy, all, &case.system.config.classes, measured);
    let policy = match excerpt {
        Some(excerpt) if !wanted.timeline => probe.within(excerpt),
        _ => probe,
    };
    let (mut run, states) = simulate(&policy, (wanted.rank_operations, excerpt), share, case, inputs, progress)?;
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
    Ok(simulate(policy, (false, None), share, case, inputs, progress)?.0)
}

/// Runs a case under a policy, and returns the policy's final state of each channel. The time of ranks may be counted by
/// kind of operation, and they may be recorded over time.
fn simulate<P: Policy>(
    policy: &P,
    (by_operation, excerpt): (bool, Option<&Arc<Excerpt>>),
    share: Share,
    case: &Case,
    inputs: &Inputs,
    progress: &mut dyn FnMut(Progress),
) -> Result<(Run, Vec<P::State>), RunError> {
    let mut simulation = simulation(policy, case, inputs, share.partitions)?;
    if share.partitions > share.threads {
        simulation.alternate(share.partitions.div_ceil(share.threads));
    }
    excerpt.into_iter().for_each(|excerpt| simulation.record_ranks(excerpt));
    if by_operation {
        simulation.count_operations();
    }
    let (wall, cpu, mut others_cpu) = (Instant::now(), thread_cpu_ns(), Some(0));
    let mut advance = |simulation: &mut Simulation<'_, P>| -> Result<engine::Progress, RunError> {
        if simulation.shards().min(share.threads) == 1 {
            return Ok(simulation.advance(EVENTS_PER_REPORT)?);
        }
        let advanced = threads::advance(simulation, EVENTS_BETWEEN_STARTS, share)
            .map_err(|error| RunError::Machine(format!("{} threads cannot be started: {error}", share.threads)))?;
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
    let ranks = simulation.take_timelines();
    let (record, states) = simulation.into_record_and_states();
    // Where probes record much, memory is largest when the record is made.
    let cost = Cost { wall_s, cpu_s, peak_rss_bytes: peak_rss_bytes(), exchanged: None };
    Ok((Run { record, seen: Vec::new(), ranks, cost }, states))
}

/// Sets a case up under a policy, in at most so many partitions.
fn simulation<'c, P: Policy>(
    policy: &'c P,
    case: &'c Case,
    inputs: &Inputs,
    partitions: usize,
) -> Result<Simulation<'c, P>, Diagnostic> {
    let system = &case.system;
    check_memory(system, policy, WHOLE)?;
    Simulation::in_partitions(&system.network, &system.config, policy, inputs.workload(case), partitions)
        .map_err(|error| diagnose(system, &error))
}

/// All of a simulation, as the share of it that is on this machine: so many partitions of so many.
const WHOLE: (usize, usize) = (1, 1);

/// Refuses a simulation for which this machine has too little memory.
fn check_memory(system: &System, policy: &impl Policy, (here, of): (usize, usize)) -> Result<(), Diagnostic> {
    let needed = memory::of_simulation(system, policy).div_ceil(of as u64) * here as u64;
    let Some(lack) = memory::lack(needed, "the simulation") else { return Ok(()) };
    let help = "make the network smaller, or use a larger machine";
    Err(Diagnostic { machine: true, ..system.keys.error("network", lack, help) })
}

/// Makes the error that names the key because of which a simulation cannot be set up.
fn diagnose(system: &System, SetupError { key, reason }: &SetupError) -> Diagnostic {
    system.keys.error(key, reason, "")
}
