//! `drowse run`: one case, and its baseline if asked.

use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};

use clap::{Args, ValueEnum};
use drowse_core::measure::ProbeOptions;
use drowse_experiment::{Case, load_case};
use drowse_run::compare::{self, Outcome};
use drowse_run::export;
use drowse_run::threads::Threads;

use super::Format;
use crate::failure::Failure;
use crate::output::{self, progress, summary};

/// Run the case of an experiment file
///
/// Prints run time, latencies, link states, power and energy.
#[derive(Debug, Args)]
pub struct Arguments {
    /// Experiment file
    file: PathBuf,

    /// Replace a key of the file, such as network.trunk=2 (can be repeated)
    #[arg(long = "set", value_name = "PATH=VALUE")]
    overrides: Vec<String>,

    /// Compare with the same case with all links always on, or with the case of another file
    #[arg(long, value_name = "always-on|FILE")]
    baseline: Option<String>,

    /// Write tables of cases, channels, jobs, ranks and engine to a folder
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,

    /// Write one more table to the folder, held in memory while the case runs (can be repeated)
    #[arg(long = "table", value_enum, value_name = "TABLE", requires = "out")]
    tables: Vec<Table>,

    /// Print a table or JSON
    #[arg(long, value_enum, default_value_t, value_name = "FORMAT")]
    format: Format,

    /// Cut the run over so many threads, shared with a baseline [default: as many as pay off]; results do not depend on it
    #[arg(long, value_name = "N")]
    threads: Option<NonZeroUsize>,
}

/// What can be seen of sleeping links beyond their residencies.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Table {
    /// How long each channel idled: a histogram
    IdlePeriods,
    /// How long an idle period is, and the next: a heat map for each link class
    IdlePairs,
    /// The stall timers of each channel after each idle period of 1 us or more
    Timers,
    /// Every change of every channel's state
    Timeline,
}

/// Runs the command.
pub fn execute(arguments: &Arguments) -> Result<(), Failure> {
    let case = load_case(&arguments.file, &arguments.overrides)?;
    let baseline = arguments.baseline.as_deref().map(|name| baseline(name, &case)).transpose()?;
    if let Some(folder) = &arguments.out {
        // Before the run: an hour of work should not end at a folder that cannot be written.
        export::prepare(folder).map_err(Failure::Export)?;
    }
    let threads = arguments.threads.map_or_else(Threads::that_pay, |threads| Threads::exactly(threads.get()));
    let bars = progress::Bars::new(1 + usize::from(baseline.is_some()));
    let observer = |index, progress| bars.show(index, progress);
    let (outcome, reference) =
        compare::observe(&case, baseline.as_ref(), wanted(&arguments.tables), threads, &observer)?;
    drop(bars);
    if let Some(folder) = &arguments.out {
        let outcomes: Vec<&Outcome> = std::iter::once(&outcome).chain(&reference).collect();
        export::write(folder, &outcomes).map_err(Failure::Export)?;
    }
    output::print(&match arguments.format {
        Format::Json => format!("{:#}\n", outcome.summary.to_json()),
        Format::Table => summary::table(&outcome, reference.as_ref().zip(arguments.baseline.as_deref())),
    })
}

/// Returns the case to compare with; overrides are for the first file only.
fn baseline(name: &str, case: &Case) -> Result<Case, Failure> {
    match name {
        "always-on" => Ok(case.always_on()),
        file => Ok(load_case(Path::new(file), &[])?),
    }
}

/// Returns what must be seen for these tables.
fn wanted(tables: &[Table]) -> ProbeOptions {
    ProbeOptions {
        idle_periods: tables.contains(&Table::IdlePeriods),
        idle_pairs: tables.contains(&Table::IdlePairs),
        timers: tables.contains(&Table::Timers),
        timeline: tables.contains(&Table::Timeline),
    }
}
