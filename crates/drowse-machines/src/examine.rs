//! Runs a machine in every way that must not matter, and holds the results against each other and against laws.

use std::any::Any;
use std::panic::{self, AssertUnwindSafe};
use std::path::Path;
use std::time::Duration;

use drowse_core::engine::{Failure, Progress, Simulation, Standstill};
use drowse_core::measure::series::IntervalLength;
use drowse_core::measure::{MessageSizes, ProbeOptions, Record};
use drowse_core::model::units::Time;
use drowse_core::routing::dependencies::{self, Verdict as Proof};
use drowse_core::topology::Geometry;
use drowse_experiment::machine::thread_cpu_ns;
use drowse_experiment::{Case, Diagnostic, WorkloadSpec};
use drowse_run::error::RunError;
use drowse_run::inputs::{self, Inputs, Traces};
use drowse_run::outcome::Outcome;
use drowse_run::request::RunRequest;
use drowse_run::threads::{Share, Threads};

use crate::caps;
use crate::finding::Finding;
use crate::laws;
use crate::machine::Machine;
use crate::probes;
use crate::process;
use crate::programs;
use crate::shares;
use crate::sleepless;
use crate::tables;
use crate::twin;

/// What has become of a machine.
#[derive(Clone, Debug, PartialEq)]
pub enum Verdict {
    /// It keeps all laws.
    Passed {
        /// Packets that reached their nodes.
        packets: u64,
    },
    /// The schema refuses it; the message has no numbers, so that the like can be counted.
    Refused(String),
    /// It breaks a law.
    Failed(Finding),
}

/// The CPU time that a run may take: on a busy machine, the time of a clock would fail runs that end.
const PATIENCE: Duration = Duration::from_mins(3);

/// Events of a run that is large: one machine in a hundred, which would take most of the time of all.
const LARGE: u64 = 1_000_000;

/// Why a machine is not examined to the end.
enum Stop {
    Refused(Diagnostic),
    Failed(Finding),
}

/// A run that took too long; unwinds from where its progress is reported.
struct TooLong;

/// Examines a machine, whose files are written to a folder. A panic is a finding.
pub fn examine(machine: &Machine, folder: &Path) -> Verdict {
    verdict(|| attempt(machine, folder))
}

/// Runs a machine once and compares its record with that of the twin, if that models it. A panic is a finding.
pub fn examine_beside_twin(machine: &Machine, folder: &Path) -> Verdict {
    verdict(|| {
        let (case, _) = opened(machine, folder)?;
        let run = ran(&case, Threads::ONE, false, ProbeOptions::default())?;
        twin::check(&run.case, &run.record).map_err(Stop::Failed)?;
        Ok(run.record.packets_delivered)
    })
}

fn verdict(attempt: impl FnOnce() -> Result<u64, Stop>) -> Verdict {
    match panic::catch_unwind(AssertUnwindSafe(attempt)) {
        Ok(Ok(packets)) => Verdict::Passed { packets },
        Ok(Err(Stop::Refused(diagnostic))) => Verdict::Refused(without_numbers(&diagnostic.message)),
        Ok(Err(Stop::Failed(finding))) => Verdict::Failed(finding),
        Err(panic) if panic.is::<TooLong>() => Verdict::Failed(too_long()),
        Err(panic) => Verdict::Failed(Finding { law: "no panic", text: message(panic.as_ref()) }),
    }
}

/// Reads a machine, whose files are written to a folder, and opens its inputs.
fn opened(machine: &Machine, folder: &Path) -> Result<(Case, Inputs), Stop> {
    let no_disk = |error: std::io::Error| Finding { law: "the machine has a disk", text: error.to_string() };
    machine.write_files(folder).map_err(|error| Stop::Failed(no_disk(error)))?;
    let source = machine.source(folder).map_err(Stop::Refused)?;
    let case = drowse_experiment::case(&source).map_err(Stop::Refused)?;
    let inputs = inputs::open(&case, &Traces::default()).map_err(stop)?;
    drowse_run::check(&case, &inputs).map_err(stop)?;
    Ok((case, inputs))
}

