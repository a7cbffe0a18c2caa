//! `drowse run`: one case, and its baseline if asked.

use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};

use clap::{Args, ValueEnum};
use drowse_core::measure::ProbeOptions;
use drowse_core::measure::series::IntervalLength;
use drowse_core::model::units::{Time, UnitError};
use drowse_experiment::{Case, Kinds};
use drowse_run::expected::Expected;
use drowse_run::files::ResultFiles;
use drowse_run::files::folder::{self, Over};
use drowse_run::outcome::Outcome;
use drowse_run::processes::{self, Peers};
use drowse_run::request::{Expects, Outcomes, RunRequest};
use drowse_run::threads::Threads;
use drowse_run::timeline::{TimelineOptions, write as write_timelines};
use drowse_run::timers;
use drowse_run::{export, files, host, parquet};

use super::Format;
use super::compare_units;
use super::timeline::TimelineArguments;
use crate::failure::Failure;
use crate::output::summary::{self, Baseline, Section};
use crate::output::{self, expected, progress};

/// Run the case of an experiment file
///
/// Prints run time, packet latency, link states and energy; --details adds all other figures.
#[derive(Debug, Args)]
pub struct Arguments {
    /// Experiment file
    file: PathBuf,

    /// Replace a key of the file, such as network.trunk=2 (can be repeated)
    #[arg(long = "set", value_name = "PATH=VALUE")]
    overrides: Vec<String>,

    /// Read the traces of all jobs as this format, whatever they look like
    #[arg(long, value_name = "FORMAT", value_parser = super::trace::formats(|_| true))]
    trace_format: Option<String>,

    /// Compare with the same case with all links always on, with each job alone on the machine (under a scheduler), or
    /// with the case of another file
    #[arg(long, value_name = "always-on|alone|FILE")]
    baseline: Option<String>,

    /// Run the case by packets and by flows, and print both with their differences: by sizes of messages and by link
    /// class, too
    #[arg(long, conflicts_with_all = ["baseline", "out", "details"])]
    compare_units: bool,

    /// Write tables of cases, channels, jobs, ranks and engine to a folder; tables there of an experiment with this
    /// title are replaced
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,

    /// Replace what is in the folder, also tables of another experiment and files that Drowse has not written
    #[arg(long, requires = "out")]
    force: bool,

    /// Write one more table, which is held in memory during the run (can be repeated)
    #[arg(long = "table", value_enum, value_name = "TABLE", requires = "out")]
    tables: Vec<Table>,

    /// The window of the peak utilisation in the table `waiting`
    #[arg(long, value_name = "TIME", default_value = "10 us", requires = "tables", value_parser = window)]
    peak_window: Time,

    /// The length of the intervals of the table `power` [default: by the length of the run, so that there are at most
    /// 1,000]
    #[arg(long, value_name = "TIME", requires = "tables", value_parser = window)]
    power_interval: Option<Time>,

    /// Write each table as Parquet, too, compressed by zstd
    #[arg(long, requires = "out")]
    parquet: bool,

    #[command(flatten)]
    timeline: TimelineArguments,

    /// Print all figures, not only the most important ones; or those of some sections, such as links,ranks
    #[arg(long, value_enum, value_name = "SECTIONS", num_args = 0..=1, default_missing_value = "all",
        value_delimiter = ',', hide_possible_values = true)]
    details: Option<Vec<Section>>,

    /// Print a table or JSON
    #[arg(long, value_enum, default_value_t, value_name = "FORMAT")]
    format: Format,

    /// Threads of the run and its baseline [default: as many as pay off]; results do not depend on it
    #[arg(long, value_name = "N")]
    threads: Option<NonZeroUsize>,
}

/// Tables that probes record: of single channels, of messages, and of ranks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Table {
    /// A histogram of the idle periods of each channel
    IdlePeriods,
    /// Lengths of an idle period and of the next, for each link class
    IdlePairs,
    /// The stall timers of each channel after each idle period of 1 us or more
    Timers,
    /// Every change of every channel's state
    Timeline,
    /// How long packets waited for each channel, by cause (busy, no credit, asleep), and its peak utilisation
    Waiting,
    /// What links (by class), switches, NICs and nodes draw over time, and peak, 95th percentile and ramps of it
    Power,
    /// Latency percentiles of messages by size
    MessageSizes,
    /// How each rank spent its time by kind of operation, and what it waited for; with --details, of all ranks
    RankOperations,
    /// For whom each rank waited, by cause, and the longest waits of each rank with the partner that ended them
    Waits,
    /// Wakes of links for which messages waited, and whether on the critical path; with --details, the costliest
    Wakes,
}

