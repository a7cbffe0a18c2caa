//! Opens the files that a case names: traces and placements.

use std::fs;
use std::ops::Range;
use std::path::Path;
use std::sync::{Arc, OnceLock};

use drowse_core::model::ids::NodeId;
use drowse_core::model::units::{FlopRate, Time};
use drowse_core::power::ClassPolicy;
use drowse_core::workload::again::Again;
use drowse_core::workload::algorithms::Algorithms;
use drowse_core::workload::computation::Computation;
use drowse_core::workload::exchanges::{Exchanges, Exchanging};
use drowse_core::workload::iterations::{Known, Marked};
use drowse_core::workload::named::WithAlgorithms;
use drowse_core::workload::operation::{OperationSource, SourceError};
use drowse_core::workload::placement::FreeCores;
use drowse_core::workload::programs::{Application, Iterate, Phase};
use drowse_core::workload::repeat::Repeat as InARow;
use drowse_core::workload::scheduler::{Kind, NeverFits, Replayed, Request, Rules, Scheduler};
use drowse_core::workload::stretched::Stretched;
use drowse_core::workload::{Job, Workload};
use drowse_traces::{ComputeModel, Cut, CutError, Kept, Trace, TraceError};

use crate::at_speed::AtSpeed;
use crate::error::RunError;
use crate::machine_file::{self, MachineFile};
use crate::pace::{Fit, Paces};
use crate::placement::place;
use crate::progress;
use drowse_experiment::lru_cache::LruCache;
use drowse_experiment::machine::is_bad_input;
use drowse_experiment::{Case, Diagnostic, JobSpec, Program, Repeat, System, WorkloadSpec};

/// The opened files of a case; several runs may read from them at the same time.
pub struct Inputs {
    jobs: Vec<JobInput>,
    /// Starts them, on an empty machine, where there is one.
    scheduler: Option<Scheduler>,
}

/// The opened files of one job.
struct JobInput {
    program: Opened,
    ranks: u32,
    /// The node of each rank; of none where a scheduler places them.
    placement: Vec<NodeId>,
    /// How much faster each rank computes than in its trace, where a machine file tells.
    speeds: Option<Arc<[f64]>>,
    /// How its program is made as long as its job of a log ran.
    fit: Option<Fit>,
}

/// The program of a job.
#[derive(Clone)]
enum Opened {
    /// A trace, and where its iterations begin, if the case needs them.
    Trace(OpenTrace, Known),
    /// An application.
    App(Arc<Application>),
    /// So many ranks that compute for a time.
    Compute(u32, Time),
    /// Ranks that compute and exchange, as is assumed of jobs of a log that have no program.
    Assumed(Exchanges),
}

/// A job whose operations can be read.
pub(crate) struct Readable<'a> {
    /// The job.
    pub spec: &'a JobSpec,
    /// Its ranks.
    pub ranks: u32,
    /// The node of each; empty where a scheduler places them.
    pub placement: &'a [NodeId],
    /// An estimate of the operations of all its runs.
    pub operations: u64,
    program: &'a Opened,
}

impl Readable<'_> {
    /// Returns the operations of one run, from the beginning.
    pub fn source(&self) -> Box<dyn OperationSource> {
        named_operations(&self.spec.repeated(1), self.program, None)
    }

    /// Returns how many messages of how many bytes it sends, where all are alike and that is known.
    pub fn exchanged(&self) -> Option<(u64, u64)> {
        match self.program {
            Opened::Assumed(made) => Some((u64::from(made.count) * u64::from(made.ranks()), made.bytes)),
            Opened::Compute(..) => Some((0, 0)),
            Opened::Trace(..) | Opened::App(_) => None,
        }
    }
}

/// Names a trace in results, without its folder: the same on every machine.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TraceFile {
    /// The file's name.
    pub name: String,
    /// Its length in bytes; `None` for a folder.
    pub bytes: Option<u64>,
    /// A hash of its contents.
    pub fingerprint: u64,
}

/// The traces that were opened last, by their paths; cases that share them open them once.
pub type Traces = LruCache<OpenTrace>;

/// A trace that can be simulated.
#[derive(Clone)]
pub struct OpenTrace {
    /// The trace, to read its operations from.
    pub trace: Trace,
    file: TraceFile,
    /// An estimate of its operations.
    operations: u64,
    /// Where its iterations begin, once they were searched.
    iterations: Arc<OnceLock<Known>>,
}