fn attempt(machine: &Machine, folder: &Path) -> Result<u64, Stop> {
    let broken = |law, text: String| Stop::Failed(Finding { law, text });
    let (case, inputs) = opened(machine, folder)?;
    check_proof(&case)?;
    let whole = ran(&case, Threads::ONE, true, ProbeOptions::default())?;
    laws::check(&whole).map_err(Stop::Failed)?;
    twin::check(&whole.case, &whole.record).map_err(Stop::Failed)?;
    caps::check(&whole).map_err(Stop::Failed)?;
    // Only some of the ways record what is done over time.
    let bare = Record { over_time: None, ..whole.record.clone() };
    for (way, record) in repetitions(&case, &inputs, folder, &bare)? {
        if let Some(difference) = laws::difference(&bare, &Record { over_time: None, ..record }) {
            return Err(broken("a run is the same in any partitions", format!("{way}: {difference}")));
        }
    }
    let moves_packets = case.system.config.unit.is_packet();
    let run = |case: &Case| ran(case, Threads::ONE, false, ProbeOptions::default()).map(|run| run.record);
    if matches!(case.workload, WorkloadSpec::Jobs(_)) {
        let always_on = case.always_on();
        let on = ran(&always_on, Threads::ONE, false, ProbeOptions::default())?;
        laws::check(&on).map_err(Stop::Failed)?;
        if !laws::is_extrapolated(&whole.record) && !laws::is_extrapolated(&on.record) {
            laws::check_same_program(&case, &whole.record, &on.record).map_err(Stop::Failed)?;
            programs::check(&case, &inputs, &whole.record).map_err(Stop::Failed)?;
        }
        if moves_packets && whole.record.events <= LARGE {
            sleepless::check(&case, &on.record, run)?.map_err(Stop::Failed)?;
        }
        caps::check_unfelt(&case.system, &whole.record, &on.record).map_err(Stop::Failed)?;
    }
    if moves_packets && !matches!(case.system.network.geometry, Geometry::Ideal(_)) {
        shares::check(&case, run)?.map_err(Stop::Failed)?;
    }
    Ok(whole.record.packets_delivered)
}

/// Repeats a run as it must give the same record: partitioned, on threads, probed, in processes. Checks the tables of one.
/// A large case is repeated once only, without another audit.
fn repetitions(
    case: &Case,
    inputs: &Inputs,
    folder: &Path,
    whole: &Record,
) -> Result<Vec<(&'static str, Record)>, Stop> {
    let small = whole.events <= LARGE;
    let mut records = vec![("in three partitions", in_turns(case, inputs, 3, small, 1_000)?)];
    if small {
        let two = Share { threads: 2, partitions: 3, oversubscribed: true };
        let threads = ran(case, Threads::shared(two), case.system.config.audit, ProbeOptions::default())?;
        records.push(("on two threads", threads.record));
        let flows = !case.system.config.unit.is_packet();
        let wanted = ProbeOptions {
            waiting: everything(case, whole.measured).waiting.filter(|_| !flows),
            ..everything(case, whole.measured)
        };
        // Probes need all iterations.
        if case.system.config.unit.extrapolates().is_none() {
            let probed = ran(case, Threads::ONE, false, wanted)?;
            probes::check(&probed).map_err(Stop::Failed)?;
            tables::check(&probed, &folder.join("tables")).map_err(Stop::Failed)?;
            caps::check(&probed).map_err(Stop::Failed)?;
            let sizes = MessageSizes::default();
            let record = Record { message_sizes: sizes, operations: Vec::new(), over_time: None, ..probed.record };
            records.push(("without audit, with probes", record));
        }
        records.push(("in four partitions, whose halves may take turns", in_turns(case, inputs, 4, false, 1_000)?));
        records.push(("in five partitions", in_turns(case, inputs, 5, false, 3)?));
        records.push(("in two processes", in_processes(case, 2)?));
    }
    Ok(records)
}

/// All probes that a case may have. What waits is counted a thousand times in a long run: each count takes memory for every port.
fn everything(case: &Case, measured: Time) -> ProbeOptions {
    let has_power = case.system.config.unit.is_packet();
    ProbeOptions {
        idle_periods: true,
        idle_pairs: true,
        timers: true,
        timeline: true,
        waiting: Some(Time((measured.0 / 1_000).max(1_000_000))),
        message_sizes: true,
        rank_operations: true,
        rank_waits: true,
        wakes: true,
        power: has_power.then_some(IntervalLength::OfRun),
    }
}

