//! Describes a trace: its contents as counts. Checks whether its ranks fit together. Converts traces. The application of
//! an experiment is taken for a trace, too.

use std::path::Path;
use std::sync::Arc;

use drowse_core::model::units::{FlopRate, Time};
use drowse_core::usage::Matrix;
use drowse_core::workload::iterations::Known;
use drowse_core::workload::operation::{OperationSource, SourceError};
use drowse_core::workload::programs::Iterate;
use drowse_tables::Row;
use drowse_tables::schema::{Column, trace};
use drowse_traces::{
    CheckError, ComputeModel, Cut, CutError, IdealRun, Profile, Profiling, ScaleError, Scaled, TraceError, TraceInfo,
    WriteError,
};
pub use drowse_traces::{FORMATS, Finding, Findings, Format, Kept, Trace, parse_time, text::forms};

use crate::error::RunError;
use crate::files::ExportError;
use crate::files::target::Target;
use crate::inputs::application;
use drowse_experiment::machine::is_bad_input;
use drowse_experiment::{Diagnostic, Program, WorkloadSpec};

/// Makes the row of `drowse trace info`, of a given format or the one that is recognised; computations become time at
/// the given speed. Also returns what ranks send to each other, if the trace can be simulated.
pub fn info(path: &Path, format: Option<&Format>, speed: FlopRate) -> Result<(Row, Option<Matrix>), RunError> {
    let (trace, info) = open(path, format)?;
    let mut row = counts(&info, speed);
    let mut matrix = None;
    if info.check_simulable().is_ok() {
        let mut program = Profiling::new(trace.operations(at_speed(speed)));
        let known = Known::find(&mut program).map_err(RunError::Source)?;
        let profile = program.finish().map_err(RunError::Source)?;
        add_profile(&mut row, &profile);
        add_computing(&mut row, &profile, trace.recorded().as_deref());
        let (from, count) = match known {
            Known::Marks => ("marks", profile.iterations()),
            Known::Period(iterations) => ("period", Some(iterations.count() as u64)),
            Known::Nothing => ("none", None),
        };
        let ideal = trace.ideal_run(at_speed(speed)).map_err(RunError::Source)?;
        ideal.iter().for_each(|run| add_ideal_run(&mut row, run));
        row.push(trace::ITERATIONS_FROM, from);
        row.push_some(trace::ITERATIONS_COUNT, count);
        matrix = Some(profile.matrix);
    }
    add_warnings(&mut row, &info);
    Ok((row, matrix))
}

/// Returns computations as they are, and operations at a speed.
pub const fn at_speed(speed: FlopRate) -> ComputeModel {
    ComputeModel { flops_per_second: speed, scale: 1.0, drop_multiples: None, wait_multiples: None }
}

/// Adds what is sent and called, by size.
fn add_profile(row: &mut Row, profile: &Profile) {
    row.push(trace::MESSAGES_PAIRS, profile.pairs);
    for (size, messages) in &profile.sizes {
        row.push(trace::SIZES_MESSAGES.of(size), messages.count);
        row.push(trace::SIZES_BYTES.of(size), messages.bytes);
    }
    for ((name, size), calls) in &profile.collectives {
        let of = format!("{name}.{size}");
        row.push(trace::COLLECTIVE_SIZES_CALLS.of(&of), calls.count);
        row.push(trace::COLLECTIVE_SIZES_BYTES.of(&of), calls.bytes);
    }
    row.push(trace::COMMUNICATORS_COUNT, profile.communicators.values().sum::<u32>());
    for (ranks, &count) in &profile.communicators {
        row.push(trace::COMMUNICATORS_OF.of(ranks), count);
    }
}

/// Adds how long the program takes where communication costs no time, and what of that lies before and behind all
/// communication.
fn add_ideal_run(row: &mut Row, IdealRun { end, communicates }: &IdealRun) {
    row.push(trace::IDEAL_RUN_S, end.seconds());
    if let Some([first, last]) = communicates {
        row.push(trace::IDEAL_RUN_BEFORE_S, first.seconds());
        row.push(trace::IDEAL_RUN_AFTER_S, (*end - *last).seconds());
    }
}

