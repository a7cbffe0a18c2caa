//! `drowse network`: counts, distances and cuts.

use std::path::PathBuf;

use clap::Args;
use drowse_study::describe;
use drowse_study::experiment::load_system;
use drowse_tables::json;

use super::Format;
use crate::failure::Failure;
use crate::output::{self, network};

/// Describe the network of an experiment file
///
/// Counts switches, links and ports, gives distances, bisection and the time of a hop. Nothing is simulated, and the
/// file needs no job.
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
}

/// Runs the command.
pub fn execute(arguments: &Arguments) -> Result<(), Failure> {
    let system = load_system(&arguments.file, &arguments.overrides)?;
    let row = describe::network(&system);
    output::print(&match arguments.format {
        Format::Json => format!("{:#}\n", json::from_row(&row)),
        Format::Table => network::table(&system.title, &row),
    })
}