/// Opens the traces of a case, checks that they can be simulated, and places their ranks.
pub fn open(case: &Case, traces: &Traces) -> Result<Inputs, RunError> {
    let WorkloadSpec::Jobs(specs) = &case.workload else {
        return Ok(Inputs { jobs: Vec::new(), scheduler: None });
    };
    let system = &case.system;
    let mut free = FreeCores::new(system.network.nodes, system.cores);
    let mut jobs = Vec::new();
    for (number, spec) in (0..).zip(specs) {
        let machine = machine_file::of_job(spec, system)?;
        let mut place = |ranks| match case.scheduler {
            Some(_) => Ok(Vec::new()),
            None => place(spec, number, ranks, &mut free, system),
        };
        jobs.push(match &spec.program {
            Program::Trace(path) => {
                let open = open_program(path, spec, traces, system)?;
                let ranks = open.trace.ranks();
                let placement = place(ranks)?;
                let searched = wants_iterations(case);
                let known = if searched { open.iterations().map_err(RunError::Source)? } else { Known::Nothing };
                let speeds = speeds(machine.as_ref(), &placement)?;
                JobInput { program: Opened::Trace(open, known), ranks, placement, speeds, fit: None }
            }
            Program::App(phases) => {
                let ranks = ranks(spec, phases, system)?;
                let placement = place(ranks)?;
                let speeds = speeds(machine.as_ref(), &placement)?;
                let program = Opened::App(Arc::new(application(spec, phases, system)?));
                JobInput { program, ranks, placement, speeds, fit: None }
            }
            // Only jobs of a log are so, and a scheduler places them.
            &Program::Compute { ranks, time } => {
                let program = Opened::Compute(ranks, time);
                JobInput { program, ranks, placement: place(ranks)?, speeds: None, fit: None }
            }
            &Program::Assumed { nodes, cores, .. } => {
                // Its messages get their size below.
                let made = Exchanges { nodes, cores, computing: Time::ZERO, count: 0, bytes: 0 };
                let (ranks, fit) = (made.ranks(), Some(Fit::until_limit(spec)));
                JobInput { program: Opened::Assumed(made), ranks, placement: place(ranks)?, speeds: None, fit }
            }
        });
    }
    fit(case, specs, &mut jobs)?;
    let rules = case.scheduler.as_ref();
    let scheduler = rules.map(|rules| scheduler(rules.clone(), specs, &jobs, system)).transpose()?;
    Ok(Inputs { jobs, scheduler })
}

/// Makes the programs of jobs of a log as long as these ran.
fn fit(case: &Case, specs: &[JobSpec], jobs: &mut [JobInput]) -> Result<(), RunError> {
    let mut paces = Paces::new(case, specs);
    for (spec, job) in specs.iter().zip(jobs) {
        let Some(log) = &spec.log else { continue };
        if let Program::Assumed { nodes, cores, time, division } = spec.program {
            let (made, own) = paces.exchanges(spec, (nodes, cores), division)?;
            job.program = Opened::Assumed(made.of_time(own, time, division));
            continue;
        }
        if matches!(job.program, Opened::Compute(..)) {
            continue;
        }
        let source = |runs| named_operations(&spec.repeated(runs), &job.program, None);
        let pace = paces.of(spec, log.nodes, source)?;
        job.fit = Some(pace.fit(log));
    }
    Ok(())
}

/// Returns the speed of each rank by the node that it runs on.
fn speeds(machine: Option<&MachineFile>, placement: &[NodeId]) -> Result<Option<Arc<[f64]>>, Diagnostic> {
    machine.map(|machine| placement.iter().map(|node| machine.speed(node.0)).collect()).transpose()
}

/// Prepares the scheduler of a case; a job that can never start is refused.
fn scheduler(rules: Rules, specs: &[JobSpec], jobs: &[JobInput], system: &System) -> Result<Scheduler, Diagnostic> {
    let request = |(spec, job): (&JobSpec, &JobInput)| Request {
        arrival: spec.start,
        ranks: job.ranks,
        nodes: spec.log.as_ref().map_or(0, |log| log.nodes),
        estimate: spec.estimate.unwrap_or_default(),
    };
    let requests = specs.iter().zip(jobs).map(request).collect();
    if rules.kind == Kind::Replay {
        return replaying(rules, specs, requests, system);
    }
    Scheduler::new(rules, system.network.nodes, system.cores, requests).map_err(|NeverFits { job }| {
        let (spec, ranks) = (&specs[job as usize], jobs[job as usize].ranks);
        let (nodes, cores) = (system.network.nodes, system.cores);
        let message = format!("the {ranks} ranks of `{}` never fit, not even the empty machine", spec.name);
        let all = u64::from(nodes) * u64::from(cores);
        let help = format!("node.cores = {cores} on {nodes} nodes make {all}; raise it or make [network] larger");
        system.keys.error(&spec.program_path(), message, help)
    })
}

