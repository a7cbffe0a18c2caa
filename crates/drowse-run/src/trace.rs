//! Describes a trace: its contents as counts.

use std::path::Path;

use drowse_core::model::units::FlopRate;
use drowse_core::workload::operation::SourceError;
use drowse_tables::Row;
use drowse_tables::schema::trace;
use drowse_traces::{Trace, TraceError, TraceInfo};

use crate::error::RunError;
use crate::inputs::find_iterations;
use drowse_experiment::Diagnostic;
use drowse_experiment::machine::is_bad_input;

/// Makes the row of `drowse trace info`; computations become time at the given speed.
pub fn info(path: &Path, speed: FlopRate) -> Result<Row, RunError> {
    let (trace, info) = open(path).map_err(|error| refuse(path, error))?;
    let mut row = counts(&info, speed);
    if info.check_simulable().is_ok() {
        let iterations = find_iterations(&trace).map_err(RunError::Source)?;
        row.push(trace::ITERATIONS_FROM, if iterations.is_some() { "period" } else { "none" });
        row.push_some(trace::ITERATIONS_COUNT, iterations.map(|iterations| iterations.count() as u64));
    }
    add_warnings(&mut row, &info);
    Ok(row)
}

fn open(path: &Path) -> Result<(Trace, TraceInfo), TraceError> {
    let trace = Trace::open(path)?;
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
