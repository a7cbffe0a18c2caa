//! `[[job]]`: application runs, each from a trace or as a description of what its ranks do.

use std::collections::HashSet;
use std::ops::Range;
use std::path::Path;

use drowse_core::model::units::{FlopRate, Flops, Time};
use drowse_core::workload::algorithms::Algorithms;
use drowse_core::workload::own_algorithms::OwnAlgorithm;
use drowse_core::workload::programs::Phase;
use drowse_core::workload::scheduler::{Kind, Rules};
use drowse_traces::{ComputeModel, Formats, parse_time};
use schemars::JsonSchema;
use serde::Deserialize;

use super::app::{self, App, AppKeys};
use super::collectives;
use super::log::FromLog;
use super::log_map::{PATH as LOG, Selects, Template};
use super::scheduler::Scheduled;
use super::{OneOrMany, in_range, programs, repeat};
use crate::case::{JobSpec, PlacementSpec, Program};
use crate::diagnostic::Diagnostic;
use crate::keys::{Keys, join};
use crate::node::Node;

/// The largest number of copies of a job.
const MOST_COPIES: u32 = 65_536;

/// An application run.
#[derive(JsonSchema)]
#[serde(deny_unknown_fields)]
#[expect(dead_code, reason = "an application is read by itself; only the schema has it beside the other keys")]
pub struct JobKeys {
    /// Description of what the ranks do instead of a trace; or a list of them, one after the other.
    app: Option<OneOrMany<AppKeys>>,
    #[serde(flatten)]
    job: Job,
}

/// What is read of a job in one piece.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Job {
    /// Name in results. Default: that of the trace's file or of the application.
    #[schemars(extend("examples" = ["solver"]))]
    name: Option<String>,
    /// File or folder of a trace, relative to the experiment's folder.
    #[schemars(extend("examples" = ["traces/cg.A.64.tar.zst"]))]
    trace: Option<String>,
    /// Format of the trace, such as `vef`, where it is not to be recognised by content. Default: as recognised.
    #[schemars(extend("examples" = ["vef"]))]
    format: Option<String>,
    /// The part of the trace that the ranks run, as by `drowse trace cut --time`: from one time to another on the clock of
    /// ranks whose communication costs no time. `"3.9 s.."` leaves out a start-up. Default: all.
    #[schemars(extend("examples" = ["3.9 s..4.2 s"]))]
    time: Option<String>,
    #[serde(skip)]
    app: Option<App>,
    /// The formats that traces may have.
    #[serde(skip)]
    formats: Formats,
    /// Ranks that the trace or application must have; a check only. Default: as many as it has.
    #[schemars(extend("examples" = [64]))]
    ranks: Option<u32>,
    /// Where ranks run: `linear` (the first free cores, node by node), `round-robin` (a core of each node in turn),
    /// `random` (free cores at random), `random-nodes` (the free cores of nodes in random order), or a file with a node
    /// number a line and rank.
    #[schemars(extend("default" = "linear"))]
    placement: Option<String>,
    /// Machine file of Dimemas: computations take their time divided by the relative speed of the rank's node, and
    /// ranks run on the nodes of its mapping, unless there is a `placement`.
    #[schemars(extend("examples" = ["machine.cfg"]))]
    dimemas: Option<String>,
    /// How the computations of a trace become time.
    compute: Option<Compute>,
    /// The algorithms of collective operations by name.
    collectives: Option<Algorithms>,
    /// When the ranks start.
    #[schemars(extend("default" = "0 ns"))]
    start: Option<Time>,
    /// Under a scheduler: when the job arrives, or the first of its copies.
    #[schemars(extend("default" = "0 ns"))]
    arrival: Option<Time>,
    /// Under a scheduler: time between the arrivals of its copies.
    #[schemars(extend("default" = "0 ns"))]
    interval: Option<Time>,
    /// Under a scheduler: how long the user says that the job will run. Backfilling needs it; jobs are not killed then.
    #[schemars(extend("examples" = ["10 ms"]))]
    estimate: Option<Time>,
    /// With a log of jobs: numbers of the executables that run this program. A job runs the largest program that fits
    /// its nodes among those that name its executable, its account or its name, or if there are none, among those that
    /// name nothing.
    #[schemars(extend("examples" = [[1, 4]]))]
    executables: Option<Vec<u64>>,
    /// With a log of jobs: accounts whose jobs run this program.
    #[schemars(extend("examples" = [["physics"]]))]
    accounts: Option<Vec<String>>,
    /// With a log of jobs: names of jobs that run this program; `*` stands for any text.
    #[schemars(extend("examples" = [["lammps*"]]))]
    names: Option<Vec<String>>,
    /// How often the ranks run the trace or application; or `"until-others-end"`: the job starts again whenever its last
    /// rank has ended, until every job has ended that is without this word. The run ends then.
    #[schemars(extend("default" = 1))]
    repeat: Option<repeat::Written>,
    /// Copies of the job, called NAME-1, NAME-2 and so on. Default: one, under its own name.
    #[schemars(range(min = 1, max = 65_536))]
    count: Option<u32>,
    /// Seed of random placements and random applications. Default: that of the experiment.
    seed: Option<u64>,
}

