//! `drowse plot`: one chart of a folder of results.

use std::ffi::OsStr;
use std::path::PathBuf;

use clap::{Args, ValueEnum};
use drowse_report::charts::Chart;
use drowse_report::plot::{self, Axis, Options};
use drowse_report::{Look, Results, is_drawn, picture};
use drowse_run::files::target::{MARK, Target};
use serde_json::json;

use super::picture_file::{self, Format as Picture};
use super::to_file::ToFile;
use crate::failure::Failure;
use crate::output;

/// Write one chart of a folder of results
///
/// The ending of the file says what it becomes: a picture (.svg, .pdf, .png), or a Vega-Lite specification with its data
/// (.json), which Altair and Jupyter read. Where the page of `drowse report` has a choice, the picture shows the first
/// one, or that of --show.
#[derive(Debug, Args)]
pub struct Arguments {
    /// Folder that `drowse run --out` or `drowse sweep --out` has written
    folder: PathBuf,

    /// The chart: energy, latency, accepted, swept, states, waiting, path, causes, network, links, positions, ranks,
    /// rank-timeline, link-timeline, waits, wait-matrix, wakes, sizes, power, idle, or idling as Vega-Lite
    #[arg(long, value_name = "KIND")]
    kind: String,

    #[command(flatten)]
    file: ToFile,

    /// What the file becomes [default: as its name ends]
    #[arg(long, value_enum, value_name = "FORMAT")]
    format: Option<Format>,

    /// The width, such as 84mm, 3.5in, 252pt or 720px; an inch has 96 px
    #[arg(long, value_name = "LENGTH", default_value = "720px", value_parser = length)]
    width: f64,

    /// The size of the font
    #[arg(long, value_name = "LENGTH", default_value = "9pt", value_parser = length)]
    font_size: f64,

    /// Make an axis logarithmic (can be repeated)
    #[arg(long, value_name = "AXIS", value_parser = axis)]
    log: Vec<Axis>,

    /// The ends of an axis, in its unit, such as y=0:5 (can be repeated)
    #[arg(long, value_name = "AXIS=FROM:TO", value_parser = limits)]
    limits: Vec<(Axis, [f64; 2])>,

    /// Draw a panel for each value of a key of the sweep, such as network; all have the same axes
    #[arg(long, value_name = "KEY")]
    facet: Option<String>,

    /// Show the figure or case with these words, where the page has a choice (can be repeated)
    #[arg(long, value_name = "WORDS")]
    show: Vec<String>,
}

/// What a file becomes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Format {
    /// A picture for pages and for programs that draw
    Svg,
    /// A picture for papers, its font in it
    Pdf,
    /// A picture of dots, 300 an inch
    Png,
    /// A Vega-Lite specification with its data
    Vega,
}

/// The sizes of pictures and fonts that can be drawn and read, in pixels.
const SIZES: [f64; 2] = [1.0, 20_000.0];
/// The narrowest picture and the smallest font.
const LEAST: [f64; 2] = [120.0, 3.0];

/// Reads a length in pixels.
fn length(text: &str) -> Result<f64, String> {
    let number = text.trim_end_matches(|c: char| c.is_ascii_alphabetic());
    let size = match &text[number.len()..] {
        "" | "px" => 1.0,
        "mm" => 96.0 / 25.4,
        "cm" => 96.0 / 2.54,
        "in" => 96.0,
        "pt" => 96.0 / 72.0,
        other => return Err(format!("`{other}` is no unit of length; give mm, cm, in, pt or px")),
    };
    let value: f64 = number.parse().map_err(|_| "give a length such as 84mm, 3.5in, 252pt or 720px".to_owned())?;
    let pixels = value * size;
    if (SIZES[0]..=SIZES[1]).contains(&pixels) { Ok(pixels) } else { Err("is no size that can be drawn".into()) }
}

fn axis(text: &str) -> Result<Axis, String> {
    match text {
        "x" => Ok(Axis::X),
        "y" => Ok(Axis::Y),
        _ => Err("give x or y".into()),
    }
}