/// Adds what ranks compute, and its share of the time that they took when they were recorded.
fn add_computing(row: &mut Row, profile: &Profile, recorded: Option<&[Time]>) {
    let seconds = |picoseconds: u128| picoseconds as f64 / 1e12;
    let computed: Vec<f64> = profile.computed.iter().map(|&computed| seconds(computed)).collect();
    let columns = [trace::COMPUTE_LEAST_S, trace::COMPUTE_MEAN_S, trace::COMPUTE_MOST_S];
    add_spread(row, columns, &computed);
    let Some(recorded) = recorded.filter(|recorded| recorded.iter().all(|&time| time > Time::ZERO)) else { return };
    let recorded: Vec<f64> = recorded.iter().map(|time| seconds(time.0.into())).collect();
    let shares: Vec<f64> = computed.iter().zip(&recorded).map(|(computed, recorded)| computed / recorded).collect();
    let columns = [trace::COMPUTE_LEAST_SHARE, trace::COMPUTE_MEAN_SHARE, trace::COMPUTE_MOST_SHARE];
    add_spread(row, columns, &shares);
    row.push_some(trace::RECORDED_S, recorded.into_iter().reduce(f64::max));
}

/// Adds the least, the mean and the largest of some values.
fn add_spread(row: &mut Row, [least, mean, most]: [Column; 3], values: &[f64]) {
    row.push_some(least, values.iter().copied().reduce(f64::min));
    row.push_some(mean, values.iter().copied().reduce(|sum, value| sum + value).map(|sum| sum / values.len() as f64));
    row.push_some(most, values.iter().copied().reduce(f64::max));
}