/// How the computations of a trace become time.
#[derive(Clone, Copy, Deserialize, JsonSchema, Default)]
#[serde(deny_unknown_fields)]
struct Compute {
    /// Computing speed of a rank, for traces that hold operations and not times (SimGrid TI, some of Chakra).
    #[schemars(extend("default" = "10 Gflop/s"))]
    flops_per_second: Option<FlopRate>,
    /// Factor on the time of all computations.
    #[schemars(extend("default" = 1.0), range(min = 0))]
    scale: Option<f64>,
    /// Computations of an exact multiple of this are left out: SMPI writes the time spent polling so. Default: none.
    #[schemars(extend("examples" = ["1 Mflop"]))]
    drop_multiples: Option<Flops>,
    /// Computations of an exact multiple of this are polls: the rank waits instead, for the message that it receives
    /// next. Default: none.
    #[schemars(extend("examples" = ["1 Mflop"]))]
    wait_multiples: Option<Flops>,
}

/// What a job may name.
#[derive(Clone, Copy)]
pub struct Known<'a> {
    pub programs: &'a [programs::Kind],
    /// Algorithms of collective operations of other crates.
    pub algorithms: &'a [OwnAlgorithm],
    /// The formats of traces.
    pub formats: &'a Formats,
}

/// Reads all jobs, copies one after the other; no file is opened. The experiment's seed is that of jobs without one.
pub fn resolve(
    node: Node<'_>,
    known: Known<'_>,
    keys: &Keys,
    seed: u64,
    scheduler: Option<&Scheduled>,
) -> Result<FromLog, Diagnostic> {
    let read = |mut node: Node<'_>| {
        let path = node.path.clone();
        let app = if node.is_table() { node.take("app") } else { None };
        let own = collectives::take(&mut node, known.algorithms, keys)?;
        let mut job: Job = node.read(keys)?;
        job.collectives = own.or(job.collectives);
        job.formats = known.formats.clone();
        job.app = app.map(|app| app::resolve(app, known.programs, keys, job.seed.unwrap_or(seed))).transpose()?;
        in_range(job.count, MOST_COPIES, keys, &join(&path, "count"))?;
        Ok((path, job))
    };
    let jobs: Vec<(String, Job)> = node.items().into_iter().map(read).collect::<Result<_, _>>()?;
    if jobs.is_empty() {
        return Err(keys.error("job", "the list of jobs is empty", "write at least one [[job]] table"));
    }
    let names = names(&jobs);
    if scheduler.is_some_and(|scheduled| scheduled.log.is_some()) {
        let templates = jobs.into_iter().zip(names).map(|((path, job), names)| template(path, &job, names, keys, seed));
        return of_log(&templates.collect::<Result<Vec<_>, _>>()?, scheduler, keys);
    }
    let rules = scheduler.map(|scheduled| &scheduled.rules);
    let mut specs = Vec::new();
    for ((path, job), names) in jobs.into_iter().zip(names) {
        check_scheduled(&path, &job, keys, rules)?;
        let spec = spec(path, &job, keys, seed)?;
        let interval = job.interval.unwrap_or(Time::ZERO);
        for (copy, name) in (0..).zip(names) {
            let start = arrival(&spec, interval, copy, keys)?;
            specs.push(JobSpec { name, start, ..spec.clone() });
        }
    }
    check_names(&specs, keys)?;
    repeat::check(&specs, keys, rules.is_some())?;
    Ok(FromLog { jobs: specs, notes: Vec::new() })
}

