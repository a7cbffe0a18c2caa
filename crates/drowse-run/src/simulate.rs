//! Simulates a case whose files are open.

use std::any::Any;
use std::ops::Range;
use std::sync::Arc;
use std::time::{Duration, Instant};

use drowse_core::engine::{self, OnePartition, SetupError, Simulation};
use drowse_core::measure::rank_waits::RankWaits;
use drowse_core::measure::timeline::{Excerpt, RankTimeline};
use drowse_core::measure::wakes::Wakes;
use drowse_core::measure::{ProbeOptions, ProbeRecord, Record};
use drowse_core::model::units::Time;
use drowse_core::power::{ByClass, ClassPolicy, Policy, Probe, StallTimer};

use crate::cancel::Cancel;
use crate::cost::Cost;
use crate::error::RunError;
use crate::inputs::Inputs;
use crate::over_time::groups;
use crate::processes::{self, Peers};
use crate::progress::Progress;
use crate::threads::{self, Share};
use drowse_experiment::machine::{peak_rss_bytes, thread_cpu_ns};
use drowse_experiment::memory;
use drowse_experiment::{Case, Diagnostic, System, WorkloadSpec};

/// Events between two reports of progress: some hundredths of a second of work.
const EVENTS_PER_REPORT: u64 = 50_000;
/// Events between two reports with several threads, which are started again after each report: some tenths of a second of
/// work, so that the start costs nothing. A run that is cancelled pauses before.
const EVENTS_BETWEEN_STARTS: u64 = 3_000_000;

/// A case and its opened files, and how it is simulated.
#[derive(Clone, Copy)]
pub(crate) struct Prepared<'a> {
    pub case: &'a Case,
    pub inputs: &'a Inputs,
    /// Its threads and partitions. The record depends on neither, except for the number of events.
    pub share: Share,
    /// What is recorded beside the record, which does not depend on it.
    pub probes: ProbeOptions,
    /// What a timeline shows, where one is wanted; probes are not bounded by it.
    pub excerpt: Option<&'a Arc<Excerpt>>,
    pub cancel: &'a Cancel,
}

/// The result of a run, and its cost.
pub(crate) struct Run {
    /// The result.
    pub record: Record,
    /// The record of each channel's probe, where probes were wanted.
    pub seen: Vec<ProbeRecord>,
    /// What was recorded of ranks, where a timeline was wanted.
    pub ranks: Vec<RankTimeline>,
    /// For whom ranks have waited, where that was wanted.
    pub waits: Vec<RankWaits>,
    /// For which wakes messages waited, where that was wanted.
    pub wakes: Option<Wakes>,
    /// The cost of the event loop.
    pub cost: Cost,
}

/// What a part of a run took.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Sample {
    /// Time passed, in seconds.
    pub wall_s: f64,
    /// The share of the run that this was; `None` where it is unknown.
    pub share: Option<f64>,
}