/// Reads the ends of an axis.
fn limits(text: &str) -> Result<(Axis, [f64; 2]), String> {
    let wrong = || "give an axis and its ends, such as y=0:5".to_owned();
    let (name, ends) = text.split_once('=').ok_or_else(wrong)?;
    let (from, to) = ends.split_once(':').ok_or_else(wrong)?;
    let number = |text: &str| text.parse().ok().filter(|number: &f64| number.is_finite()).ok_or_else(wrong);
    let (from, to) = (number(from)?, number(to)?);
    if from < to { Ok((axis(name)?, [from, to])) } else { Err("the first end must be less than the second".into()) }
}

/// Runs the command.
pub fn execute(arguments: &Arguments) -> Result<(), Failure> {
    let target = arguments.file.target(&[])?;
    let format = format(arguments, &target)?;
    let options = options(arguments)?;
    let results = Results::read(&arguments.folder).map_err(Failure::Report)?;
    let chart = plot::chart(&results, &arguments.kind, &options).map_err(Failure::Report)?;
    output::warn(&plot::warnings(&chart));
    if format != Format::Vega && !is_drawn(&chart) {
        let message = "is drawn by browsers only; give --format vega, or see the page of `drowse report`";
        return Err(Failure::Refused(format!("error: --kind {}: {message}", chart.kind)));
    }
    match format {
        Format::Svg => picture_file::save(&target, &picture(&chart, options.look), Picture::Svg),
        Format::Pdf => picture_file::save(&target, &picture(&chart, options.look), Picture::Pdf),
        Format::Png => picture_file::save(&target, &picture(&chart, options.look), Picture::Png),
        Format::Vega => output::save(&target, &format!("{:#}\n", marked(chart).whole())),
    }
}

/// Returns what the file becomes, by its option or its name.
fn format(arguments: &Arguments, target: &Target) -> Result<Format, Failure> {
    if let Some(format) = arguments.format {
        return Ok(format);
    }
    let path = arguments.file.output.as_path();
    match path.extension().and_then(OsStr::to_str) {
        Some("svg") => Ok(Format::Svg),
        Some("pdf") => Ok(Format::Pdf),
        Some("png") => Ok(Format::Png),
        Some("json") => Ok(Format::Vega),
        // What has no ending, such as a pipe, gets a picture.
        None if !matches!(target, Target::File { .. }) => Ok(Format::Svg),
        _ => {
            let message = "give a name that ends with .svg, .pdf, .png or .json, or --format";
            Err(Failure::Refused(format!("error: {}: {message}", path.display())))
        }
    }
}

fn options(arguments: &Arguments) -> Result<Options, Failure> {
    let look = Look { width: arguments.width, font: arguments.font_size };
    for (size, least, name) in [(look.width, LEAST[0], "width"), (look.font, LEAST[1], "font-size")] {
        if size < least {
            return Err(Failure::Refused(format!("error: --{name}: nothing could be read; give {least}px or more")));
        }
    }
    for (axis, [from, _]) in &arguments.limits {
        if arguments.log.contains(axis) && *from <= 0.0 {
            let name = axis.name();
            let message = format!("error: --limits {name}: a logarithmic axis begins above 0");
            return Err(Failure::Refused(message));
        }
    }
    Ok(Options {
        look,
        log: arguments.log.clone(),
        limits: arguments.limits.clone(),
        facet: arguments.facet.clone(),
        show: arguments.show.clone(),
    })
}

/// Adds the mark that the file may be replaced, where Vega-Lite has a place for what it does not read.
fn marked(mut chart: Chart) -> Chart {
    chart.spec["usermeta"]["generator"] = json!(MARK);
    chart
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lengths_and_limits_are_read() {
        assert_eq!(["96", "96px", "1in", "72pt"].map(length), [Ok(96.0), Ok(96.0), Ok(96.0), Ok(96.0)]);
        assert!((length("25.4mm").unwrap() - 96.0).abs() < 1e-9 && (length("2.54cm").unwrap() - 96.0).abs() < 1e-9);
        assert!(["", "mm", "3ft", "-5mm", "nan", "1e9in"].iter().all(|text| length(text).is_err()));
        assert_eq!(limits("y=0.5:2e3"), Ok((Axis::Y, [0.5, 2000.0])));
        assert!(["y", "y=1", "y=2:1", "z=1:2", "x=1:inf"].iter().all(|text| limits(text).is_err()));
    }
}
