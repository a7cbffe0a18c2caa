//! Says what a trace holds.

use std::path::Path;

use drowse_core::model::units::FlopRate;
use drowse_tables::Row;
use drowse_traces::{Trace, TraceError, TraceInfo};

use crate::inputs::find_iterations;
use crate::run::RunError;
use drowse_experiment::Diagnostic;
use drowse_experiment::machine::is_bad_input;

/// Makes the row of `drowse trace info`; computations are turned into time at the given speed.
pub fn info(path: &Path, speed: FlopRate) -> Result<Row, RunError> {
    let (trace, info) = open(path).map_err(|error| refuse(path, error))?;
    let mut row = counts(&info, speed);
    if info.check_simulable().is_ok() {
        let iterations = find_iterations(&trace).map_err(RunError::Source)?;
        row.push("iterations.from", if iterations.is_some() { "period" } else { "none" });
        row.push_some("iterations.count", iterations.map(|iterations| iterations.count() as u64));
    }
    add_warnings(&mut row, &info);
    Ok(row)
}

fn open(path: &Path) -> Result<(Trace, TraceInfo), TraceError> {
    let trace = Trace::open(path)?;
    let info = trace.info()?;
    Ok((trace, info))
}

/// Says that a trace cannot be used.
fn refuse(path: &Path, error: TraceError) -> RunError {
    match error {
        TraceError::Spool { .. } => RunError::Machine(error.to_string()),
        TraceError::Unreadable { source, .. } => {
            let message = format!("this trace cannot be read: {source}");
            let diagnostic = Diagnostic::of_file(path, message, "give the path of a trace");
            if is_bad_input(&source) { diagnostic.into() } else { RunError::Machine(diagnostic.to_string()) }
        }
        error => Diagnostic::of_file(path, error.to_string(), "").into(),
    }
}

fn counts(info: &TraceInfo, speed: FlopRate) -> Row {
    let mut row = Row::new();
    row.push("format", info.format);
    row.push("ranks", info.ranks);
    for (name, &count) in &info.operations {
        row.push(format!("operations.{name}"), count);
    }
    row.push("messages.count", info.messages.count);
    row.push("messages.bytes", info.messages.bytes);
    for (name, &count) in &info.collectives {
        row.push(format!("collectives.{name}"), count);
    }
    row.push("compute_s", info.compute_flops as f64 / speed.0 as f64);
    row
}

fn add_warnings(row: &mut Row, info: &TraceInfo) {
    let lacking = info.not_simulated.iter().map(|lacking| {
        format!("`{}` cannot be simulated: {} times, first at {}", lacking.action, lacking.occurrences, lacking.first)
    });
    for (index, warning) in info.warnings.iter().cloned().chain(lacking).enumerate() {
        row.push(format!("warnings[{index}]"), warning);
    }
}
