//! `drowse trace`: what traces and applications hold, whether their ranks fit together, and traces in other formats.

use std::iter;
use std::ops::{Range, RangeInclusive};
use std::path::{Path, PathBuf};

use clap::builder::PossibleValuesParser;
use clap::{Args, Subcommand};
use drowse_core::model::units::{FlopRate, Time};
use drowse_describe::usage::heat_map;
use drowse_run::trace::{self, ConvertError, FORMATS, Kept};
use drowse_tables::json;

use super::Format;
use super::to_file::{Force, ToFile};
use crate::failure::Failure;
use crate::output::{self, findings, trace as trace_output};

/// Describe, check and convert traces of applications
#[derive(Debug, Args)]
pub struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Count a trace's ranks, operations, messages and collectives
    Info(Info),
    /// Check that every message has a receive, every request a wait, and that collectives agree
    ///
    /// Each finding is printed with its rank, the number of its operation there, and its line where the format has
    /// lines. The exit code is 1 where there are findings.
    ///
    /// Ranks that wait for each other in a circle are found, too: such as all that send large messages before they
    /// receive. A warning says how large messages may be that must be sent eagerly, or a run stops.
    Check(Check),
    /// Write a trace of any format in another
    ///
    /// What the other format cannot say is refused with the operation and the reason; what it does not tell is counted
    /// in warnings.
    Convert(Convert),
    /// Write a part of a trace: some iterations, a time, some ranks
    ///
    /// Iterations are those that the trace marks, or the longest period of each rank's calls. A time is that of ranks
    /// whose communication costs none. Where a message, a request or a collective crosses the cut, the cut moves on to
    /// where nothing does. A part that would not be a
    /// program is refused with the reason. The part passes `drowse trace check`.
    Cut(Cut),
    /// Write a trace for another number of ranks
    ///
    /// The ranks must be a grid on which all talk to the same neighbours, as in a stencil, or call collectives only.
    /// Or they exchange in butterflies. Sizes, and what each rank computes, stay as they are, or follow from a second
    /// trace. Other patterns are refused with what was found.
    Scale(Scale),
}

/// The trace that is meant.
#[derive(Debug, Args)]
struct Named {
    /// Trace: a folder, an archive or a file; or an experiment file (.toml) whose only job has an app
    file: PathBuf,

    /// Read it as this format, whatever it looks like
    #[arg(long, value_name = "FORMAT", value_parser = formats(|_| true))]
    trace_format: Option<String>,
}

impl Named {
    /// Returns the format that is given.
    fn format(&self) -> Option<&'static trace::Format> {
        self.trace_format.as_deref().and_then(trace::Format::named)
    }
}

impl Written {
    /// Returns the format that is given.
    fn format(&self) -> Option<&'static trace::Format> {
        self.to.as_deref().and_then(trace::Format::named)
    }
}

#[derive(Debug, Args)]
struct Info {
    #[command(flatten)]
    trace: Named,

    /// Turn computations into time at this speed
    #[arg(long, value_name = "SPEED", default_value = "10 Gflop/s")]
    flops_per_second: FlopRate,

    /// Print a table or JSON
    #[arg(long, value_enum, default_value_t, value_name = "FORMAT")]
    format: Format,

    /// Draw what ranks send to each other as a heat map into this file; messages of collectives are left out
    #[arg(long, value_name = "FILE")]
    svg: Option<PathBuf>,

    #[command(flatten)]
    force: Force,
}

#[derive(Debug, Args)]
struct Check {
    #[command(flatten)]
    trace: Named,

    /// Print so many findings
    #[arg(long, value_name = "N", default_value_t = 20)]
    most: usize,

    /// Print lines or JSON
    #[arg(long, value_enum, default_value_t, value_name = "FORMAT")]
    format: Format,
}

#[derive(Debug, Args)]
struct Convert {
    #[command(flatten)]
    trace: Named,

    #[command(flatten)]
    written: Written,
}

#[derive(Debug, Args)]
struct Cut {
    #[command(flatten)]
    trace: Named,

    /// Keep these iterations, counted from 1: `3..7` are the third to the seventh, `3` is the third
    #[arg(long, value_name = "FIRST..LAST", value_parser = iterations)]
    iterations: Option<RangeInclusive<u64>>,

    /// Keep what ranks do in this time where communication costs none, as in `"3.9 s..4.2 s"`; `"3.9 s.."` to the end
    #[arg(long, value_name = "FROM..TO", value_parser = trace::parse_time, conflicts_with = "iterations")]
    time: Option<Range<Time>>,

    /// Keep ranks 0 to N - 1; no other may talk to them
    #[arg(long, value_name = "N")]
    ranks: Option<u32>,

    #[command(flatten)]
    written: Written,
}

#[derive(Debug, Args)]
struct Scale {
    #[command(flatten)]
    trace: Named,

    /// Let sizes and computing change as they do between FILE and this trace of the same program on another number of
    /// ranks; it is read as the same format if one is given
    #[arg(long, value_name = "OTHER")]
    and: Option<PathBuf>,

    /// Make this number of ranks
    #[arg(long, value_name = "N")]
    ranks: u32,

