//! Networks and workloads of experiments with overrides, described as the commands do.

use std::path::Path;
use std::sync::Arc;

use drowse_describe::{network as networks, usage as usages};
use drowse_experiment::{Diagnostic, Source, System};
use drowse_run::error::RunError;
use drowse_run::inputs::Traces;
use drowse_tables::Row;

/// Reads the system of an experiment with overrides.
pub fn system(name: &str, text: &str, overrides: &[String]) -> Result<System, Diagnostic> {
    drowse_experiment::system(&Arc::new(Source::new(Path::new(name), text.to_owned(), overrides)?))
}

/// Describes the network of an experiment with overrides, as `drowse network NAME --set ...` does.
pub fn network(name: &str, text: &str, overrides: &[String]) -> Result<Row, Diagnostic> {
    Ok(networks::describe(&system(name, text, overrides)?))
}

/// Counts the channels that the workload of an experiment with overrides uses, as `drowse usage NAME --set ...` does.
pub fn usage(name: &str, text: &str, overrides: &[String], options: &usages::Options) -> Result<Row, RunError> {
    let source = Source::new(Path::new(name), text.to_owned(), overrides)?;
    let case = drowse_experiment::case(&Arc::new(source))?;
    Ok(usages::row(&usages::count(&case, &Traces::default())?, &case, options)?)
}
