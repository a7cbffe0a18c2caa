//! Opens what a case names: its traces and placement files.

use std::fs;
use std::path::Path;

use drowse_core::ids::NodeId;
use drowse_core::workload::{Job, Workload};
use drowse_traces::{Trace, TraceError};

use crate::experiment::{Case, Diagnostic, JobSpec, PlacementSpec, Source, System, WorkloadSpec};
use crate::machine::is_bad_input;
use crate::run::RunError;

/// The opened files of a case; several runs may read from them at the same time.
pub struct Inputs {
    jobs: Vec<JobInput>,
}

/// The opened files of one job.
struct JobInput {
    trace: Trace,
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
}

/// Opens the traces of a case, checks that they can be simulated, and places their ranks.
pub fn open(case: &Case) -> Result<Inputs, RunError> {
    let WorkloadSpec::Jobs(specs) = &case.workload else { return Ok(Inputs { jobs: Vec::new() }) };
    let mut free = vec![case.system.cores; case.system.network.nodes as usize];
    let mut jobs = Vec::new();
    for spec in specs {
        let trace = open_trace(spec, &case.system)?;
        check_ranks(spec, trace.ranks(), &case.system)?;
        let placement = match &spec.placement {
            PlacementSpec::Linear => place_linear(spec, trace.ranks(), &mut free, &case.system)?,
            PlacementSpec::File(file) => place_by_file(file, spec, trace.ranks(), &mut free, &case.system)?,
        };
        jobs.push(JobInput { trace, placement, file: trace_file(&spec.trace) });
    }
    Ok(Inputs { jobs })
}

impl Inputs {
    /// Gives the workload of a case, from its beginning.
    pub(crate) fn workload(&self, case: &Case) -> Workload {
        let specs = match &case.workload {
            WorkloadSpec::Traffic(traffic) => return Workload::OpenLoop(*traffic),
            WorkloadSpec::Jobs(specs) => specs,
        };
        let job = |(spec, input): (&JobSpec, &JobInput)| Job {
            name: spec.name.clone(),
            source: input.trace.operations(spec.compute),
            placement: input.placement.clone(),
            start: spec.start,
        };
        Workload::Jobs(specs.iter().zip(&self.jobs).map(job).collect())
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

fn open_trace(spec: &JobSpec, system: &System) -> Result<Trace, RunError> {
    let trace = Trace::open(&spec.trace).and_then(|trace| trace.info()?.check_simulable().map(|()| trace));
    trace.map_err(|error| match error {
        TraceError::Spool { .. } => RunError::Machine(error.to_string()),
        TraceError::Unreadable { ref source, .. } if !is_bad_input(source) => RunError::Machine(error.to_string()),
        // The message of a trace says itself what to do.
        _ => system.keys.error(&format!("{}.trace", spec.path), error.to_string(), "").into(),
    })
}

fn trace_file(path: &Path) -> TraceFile {
    let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
    let bytes = fs::metadata(path).ok().filter(fs::Metadata::is_file).map(|metadata| metadata.len());
    TraceFile { name, bytes }
}

fn check_ranks(spec: &JobSpec, ranks: u32, system: &System) -> Result<(), Diagnostic> {
    match spec.ranks {
        Some(given) if given != ranks => {
            let message = format!("the trace has {ranks} ranks, not {given}");
            let help = format!("write ranks = {ranks}, or leave it out");
            Err(system.keys.error(&format!("{}.ranks", spec.path), message, help))
        }
        _ => Ok(()),
    }
}

/// Takes the first free cores: those of one node before those of the next (paper 000, section 3.3).
fn place_linear(spec: &JobSpec, ranks: u32, free: &mut [u32], system: &System) -> Result<Vec<NodeId>, Diagnostic> {
    let left: u64 = free.iter().map(|&cores| u64::from(cores)).sum();
    if u64::from(ranks) > left {
        let (nodes, cores) = (system.network.nodes, system.cores);
        let message = format!("the {ranks} ranks of `{}` do not fit: {left} cores are free", spec.name);
        let all = u64::from(nodes) * u64::from(cores);
        let help = format!("node.cores = {cores} on {nodes} nodes make {all}; raise it, network.nodes or network.dims");
        return Err(system.keys.error(&format!("{}.trace", spec.path), message, help));
    }
    let mut placement = Vec::with_capacity(ranks as usize);
    for (node, cores) in free.iter_mut().enumerate() {
        let take = (*cores).min(ranks - placement.len() as u32);
        placement.extend(std::iter::repeat_n(NodeId(node as u32), take as usize));
        *cores -= take;
    }
    Ok(placement)
}

/// Reads one node number per line and rank; empty lines and what follows `#` are left out.
fn place_by_file(
    file: &Path,
    spec: &JobSpec,
    ranks: u32,
    free: &mut [u32],
    system: &System,
) -> Result<Vec<NodeId>, RunError> {
    let at = format!("{}.placement", spec.path);
    let text = fs::read_to_string(file).map_err(|error| {
        if !is_bad_input(&error) {
            return RunError::Machine(format!("{}: cannot be read: {error}", file.display()));
        }
        let message = format!("the placement file {} cannot be read: {error}", file.display());
        let help = "write \"linear\", or the name of a file with one node number per line";
        system.keys.error(&at, message, help).into()
    })?;
    let source = Source::new(file, text.clone(), &[])?;
    let mut placement = Vec::new();
    let mut start = 0;
    for line in text.split_inclusive('\n') {
        let word = line.split('#').next().unwrap_or_default().trim();
        if !word.is_empty() {
            let offset = start + line.find(word).unwrap_or_default();
            let span = offset..offset + word.len();
            let node = take_core(word, free).map_err(|(message, help)| source.error_at(&span, message, help))?;
            placement.push(node);
        }
        start += line.len();
    }
    if placement.len() != ranks as usize {
        let message = format!("the placement file has {} nodes for {ranks} ranks", placement.len());
        return Err(system.keys.error(&at, message, "write one node number per rank, each on a line").into());
    }
    Ok(placement)
}

/// Takes a core of the node that a word names, or says what is wrong and what to do.
fn take_core(word: &str, free: &mut [u32]) -> Result<NodeId, (String, String)> {
    let last = free.len() - 1;
    let node: Option<usize> = word.parse().ok();
    match node.and_then(|node| free.get_mut(node).map(|cores| (node, cores))) {
        None => Err((format!("`{word}` is no node"), format!("write a number from 0 to {last}"))),
        Some((node, 0)) => {
            Err((format!("node {node} has no free core"), "raise node.cores, or use another node".into()))
        }
        Some((node, cores)) => {
            *cores -= 1;
            Ok(NodeId(node as u32))
        }
    }
}
