//! `drowse search`: the best case of a sweep, found with a few of its cases.

use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::sync::Arc;
use std::thread;

use clap::Args;
use drowse_experiment::{Kinds, Search, Sweep, read_source};
use drowse_report::best::best;
use drowse_report::{Results, Study};
use drowse_run::error::RunError;
use drowse_run::host;
use drowse_run::sweep::search::{self, Found};
use drowse_run::sweep::{Wanted, Watch, verify as by_packets};
use drowse_tables::question::spread::Spread;

use super::Format;
use super::sweep::{MOST_CASES, RUN_AGAIN, failures};
use super::verify::{self, Verification, asked};
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
    let input = |diagnostic| Failure::Run(RunError::from(diagnostic));
    let sweep = Sweep::of(&source, kinds.clone()).map_err(input)?;
    let threads = arguments.threads.or(thread::available_parallelism().ok()).map_or(1, NonZeroUsize::get);
    let clock = host::Clock::start();
    interrupt::watch(&arguments.out);
    let wanted = Wanted { host: Some((clock, threads, &arguments.file)), ..Wanted::default() };
    let bar = SweepBar::new(sweep.cases());
    let observer = |progress| bar.show(&progress);
    let watch = Watch::new(&observer);
    let find = |spreads: &[Spread]| {
        let (out, most) = (&arguments.out, arguments.cases);
        search::run_allowing(spreads, &sweep, out, threads, most, &wanted, &watch).map_err(Failure::of_sweep)
    };
    let (searched, verification) = match sweep.search.as_ref().and_then(|search| Some((search, search.verified?))) {
        None => (find(&[])?, None),
        Some((search, drawn)) => {
            let packets = Sweep::by_packets(&source, kinds.clone()).map_err(input)?;
            let check = |found: &Found| {
                let asked = (&asked(search), drawn as usize);
                verify::run(&packets, &found.report.numbers, &arguments.out, asked, threads, &watch)
            };
            let (found, verification) = verified(search, find, check)?;
            (found, Some(verification))
        }
    };
    drop(bar);
    show(arguments, &sweep, &searched, verification.as_ref())
}

/// Searches by flows, and verifies what is found by packets. Where flows turn out to be off by more than was known, places
/// that may be better by that much are searched, too.
fn verified(
    search: &Search,
    find: impl Fn(&[Spread]) -> Result<Found, Failure>,
    check: impl Fn(&Found) -> Result<Verification, Failure>,
) -> Result<(Found, Verification), Failure> {
    let mut spreads: Vec<Spread> = Vec::new();
    let (mut ran, mut ran_by_packets) = (0, 0);
    loop {
        let mut found = find(&spreads)?;
        ran += found.report.ran;
        found.report.ran = ran;
        if found.report.cases + found.report.baselines == found.report.failed {
            return Err(Failure::Cases("error: no case could finish by flows, so packets can verify none".into()));
        }
        let mut verification = check(&found)?;
        ran_by_packets += verification.report.ran;
        verification.report.ran = ran_by_packets;
        let seen = verify::spreads(&verification.verified, search.figures());
        let known = spreads.iter().map(|spread| spread.by).chain(std::iter::repeat(0.0));
        if seen.iter().zip(known).all(|(seen, known)| seen.by <= known) {
            return Ok((found, verification));
        }
        let largest = |(number, spread): (usize, &Spread)| Spread {
            by: spreads.get(number).map_or(spread.by, |known| known.by.max(spread.by)),
            ..*spread
        };
        spreads = seen.iter().enumerate().map(largest).collect();
    }
}

/// Prints the answer: by packets where these have verified it.
fn show(
    arguments: &Arguments,
    sweep: &Sweep<'_>,
    searched: &Found,
    verification: Option<&Verification>,
) -> Result<(), Failure> {
    let by_packets = verification.map(|verification| &verification.report);
    let damaged = searched.report.damaged.iter().chain(by_packets.iter().flat_map(|report| &report.damaged));
    output::warn_of_damaged(&damaged.cloned().collect::<Vec<_>>(), RUN_AGAIN);
    let report = by_packets.unwrap_or(&searched.report);
    let rows = report.cases + report.baselines;
    let folder = by_packets.map_or_else(|| arguments.out.clone(), |_| by_packets::folder(&arguments.out));
    if let Some(search) = sweep.search.as_ref().filter(|_| rows > report.failed) {
        let results = Results::read(&folder).map_err(Failure::Report)?;
        let study = Study::new(&results);
        let question = asked(search);
        let answer = best(&results, &study, &question).map_err(Failure::Report)?;
        let verified = verification.map(|Verification { verified, .. }| verified);
        match arguments.format {
            Format::Json => output::print(&format!("{:#}\n", found::json(&study, &answer, searched, verified)))?,
            Format::Table => output::print(&found::text(&study, &question, &answer, searched, verified))?,
        }
    }
    let list = format!("all are listed in {}", folder.join("failed.csv").display());
    failures(report.failed, rows, report.first_error.clone(), &list)
}