/// What is to run.
struct Prepared {
    case: Case,
    baseline: Option<Case>,
    timeline: Option<TimelineOptions>,
}

/// Runs the command.
pub fn execute(arguments: &Arguments, kinds: &Kinds) -> Result<(), Failure> {
    let Some(launched) = processes::launched() else { return in_one_process(arguments, kinds) };
    let first = launched.number == 0;
    // What goes wrong is told once, and while the others wait: when one of them has gone, a launcher may kill the rest.
    let tell = |failure: Failure| {
        if first {
            failure.tell();
        }
        failure.told()
    };
    let mut peers = launched.peers().map_err(|why| tell(Failure::Refused(why)))?;
    in_processes(arguments, kinds, &mut *peers).map_err(tell)
}

fn in_one_process(arguments: &Arguments, kinds: &Kinds) -> Result<(), Failure> {
    let Prepared { case, baseline, timeline } = prepare(arguments, kinds)?;
    prepare_folder(arguments, &case)?;
    output::warn(&timers::warnings(&case.system));
    let clock = host::Clock::start();
    let threads = arguments.threads.map_or_else(Threads::that_pay, |threads| Threads::exactly(threads.get()));
    if arguments.compare_units {
        return compare_units::execute(&case, threads, arguments.format);
    }
    let bars = progress::Bars::new(1 + usize::from(baseline.is_some()));
    let warn = |told: &Expected| output::warn(&expected::long(told).into_iter().collect::<Vec<String>>());
    let warn: Expects<'_> = &warn;
    let request = RunRequest {
        baseline: baseline.as_ref(),
        probes: wanted(arguments),
        timeline: timeline.as_ref(),
        threads,
        expects: case.system.config.unit.is_packet().then_some(warn),
        observer: &|side, progress| bars.show(side as usize, progress),
        ..RunRequest::new(&case)
    };
    let outcomes = request.run()?;
    drop(bars);
    show(arguments, &outcomes, &clock.stop(threads.most(), &experiments(arguments)))
}

/// Runs the command as one of several processes, of which the first shows the result.
fn in_processes(arguments: &Arguments, kinds: &Kinds, peers: &mut dyn Peers) -> Result<(), Failure> {
    let (first, count) = (peers.number() == 0, peers.count());
    let clock = host::Clock::start();
    let prepared = refuse_more_than_processes_do(arguments).and_then(|()| prepare(arguments, kinds));
    let with_folder = |prepared: Prepared| {
        if first { prepare_folder(arguments, &prepared.case).map(|()| prepared) } else { Ok(prepared) }
    };
    let prepared = prepared.and_then(with_folder);
    let told = prepared.as_ref().map(|_| String::new()).map_err(ToString::to_string);
    let agreed = processes::agree(peers, &told);
    let Prepared { case, baseline, .. } = prepared?;
    agreed?;
    let bars = first.then(|| progress::Bars::new(1 + usize::from(baseline.is_some())));
    let observer = |side, progress| bars.iter().for_each(|bars| bars.show(side as usize, progress));
    let request = RunRequest {
        baseline: baseline.as_ref(),
        probes: wanted(arguments),
        observer: &observer,
        ..RunRequest::new(&case)
    };
    let outcomes = request.run_in_processes(peers)?;
    drop(bars);
    let Some(outcomes) = outcomes else { return Ok(()) };
    show(arguments, &outcomes, &clock.stop(count, &experiments(arguments)))
}

/// Refuses options for which all of a run must be in one process.
fn refuse_more_than_processes_do(arguments: &Arguments) -> Result<(), Failure> {
    let given = [
        ("--table", arguments.tables.iter().any(|table| *table != Table::Power)),
        ("--timeline", !arguments.timeline.formats().is_empty()),
        ("--threads", arguments.threads.is_some()),
        ("--compare-units", arguments.compare_units),
    ];
    let refused = given.into_iter().find(|(_, given)| *given);
    refused.map_or(Ok(()), |(option, _)| {
        let what = format!("error: {option} is for a run in one process\nhelp: leave it out, or start one process");
        Err(Failure::Refused(what))
    })
}

