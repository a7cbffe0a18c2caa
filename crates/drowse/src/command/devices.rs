//! `drowse devices`: the catalogue of switches, modules and NICs.

use clap::Args;
use drowse_experiment::devices::catalogue;
use serde_json::{Value, json};

use super::catalogue::Printed;
use crate::failure::Failure;
use crate::output;

/// List the switches, modules and media whose power is published
///
/// power.watts.device takes the name of a switch, link.module that of a module, and link.medium a medium. A file of
/// your own devices has the same form (power.watts.devices). What is not published is unknown, and asked for.
#[derive(Debug, Args)]
pub struct Arguments {
    #[command(flatten)]
    printed: Printed,
}

/// Runs the command.
pub fn execute(arguments: &Arguments) -> Result<(), Failure> {
    arguments.printed.print(output::devices::list, output::devices::page, all)
}

/// Returns all devices as JSON, rates in bits a second; what is not published is null.
pub fn all() -> Value {
    let all = catalogue();
    json!({ "switches": all.device, "modules": all.module, "nics": all.nic })
}
