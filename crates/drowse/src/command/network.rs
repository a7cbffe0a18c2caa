//! `drowse network`: counts, distances and cuts.

use std::path::PathBuf;

use clap::Args;
use drowse_study::experiment::load_system;
use drowse_study::{deadlock, describe};
use drowse_tables::{Value, json};

use super::Format;
use crate::failure::Failure;
use crate::output::{self, deadlock as verdict, network};

/// Describe the network of an experiment file
///
/// Counts switches, links and ports, gives distances, bisection and the time of a hop. Nothing is simulated, and the
/// file needs no job. Where --check finds that packets may wait in a circle, the exit code is 1.
#[derive(Debug, Args)]
pub struct Arguments {
    /// Experiment file
    file: PathBuf,

    /// Replace a key of the file, such as network.trunk=2 (can be repeated)
    #[arg(long = "set", value_name = "PATH=VALUE")]
    overrides: Vec<String>,

    /// Print a table or JSON
    #[arg(long, value_enum, default_value_t, value_name = "FORMAT")]
    format: Format,

    /// Prove that the routing cannot deadlock, or print the channels that may wait in a circle
    #[arg(long)]
    check: bool,
}

/// Runs the command.
pub fn execute(arguments: &Arguments) -> Result<(), Failure> {
    let system = load_system(&arguments.file, &arguments.overrides)?;
    let mut row = describe::network(&system);
    let mut text = network::table(&system.title, &row);
    let mut proven = true;
    if arguments.check {
        let checked = deadlock::check(&system).map_err(|error| Failure::Refused(format!("error: {error}")))?;
        proven = checked.get("deadlock.proven") == Some(&Value::Bool(true));
        text = format!("{text}\n{}", verdict::sentence(&checked));
        row.append(checked);
    }
    output::print(&match arguments.format {
        Format::Json => format!("{:#}\n", json::from_row(&row)),
        Format::Table => text,
    })?;
    if proven { Ok(()) } else { Err(Failure::Deadlock) }
}
