//! `[[job]]`: application runs, each from a trace or by a communication graph.

use std::collections::HashSet;
use std::path::Path;

use drowse_core::model::units::{FlopRate, Time};
use drowse_core::workload::application::Phase;
use drowse_traces::{ComputeModel, FORMATS, Format};
use schemars::JsonSchema;
use serde::Deserialize;

use super::app::{self, App, AppKeys};
use super::{OneOrMany, in_range};
use crate::case::{JobSpec, PlacementSpec, Program};
use crate::diagnostic::Diagnostic;
use crate::keys::{Keys, join};
use crate::node::Node;
use crate::quantity::{Flops, Quantity};

/// The largest number of copies of a job.
const MOST_COPIES: u32 = 65_536;

/// An application run.
#[derive(JsonSchema)]
#[serde(deny_unknown_fields)]
#[expect(dead_code, reason = "an application is read by itself; only the schema has it beside the other keys")]
pub struct JobKeys {
    /// Communication graph that the ranks run instead of a trace; or a list of them, one after the other.
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
    #[serde(skip)]
    app: Option<App>,
    /// Ranks that the trace or application must have; a check only. Default: as many as it has.
    #[schemars(extend("examples" = [64]))]
    ranks: Option<u32>,
    /// Where ranks run: `linear` (the first free cores, node by node), `round-robin` (a core of each node in turn),
    /// `random` (free cores at random), `random-nodes` (the free cores of nodes in random order), or a file with a node
    /// number a line and rank.
    #[schemars(extend("default" = "linear"))]
    placement: Option<String>,
    /// How the computations of a trace become time.
    compute: Option<Compute>,
    /// When the ranks start.
    #[schemars(extend("default" = "0 ns"))]
    start: Option<Quantity<Time>>,
    /// How often the ranks run the trace or application.
    #[schemars(extend("default" = 1), range(min = 1))]
    repeat: Option<u32>,
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
    /// Computing speed of a rank, for traces that hold operations and not times (SimGrid TI).
    #[schemars(extend("default" = "10 Gflop/s"))]
    flops_per_second: Option<Quantity<FlopRate>>,
    /// Factor on the time of all computations.
    #[schemars(extend("default" = 1.0), range(min = 0))]
    scale: Option<f64>,
    /// Computations of an exact multiple of this are left out: SMPI writes the time spent polling so. Default: none.
    #[schemars(extend("examples" = ["1 Mflop"]))]
    drop_multiples: Option<Quantity<Flops>>,
}

/// Reads all jobs, copies one after the other; no file is opened. The experiment's seed is that of jobs without one.
pub fn resolve(node: Node<'_>, keys: &Keys, seed: u64) -> Result<Vec<JobSpec>, Diagnostic> {
    let read = |mut node: Node<'_>| {
        let path = node.path.clone();
        let app = if node.is_table() { node.take("app") } else { None };
        let mut job: Job = node.read(keys)?;
        job.app = app.map(|app| app::resolve(app, keys, job.seed.unwrap_or(seed))).transpose()?;
        in_range(job.count, MOST_COPIES, keys, &join(&path, "count"))?;
        Ok((path, job))
    };
    let jobs: Vec<(String, Job)> = node.items().into_iter().map(read).collect::<Result<_, _>>()?;
    if jobs.is_empty() {
        return Err(keys.error("job", "the list of jobs is empty", "write at least one [[job]] table"));
    }
    let names = names(&jobs);
    let mut specs = Vec::new();
    for ((path, job), names) in jobs.into_iter().zip(names) {
        let spec = spec(path, &job, keys, seed)?;
        specs.extend(names.into_iter().map(|name| JobSpec { name, ..spec.clone() }));
    }
    check_names(&specs, keys)?;
    Ok(specs)
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

/// Resolves a job, whose name is left open.
fn spec(path: String, job: &Job, keys: &Keys, seed: u64) -> Result<JobSpec, Diagnostic> {
    let placement = match job.placement.as_deref() {
        None | Some("linear") => PlacementSpec::Linear,
        Some("round-robin") => PlacementSpec::RoundRobin,
        Some("random") => PlacementSpec::Random(job.seed.unwrap_or(seed)),
        Some("random-nodes") => PlacementSpec::RandomNodes(job.seed.unwrap_or(seed)),
        Some(file) => PlacementSpec::File(keys.source().resolve(file)),
    };
    let program = program(job, keys, &path)?;
    let trace_format = trace_format(job, keys, &path)?;
    let repeat = in_range(job.repeat, u32::MAX, keys, &join(&path, "repeat"))?.unwrap_or(1);
    check_time(&program, repeat, keys, &path)?;
    Ok(JobSpec {
        name: String::new(),
        program,
        ranks: job.ranks,
        placement,
        trace_format,
        compute: compute_model(job.compute.unwrap_or_default(), keys, &join(&path, "compute"))?,
        repeat,
        start: job.start.map_or(Time::ZERO, |start| start.0),
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
    if Format::named(name).is_none() {
        let names: Vec<_> = FORMATS.iter().map(|format| format.name).collect();
        return Err(keys.error(
            &path,
            format!("`{name}` is no format of traces"),
            format!("write {}", names.join(", ")),
        ));
    }
    Ok(Some(name.clone()))
}

/// Refuses an application that computes for longer than can be simulated.
fn check_time(program: &Program, repeat: u32, keys: &Keys, path: &str) -> Result<(), Diagnostic> {
    let Program::App(phases) = program else { return Ok(()) };
    let of_phase = |phase: &Phase| u128::from(phase.compute.0) * u128::from(phase.iterations);
    let computed = phases.iter().map(of_phase).sum::<u128>() * u128::from(repeat);
    if computed <= u128::from(Time::LONGEST.0) {
        return Ok(());
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
        flops_per_second: raw.flops_per_second.map_or(FlopRate(10_000_000_000), |rate| rate.0),
        scale,
        drop_multiples: raw.drop_multiples.map(|flops| flops.0.0),
    })
}
