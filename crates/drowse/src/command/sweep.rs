//! `drowse sweep`: all cases of an experiment file.

use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::sync::Arc;
use std::thread;

use clap::Args;
use drowse_experiment::{Sweep, read_source};
use drowse_run::{host, sweep};

use super::Format;
use crate::failure::Failure;
use crate::output::{self, progress, sweep as table};

/// Run all cases of an experiment file with [sweep]
///
/// Runs the product of all values, several cases at a time, and writes one table with a row per case. Every finished
/// case is kept, so a sweep that was stopped continues when it is run again.
#[derive(Debug, Args)]
pub struct Arguments {
    /// Experiment file; without [sweep] it is one case
    file: PathBuf,

    /// Folder for the tables and for finished cases
    #[arg(long, value_name = "DIR")]
    out: PathBuf,

    /// Replace a key of the file, such as network.trunk=2; a key of the sweep gets this one value (can be repeated)
    #[arg(long = "set", value_name = "PATH=VALUE")]
    overrides: Vec<String>,

    /// Print a table or JSON
    #[arg(long, value_enum, default_value_t, value_name = "FORMAT")]
    format: Format,

    /// Cases that run at a time [default: all cores]; results do not depend on it
    #[arg(long, value_name = "N")]
    threads: Option<NonZeroUsize>,
}

/// Runs the command.
pub fn execute(arguments: &Arguments) -> Result<(), Failure> {
    let source = Arc::new(read_source(&arguments.file, &arguments.overrides)?);
    let sweep = Sweep::new(&source).map_err(|diagnostic| Failure::Run(diagnostic.into()))?;
    let threads = arguments.threads.or(thread::available_parallelism().ok()).map_or(1, NonZeroUsize::get);
    let clock = host::Clock::start();
    let bar = progress::SweepBar::new(sweep.cases());
    let report = sweep::run(&sweep, &arguments.out, threads, table::ROWS, &|progress| bar.show(progress))
        .map_err(Failure::of_sweep)?;
    drop(bar);
    clock.stop(threads, &[&arguments.file]).write(&arguments.out).map_err(Failure::Unfinished)?;
    match arguments.format {
        Format::Json => output::print(&format!("{:#}\n", table::json(&report)))?,
        Format::Table => output::print_table(&table::table(&sweep.title(), &report))?,
    }
    match report.first_error {
        Some(error) => Err(Failure::Cases(format!(
            "error: {} of {} cases could not finish, the first because of: {error}\nhelp: all are listed in {}",
            report.failed,
            report.cases,
            arguments.out.join("failed.csv").display()
        ))),
        None => Ok(()),
    }
}
