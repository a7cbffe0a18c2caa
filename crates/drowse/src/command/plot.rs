//! `drowse plot`: one chart of a folder of results.

use std::env;
use std::ffi::OsStr;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use clap::Args;
use drowse_report::charts::Chart;
use drowse_report::{Results, Study, charts, svg};
use drowse_run::files::ExportError;
use drowse_run::files::target::{MARK, Target};
use serde_json::{Value, json};

use super::to_file::ToFile;
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

    #[command(flatten)]
    file: ToFile,
}

/// Programs that turn SVG into other formats, with their arguments for a format and two files.
type Converter = (&'static str, fn(&str, &Path, &Path) -> Vec<String>);

const CONVERTERS: [Converter; 2] = [("rsvg-convert", rsvg), ("inkscape", inkscape)];

/// Runs the command.
pub fn execute(arguments: &Arguments) -> Result<(), Failure> {
    let path = arguments.file.output.as_path();
    let target = arguments.file.target(&[])?;
    let ending = path.extension().and_then(OsStr::to_str);
    // What has no ending, such as a pipe, gets a picture.
    let ending = ending.unwrap_or(if matches!(target, Target::File { .. }) { "" } else { "svg" });
    if !["svg", "pdf", "png", "json"].contains(&ending) {
        let message = format!("error: {}: give a name that ends with .svg, .pdf, .png or .json", path.display());
        return Err(Failure::Refused(message));
    }
    let results = Results::read(&arguments.folder).map_err(Failure::Report)?;
    let chart = charts::named(&results, &Study::new(&results), &arguments.kind).map_err(Failure::Report)?;
    if ending == "json" {
        return output::save(&target, &format!("{:#}\n", marked(chart.whole())));
    }
    let picture = draw(&chart)?;
    if ending == "svg" { output::save(&target, &picture) } else { convert(&picture, ending, &target) }
}

fn draw(chart: &Chart) -> Result<String, Failure> {
    let failed = || Failure::Refused(format!("error: the chart `{}` cannot be drawn from these tables", chart.kind));
    svg(chart).ok_or_else(failed)
}

/// Adds the mark that the file may be replaced, where Vega-Lite has a place for what it does not read.
fn marked(mut chart: Value) -> Value {
    chart["usermeta"] = json!({ "generator": MARK });
    chart
}

/// Turns a picture into another format by the first program that is installed, in a folder of its own.
fn convert(picture: &str, format: &str, target: &Target) -> Result<(), Failure> {
    let failed = |error| Failure::Export(ExportError::Io { path: env::temp_dir().display().to_string(), error });
    let place = tempfile::Builder::new().prefix("drowse-plot").tempdir().map_err(failed)?;
    let (from, to) = (place.path().join("picture.svg"), place.path().join("picture").with_extension(format));
    fs::write(&from, picture).map_err(failed)?;
    let run = |(program, arguments): &Converter| {
        let mut command = Command::new(program);
        command.args(arguments(format, &from, &to)).stdin(Stdio::null()).stdout(Stdio::null());
        command.stderr(Stdio::null()).status().is_ok_and(|status| status.success())
    };
    let done = CONVERTERS.iter().any(run);
    if done && to.is_file() {
        return output::save_bytes(target, &fs::read(&to).map_err(failed)?);
    }
    let (path, names) = (target.path(), CONVERTERS.map(|(name, _)| name).join(" or "));
    Err(Failure::Refused(format!(
        "error: {}: {format} needs {names}, and none here has made it\nhelp: install librsvg2-bin, or write .svg",
        path.display()
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