/// Prepares a scheduler that starts jobs as their log has them.
fn replaying(
    rules: Rules,
    specs: &[JobSpec],
    requests: Vec<Request>,
    system: &System,
) -> Result<Scheduler, Diagnostic> {
    let replayed = |spec: &JobSpec| {
        let log = spec.log.as_ref();
        let (start, run) = log.map_or_else(Default::default, |log| (log.start.unwrap_or(spec.start), log.run));
        Replayed { start, end: start + run, nodes: log.and_then(|log| log.named.clone()) }
    };
    let jobs: Vec<Replayed> = specs.iter().map(replayed).collect();
    let (nodes, cores) = (system.network.nodes, system.cores);
    Scheduler::replaying(rules, nodes, cores, requests, &jobs).map_err(|NeverFits { job }| {
        let name = &specs[job as usize].name;
        let message = format!("`{name}` does not fit beside the jobs that ran when it started by the log");
        let help = "the machine of the log had more nodes, or they were shared: make [network] larger, or write \
                    kind = \"easy-backfilling\"";
        system.keys.error("scheduler.log", message, help)
    })
}

/// Returns whether the power policy of a case needs the iterations of its traces.
fn wants_iterations(case: &Case) -> bool {
    case.system.policy.classes().iter().any(|class| matches!(class, ClassPolicy::Runtime(_)))
}

impl Inputs {
    /// Returns the workload of a case, from its beginning.
    pub fn workload(&self, case: &Case) -> Workload {
        let specs = match &case.workload {
            WorkloadSpec::Traffic(traffic) => return Workload::OpenLoop(traffic.clone()),
            WorkloadSpec::Jobs(specs) => specs,
        };
        let job = |(spec, input): (&JobSpec, &JobInput)| Job {
            name: spec.name.clone(),
            source: operations(spec, input),
            placement: input.placement.clone(),
            start: spec.start,
        };
        let jobs = specs.iter().zip(&self.jobs).map(job).collect();
        match (&case.background, &self.scheduler) {
            (Some(background), scheduler) => Workload::Beside(jobs, scheduler.clone(), background.clone()),
            (None, Some(scheduler)) => Workload::Scheduled(jobs, scheduler.clone()),
            (None, None) => Workload::Jobs(jobs),
        }
    }

    /// Returns the share of a case that is done at a simulated time, after ranks have begun so many operations.
    pub fn fraction(&self, case: &Case, now: Time, begun: impl FnOnce() -> u64) -> Option<f64> {
        match &case.workload {
            WorkloadSpec::Traffic(traffic) => progress::of_traffic(now, traffic.warmup.saturating_add(traffic.measure)),
            WorkloadSpec::Jobs(specs) => {
                // Those that repeat until others end do not say when they will.
                let ends = |(spec, _): &(&JobSpec, &JobInput)| spec.repeat != Repeat::UntilOthersEnd;
                let jobs = specs.iter().zip(&self.jobs).filter(ends);
                let jobs = jobs.map(|(spec, input)| (input.program.operations(), input.runs(spec)));
                progress::of_programs(begun(), jobs)
            }
        }
    }

    /// Estimates the operations of all jobs, all their runs together.
    pub fn operations(&self, case: &Case) -> u64 {
        let WorkloadSpec::Jobs(specs) = &case.workload else { return 0 };
        let of = |(spec, input): (&JobSpec, &JobInput)| {
            input.program.operations().saturating_mul(u64::from(input.runs(spec)))
        };
        specs.iter().zip(&self.jobs).map(of).fold(0, u64::saturating_add)
    }

    /// Returns the jobs, to read what they send.
    pub(crate) fn readable<'a>(&'a self, case: &'a Case) -> impl Iterator<Item = Readable<'a>> {
        let specs = match &case.workload {
            WorkloadSpec::Jobs(specs) => specs.as_slice(),
            WorkloadSpec::Traffic(_) => &[],
        };
        specs.iter().zip(&self.jobs).map(|(spec, input)| Readable {
            spec,
            ranks: input.ranks,
            placement: &input.placement,
            operations: input.program.operations().saturating_mul(u64::from(input.runs(spec))),
            program: &input.program,
        })
    }