/// Makes the jobs of the scheduler's log, which run these programs.
pub fn of_log(templates: &[Template], scheduler: Option<&Scheduled>, keys: &Keys) -> Result<FromLog, Diagnostic> {
    let Some((rules, log)) = scheduler.and_then(|scheduled| Some((&scheduled.rules, scheduled.log.as_ref()?))) else {
        return Ok(FromLog { jobs: Vec::new(), notes: Vec::new() });
    };
    let made = log.jobs(templates, rules, keys)?;
    repeat::check(&made.jobs, keys, true)?;
    Ok(made)
}

/// Returns the names of each job's copies. A job without a name is called like its trace's file or its application,
/// with a number behind it where that is taken.
fn names(jobs: &[(String, Job)]) -> Vec<Vec<String>> {
    let given: Vec<Option<Vec<String>>> = jobs.iter().map(|(_, job)| Some(job.copies(job.given_name()?))).collect();
    let mut taken: HashSet<String> = given.iter().flatten().flatten().cloned().collect();
    let mut default_names = |job: &Job| {
        let program = job.program_name();
        let numbered = (2u64..).map(|number| format!("{program}-{number}"));
        let mut names = std::iter::once(program.clone()).chain(numbered).map(|name| job.copies(&name));
        let free = names.find(|names| names.iter().all(|name| !taken.contains(name))).unwrap_or_default();
        taken.extend(free.iter().cloned());
        free
    };
    jobs.iter().zip(given).map(|((_, job), given)| given.unwrap_or_else(|| default_names(job))).collect()
}

/// Refuses two jobs, or copies, of one name: results could not tell them apart.
fn check_names(specs: &[JobSpec], keys: &Keys) -> Result<(), Diagnostic> {
    let mut taken = HashSet::new();
    let Some(spec) = specs.iter().find(|spec| !taken.insert(spec.name.as_str())) else { return Ok(()) };
    let help = "give each job a name of its own; copies are called NAME-1, NAME-2, ...";
    Err(keys.error(&join(&spec.path, "name"), format!("two jobs are called `{}`", spec.name), help))
}

/// The keys that say which jobs of a log run a program.
const SELECTS: [&str; 3] = ["executables", "accounts", "names"];

/// Refuses keys of a job that a scheduler starts where there is none, and those of others where there is one.
fn check_scheduled(path: &str, job: &Job, keys: &Keys, scheduler: Option<&Rules>) -> Result<(), Diagnostic> {
    let has = |key: &&&str| keys.contains(&join(path, key));
    if let Some(rules) = scheduler {
        if let Some(key) = ["start", "placement", "dimemas"].iter().find(has) {
            let help = if *key == "start" { "write arrival = ..." } else { "write scheduler.allocation = ..." };
            let message = format!("`{path}.{key}` is for jobs without a scheduler");
            return Err(keys.error(&join(path, key), message, format!("{help}, or remove [scheduler]")));
        }
        if rules.kind == Kind::EasyBackfilling && job.estimate.is_none() {
            let message = format!("`{path}` has no estimate of its run time, and backfilling goes by them");
            return Err(keys.error(path, message, "add estimate = \"10 ms\", or so"));
        }
        if let Some(key) = SELECTS.iter().find(has) {
            let message = format!("`{path}.{key}` is for jobs of a log");
            return Err(keys.error(&join(path, key), message, "add scheduler.log = { file = \"log.swf\" }"));
        }
    } else if let Some(key) = ["arrival", "interval", "estimate"].iter().chain(&SELECTS).find(has) {
        let message = format!("`{path}.{key}` is for jobs that a scheduler starts");
        return Err(keys.error(&join(path, key), message, "add [scheduler] with a kind, or write start = ..."));
    }
    Ok(())
}