/// Runs cases under a policy of another crate, whose type it knows.
pub(crate) trait Runs: Send + Sync {
    /// Does as [`Prepared::run`].
    fn run(&self, prepared: &Prepared<'_>, progress: &mut dyn FnMut(Progress)) -> Result<Run, RunError>;

    /// Does as [`Prepared::run_in_processes`].
    fn run_in_processes(
        &self,
        prepared: &Prepared<'_>,
        peers: &mut dyn Peers,
        progress: &mut dyn FnMut(Progress),
    ) -> Result<Option<Run>, RunError>;

    /// Does as [`Prepared::sample`].
    fn sample(&self, prepared: &Prepared<'_>, limit: Duration) -> Result<Sample, RunError>;

    /// Returns the policy.
    fn policy(&self) -> &dyn Any;
}

/// Finds out how the policies of other crates in a case are run, if there are some.
fn runs(policy: &ByClass) -> Option<&dyn Runs> {
    policy.classes().iter().find_map(|class| match class {
        ClassPolicy::Other(other) => other.inside.downcast_ref::<Box<dyn Runs>>().map(AsRef::as_ref),
        _ => None,
    })
}

/// Checks everything that can be wrong with a case before its first event; the workload is read only as far as needed.
pub fn check(case: &Case, inputs: &Inputs) -> Result<(), RunError> {
    check_memory(&case.system, &case.system.policy, WHOLE)?;
    check_setup(case, inputs)
}

/// Does as [`check()`] for a case that several processes run, of which so many are on this machine.
pub(crate) fn check_in_processes(case: &Case, inputs: &Inputs, peers: &dyn Peers) -> Result<(), RunError> {
    check_memory(&case.system, &case.system.policy, (peers.here(), peers.count()))?;
    check_setup(case, inputs)
}

fn check_setup(case: &Case, inputs: &Inputs) -> Result<(), RunError> {
    let system = &case.system;
    let checked = engine::check(&system.network, &system.config, &system.policy, &inputs.workload(case));
    checked.map_err(|error| diagnose(system, &error).into())
}

impl<'a> Prepared<'a> {
    /// Makes a case that is simulated on one thread, and of which nothing more is recorded.
    pub fn new(case: &'a Case, inputs: &'a Inputs, cancel: &'a Cancel) -> Self {
        Prepared { case, inputs, share: Share::ONE, probes: ProbeOptions::default(), excerpt: None, cancel }
    }

    /// Runs it, and calls `progress` now and then.
    pub fn run(&self, progress: &mut dyn FnMut(Progress)) -> Result<Run, RunError> {
        let policy = &self.case.system.policy;
        if let Some(own) = runs(policy) {
            return own.run(self, progress);
        }
        // Most runs have plain stall timers: an event loop compiled for them is the fastest.
        match policy.stall_timers() {
            Some(timers) if !self.is_probed() => self.simulated(&StallTimer { timers }, progress),
            _ => self.run_under(policy, progress),
        }
    }

    /// Does as [`Prepared::run`] under another policy than the case's own; channels that are always on under its own stay so.
    pub fn run_under<P>(&self, policy: &P, progress: &mut dyn FnMut(Progress)) -> Result<Run, RunError>
    where
        P: Policy + Sync,
        P::State: Send,
    {
        if self.is_probed() { self.probed(policy, progress) } else { self.simulated(policy, progress) }
    }

    /// Runs a partition of it, the others in other processes, which do the same. Process 0 gets the result.
    pub fn run_in_processes(
        &self,
        peers: &mut dyn Peers,
        progress: &mut dyn FnMut(Progress),
    ) -> Result<Option<Run>, RunError> {
        let policy = &self.case.system.policy;
        if let Some(own) = runs(policy) {
            return own.run_in_processes(self, peers, progress);
        }
        match policy.stall_timers() {
            Some(timers) if !self.is_probed() => self.simulated_in_processes(&StallTimer { timers }, peers, progress),
            _ => self.in_processes(policy, peers, progress),
        }
    }

    /// Runs it on this thread until it ends or so much time has passed.
    pub fn sample(&self, limit: Duration) -> Result<Sample, RunError> {
        let policy = &self.case.system.policy;
        runs(policy).map_or_else(|| self.sampled(policy, limit), |own| own.sample(self, limit))
    }

    /// Does as [`Prepared::sample`], under a policy.
    pub fn sampled<P: Policy>(&self, policy: &P, limit: Duration) -> Result<Sample, RunError> {
        let begun = Instant::now();
        let mut simulation = self.simulation(policy)?;
        loop {
            self.cancel.check()?;
            let engine::Progress::Running(now) = simulation.advance(EVENTS_PER_REPORT)? else {
                return Ok(Sample { wall_s: begun.elapsed().as_secs_f64(), share: Some(1.0) });
            };
            if begun.elapsed() >= limit {
                let share = self.inputs.fraction(self.case, now, || simulation.operations_begun());
                return Ok(Sample { wall_s: begun.elapsed().as_secs_f64(), share });
            }
        }
    }

    /// Returns the measured time of open-loop traffic.
    fn measured(&self) -> Option<Range<Time>> {
        match &self.case.workload {
            WorkloadSpec::Traffic(traffic) => Some(traffic.warmup..traffic.warmup.saturating_add(traffic.measure)),
            WorkloadSpec::Jobs(_) => None,
        }
    }

    fn is_probed(&self) -> bool {
        self.probes.any() || self.excerpt.is_some()
    }

    /// Does as [`Prepared::run_in_processes`], under a policy.
    pub fn in_processes<P: Policy>(
        &self,
        policy: &P,
        peers: &mut dyn Peers,
        progress: &mut dyn FnMut(Progress),
    ) -> Result<Option<Run>, RunError> {
        if !self.is_probed() {
            return self.simulated_in_processes(policy, peers, progress);
        }
        let probe = Probe::new(policy, self.probes, &self.case.system.config.classes, self.measured());
        self.simulated_in_processes(&probe, peers, progress)
    }

    fn simulated_in_processes<P: Policy>(
        &self,
        policy: &P,
        peers: &mut dyn Peers,
        progress: &mut dyn FnMut(Progress),
    ) -> Result<Option<Run>, RunError> {
        let Prepared { case, inputs, cancel, probes, .. } = *self;
        let System { network, config, .. } = &case.system;
        let part = OnePartition { number: peers.number(), count: peers.count() };
        let prepared = Simulation::in_one_partition(network, config, policy, inputs.workload(case), part);
        let mut simulation = prepared.map_err(|error| diagnose(&case.system, &error))?;
        let groups = groups(&case.system);
        probes.power.into_iter().for_each(|length| simulation.record_over_time_by_group(length, groups.as_ref()));
        let ended = processes::run(simulation, peers, cancel, |simulation, now| {
            // Others have begun about as many.
            let fraction = inputs.fraction(case, now, || simulation.operations_begun() * part.count as u64);
            progress(Progress { now, fraction });
        })?;
        Ok(ended.map(|(record, cost)| Run {
            record,
            seen: Vec::new(),
            ranks: Vec::new(),
            waits: Vec::new(),
            wakes: None,
            cost,
        }))
    }

    /// Runs it with probes on its channels; with an excerpt, ranks are recorded, too.
    fn probed<P>(&self, policy: &P, progress: &mut dyn FnMut(Progress)) -> Result<Run, RunError>
    where
        P: Policy + Sync,
        P::State: Send,
    {
        let measured = self.measured();
        let start = measured.as_ref().map_or(Time::ZERO, |measured| measured.start);
        let all = ProbeOptions { timeline: self.probes.timeline || self.excerpt.is_some(), ..self.probes };
        let probe = Probe::new(policy, all, &self.case.system.config.classes, measured);
        let policy = match self.excerpt {
            Some(excerpt) if !self.probes.timeline => probe.within(excerpt),
            _ => probe,
        };
        let (mut run, states) = self.simulate(&policy, progress)?;
        let end = start.saturating_add(run.record.measured);
        run.seen = states.into_iter().map(|state| state.seen).collect();
        run.seen.iter_mut().for_each(|seen| seen.end_at(end));
        Ok(run)
    }

    fn simulated<P>(&self, policy: &P, progress: &mut dyn FnMut(Progress)) -> Result<Run, RunError>
    where
        P: Policy + Sync,
        P::State: Send,
    {
        Ok(self.simulate(policy, progress)?.0)
    }

    /// Runs it under a policy, and returns the policy's final state of each channel.
    fn simulate<P>(&self, policy: &P, progress: &mut dyn FnMut(Progress)) -> Result<(Run, Vec<P::State>), RunError>
    where
        P: Policy + Sync,
        P::State: Send,
    {
        let Prepared { case, inputs, share, probes, excerpt, cancel } = *self;
        let mut simulation = self.simulation(policy)?;
        if share.partitions > share.threads {
            simulation.alternate(share.partitions.div_ceil(share.threads));
        }
        excerpt.into_iter().for_each(|excerpt| simulation.record_ranks(excerpt));
        if probes.rank_operations {
            simulation.count_operations();
        }
        if probes.rank_waits {
            simulation.record_waits();
        }
        if probes.wakes {
            simulation.record_wakes();
        }
        let groups = groups(&case.system);
        probes.power.into_iter().for_each(|length| simulation.record_over_time_by_group(length, groups.as_ref()));
        let (wall, cpu, mut others_cpu) = (Instant::now(), thread_cpu_ns(), Some(0));
        let mut advance = |simulation: &mut Simulation<'_, P>| -> Result<engine::Progress, RunError> {
            cancel.check()?;
            if simulation.shards().min(share.threads) == 1 {
                return Ok(simulation.advance(EVENTS_PER_REPORT)?);
            }
            let advanced = threads::advance(simulation, EVENTS_BETWEEN_STARTS, share, cancel)
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
        let (ranks, waits) = (simulation.take_timelines(), simulation.take_waits());
        let wakes = probes.wakes.then(|| simulation.take_wakes());
        let (record, states) = simulation.into_record_and_states();
        // Where probes record much, memory is largest when the record is made.
        let cost = Cost { wall_s, cpu_s, peak_rss_bytes: peak_rss_bytes(), exchanged: None };
        Ok((Run { record, seen: Vec::new(), ranks, waits, wakes, cost }, states))
    }

    /// Sets it up under a policy, in at most as many partitions as its share has.
    fn simulation<'p, P: Policy>(&self, policy: &'p P) -> Result<Simulation<'p, P>, Diagnostic>
    where
        'a: 'p,
    {
        let system = &self.case.system;
        check_memory(system, policy, WHOLE)?;
        let workload = self.inputs.workload(self.case);
        Simulation::in_partitions(&system.network, &system.config, policy, workload, self.share.partitions)
            .map_err(|error| diagnose(system, &error))
    }
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
