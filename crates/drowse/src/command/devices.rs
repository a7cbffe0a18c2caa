//! `drowse devices`: the catalogue of switches, modules and NICs.

use clap::{Args, ValueEnum};
use drowse_experiment::devices::catalogue;
use serde_json::{Value, json};

use crate::failure::Failure;
use crate::output;

/// List the switches, modules and media whose power is published
///
/// power.watts.device takes the name of a switch, link.module that of a module, and link.medium a medium. A file of
/// your own devices has the same form (power.watts.devices). What is not published is unknown, and asked for.
#[derive(Debug, Args)]
pub struct Arguments {
    /// Print tables, JSON or a page in Markdown
    #[arg(long, value_enum, default_value_t, value_name = "FORMAT")]
    format: Format,
}

/// What is printed.
#[derive(Clone, Copy, Debug, Default, ValueEnum)]
enum Format {
    /// Tables
    #[default]
    List,
    /// JSON
    Json,
    /// A page in Markdown
    Markdown,
}

/// Runs the command.
pub fn execute(arguments: &Arguments) -> Result<(), Failure> {
    output::print(&match arguments.format {
        Format::List => output::devices::list(),
        Format::Markdown => output::devices::page(),
        Format::Json => format!("{:#}\n", all()),
    })
}

/// Returns all devices as JSON, rates in bits a second; what is not published is null.
pub fn all() -> Value {
    let all = catalogue();
    json!({ "switches": all.device, "modules": all.module, "nics": all.nic })
}
