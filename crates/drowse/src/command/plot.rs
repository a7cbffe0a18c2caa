//! `drowse plot`: one chart of a folder of results.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use clap::Args;
use drowse_report::charts::Chart;
use drowse_report::{Results, Study, charts, svg};

use crate::failure::Failure;
use crate::output;

/// Write one chart of a folder of results
///
/// The ending of the file says what it becomes: a picture (.svg), one made from that by a program that is installed
/// (.pdf, .png), or a Vega-Lite specification with its data (.json), which Altair and Jupyter read. Where the page of
/// `drowse report` has a choice, the picture shows the first one.
#[derive(Debug, Args)]
pub struct Arguments {
    /// Folder that `drowse run --out` or `drowse sweep --out` has written
    folder: PathBuf,

    /// The chart: energy, latency, accepted, swept, states, waiting, path, causes, network, links, positions, ranks,
    /// rank-timeline, link-timeline, sizes or idle
    #[arg(long, value_name = "KIND")]
    kind: String,

    /// The file to write, such as energy.svg
    #[arg(short, long, value_name = "FILE")]
    output: PathBuf,
}

/// Programs that turn SVG into other formats, with their arguments for a format and two files.
type Converter = (&'static str, fn(&str, &Path, &Path) -> Vec<String>);

const CONVERTERS: [Converter; 2] = [("rsvg-convert", rsvg), ("inkscape", inkscape)];

/// Runs the command.
pub fn execute(arguments: &Arguments) -> Result<(), Failure> {
    let file = arguments.output.display();
    let ending = arguments.output.extension().and_then(OsStr::to_str).unwrap_or_default();
    if !["svg", "pdf", "png", "json"].contains(&ending) {
        let message = format!("error: {file}: give a name that ends with .svg, .pdf, .png or .json");
        return Err(Failure::Refused(message));
    }
    let results = Results::read(&arguments.folder).map_err(Failure::Report)?;
    let charts = charts::of(&results, &Study::new(&results));
    let Some(chart) = charts.iter().find(|chart| chart.kind == arguments.kind) else {
        let kinds: Vec<&str> = charts.iter().map(|chart| chart.kind).collect();
        let there = if kinds.is_empty() { "no chart".to_owned() } else { kinds.join(", ") };
        let folder = arguments.folder.display();
        return Err(Failure::Refused(format!(
            "error: {folder}: these tables have no data for a chart `{}`; they have it for: {there}",
            arguments.kind
        )));
    };
    if ending == "json" {
        return output::save(&arguments.output, format!("{:#}\n", chart.whole()).as_bytes());
    }
    let picture = draw(chart)?;
    if ending == "svg" {
        output::save(&arguments.output, picture.as_bytes())
    } else {
        convert(&picture, ending, &arguments.output)
    }
}

fn draw(chart: &Chart) -> Result<String, Failure> {
    let failed = || Failure::Refused(format!("error: the chart `{}` cannot be drawn from these tables", chart.kind));
    svg(chart).ok_or_else(failed)
}

/// Turns a picture into another format by the first program that is installed.
fn convert(picture: &str, format: &str, output: &Path) -> Result<(), Failure> {
    let between = output.with_extension(format!("{format}.svg"));
    output::save(&between, picture.as_bytes())?;
    let run = |(program, arguments): &Converter| {
        let mut command = Command::new(program);
        command.args(arguments(format, &between, output)).stdin(Stdio::null()).stdout(Stdio::null());
        command.stderr(Stdio::null()).status().is_ok_and(|status| status.success())
    };
    let done = CONVERTERS.iter().any(run);
    // Where it stays, it does no harm.
    let _ = std::fs::remove_file(&between);
    if done && output.is_file() {
        return Ok(());
    }
    let (file, names) = (output.display(), CONVERTERS.map(|(name, _)| name).join(" or "));
    Err(Failure::Refused(format!(
        "error: {file}: {format} needs {names}, and none here has made it\nhelp: install librsvg2-bin, or write .svg"
    )))
}

fn rsvg(format: &str, from: &Path, to: &Path) -> Vec<String> {
    let mut arguments = vec![format!("--format={format}"), format!("--output={}", to.display())];
    if format == "png" {
        arguments.push("--zoom=2".into());
    }
    arguments.push(from.display().to_string());
    arguments
}

fn inkscape(format: &str, from: &Path, to: &Path) -> Vec<String> {
    vec![format!("--export-type={format}"), format!("--export-filename={}", to.display()), from.display().to_string()]
}