    /// Returns the files of the jobs that have a trace.
    pub fn trace_files(&self) -> impl Iterator<Item = &TraceFile> {
        self.jobs.iter().filter_map(|job| match &job.program {
            Opened::Trace(open, _) => Some(&open.file),
            Opened::App(_) | Opened::Compute(..) | Opened::Assumed(_) => None,
        })
    }

    /// Returns the number of ranks of each job.
    pub fn ranks(&self) -> impl Iterator<Item = u32> {
        self.jobs.iter().map(|job| job.ranks)
    }

    /// Returns how much faster each rank computes than in its trace, one list per job that has a machine file.
    pub fn speeds(&self) -> impl Iterator<Item = Option<&[f64]>> {
        self.jobs.iter().map(|job| job.speeds.as_deref())
    }

    /// Returns the node of each rank, one list per job; empty where a scheduler places them.
    pub fn placements(&self) -> impl Iterator<Item = &[NodeId]> {
        self.jobs.iter().map(|job| job.placement.as_slice())
    }
}

impl JobInput {
    /// Returns how often it runs its program, as far as that is known before.
    fn runs(&self, spec: &JobSpec) -> u32 {
        self.fit.map_or(spec.repeat.times(), |fit| fit.runs)
    }
}

impl Opened {
    /// Returns whether it marks its iterations.
    fn is_marked(&self) -> bool {
        matches!(self, Opened::App(_) | Opened::Trace(_, Known::Marks))
    }

    /// Returns how many iterations it marks in so many runs, or fewer.
    fn marks(&self, runs: u32) -> u64 {
        match self {
            Opened::App(application) => application.marks().saturating_mul(runs.into()),
            Opened::Trace(..) => runs.into(),
            Opened::Compute(..) | Opened::Assumed(_) => 0,
        }
    }

    /// Returns an estimate of the operations of one run.
    fn operations(&self) -> u64 {
        match self {
            Opened::Trace(open, _) => open.operations,
            Opened::App(application) => application.operations(),
            &Opened::Compute(ranks, _) => ranks.into(),
            Opened::Assumed(made) => made.operations(),
        }
    }
}

impl OpenTrace {
    /// Finds the iterations of the trace, unless that was done before.
    fn iterations(&self) -> Result<Known, SourceError> {
        if let Some(known) = self.iterations.get() {
            return Ok(known.clone());
        }
        let found = find_iterations(&self.trace)?;
        Ok(self.iterations.get_or_init(|| found).clone())
    }
}

/// Finds the iterations of a trace. Only the shares of its computations matter, not the speed of the nodes.
fn find_iterations(trace: &Trace) -> Result<Known, SourceError> {
    let compute = ComputeModel {
        flops_per_second: FlopRate(10_000_000_000),
        scale: 1.0,
        drop_multiples: None,
        wait_multiples: None,
    };
    Known::find(trace.operations(compute).as_mut())
}

/// Returns the operations of a job, as often as it runs its program. An application marks its own iterations, and so may a
/// trace; else the runs of a repeated trace are its iterations, and the periods of one that runs once.
fn operations(spec: &JobSpec, input: &JobInput) -> Box<dyn OperationSource> {
    if spec.repeat == Repeat::UntilOthersEnd {
        let (one, program, speeds) = (spec.clone(), input.program.clone(), input.speeds.clone());
        let again = Again::new(move || named_operations(&one, &program, speeds.as_ref()));
        return Box::new(if input.program.is_marked() { again.unmarked() } else { again });
    }
    if let Some(Fit { runs, longer, limit }) = input.fit {
        let source = named_operations(&spec.repeated(runs), &input.program, None);
        return Box::new(Stretched::new(source, longer, input.program.marks(runs)).limited(limit));
    }
    named_operations(spec, &input.program, input.speeds.as_ref())
}

/// Returns the operations of a program, at speeds if there are some, by the algorithms that are named.
fn named_operations(spec: &JobSpec, program: &Opened, speeds: Option<&Arc<[f64]>>) -> Box<dyn OperationSource> {
    let mut source = program_operations(spec, program);
    if let Some(speeds) = speeds {
        source = Box::new(AtSpeed::new(source, Arc::clone(speeds)));
    }
    if spec.collectives == Algorithms::default() {
        return source;
    }
    Box::new(WithAlgorithms::new(source, spec.collectives))
}

