//! How programs are made to run as long as the jobs of a log did.
//!
//! A program is simulated alone on the empty machine, with all links on: once, and twice in a row. The difference is the
//! time of one more run. A job of the log makes as many whole runs as its time holds, and its ranks compute longer for
//! the rest of it, in equal parts ([`drowse_core::workload::stretched`]). So alone, with all links on, it takes as long as
//! the log says. A program that takes longer than its job did is stopped when that ended; alone, too, so that no more time
//! is simulated than the longest of its jobs took.
//!
//! What stands for jobs without a program ([`drowse_core::workload::exchanges`]) gets messages of the length that fits.

use std::collections::HashMap;

use drowse_core::engine::{Progress, Simulation};
use drowse_core::measure::Warning;
use drowse_core::model::ids::NodeId;
use drowse_core::model::units::Time;
use drowse_core::power::StallTimer;
use drowse_core::workload::exchanges::{Division, Exchanges, Exchanging};
use drowse_core::workload::operation::{MOST_BYTES, OperationSource};
use drowse_core::workload::scheduler::{Kind, NeverFits, Request, Rules, Scheduler};
use drowse_core::workload::stretched::Stretched;
use drowse_core::workload::{Job, Workload};
use drowse_experiment::{Case, JobSpec, LogTimes, System};

use crate::error::RunError;

/// The most events of a program alone: some seconds of work, which nobody could cancel.
const MOST_EVENTS: u64 = 10_000_000;

/// How long a program takes alone.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Pace {
    /// One run.
    first: Time,
    /// Each run that follows on one.
    next: Time,
}

/// How often a job runs its program, and how much longer its ranks compute.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Fit {
    /// Runs in a row.
    pub runs: u32,
    /// Time that each rank computes beside what the program says.
    pub longer: Time,
    /// After how long it is stopped, if it has not ended.
    pub limit: Option<Time>,
}

impl Fit {
    /// Runs a program once that is made for the time of its job, until the limit that the log has, if it has one.
    pub fn until_limit(spec: &JobSpec) -> Self {
        let limit = spec.log.as_ref().and_then(|log| Some(log.limit?.max(log.run)));
        Fit { runs: 1, longer: Time::ZERO, limit }
    }
}

impl Pace {
    /// Fits a program to the time that a job ran.
    pub fn fit(self, log: &LogTimes) -> Fit {
        let Some(left) = log.run.0.checked_sub(self.first.0) else {
            return Fit { runs: 1, longer: Time::ZERO, limit: Some(log.run) };
        };
        let most = u64::from(log.runs.unwrap_or(u32::MAX));
        // A program that takes no time is run once.
        let more = left.checked_div(self.next.0).unwrap_or(0).min(most.saturating_sub(1));
        let runs = u32::try_from(more + 1).unwrap_or(u32::MAX);
        // By its limit, but not before it was by the log.
        let limit = log.limit.map(|limit| limit.max(log.run));
        Fit { runs, longer: Time(left - u64::from(runs - 1) * self.next.0), limit }
    }
}