    #[command(flatten)]
    written: Written,
}

/// What is written.
#[derive(Debug, Args)]
struct Written {
    #[command(flatten)]
    file: ToFile,

    /// Write in this format; by default that of the file's ending (.vef, .dim, .goal, .ti), else Drowse's own
    #[arg(long, value_name = "FORMAT", value_parser = formats(trace::Format::is_written))]
    to: Option<String>,

    /// Turn computations into time at this speed
    #[arg(long, value_name = "SPEED", default_value = "10 Gflop/s")]
    flops_per_second: FlopRate,
}

/// Runs the command.
pub fn execute(arguments: &Arguments) -> Result<(), Failure> {
    match &arguments.command {
        Command::Info(info) => print_info(info),
        Command::Check(check) => print_check(check),
        Command::Convert(convert) => run_convert(convert),
        Command::Cut(cut) => run_cut(cut),
        Command::Scale(scale) => run_scale(scale),
    }
}

/// Returns the names of some formats.
pub fn formats(of: fn(&trace::Format) -> bool) -> PossibleValuesParser {
    PossibleValuesParser::new(FORMATS.iter().filter(|format| of(format)).map(|format| format.name))
}

/// Reads `3..7`, or `3`.
fn iterations(text: &str) -> Result<RangeInclusive<u64>, String> {
    let (first, last) = text.split_once("..").unwrap_or((text, text));
    match (first.parse(), last.parse()) {
        (Ok(first), Ok(last)) if 0 < first && first <= last => Ok(first..=last),
        _ => Err("give the first and the last, counted from 1, as in 3..7".into()),
    }
}

fn run_convert(Convert { trace: named, written }: &Convert) -> Result<(), Failure> {
    check_speed(written.flops_per_second)?;
    let formats = [named.format(), written.format()];
    report(trace::convert(&named.file, &written.file.target(&[&named.file])?, formats, written.flops_per_second))
}

fn run_cut(Cut { trace: named, iterations, time, ranks, written }: &Cut) -> Result<(), Failure> {
    check_speed(written.flops_per_second)?;
    if iterations.is_none() && time.is_none() && ranks.is_none() {
        return Err(Failure::Refused("error: nothing to cut: give --iterations or --time, --ranks, or both".into()));
    }
    let formats = [named.format(), written.format()];
    let kept = Kept { iterations: iterations.clone(), time: time.clone(), ranks: *ranks };
    report(trace::cut(&named.file, &written.file.target(&[&named.file])?, formats, written.flops_per_second, &kept))
}

fn run_scale(Scale { trace: named, and, ranks, written }: &Scale) -> Result<(), Failure> {
    check_speed(written.flops_per_second)?;
    let formats = [named.format(), written.format()];
    let inputs: Vec<&Path> = iter::once(&named.file).chain(and).map(PathBuf::as_path).collect();
    let target = written.file.target(&inputs)?;
    report(trace::scale((&named.file, and.as_deref()), &target, formats, written.flops_per_second, *ranks))
}

/// Prints what is to be said of a trace that was written.
fn report(written: Result<Vec<String>, ConvertError>) -> Result<(), Failure> {
    let notes = written.map_err(|error| match error {
        ConvertError::Trace(error) => Failure::Run(error),
        ConvertError::Export(error) => Failure::Export(error),
        error => Failure::Refused(format!("error: {error}")),
    })?;
    output::warn(&notes);
    Ok(())
}

fn check_speed(speed: FlopRate) -> Result<(), Failure> {
    if speed.0 > 0 {
        return Ok(());
    }
    let message = "error: --flops-per-second is zero: give the speed of a rank, such as \"10 Gflop/s\"";
    Err(Failure::Refused(message.into()))
}

fn print_check(check: &Check) -> Result<(), Failure> {
    let findings = trace::check(&check.trace.file, check.trace.format(), check.most)?;
    output::print(&match check.format {
        Format::Json => format!("{:#}\n", findings::json(&findings)),
        Format::Table => findings::lines(&check.trace.file, &findings),
    })?;
    if findings.total == 0 { Ok(()) } else { Err(Failure::Findings) }
}

fn print_info(info: &Info) -> Result<(), Failure> {
    check_speed(info.flops_per_second)?;
    let target = info.svg.as_ref().map(|path| info.force.target(path, &[&info.trace.file])).transpose()?;
    let (row, matrix) = trace::info(&info.trace.file, info.trace.format(), info.flops_per_second)?;
    if let Some(target) = target {
        let Some(matrix) = matrix else {
            let message = "error: --svg needs a trace that can be simulated; without it, the warnings say why";
            return Err(Failure::Refused(message.into()));
        };
        output::save(&target, &heat_map(&matrix, "Point-to-point messages; collectives are left out"))?;
    }
    output::print(&match info.format {
        Format::Json => {
            let mut json = json::from_row(&row);
            // A list without elements has no column, but a reader of JSON expects it.
            if let Some(object) = json.as_object_mut() {
                object.entry("warnings").or_insert_with(|| Vec::<String>::new().into());
            }
            format!("{json:#}\n")
        }
        Format::Table => trace_output::table(&info.trace.file, &row),
    })
}
