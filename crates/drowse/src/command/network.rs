//! `drowse network`: counts, distances, cuts, and a picture.

use std::path::PathBuf;

use clap::{Args, ValueEnum};
use drowse_describe::{deadlock, draw, network as described};
use drowse_experiment::{Kinds, System};
use drowse_report::{Results, charts};
use drowse_tables::schema::network as columns;
use drowse_tables::{Value, json};

use crate::failure::Failure;
use crate::output::{self, deadlock as verdict, network};

/// Describe the network of an experiment file, or of a file that describes one
///
/// Prints counts of switches, links and ports, distances, bisection, costs, the time of a hop and the memory of a run,
/// or draws the network. Nothing is simulated, and the file needs no job. The exit code is 1 where --check finds that
/// the routing may deadlock.
#[derive(Debug, Args)]
pub struct Arguments {
    /// Experiment file (.toml), or a file that describes a network: a dump of a fabric, a graph and the like
    file: PathBuf,

    /// Replace a key of the file, such as network.trunk=2 (can be repeated)
    #[arg(long = "set", value_name = "PATH=VALUE")]
    overrides: Vec<String>,

    /// Print a table, JSON, or a picture of a small network
    #[arg(long, value_enum, default_value_t, value_name = "FORMAT")]
    format: Format,

    /// Colour the links of the picture by what they did in a run: the folder that `drowse run --out` has written
    #[arg(long, value_name = "DIR")]
    colour: Option<PathBuf>,

    /// The figure that colours them: utilisation, flits, asleep, energy_j, wakes, delayed_messages or time_lost_us
    /// [default: the first that is there]
    #[arg(long, value_name = "FIGURE", requires = "colour")]
    by: Option<String>,

    /// Prove that the routing cannot deadlock, or print the channels of a cycle
    #[arg(long)]
    check: bool,
}

/// How a network is shown.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
enum Format {
    /// A table to read
    #[default]
    Table,
    /// JSON, its keys those of the result tables
    Json,
    /// A picture for Graphviz
    Dot,
    /// A picture
    Svg,
}

/// Runs the command.
pub fn execute(arguments: &Arguments, kinds: &Kinds) -> Result<(), Failure> {
    let system = kinds.load_network(&arguments.file, &arguments.overrides)?;
    if arguments.colour.is_some() && arguments.format != Format::Svg {
        return Err(Failure::Refused("error: --colour needs --format svg".into()));
    }
    match arguments.format {
        Format::Table | Format::Json => describe(arguments, &system),
        Format::Dot => draw(arguments, &system, draw::dot),
        Format::Svg => draw(arguments, &system, draw::svg),
    }
}

/// Prints a picture.
fn draw(arguments: &Arguments, system: &System, write: fn(&draw::Diagram) -> String) -> Result<(), Failure> {
    if arguments.check {
        let message = "error: --check has no picture: leave it out, or choose --format table or json";
        return Err(Failure::Refused(message.into()));
    }
    let diagram = draw::diagram(system).map_err(|error| Failure::Refused(format!("error: {error}")))?;
    let Some(folder) = &arguments.colour else { return output::print(&write(&diagram)) };
    let results = Results::read(folder).map_err(Failure::Report)?;
    let colours = charts::colours(&results, &diagram, arguments.by.as_deref()).map_err(Failure::Report)?;
    output::print(&draw::coloured_svg(&diagram, &colours))
}

/// Prints counts and the like.
fn describe(arguments: &Arguments, system: &System) -> Result<(), Failure> {
    let mut row = described::describe(system);
    let mut text = network::table(&system.title, &row);
    let mut proven = true;
    if arguments.check {
        let checked = deadlock::check(system).map_err(|error| Failure::Refused(format!("error: {error}")))?;
        proven = checked.get(columns::DEADLOCK_PROVEN) == Some(&Value::Bool(true));
        text = format!("{text}\n{}", verdict::sentence(&checked));
        row.append(checked);
    }
    match arguments.format {
        Format::Json => output::print(&format!("{:#}\n", json::from_row(&row)))?,
        _ => output::print_table(&text)?,
    }
    if proven { Ok(()) } else { Err(Failure::Deadlock) }
}
