//! `drowse search`: the best case of a sweep, found with a few of its cases.

use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::sync::Arc;
use std::thread;

use clap::Args;
use drowse_experiment::{Kinds, Sweep, read_source};
use drowse_report::best::{Question, best};
use drowse_report::{Results, Study};
use drowse_run::host;
use drowse_run::sweep::{Wanted, Watch, search};

use super::Format;
use super::sweep::{MOST_CASES, RUN_AGAIN, failures};
use crate::failure::Failure;
use crate::output::sweep_progress::SweepBar;
use crate::output::{self, interrupt, search as found};

/// Find the best case of a sweep without running all its cases
///
/// Bisects between the values of ranges, and runs all values of lists and all seeds. Every finished case is kept, so a
/// search that was stopped continues when it is run again, and `drowse sweep` in the same folder runs the others only.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub struct Arguments {
    /// Experiment file
    file: PathBuf,

    /// Folder for the tables and for finished cases
    #[arg(long, value_name = "DIR")]
    out: PathBuf,

    /// Replace a key of the file, such as search.where="slowdown <= 2%" (can be repeated)
    #[arg(long = "set", value_name = "PATH=VALUE")]
    overrides: Vec<String>,

    /// Print a table or JSON
    #[arg(long, value_enum, default_value_t, value_name = "FORMAT")]
    format: Format,

    /// Run up to so many cases
    #[arg(long, value_name = "N", default_value_t = MOST_CASES)]
    cases: u64,

    /// Cases that run at a time [default: all cores]; results do not depend on it
    #[arg(long, value_name = "N")]
    threads: Option<NonZeroUsize>,
}

const EXAMPLES: &str = "Examples:
  drowse search search.toml --out results
  drowse search search.toml --out results --set search.where='slowdown <= 2%'";

/// Runs the command.
pub fn execute(arguments: &Arguments, kinds: &Kinds) -> Result<(), Failure> {
    let source = Arc::new(read_source(&arguments.file, &arguments.overrides)?);
    let sweep = Sweep::of(&source, kinds.clone()).map_err(|diagnostic| Failure::Run(diagnostic.into()))?;
    let threads = arguments.threads.or(thread::available_parallelism().ok()).map_or(1, NonZeroUsize::get);
    let clock = host::Clock::start();
    interrupt::watch(&arguments.out);
    let wanted = Wanted { host: Some((clock, threads, &arguments.file)), ..Wanted::default() };
    let bar = SweepBar::new(sweep.cases());
    let searched = search::run(
        &sweep,
        &arguments.out,
        threads,
        arguments.cases,
        &wanted,
        &Watch::new(&|progress| bar.show(&progress)),
    );
    drop(bar);
    let searched = searched.map_err(Failure::of_sweep)?;
    output::warn_of_damaged(&searched.report.damaged, RUN_AGAIN);
    let rows = searched.report.cases + searched.report.baselines;
    let finished = rows > searched.report.failed;
    if let Some(search) = sweep.search.as_ref().filter(|_| finished) {
        let results = Results::read(&arguments.out).map_err(Failure::Report)?;
        let study = Study::new(&results);
        let (minimize, condition) = (search.minimize.as_str(), search.condition.as_deref());
        let question = Question { minimize, condition, by: &search.by };
        let answer = best(&results, &study, &question).map_err(Failure::Report)?;
        match arguments.format {
            Format::Json => output::print(&format!("{:#}\n", found::json(&study, &answer, &searched)))?,
            Format::Table => output::print(&found::text(&study, &question, &answer, &searched))?,
        }
    }
    let list = format!("all are listed in {}", arguments.out.join("failed.csv").display());
    failures(searched.report.failed, rows, searched.report.first_error, &list)
}