/// Checks the program of a trace; keeps the `most` first findings.
pub fn check(path: &Path, format: Option<&Format>, most: usize) -> Result<Findings, RunError> {
    let trace = open_as(path, format)?;
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
    /// What is wanted of the trace is no program.
    #[error("{why}")]
    Part {
        /// Why.
        why: String,
    },
    /// The new file cannot be written.
    #[error(transparent)]
    Export(#[from] ExportError),
}

/// Writes a trace of one format, by default the one that is recognised, in another, by default that of the file's
/// ending; operations become time at the given speed. Returns what the format does not tell.
pub fn convert(
    path: &Path,
    out: &Target,
    [from, to]: [Option<&Format>; 2],
    speed: FlopRate,
) -> Result<Vec<String>, ConvertError> {
    let trace = open_simulable(path, from)?;
    write(path, out, to, speed, &|| trace.operations(at_speed(speed)))
}

/// Writes a part of a trace, as [`convert`]. Returns what is to be said of the part, and what the format does not tell.
pub fn cut(
    path: &Path,
    out: &Target,
    [from, to]: [Option<&Format>; 2],
    speed: FlopRate,
    kept: &Kept,
) -> Result<Vec<String>, ConvertError> {
    let trace = open_simulable(path, from)?;
    let mut cut = Cut::of(&trace, at_speed(speed), kept).map_err(|error| match error {
        CutError::Trace(error) => refuse(path, error).into(),
        CutError::Source(error) => ConvertError::Trace(RunError::Source(error)),
        // The message begins with the place where there is one.
        why @ CutError::Leaves { .. } => ConvertError::Part { why: why.to_string() },
        why => ConvertError::Part { why: format!("{}: {why}", path.display()) },
    })?;
    let mut notes = std::mem::take(&mut cut.notes);
    notes.extend(write(path, out, to, speed, &|| cut.operations())?);
    Ok(notes)
}

/// Writes a trace on another number of ranks, as [`convert`], by a trace of the same program on a third number if there
/// is one. Returns what was found, and what the format does not tell.
pub fn scale(
    (path, other): (&Path, Option<&Path>),
    out: &Target,
    [from, to]: [Option<&Format>; 2],
    speed: FlopRate,
    ranks: u32,
) -> Result<Vec<String>, ConvertError> {
    let trace = open_simulable(path, from)?;
    let scaled = match other {
        Some(other) => Scaled::by_both(&trace, &open_simulable(other, from)?, at_speed(speed), ranks),
        None => Scaled::of(&trace, at_speed(speed), ranks),
    };
    let mut scaled = scaled.map_err(|error| match error {
        ScaleError::Trace(error) => refuse(path, error).into(),
        ScaleError::Source(error) => ConvertError::Trace(RunError::Source(error)),
        // The message begins with the place where there is one.
        why @ (ScaleError::Operation { .. } | ScaleError::Sizes { .. }) => ConvertError::Part { why: why.to_string() },
        why => ConvertError::Part { why: format!("{}: {why}", path.display()) },
    })?;
    let mut notes = std::mem::take(&mut scaled.notes);
    notes.extend(write(path, out, to, speed, &|| scaled.operations())?);
    Ok(notes)
}

/// Opens a trace that can be simulated, of a given format or the one that is recognised.
pub fn open_simulable(path: &Path, format: Option<&Format>) -> Result<Trace, RunError> {
    let (trace, info) = open(path, format)?;
    info.check_simulable().map_err(|error| refuse(path, error))?;
    Ok(trace)
}

/// Writes a program, made of a trace.
fn write(
    path: &Path,
    out: &Target,
    to: Option<&Format>,
    speed: FlopRate,
    program: &dyn Fn() -> Box<dyn OperationSource>,
) -> Result<Vec<String>, ConvertError> {
    let to = to.unwrap_or_else(|| Format::of_ending(&out.path()));
    out.write(|file| {
        to.write(program, speed, file).map_err(|error| match error {
            WriteError::Source(error) => ConvertError::Trace(RunError::Source(error)),
            WriteError::Io(error) => ConvertError::Export(ExportError::of(&out.path(), error)),
            why @ WriteError::Refused { .. } => ConvertError::Refused { path: path.display().to_string(), why },
        })
    })
}

/// Opens a trace of a format, by default the one that is recognised, or the application of an experiment.
fn open_as(path: &Path, format: Option<&Format>) -> Result<Trace, RunError> {
    let opened = match format {
        None if path.extension().is_some_and(|ending| ending == "toml") => return open_application(path),
        None => Trace::open(path),
        Some(format) => Trace::open_as(path, format),
    };
    opened.map_err(|error| refuse(path, error))
}

fn open(path: &Path, format: Option<&Format>) -> Result<(Trace, TraceInfo), RunError> {
    let trace = open_as(path, format)?;
    let info = trace.info().map_err(|error| refuse(path, error))?;
    Ok((trace, info))
}

/// Opens the application of the only job of an experiment, which it runs as often as the job does.
fn open_application(path: &Path) -> Result<Trace, RunError> {
    let case = drowse_experiment::load_case(path, &[])?;
    let specs = match &case.workload {
        WorkloadSpec::Jobs(specs) => specs.as_slice(),
        WorkloadSpec::Traffic(_) => &[],
    };
    let keys = &case.system.keys;
    let [spec, others @ ..] = specs else {
        let help = "give a file with one [[job]] that has an app, or a trace";
        return Err(keys.error("traffic", "this experiment has no job whose program could be read", help).into());
    };
    if let Some(other) = others.iter().find(|other| other.path != spec.path) {
        let help = "give a file with one [[job]], whose program is read";
        return Err(keys.error(&other.path, "this experiment has several jobs", help).into());
    }
    let Program::App(phases) = &spec.program else {
        let help = "give the file of the trace itself";
        return Err(keys.error(&spec.program_path(), "the job of this experiment has no app", help).into());
    };
    let application = Arc::new(application(spec, phases, &case.system)?);
    let repeat = spec.repeat.times();
    Ok(Trace::of_program(move || Box::new(Iterate::new(Arc::clone(&application), repeat))))
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