/// What the schema lets through is proven free of deadlock.
fn check_proof(case: &Case) -> Result<(), Stop> {
    if matches!(case.system.network.geometry, Geometry::Ideal(_)) {
        return Ok(());
    }
    match dependencies::check(&case.system.network, &case.system.config) {
        Ok(Proof::Proven(_)) => Ok(()),
        other => Err(Stop::Failed(Finding { law: "every routing is proven", text: format!("{other:?}") })),
    }
}

/// Runs a case as the program does, on so many threads.
fn ran(case: &Case, threads: Threads, audit: bool, probes: ProbeOptions) -> Result<Outcome, Stop> {
    let mut case = case.clone();
    case.system.config.audit = audit;
    let began = thread_cpu_ns();
    let request = RunRequest { threads, probes, observer: &|_, _| limit(began), ..RunRequest::new(&case) };
    request.run().map(|outcomes| outcomes.case).map_err(stop)
}

/// Runs a case in partitions that take turns, so many events at a time, by the event loop for all policies.
fn in_turns(case: &Case, inputs: &Inputs, partitions: usize, audit: bool, events: u64) -> Result<Record, Stop> {
    let system = &case.system;
    let mut config = system.config.clone();
    config.audit = audit;
    let workload = inputs.workload(case);
    let simulation = Simulation::in_partitions(&system.network, &config, &system.policy, workload, partitions);
    let mut simulation = simulation.map_err(|error| Stop::Refused(system.keys.error(error.key, error.reason, "")))?;
    simulation.alternate(partitions);
    let began = thread_cpu_ns();
    while simulation.advance(events).map_err(|failure| stop(failure.into()))? != Progress::Done {
        limit(began);
    }
    Ok(simulation.into_record())
}

/// Runs a case over several processes.
fn in_processes(case: &Case, count: usize) -> Result<Record, Stop> {
    let run = |mut process| RunRequest::new(case).run_in_processes(&mut process);
    let mut runs = process::in_each(count, run).into_iter();
    let first = runs.next().transpose().map_err(stop)?.flatten();
    first
        .map(|outcomes| outcomes.case.record)
        .ok_or_else(|| Stop::Failed(Finding { law: "the first process has the result", text: "it has none".into() }))
}

/// Ends a run that has taken too long since this thread had used so many nanoseconds.
fn limit(began: Option<u64>) {
    let used = thread_cpu_ns().zip(began).map(|(now, began)| Duration::from_nanos(now.saturating_sub(began)));
    if used.is_some_and(|used| used > PATIENCE) {
        panic::resume_unwind(Box::new(TooLong));
    }
}

fn too_long() -> Finding {
    Finding { law: "every run ends", text: format!("a run took more than {} s of CPU time", PATIENCE.as_secs()) }
}

/// Tells what is refused from what is broken.
fn stop(error: RunError) -> Stop {
    let law = match error {
        RunError::Input(diagnostic) => return Stop::Refused(diagnostic),
        RunError::Stuck(Failure::Deadlock(ref deadlock)) => match deadlock.what {
            Standstill::PacketCircle | Standstill::PacketChain => "what is proven does not deadlock",
            Standstill::RankCircle | Standstill::FinishedRank | Standstill::AnySender | Standstill::AnyRequest => {
                "every message is received"
            }
        },
        RunError::Stuck(Failure::Standstill { .. }) => "processes end as one does",
        RunError::Cancelled => "nobody cancels a run",
        RunError::Source(_) | RunError::Stuck(Failure::Source(_)) => "a trace that is read can be run",
        RunError::TooLong(_) | RunError::Stuck(Failure::TooLong(_)) => {
            "small jobs do not take longer than can be simulated"
        }
        RunError::Machine(_) => "the machine has threads",
    };
    Stop::Failed(Finding { law, text: error.to_string() })
}

/// Returns the message of a panic.
fn message(panic: &(dyn Any + Send)) -> String {
    let text = panic.downcast_ref::<&str>().map(ToString::to_string);
    text.or_else(|| panic.downcast_ref::<String>().cloned()).unwrap_or_else(|| "a panic without a text".to_owned())
}

/// Puts `#` for each number, so that messages of the same kind are equal.
fn without_numbers(message: &str) -> String {
    let mut text = String::new();
    for c in message.chars() {
        let c = if c.is_ascii_digit() { '#' } else { c };
        if c != '#' || !text.ends_with('#') {
            text.push(c);
        }
    }
    text
}
