//! Opens what a case names: its traces and placement files.

use std::fs;
use std::path::Path;

use drowse_core::ids::NodeId;
use drowse_core::units::Time;
use drowse_core::workload::operation::OperationSource;
use drowse_core::workload::placement::FreeCores;
use drowse_core::workload::repeat::Repeat;
use drowse_core::workload::{Job, Workload};
use drowse_traces::{Trace, TraceError};

use crate::experiment::{Case, Diagnostic, JobSpec, Program, System, WorkloadSpec};
use crate::machine::is_bad_input;
use crate::placement::place;
use crate::progress;
use crate::recent::Recent;
use crate::run::RunError;

/// The opened files of a case; several runs may read from them at the same time.
pub struct Inputs {
    jobs: Vec<JobInput>,
}

/// The opened files of one job.
struct JobInput {
    trace: Trace,
    /// An estimate of the operations of one run of the trace.
    operations: u64,
    placement: Vec<NodeId>,
    file: TraceFile,
}

/// Names a trace in results, without its folder: the same on every machine.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TraceFile {
    /// The file's name.
    pub name: String,
    /// Its length in bytes; `None` for a folder.
    pub bytes: Option<u64>,
    /// A hash of what it says.
    pub fingerprint: u64,
}

/// The traces that were opened last, by their paths; cases that share them open them once.
pub type Traces = Recent<OpenTrace>;

/// A trace with its file and an estimate of its operations.
pub(crate) type OpenTrace = (Trace, TraceFile, u64);

/// Opens the traces of a case, checks that they can be simulated, and places their ranks.
pub fn open(case: &Case, traces: &Traces) -> Result<Inputs, RunError> {
    let WorkloadSpec::Jobs(specs) = &case.workload else { return Ok(Inputs { jobs: Vec::new() }) };
    let mut free = FreeCores::new(case.system.network.nodes, case.system.cores);
    let mut jobs = Vec::new();
    for (number, spec) in (0..).zip(specs) {
        let Program::Trace(path) = &spec.program else { return Err(refuse_graph(spec, &case.system).into()) };
        let (trace, file, operations) = open_program(path, spec, traces, &case.system)?;
        let placement = place(spec, number, trace.ranks(), &mut free, &case.system)?;
        jobs.push(JobInput { trace, operations, placement, file });
    }
    Ok(Inputs { jobs })
}

impl Inputs {
    /// Gives the workload of a case, from its beginning.
    pub(crate) fn workload(&self, case: &Case) -> Workload {
        let specs = match &case.workload {
            WorkloadSpec::Traffic(traffic) => return Workload::OpenLoop(traffic.clone()),
            WorkloadSpec::Jobs(specs) => specs,
        };
        let job = |(spec, input): (&JobSpec, &JobInput)| Job {
            name: spec.name.clone(),
            source: operations(spec, &input.trace),
            placement: input.placement.clone(),
            start: spec.start,
        };
        Workload::Jobs(specs.iter().zip(&self.jobs).map(job).collect())
    }

    /// Gives the share of a case that is done at a simulated time, when ranks have begun so many operations.
    pub(crate) fn fraction(&self, case: &Case, now: Time, begun: impl FnOnce() -> u64) -> Option<f64> {
        match &case.workload {
            WorkloadSpec::Traffic(traffic) => progress::of_traffic(now, traffic.warmup.saturating_add(traffic.measure)),
            WorkloadSpec::Jobs(specs) => {
                let jobs = specs.iter().zip(&self.jobs).map(|(spec, input)| (input.operations, spec.repeat));
                progress::of_programs(begun(), jobs)
            }
        }
    }

    /// Gives the traces' files, one per job.
    pub fn trace_files(&self) -> impl Iterator<Item = &TraceFile> {
        self.jobs.iter().map(|job| &job.file)
    }

    /// Gives the node of each rank, one list per job.
    pub(crate) fn placements(&self) -> impl Iterator<Item = &[NodeId]> {
        self.jobs.iter().map(|job| job.placement.as_slice())
    }
}

/// Gives the operations of a job: those of its trace, as often as it runs it.
fn operations(spec: &JobSpec, trace: &Trace) -> Box<dyn OperationSource> {
    let (trace, compute) = (trace.clone(), spec.compute);
    match spec.repeat {
        1 => trace.operations(compute),
        times => Box::new(Repeat::new(times, move || trace.operations(compute))),
    }
}

/// Opens a trace, and checks that it can be simulated.
fn open_trace(path: &Path) -> Result<OpenTrace, TraceError> {
    let trace = Trace::open(path)?;
    let info = trace.info()?;
    info.check_simulable()?;
    let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
    let bytes = fs::metadata(path).ok().filter(fs::Metadata::is_file).map(|metadata| metadata.len());
    let fingerprint = trace.fingerprint()?;
    Ok((trace, TraceFile { name, bytes, fingerprint }, progress::operations(&info)))
}

/// Opens the trace of a job, and checks that it can be simulated and has as many ranks as the job says.
pub(crate) fn open_program(
    path: &Path,
    spec: &JobSpec,
    traces: &Traces,
    system: &System,
) -> Result<OpenTrace, RunError> {
    let opened = traces.get(&path.to_string_lossy(), || open_trace(path));
    let opened = opened.map_err(|error| refuse(&error, spec, system))?;
    check_ranks(spec, opened.0.ranks(), system)?;
    Ok(opened)
}

/// Says that a communication graph cannot be simulated.
fn refuse_graph(spec: &JobSpec, system: &System) -> Diagnostic {
    let message = format!("`{}` is a communication graph without times: it cannot be simulated", spec.program_path());
    system.keys.error(&spec.program_path(), message, "run `drowse usage FILE`, or give a trace = \"...\" instead")
}

/// Says that a job's trace cannot be used.
fn refuse(error: &TraceError, spec: &JobSpec, system: &System) -> RunError {
    match error {
        TraceError::Spool { .. } => RunError::Machine(error.to_string()),
        TraceError::Unreadable { source, .. } if !is_bad_input(source) => RunError::Machine(error.to_string()),
        // The message of a trace says itself what to do.
        _ => system.keys.error(&format!("{}.trace", spec.path), error.to_string(), "").into(),
    }
}

/// Refuses a program that has not as many ranks as the job says.
pub(crate) fn check_ranks(spec: &JobSpec, ranks: u32, system: &System) -> Result<(), Diagnostic> {
    match spec.ranks {
        Some(given) if given != ranks => {
            let what = if matches!(spec.program, Program::Trace(_)) { "trace" } else { "application" };
            let message = format!("the {what} has {ranks} ranks, not {given}");
            let help = format!("write ranks = {ranks}, or leave it out");
            Err(system.keys.error(&format!("{}.ranks", spec.path), message, help))
        }
        _ => Ok(()),
    }
}