/// Makes the program of jobs of a log.
fn template(path: String, job: &Job, names: Vec<String>, keys: &Keys, seed: u64) -> Result<Template, Diagnostic> {
    let has = |key: &&&str| keys.contains(&join(&path, key));
    if let Some(key) = ["start", "placement", "dimemas", "arrival", "interval", "estimate", "count"].iter().find(has) {
        let message = format!("`{path}.{key}` is none of a program of `{LOG}`: the log has the jobs");
        return Err(keys.error(&join(&path, key), message, "remove it"));
    }
    let spec = spec(path, job, keys, seed)?;
    if matches!(spec.program, Program::Trace(_)) && spec.ranks.is_none() {
        let message =
            format!("`{}` does not say how many ranks its trace has, by which jobs of a log choose", spec.path);
        return Err(keys.error(&spec.path, message, "add ranks = 64, or so"));
    }
    let name = names.into_iter().next().unwrap_or_default();
    let selects = Selects {
        executables: job.executables.clone().unwrap_or_default(),
        accounts: job.accounts.clone().unwrap_or_default(),
        names: job.names.clone().unwrap_or_default(),
    };
    let runs = keys.contains(&join(&spec.path, "repeat")).then(|| spec.repeat.times());
    Ok(Template { spec: JobSpec { name, ..spec }, selects, runs })
}

/// Returns when a copy of a job starts or arrives.
fn arrival(spec: &JobSpec, interval: Time, copy: u64, keys: &Keys) -> Result<Time, Diagnostic> {
    let after = Time(interval.0.saturating_mul(copy)).saturating_add(spec.start);
    if after <= Time::END {
        return Ok(after);
    }
    let message = format!("copy {} of this job arrives after the end of simulated time, {}", copy + 1, Time::END);
    Err(keys.error(&join(&spec.path, "interval"), message, "write a shorter interval, or fewer copies"))
}

/// Resolves a job, whose name is left open.
fn spec(path: String, job: &Job, keys: &Keys, seed: u64) -> Result<JobSpec, Diagnostic> {
    let placement = match job.placement.as_deref() {
        None if job.dimemas.is_some() => PlacementSpec::Machine,
        None | Some("linear") => PlacementSpec::Linear,
        Some("round-robin") => PlacementSpec::RoundRobin,
        Some("random") => PlacementSpec::Random(job.seed.unwrap_or(seed)),
        Some("random-nodes") => PlacementSpec::RandomNodes(job.seed.unwrap_or(seed)),
        Some(file) => PlacementSpec::File(keys.source().resolve(file)),
    };
    let program = program(job, keys, &path)?;
    let trace_format = trace_format(job, keys, &path)?;
    let time = time(job, keys, &path)?;
    let repeat = repeat::resolve(job.repeat, keys, &join(&path, "repeat"))?;
    check_time(&program, repeat.times(), keys, &path)?;
    let collectives = job.collectives.unwrap_or_default();
    collectives::check(&collectives, keys, &join(&path, "collectives"))?;
    Ok(JobSpec {
        name: String::new(),
        program,
        ranks: job.ranks,
        placement,
        machine: job.dimemas.as_deref().map(|file| keys.source().resolve(file)),
        trace_format,
        formats: job.formats.clone(),
        time,
        compute: compute_model(job.compute.unwrap_or_default(), keys, &join(&path, "compute"))?,
        collectives,
        repeat,
        start: job.start.or(job.arrival).unwrap_or(Time::ZERO),
        estimate: job.estimate,
        log: None,
        path,
    })
}

/// Returns what the job's ranks do: a trace, or an application.
fn program(job: &Job, keys: &Keys, path: &str) -> Result<Program, Diagnostic> {
    match (&job.trace, &job.app) {
        (Some(trace), None) => Ok(Program::Trace(keys.source().resolve(trace))),
        (None, Some(app)) if job.compute.is_none() => Ok(Program::App(app.phases.clone())),
        (None, Some(_)) => {
            let path = join(path, "compute");
            let message = format!("`{path}` says how the computations of a trace become time, and this is none");
            Err(keys.error(&path, message, "remove it"))
        }
        (Some(_), Some(_)) => {
            let message = format!("`{path}` has both a trace and an app");
            Err(keys.error(&join(path, "app"), message, "remove one of them"))
        }
        (None, None) => {
            let help = "write trace = \"traces/cg.A.64.tar.zst\", or app = { kind = \"stencil\", ... }";
            Err(keys.error(path, format!("`{path}` has neither a trace nor an app"), help))
        }
    }
}

