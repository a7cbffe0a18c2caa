//! `drowse sweep`: all cases of an experiment file.

use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::thread;
use std::time::Duration;

use clap::Args;
use drowse_experiment::{Kinds, Search, Source, Sweep, read_source};
use drowse_run::sweep::shard::{self, Shard};
use drowse_run::sweep::{self, Report, Wanted, Watch};
use drowse_run::{host, parquet};

use super::Format;
use super::verify::{self, asked};
use crate::failure::Failure;
use crate::output::sweep_progress::SweepBar;
use crate::output::{self, forecast, interrupt, shard as share, sweep as table};

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

    /// Run one of N shares of the cases, such as 1/4, and write no table: `drowse merge` does
    #[arg(long, value_name = "K/N")]
    shard: Option<Shard>,

    /// Write each table as Parquet, too, compressed by zstd
    #[arg(long, conflicts_with = "shard")]
    parquet: bool,

    /// Print a table or JSON
    #[arg(long, value_enum, default_value_t, value_name = "FORMAT")]
    format: Format,

    /// Print what would be run and what it would cost; nothing is run or written
    #[arg(long)]
    dry_run: bool,

    /// Run two seconds of one case where no stored case tells how long they take
    #[arg(long, requires = "dry_run")]
    probe: bool,

    /// Run up to so many cases
    #[arg(long, value_name = "N", default_value_t = MOST_CASES)]
    cases: u64,

    /// Cases that run at a time [default: all cores]; results do not depend on it
    #[arg(long, value_name = "N")]
    threads: Option<NonZeroUsize>,
}

/// Cases that are run without being asked for by number.
pub const MOST_CASES: u64 = 10_000;

/// What becomes of a stored case that cannot be believed.
pub const RUN_AGAIN: &str = "its case is run again";

/// How long a probe runs.
const PROBE: Duration = Duration::from_secs(2);

/// Runs the command.
pub fn execute(arguments: &Arguments, kinds: &Kinds) -> Result<(), Failure> {
    parquet::check(arguments.parquet).map_err(Failure::Export)?;
    let source = Arc::new(read_source(&arguments.file, &arguments.overrides)?);
    let sweep = Sweep::of(&source, kinds.clone()).map_err(|diagnostic| Failure::Run(diagnostic.into()))?;
    let threads = arguments.threads.or(thread::available_parallelism().ok()).map_or(1, NonZeroUsize::get);
    if arguments.dry_run {
        return foretell(arguments, &sweep, threads);
    }
    // Who shares a sweep out knows that it is large.
    if arguments.shard.is_none() {
        check_number(sweep.cases(), arguments.cases)?;
    }
    let clock = host::Clock::start();
    interrupt::watch(&arguments.out);
    let bar = SweepBar::new(sweep.cases());
    let show_progress = |progress| bar.show(&progress);
    if let Some(shard) = arguments.shard {
        let report = shard::run(&sweep, &arguments.out, shard, threads, &Watch::new(&show_progress));
        drop(bar);
        let report = report.map_err(Failure::of_sweep)?;
        output::warn_of_damaged(&report.damaged, RUN_AGAIN);
        output::print(&match arguments.format {
            Format::Json => format!("{:#}\n", share::json(shard, &report)),
            Format::Table => share::text(shard, &report, &arguments.out),
        })?;
        return failures(report.failed, report.items, report.first_error, "`drowse merge` lists all in failed.csv");
    }
    let host = Some((clock, threads, arguments.file.as_path()));
    let wanted = Wanted { rows: table::ROWS, parquet: arguments.parquet, host };
    let report =
        sweep::run(&sweep, &arguments.out, threads, &wanted, &Watch::new(&show_progress)).map_err(Failure::of_sweep)?;
    drop(bar);
    let numbers = report.numbers.clone();
    let failed = report.cases + report.baselines == report.failed;
    show(arguments.format, &sweep.title(), &arguments.out, report)?;
    match sweep.search.as_ref().and_then(|search| Some((search, search.verified?))).filter(|_| !failed) {
        Some((search, drawn)) => verified(arguments, kinds, &source, (search, drawn as usize), &numbers, threads),
        None => Ok(()),
    }
}

/// Verifies the answer to the question of `[search]` by packets, and prints it.
fn verified(
    arguments: &Arguments,
    kinds: &Kinds,
    source: &Arc<Source>,
    (search, drawn): (&Search, usize),
    numbers: &[(String, u64)],
    threads: usize,
) -> Result<(), Failure> {
    let packets = Sweep::by_packets(source, kinds.clone()).map_err(|wrong| Failure::Run(wrong.into()))?;
    let bar = SweepBar::new(packets.cases());
    let show_progress = |progress| bar.show(&progress);
    let question = asked(search);
    let watch = Watch::new(&show_progress);
    let made = verify::run(&packets, numbers, &arguments.out, (&question, drawn), threads, &watch)?;
    drop(bar);
    output::warn_of_damaged(&made.report.damaged, RUN_AGAIN);
    super::best::answer(&arguments.out, &question, arguments.format)
}

/// Prints the table of a sweep that is complete; cases that could not finish are a failure.
pub fn show(format: Format, title: &str, folder: &Path, report: Report) -> Result<(), Failure> {
    output::warn_of_damaged(&report.damaged, RUN_AGAIN);
    match format {
        Format::Json => output::print(&format!("{:#}\n", table::json(&report)))?,
        Format::Table => output::print_table(&table::table(title, &report))?,
    }
    let list = format!("all are listed in {}", folder.join("failed.csv").display());
    failures(report.failed, report.cases + report.baselines, report.first_error, &list)
}

/// Says that cases could not finish, if some could not.
pub fn failures(failed: u64, cases: u64, first_error: Option<String>, help: &str) -> Result<(), Failure> {
    first_error.map_or(Ok(()), |error| {
        let message = format!("error: {failed} of {cases} cases could not finish, the first because of: {error}");
        Err(Failure::Cases(format!("{message}\nhelp: {help}")))
    })
}

/// Refuses more cases than were asked for.
fn check_number(cases: u64, most: u64) -> Result<(), Failure> {
    if cases <= most {
        return Ok(());
    }
    Err(Failure::Refused(format!(
        "error: this sweep has {cases} cases, and up to {most} are run\n\
         help: see with --dry-run what they cost; --cases {cases} runs them all"
    )))
}

/// Prints what the sweep would do.
fn foretell(arguments: &Arguments, sweep: &Sweep<'_>, threads: usize) -> Result<(), Failure> {
    let bar = SweepBar::new(sweep.cases());
    let probe = arguments.probe.then_some(PROBE);
    let told = sweep::forecast(
        sweep,
        &arguments.out,
        threads,
        table::ROWS,
        probe,
        &Watch::new(&|progress| bar.show(&progress)),
    )
    .map_err(Failure::of_sweep)?;
    drop(bar);
    match arguments.format {
        Format::Json => output::print(&format!("{:#}\n", forecast::json(threads, &told))),
        Format::Table => output::print_table(&forecast::text(&sweep.title(), sweep.paths(), threads, &told)),
    }
}