/// Reads what is to run.
fn prepare(arguments: &Arguments, kinds: &Kinds) -> Result<Prepared, Failure> {
    let mut case = kinds.load_case(&arguments.file, &arguments.overrides)?;
    if let Some(format) = &arguments.trace_format {
        case.read_traces_as(format);
    }
    parquet::check(arguments.parquet).map_err(Failure::Export)?;
    let timeline = arguments.timeline.options(&case)?;
    let baseline = arguments.baseline.as_deref().map(|name| baseline(name, &case, kinds)).transpose()?;
    Ok(Prepared { case, baseline, timeline })
}

/// Makes the folder for the tables: an hour of work should not end at one that cannot be written. Refuses one whose files
/// would be lost.
fn prepare_folder(arguments: &Arguments, case: &Case) -> Result<(), Failure> {
    let Some(path) = &arguments.out else { return Ok(()) };
    let timelines = !arguments.timeline.formats().is_empty();
    let over = Over { title: Some(&case.system.title), timelines, force: Some(arguments.force) };
    let free = files::refuse_sweeps(path).and_then(|()| folder::refuse(path, &over));
    free.and_then(|()| files::prepare(path)).map_err(Failure::Export)
}

/// Prints the result, and writes its tables.
fn show(arguments: &Arguments, outcomes: &Outcomes, host: &host::Host) -> Result<(), Failure> {
    let Outcomes { case: outcome, baseline } = outcomes;
    let printed = match arguments.format {
        Format::Json => output::print(&format!("{:#}\n", outcome.to_json())),
        Format::Table => output::print_table(&table(arguments, outcome, baseline.as_ref())),
    };
    // Whichever of the two fails, the other is not lost.
    let outcomes = outcomes.all();
    let write = |folder: &PathBuf| {
        let mut files = ResultFiles::begin(folder)?;
        export::tables(&mut files, &outcomes)?;
        host.write(&mut files)?;
        let notes = write_timelines(&mut files, &arguments.timeline.formats(), &outcomes)?;
        parquet::write(&mut files, arguments.parquet)?;
        files.finish().map(|()| notes)
    };
    let written = arguments.out.as_ref().map_or(Ok(Vec::new()), write);
    printed?;
    output::warn(&written.map_err(Failure::Tables)?);
    Ok(())
}

/// Lays out the table that was asked for.
fn table(arguments: &Arguments, outcome: &Outcome, reference: Option<&Outcome>) -> String {
    let baseline = reference.zip(arguments.baseline.as_deref()).map(|(outcome, name)| Baseline { name, outcome });
    match &arguments.details {
        Some(sections) => summary::details(outcome, baseline.as_ref(), sections),
        None => summary::short(outcome, baseline.as_ref()),
    }
}

/// Returns the case to compare with; overrides are for the first file only.
fn baseline(name: &str, case: &Case, kinds: &Kinds) -> Result<Case, Failure> {
    match name {
        "always-on" => Ok(case.always_on()),
        "alone" => case.alone().ok_or_else(|| {
            let help = "add [scheduler] with a kind, or compare with the file of another experiment";
            Failure::from(case.system.keys.error("scheduler", "no scheduler starts these jobs", help))
        }),
        file => Ok(kinds.load_case(Path::new(file), &[])?),
    }
}

/// Returns the file of the case, and that of its baseline if it has one.
fn experiments(arguments: &Arguments) -> Vec<&Path> {
    let own = arguments.file.as_path();
    let baseline = arguments.baseline.as_deref().map(|name| match name {
        "always-on" | "alone" => own,
        file => Path::new(file),
    });
    std::iter::once(own).chain(baseline).collect()
}

/// Returns the probes that these tables need.
fn wanted(arguments: &Arguments) -> ProbeOptions {
    let tables = &arguments.tables;
    ProbeOptions {
        idle_periods: tables.contains(&Table::IdlePeriods),
        idle_pairs: tables.contains(&Table::IdlePairs),
        timers: tables.contains(&Table::Timers),
        timeline: tables.contains(&Table::Timeline),
        waiting: tables.contains(&Table::Waiting).then_some(arguments.peak_window),
        message_sizes: tables.contains(&Table::MessageSizes),
        rank_operations: tables.contains(&Table::RankOperations),
        rank_waits: tables.contains(&Table::Waits),
        wakes: tables.contains(&Table::Wakes),
        power: tables
            .contains(&Table::Power)
            .then(|| arguments.power_interval.map_or(IntervalLength::OfRun, IntervalLength::Of)),
    }
}

/// Reads the length of a window.
fn window(text: &str) -> Result<Time, String> {
    let time: Time = text.parse().map_err(|error: UnitError| error.to_string())?;
    if time > Time::ZERO { Ok(time) } else { Err("a window of no time holds nothing; give one such as 10us".into()) }
}