/// Returns the format of the job's trace, if it is given.
fn trace_format(job: &Job, keys: &Keys, path: &str) -> Result<Option<String>, Diagnostic> {
    let Some(name) = &job.format else { return Ok(None) };
    let path = join(path, "format");
    if job.trace.is_none() {
        let message = format!("`{path}` is the format of a trace, and this is none");
        return Err(keys.error(&path, message, "remove it"));
    }
    if job.formats.names().all(|known| known != name) {
        let names: Vec<_> = job.formats.names().collect();
        return Err(keys.error(
            &path,
            format!("`{name}` is no format of traces"),
            format!("write {}", names.join(", ")),
        ));
    }
    Ok(Some(name.clone()))
}

/// Returns the part of the job's trace that is run, if it is given.
fn time(job: &Job, keys: &Keys, path: &str) -> Result<Option<Range<Time>>, Diagnostic> {
    let Some(text) = &job.time else { return Ok(None) };
    let path = join(path, "time");
    if job.trace.is_none() {
        let message = format!("`{path}` is a part of a trace, and this is none");
        return Err(keys.error(&path, message, "remove it"));
    }
    parse_time(text).map(Some).map_err(|message| keys.error(&path, message, ""))
}

/// Refuses an application that computes for longer than can be simulated.
fn check_time(program: &Program, repeat: u32, keys: &Keys, path: &str) -> Result<(), Diagnostic> {
    let Program::App(phases) = program else { return Ok(()) };
    let of_phase = |phase: &Phase| u128::from(phase.compute.longest().0) * u128::from(phase.iterations);
    let once = phases.iter().map(of_phase).sum::<u128>();
    let (computed, most) = (once * u128::from(repeat), u128::from(Time::LONGEST.0));
    if computed <= most {
        return Ok(());
    }
    if once <= most {
        let path = join(path, "repeat");
        let message = format!("`{path}` lets the job compute for {} s in all", computed / 1_000_000_000_000);
        return Err(keys.error(&path, message, "the most is 1,000,000 s: repeat it less often"));
    }
    let path = join(path, "app");
    let message = format!("`{path}` computes for {} s in all its iterations", computed / 1_000_000_000_000);
    Err(keys.error(&path, message, "the most is 1,000,000 s: compute for a shorter time, or write fewer iterations"))
}

impl Job {
    /// Returns the name of the program: that of its trace's file, or the application's.
    fn program_name(&self) -> String {
        match (&self.trace, &self.app) {
            (Some(trace), _) => Path::new(trace).file_name().unwrap_or_default().to_string_lossy().into_owned(),
            (None, app) => app.as_ref().map_or("", |app| app.kind).to_owned(),
        }
    }

    fn given_name(&self) -> Option<&str> {
        self.name.as_deref().filter(|name| !name.is_empty())
    }

    /// Returns the names of its copies; a job that is not copied keeps the name.
    fn copies(&self, name: &str) -> Vec<String> {
        match self.count {
            None => vec![name.to_owned()],
            Some(count) => (1..=count).map(|number| format!("{name}-{number}")).collect(),
        }
    }
}

fn compute_model(raw: Compute, keys: &Keys, path: &str) -> Result<ComputeModel, Diagnostic> {
    let scale = raw.scale.unwrap_or(1.0);
    if !scale.is_finite() || scale < 0.0 {
        let path = join(path, "scale");
        return Err(keys.error(&path, format!("`{path}` = {scale} is out of range"), "write a number of 0.0 or more"));
    }
    Ok(ComputeModel {
        flops_per_second: raw.flops_per_second.unwrap_or(FlopRate(10_000_000_000)),
        scale,
        drop_multiples: raw.drop_multiples.map(|flops| flops.0),
        wait_multiples: raw.wait_multiples.map(|flops| flops.0),
    })
}