/// Returns the same, at the speed of its trace, without the algorithms that are named.
fn program_operations(spec: &JobSpec, program: &Opened) -> Box<dyn OperationSource> {
    match program {
        &Opened::Compute(ranks, time) => Box::new(Computation::new(ranks, time)),
        &Opened::Assumed(made) => Box::new(Exchanging::new(made)),
        Opened::App(application) => Box::new(Iterate::new(Arc::clone(application), spec.repeat.times())),
        Opened::Trace(OpenTrace { trace, .. }, known) => {
            let (trace, compute) = (trace.clone(), spec.compute);
            match (spec.repeat, known) {
                (Repeat::UntilOthersEnd, _) | (Repeat::Times(1), Known::Marks | Known::Nothing) => {
                    trace.operations(compute)
                }
                (Repeat::Times(1), Known::Period(iterations)) => {
                    Box::new(Marked::new(trace.operations(compute), Arc::clone(iterations)))
                }
                (Repeat::Times(times), Known::Marks) => {
                    Box::new(InARow::new(times, move || trace.operations(compute)).unmarked())
                }
                (Repeat::Times(times), _) => Box::new(InARow::new(times, move || trace.operations(compute))),
            }
        }
    }
}

/// Opens a trace, and checks that it can be simulated.
fn open_trace(path: &Path, spec: &JobSpec) -> Result<OpenTrace, TraceError> {
    let trace = spec.formats.open(path, spec.trace_format.as_deref())?;
    let info = trace.info()?;
    info.check_simulable()?;
    let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
    let bytes = fs::metadata(path).ok().filter(fs::Metadata::is_file).map(|metadata| metadata.len());
    let fingerprint = trace.fingerprint()?;
    let file = TraceFile { name, bytes, fingerprint };
    Ok(OpenTrace { trace, file, operations: progress::operations(&info), iterations: Arc::default() })
}

/// Opens the trace of a job, and checks that it can be simulated and has the job's number of ranks.
pub fn open_program(path: &Path, spec: &JobSpec, traces: &Traces, system: &System) -> Result<OpenTrace, RunError> {
    // One file may be read as two formats.
    let format = spec.trace_format.as_deref().unwrap_or_default();
    let key = format!("{format}:{}", path.display());
    let opened = traces.get(&key, || open_trace(path, spec));
    let opened = opened.map_err(|error| refuse(&error, spec, system))?;
    check_ranks(spec, opened.trace.ranks(), system)?;
    match &spec.time {
        Some(time) => Ok(part(opened, time.clone(), spec, system)?),
        None => Ok(opened),
    }
}

/// Cuts the part out of a trace that its job runs.
fn part(whole: OpenTrace, time: Range<Time>, spec: &JobSpec, system: &System) -> Result<OpenTrace, RunError> {
    let kept = Kept { time: Some(time), ..Kept::default() };
    let cut = Cut::of(&whole.trace, spec.compute, &kept).map_err(|error| match error {
        CutError::Trace(error) => refuse(&error, spec, system),
        CutError::Source(error) => RunError::Source(error),
        why => system.keys.error(&format!("{}.time", spec.path), why.to_string(), "").into(),
    })?;
    let trace = Trace::of_program(move || cut.operations());
    Ok(OpenTrace { trace, iterations: Arc::default(), ..whole })
}

/// Returns the number of ranks of an application, which must be that of its job.
pub fn ranks(spec: &JobSpec, phases: &[Phase], system: &System) -> Result<u32, Diagnostic> {
    let ranks = phases.first().map_or(0, |phase| phase.work.ranks());
    check_ranks(spec, ranks, system)?;
    Ok(ranks)
}

/// Prepares an application for a run.
pub fn application(spec: &JobSpec, phases: &[Phase], system: &System) -> Result<Application, Diagnostic> {
    Application::new(phases.to_vec()).map_err(|error| {
        let path = match phases {
            [_] => spec.program_path(),
            _ => format!("{}.{}", spec.program_path(), error.phase),
        };
        let help = "make it smaller, or count what it sends by `drowse usage FILE`";
        system.keys.error(&path, error.to_string(), help)
    })
}

/// Makes the error of a job's trace that cannot be used.
fn refuse(error: &TraceError, spec: &JobSpec, system: &System) -> RunError {
    match error {
        TraceError::Spool { .. } => RunError::Machine(error.to_string()),
        TraceError::Unreadable { source, .. } if !is_bad_input(source) => RunError::Machine(error.to_string()),
        // The message of a trace contains its own help.
        _ => system.keys.error(&format!("{}.trace", spec.path), error.to_string(), "").into(),
    }
}

/// Refuses a program whose number of ranks differs from the job's.
fn check_ranks(spec: &JobSpec, ranks: u32, system: &System) -> Result<(), Diagnostic> {
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
