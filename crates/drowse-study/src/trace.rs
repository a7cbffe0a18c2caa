//! Says what a trace holds.

use std::path::Path;

use drowse_core::units::FlopRate;
use drowse_tables::Row;
use drowse_traces::{TraceError, TraceInfo};

use crate::experiment::Diagnostic;
use crate::machine::is_bad_input;
use crate::run::RunError;

/// Makes the row of `drowse trace info`; computations are turned into time at the given speed.
pub fn info(path: &Path, speed: FlopRate) -> Result<Row, RunError> {
    match drowse_traces::info(path) {
        Ok(info) => Ok(row(&info, speed)),
        Err(error @ TraceError::Spool { .. }) => Err(RunError::Machine(error.to_string())),
        Err(TraceError::Unreadable { source, .. }) => {
            let message = format!("this trace cannot be read: {source}");
            let diagnostic = Diagnostic::of_file(path, message, "give the path of a trace");
            Err(if is_bad_input(&source) { diagnostic.into() } else { RunError::Machine(diagnostic.to_string()) })
        }
        Err(error) => Err(Diagnostic::of_file(path, error.to_string(), "").into()),
    }
}

fn row(info: &TraceInfo, speed: FlopRate) -> Row {
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
    let lacking = info.not_simulated.iter().map(|lacking| {
        format!("`{}` cannot be simulated: {} times, first at {}", lacking.action, lacking.occurrences, lacking.first)
    });
    for (index, warning) in info.warnings.iter().cloned().chain(lacking).enumerate() {
        row.push(format!("warnings[{index}]"), warning);
    }
    row
}
