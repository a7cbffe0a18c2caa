//! Runs what made a folder of tables again, and compares to the byte.

mod compare;

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use drowse_experiment::{Case, Kinds, Program, Source, Sweep, WorkloadSpec};
use drowse_tables::checksums::Checksums;
use serde::de::DeserializeOwned;
use serde_json::Value as Json;

use crate::error::RunError;
use crate::export;
use crate::files::{self, ExportError};
use crate::host::Host;
use crate::identity::{BUILD, VERSION};
use crate::inputs::{self, Traces};
use crate::manifest::{self, Baseline, CaseManifest, RunManifest, SweepManifest, TraceManifest};
use crate::request::RunRequest;
use crate::sweep::{self, SweepError, Wanted};
use crate::threads::Threads;

pub use compare::{Compared, Verdict};

/// Why results cannot be made again.
#[derive(Debug, thiserror::Error)]
pub enum RerunError {
    /// The folder does not say what made its tables.
    #[error("error: {path}: {reason}")]
    NoManifest {
        /// The manifest, or the folder.
        path: String,
        /// What is wrong, and what helps.
        reason: String,
    },
    /// A trace is not the one that was run.
    #[error(
        "error: {file}: this is not the trace of the results: its contents hash to {ours}, theirs to {theirs}\n\
         help: put the old trace back, or give the folder of the experiment by --from"
    )]
    OtherTrace {
        /// The trace.
        file: String,
        /// Its hash.
        ours: String,
        /// The hash of the trace that was run.
        theirs: String,
    },
    /// A case cannot be run.
    #[error(transparent)]
    Run(#[from] RunError),
    /// The sweep cannot be run.
    #[error(transparent)]
    Sweep(#[from] SweepError),
    /// A file cannot be read or written.
    #[error("error: {0}")]
    Export(#[from] ExportError),
}

/// What has become of the results.
#[derive(Debug)]
pub struct Rerun {
    /// The build of the results, where it is not this one.
    pub other_build: Option<String>,
    /// Each file, in the order of their names.
    pub files: Vec<Compared>,
}

/// How results are made again.
#[derive(Clone, Copy, Debug)]
pub struct Again<'a> {
    /// The folder of the results that are made again.
    pub folder: &'a Path,
    /// Where the paths of experiments begin, if not where they did.
    pub from: Option<&'a Path>,
    /// An empty folder for the new results.
    pub into: &'a Path,
    /// Threads of a run; a sweep has one case on each.
    pub threads: Threads,
    /// Cases of a sweep that run at a time.
    pub cases: usize,
    /// What experiments may name.
    pub kinds: &'a Kinds,
}

/// Makes the results of a folder again, and compares them.
pub fn rerun(again: Again<'_>, watch: &sweep::Watch<'_>) -> Result<Rerun, RerunError> {
    let path = again.folder.join(manifest::FILE);
    let wrong = |reason: String| RerunError::NoManifest { path: path.display().to_string(), reason };
    let text = fs::read_to_string(&path).map_err(|error| {
        wrong(format!(
            "cannot be read: {error}; give a folder that `drowse run --out` or `drowse sweep --out` has written"
        ))
    })?;
    let sums = Checksums::read(again.folder)
        .map_err(|reason| RerunError::NoManifest { reason, path: again.folder.display().to_string() })?;
    let known = |sums: &Checksums| sums.check(manifest::FILE, Some(text.as_bytes()));
    sums.as_ref().map_or(Ok(()), known).map_err(wrong)?;
    let json: Json = serde_json::from_str(&text)
        .map_err(|error| wrong(format!("is no manifest: {error}; run the experiment again")))?;
    files::prepare(again.into)?;
    let old =
        |error: serde_json::Error| wrong(format!("lacks what a rerun needs ({error}): it is of an older version"));
    let (version, build) = if json["cases"].is_array() {
        let manifest: RunManifest = typed(json).map_err(old)?;
        run(&again, &manifest)?;
        (manifest.version, manifest.build)
    } else {
        let manifest: SweepManifest = typed(json).map_err(old)?;
        sweep(&again, &manifest, watch)?;
        (manifest.version, manifest.build)
    };
    let same = version == VERSION && build == BUILD;
    let other_build = (!same).then(|| format!("drowse {version}, build {build}"));
    Ok(Rerun { files: compare::folders(again.folder, again.into, same)?, other_build })
}

fn typed<T: DeserializeOwned>(json: Json) -> Result<T, serde_json::Error> {
    serde_json::from_value(json)
}

/// Runs a case, and its baseline if there is one.
fn run(again: &Again<'_>, manifest: &RunManifest) -> Result<(), RerunError> {
    let places = places(again);
    let mut cases = Vec::new();
    for (number, described) in manifest.cases.iter().enumerate() {
        let place = places.get(number).or(places.last()).cloned().unwrap_or_default();
        let made = loaded(described, &place, again.kinds)?;
        cases.push(match described.baseline {
            None | Some(Baseline::File) => made,
            Some(Baseline::AlwaysOn) => made.always_on(),
            Some(Baseline::Alone) => made.alone().unwrap_or(made),
        });
    }
    let Some(first) = cases.first() else { return Ok(()) };
    for (case, described) in cases.iter().zip(&manifest.cases) {
        check_traces(case, &described.traces)?;
    }
    let probes = manifest.wanted();
    let request = RunRequest { baseline: cases.get(1), probes, threads: again.threads, ..RunRequest::new(first) };
    Ok(export::write(again.into, &request.run()?.all())?)
}

/// Resolves a case from its manifest; paths in it begin in a folder.
fn loaded(described: &CaseManifest, folder: &Path, kinds: &Kinds) -> Result<Case, RerunError> {
    let source = source(&described.experiment, folder, &described.title)?;
    let mut case = kinds.case(&Arc::new(source)).map_err(RunError::from)?;
    if let WorkloadSpec::Jobs(specs) = &mut case.workload {
        let with_traces = specs.iter_mut().filter(|spec| matches!(spec.program, Program::Trace(_)));
        for (spec, trace) in with_traces.zip(&described.traces) {
            spec.trace_format.clone_from(&trace.format);
        }
    }
    Ok(case)
}

/// Makes the source of an experiment; one without a title is named by its file.
fn source(text: &str, folder: &Path, title: &str) -> Result<Source, RerunError> {
    let plain = !title.is_empty() && !title.contains(['/', '\\']);
    let name = if plain { format!("{title}.toml") } else { "experiment.toml".into() };
    Ok(Source::new(&folder.join(name), text.to_owned(), &[]).map_err(RunError::from)?)
}

/// Returns where the paths of the cases begin.
fn places(again: &Again<'_>) -> Vec<PathBuf> {
    match again.from {
        Some(from) => vec![from.to_owned()],
        None => Host::read(again.folder).map(|host| host.folders).unwrap_or_default(),
    }
}

/// Refuses traces that are not those that were run: their results would differ, whatever the program does.
fn check_traces(case: &Case, described: &[TraceManifest]) -> Result<(), RerunError> {
    let inputs = inputs::open(case, &Traces::default())?;
    for (ours, theirs) in inputs.trace_files().map(TraceManifest::of).zip(described) {
        if ours.fingerprint != theirs.fingerprint {
            let (file, ours, theirs) = (ours.file, ours.fingerprint, theirs.fingerprint.clone());
            return Err(RerunError::OtherTrace { file, ours, theirs });
        }
    }
    Ok(())
}

/// Runs all cases of a sweep.
fn sweep(again: &Again<'_>, manifest: &SweepManifest, watch: &sweep::Watch<'_>) -> Result<(), RerunError> {
    let place = places(again).into_iter().next().unwrap_or_default();
    let source = Arc::new(source(&manifest.experiment, &place, "")?);
    let sweep = Sweep::of(&source, again.kinds.clone()).map_err(RunError::from)?;
    if manifest.searched {
        sweep::search::run(&sweep, again.into, again.cases, u64::MAX, &Wanted::default(), watch)?;
    } else {
        sweep::run(&sweep, again.into, again.cases, &Wanted::default(), watch)?;
    }
    let remade: SweepManifest = fs::read_to_string(again.into.join(manifest::FILE))
        .map_err(|error| ExportError::Io { path: again.into.display().to_string(), error })
        .map(|text| serde_json::from_str(&text))?
        .map_err(|error| RunError::Machine(error.to_string()))?;
    for ours in remade.traces {
        let same_name = |theirs: &&TraceManifest| theirs.file == ours.file;
        let theirs: Vec<&TraceManifest> = manifest.traces.iter().filter(same_name).collect();
        if let Some(other) = theirs.first().filter(|_| !theirs.iter().any(|it| it.fingerprint == ours.fingerprint)) {
            let (file, theirs) = (ours.file, other.fingerprint.clone());
            return Err(RerunError::OtherTrace { file, ours: ours.fingerprint, theirs });
        }
    }
    Ok(())
}