/// The paces of the programs of a case, each found once for each number of nodes.
pub struct Paces<'a> {
    case: &'a Case,
    /// By program and nodes: the longest time that a job runs it.
    longest: HashMap<(&'a str, u32), Time>,
    known: HashMap<(&'a str, u32), Pace>,
    /// By nodes: what stands for jobs without a program, and how long it takes.
    exchanges: HashMap<u32, (Exchanges, Time)>,
}

impl<'a> Paces<'a> {
    /// Knows none yet of the programs of these jobs.
    pub fn new(case: &'a Case, specs: &'a [JobSpec]) -> Self {
        let mut longest = HashMap::new();
        for (spec, log) in specs.iter().filter_map(|spec| Some((spec, spec.log.as_ref()?))) {
            let longest = longest.entry((spec.path.as_str(), log.nodes)).or_insert(log.run);
            *longest = log.run.max(*longest);
        }
        Paces { case, longest, known: HashMap::new(), exchanges: HashMap::new() }
    }

    /// Returns the pace of a job's program on so many nodes; `source` makes so many runs of it.
    pub fn of(
        &mut self,
        spec: &'a JobSpec,
        nodes: u32,
        source: impl Fn(u32) -> Box<dyn OperationSource>,
    ) -> Result<Pace, RunError> {
        let key = (spec.path.as_str(), nodes);
        if let Some(&pace) = self.known.get(&key) {
            return Ok(pace);
        }
        let longest = self.longest.get(&key).copied().unwrap_or_default();
        let time = |runs| {
            let source = Stretched::new(source(runs), Time::ZERO, 0).limited(Some(longest));
            alone(self.case, spec, nodes, Box::new(source))
        };
        let pace = match time(1)? {
            Some(first) => Pace { first, next: time(2)?.map_or(Time::NEVER, |twice| twice.saturating_sub(first)) },
            None => Pace { first: Time::NEVER, next: Time::NEVER },
        };
        self.known.insert(key, pace);
        Ok(pace)
    }

    /// Returns what stands for a job without a program on so many nodes of so many cores, and the time that it takes alone.
    ///
    /// It is begun with messages that take the share of the time where all links are as fast as those of nodes, and run
    /// alone; then its messages get shorter, by as much as they took longer. Twice, since messages meet others then. By flows,
    /// a program of another time is the same but for the scale.
    pub fn exchanges(
        &mut self,
        spec: &'a JobSpec,
        (nodes, cores): (u32, u32),
        division: Division,
    ) -> Result<(Exchanges, Time), RunError> {
        if let Some(&known) = self.exchanges.get(&nodes) {
            return Ok(known);
        }
        let longest = self.longest.get(&(spec.path.as_str(), nodes)).copied().unwrap_or_default();
        let (mut made, own) = begun(&self.case.system, (nodes, cores), longest, division);
        for _ in 0..2 {
            let took = alone(self.case, spec, nodes, Box::new(Exchanging::new(made)))?.unwrap_or_default();
            let sent = took.saturating_sub(made.computing);
            let bytes = (u128::from(made.bytes) * u128::from(division.sending(own).0)).checked_div(u128::from(sent.0));
            made.bytes = bytes.map_or(made.bytes, |bytes| bytes.min(u128::from(MOST_BYTES)) as u64);
        }
        self.exchanges.insert(nodes, (made, own));
        Ok((made, own))
    }
}

/// The most bytes of a message by flows.
const LONGEST: u128 = 1 << 30;
/// The most packets, or messages, of all ranks.
const MOST_SENT: u128 = 1 << 19;

/// Makes what stands for a job of a time where all links are as fast as those of nodes; or for a shorter job, if its messages
/// would be too long to simulate at once. Returns the time, too.
fn begun(system: &System, (nodes, cores): (u32, u32), time: Time, division: Division) -> (Exchanges, Time) {
    let config = &system.config;
    let bandwidth = config.classes.first().map_or(0, |class| class.bandwidth.0);
    let ranks = u128::from(nodes) * u128::from(cores.max(1));
    let exchanges = u128::from(division.exchanges(nodes));
    let sent =
        u128::from(division.sending(time).0) * u128::from(bandwidth) / 8_000_000_000_000 / u128::from(cores.max(1));
    // As many as the job has, if they are not too many.
    let pieces = (sent / exchanges).div_ceil(u128::from(MOST_BYTES));
    let count = exchanges * pieces.min(MOST_SENT / (ranks * exchanges)).max(1);
    let most = if config.unit.is_packet() {
        let packet = u128::from(config.switch.packet_flits) * u128::from(config.switch.flit.0);
        (MOST_SENT / (ranks * count)).max(1) * packet
    } else {
        LONGEST
    };
    let whole = (sent / count).max(1);
    let own = if whole > most { Time((u128::from(time.0) * most / whole) as u64) } else { time };
    let computing = own - division.sending(own);
    let count = u32::try_from(count).unwrap_or(u32::MAX);
    (Exchanges { nodes, cores, computing, count, bytes: whole.min(most) as u64 }, own)
}

/// Returns how long a program takes alone on so many nodes of the empty machine, with all links on; `None` where it is
/// stopped at its limit.
fn alone(case: &Case, spec: &JobSpec, nodes: u32, source: Box<dyn OperationSource>) -> Result<Option<Time>, RunError> {
    let mut case = case.always_on();
    case.system.config.unit = case.system.config.unit.simulated_whole();
    let system = &case.system;
    let request = Request { ranks: source.ranks(), nodes, ..Request::default() };
    let placed = case.scheduler.map(|rules| placed(rules, request, system.network.nodes, system.cores));
    let placement = placed.transpose().map_err(|NeverFits { .. }| {
        let message = format!("the program of `{}` does not fit {nodes} nodes", spec.name);
        system.keys.error(&spec.program_path(), message, "make it smaller, or [network] larger")
    })?;
    let job = Job { name: spec.name.clone(), source, placement: placement.unwrap_or_default(), start: Time::ZERO };
    let policy = StallTimer::always_on(system.network.classes.len());
    let workload = Workload::Jobs(vec![job]);
    let mut simulation = Simulation::new(&system.network, &system.config, &policy, workload)
        .map_err(|error| system.keys.error(error.key, error.reason, ""))?;
    if simulation.advance(MOST_EVENTS)? != Progress::Done {
        let message =
            format!("`{}` is too long a program for a log: alone, it has more than {MOST_EVENTS} events", spec.path);
        let help = "write fewer iterations, or smaller messages: each job repeats it for as long as it ran";
        return Err(system.keys.error(&spec.program_path(), message, help).into());
    }
    let record = simulation.into_record();
    let is_stopped = record.warnings.iter().any(|warning| matches!(warning, Warning::Stopped { .. }));
    Ok(record.makespan.filter(|_| !is_stopped))
}

/// Returns the nodes that a scheduler gives the only job of an empty machine.
fn placed(rules: Rules, request: Request, nodes: u32, cores: u32) -> Result<Vec<NodeId>, NeverFits> {
    let rules = Rules { kind: Kind::FirstComeFirstServed, ..rules };
    let starts = Scheduler::new(rules, nodes, cores, vec![request])?.decide(Time::ZERO);
    Ok(starts.into_iter().next().map(|start| start.nodes).unwrap_or_default())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fitted(run: u64, limit: u64, runs: Option<u32>) -> Fit {
        let log = LogTimes { start: None, run: Time(run), limit: Some(Time(limit)), nodes: 1, named: None, runs };
        Pace { first: Time(12), next: Time(10) }.fit(&log)
    }

    fn fit(run: u64, runs: Option<u32>) -> (u32, u64) {
        let fit = fitted(run, 99, runs);
        (fit.runs, fit.longer.0)
    }

    /// One run takes 12, two take 22, three take 32.
    #[test]
    fn whole_runs_and_the_rest() {
        assert_eq!([fit(12, None), fit(21, None), fit(22, None), fit(35, None)], [(1, 0), (1, 9), (2, 0), (3, 3)]);
        assert_eq!([fit(35, Some(1)), fit(35, Some(2)), fit(35, Some(9))], [(1, 23), (2, 13), (3, 3)]);
        assert_eq!(fit(5, None), (1, 0), "it takes longer than the job did");
        let limits = [fitted(5, 99, None), fitted(20, 99, None), fitted(20, 15, None)].map(|fit| fit.limit);
        assert_eq!(limits, [5, 99, 20].map(|limit| Some(Time(limit))));
    }
}
