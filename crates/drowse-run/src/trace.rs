//! Describes a trace: its contents as counts. Checks whether its ranks fit together. Converts traces.

use std::path::Path;

use drowse_core::model::units::FlopRate;
use drowse_core::workload::operation::SourceError;
use drowse_tables::Row;
use drowse_tables::schema::trace;
use drowse_traces::{CheckError, ComputeModel, Trace, TraceError, TraceInfo, WriteError};
pub use drowse_traces::{FORMATS, Finding, Findings, Format};

use crate::error::RunError;
use crate::files::{ExportError, NewFile};
use crate::inputs::find_iterations;
use drowse_experiment::Diagnostic;
use drowse_experiment::machine::is_bad_input;

/// Makes the row of `drowse trace info`, of a given format or the one that is recognised; computations become time at
/// the given speed.
pub fn info(path: &Path, format: Option<&Format>, speed: FlopRate) -> Result<Row, RunError> {
    let (trace, info) = open(path, format).map_err(|error| refuse(path, error))?;
    let mut row = counts(&info, speed);
    if info.check_simulable().is_ok() {
        let iterations = find_iterations(&trace).map_err(RunError::Source)?;
        row.push(trace::ITERATIONS_FROM, if iterations.is_some() { "period" } else { "none" });
        row.push_some(trace::ITERATIONS_COUNT, iterations.map(|iterations| iterations.count() as u64));
    }
    add_warnings(&mut row, &info);
    Ok(row)
}

/// Checks the program of a trace; keeps the `most` first findings.
pub fn check(path: &Path, format: Option<&Format>, most: usize) -> Result<Findings, RunError> {
    let trace = open_as(path, format).map_err(|error| refuse(path, error))?;
    trace.check(most).map_err(|error| match error {
        CheckError::Trace(error) => refuse(path, error),
        CheckError::Source(error) => RunError::Source(error),
    })
}

/// Why a trace is not converted.
#[derive(Debug, thiserror::Error)]
pub enum ConvertError {
    /// The trace cannot be read or simulated.
    #[error(transparent)]
    Trace(#[from] RunError),
    /// The format cannot say what the program does.
    #[error("{path}: {why}")]
    Refused {
        /// The trace.
        path: String,
        /// What and why.
        why: WriteError,
    },
    /// The new file cannot be written.
    #[error(transparent)]
    Export(#[from] ExportError),
    /// There is such a file.
    #[error("{path}: is there already, and would be written over; give another name, or remove it")]
    Exists {
        /// The file.
        path: String,
    },
}

/// Writes a trace of one format, by default the one that is recognised, in another, by default that of the file's
/// ending; operations become time at the given speed. Returns what the format does not tell.
pub fn convert(
    path: &Path,
    out: &Path,
    [from, to]: [Option<&Format>; 2],
    speed: FlopRate,
) -> Result<Vec<String>, ConvertError> {
    if out.exists() {
        return Err(ConvertError::Exists { path: out.display().to_string() });
    }
    let (trace, info) = open(path, from).map_err(|error| refuse(path, error))?;
    info.check_simulable().map_err(|error| refuse(path, error))?;
    let compute = ComputeModel { flops_per_second: speed, scale: 1.0, drop_multiples: None, wait_multiples: None };
    let name = out.file_name().unwrap_or_default().to_string_lossy();
    let folder = out.parent().unwrap_or(Path::new(""));
    let file = || out.display().to_string();
    let mut new = NewFile::create(folder, &name).map_err(|error| match error {
        ExportError::Io { error, .. } if is_bad_input(&error) => ExportError::NoFile { path: file(), error },
        error => error,
    })?;
    let to = to.unwrap_or_else(|| Format::of_ending(out));
    let notes = to.write(&|| trace.operations(compute), speed, &mut new).map_err(|error| match error {
        WriteError::Source(error) => ConvertError::Trace(RunError::Source(error)),
        WriteError::Io(error) => ConvertError::Export(ExportError::Io { path: file(), error }),
        why @ WriteError::Refused { .. } => ConvertError::Refused { path: path.display().to_string(), why },
    })?;
    new.finish()?;
    Ok(notes)
}

/// Opens a trace of a format, by default the one that is recognised.
fn open_as(path: &Path, format: Option<&Format>) -> Result<Trace, TraceError> {
    format.map_or_else(|| Trace::open(path), |format| Trace::open_as(path, format))
}

fn open(path: &Path, format: Option<&Format>) -> Result<(Trace, TraceInfo), TraceError> {
    let trace = open_as(path, format)?;
    let info = trace.info()?;
    Ok((trace, info))
}

/// Makes the error of a trace that cannot be used.
fn refuse(path: &Path, error: TraceError) -> RunError {
    match error {
        TraceError::Spool { .. } => RunError::Machine(error.to_string()),
        TraceError::Unreadable { source, .. } => {
            let message = format!("this trace cannot be read: {source}");
            let diagnostic = Diagnostic::of_file(path, message, "give the path of a trace");
            Diagnostic { machine: !is_bad_input(&source), ..diagnostic }.into()
        }
        // The message begins with the place.
        error => RunError::Source(SourceError(error.to_string())),
    }
}

fn counts(info: &TraceInfo, speed: FlopRate) -> Row {
    let mut row = Row::new();
    row.push(trace::FORMAT, info.format);
    row.push(trace::RANKS, info.ranks);
    for (name, &count) in &info.operations {
        row.push(trace::OPERATIONS.of(name), count);
    }
    row.push(trace::MESSAGES_COUNT, info.messages.count);
    row.push(trace::MESSAGES_BYTES, info.messages.bytes);
    for (name, &count) in &info.collectives {
        row.push(trace::COLLECTIVES.of(name), count);
    }
    row.push(trace::COMPUTE_S, info.compute.seconds(speed));
    row.push(trace::COVERAGE_SIMULATED, info.coverage.simulated);
    row.push(trace::COVERAGE_APPROXIMATED, info.coverage.approximations());
    row.push(trace::COVERAGE_IGNORED, info.coverage.omissions());
    row
}

fn add_warnings(row: &mut Row, info: &TraceInfo) {
    let lacking = info.not_simulated.iter().map(|lacking| {
        format!("`{}` cannot be simulated: {} times, first at {}", lacking.action, lacking.occurrences, lacking.first)
    });
    row.push_all(trace::WARNINGS, info.warnings.iter().cloned().chain(lacking));
}
