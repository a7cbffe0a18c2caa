//! `drowse trace`: what traces hold.

use std::path::PathBuf;

use clap::{Args, Subcommand};
use drowse_core::model::units::FlopRate;
use drowse_run::trace;
use drowse_tables::json;

use super::Format;
use crate::failure::Failure;
use crate::output::{self, trace as trace_output};

/// Describe traces of applications
#[derive(Debug, Args)]
pub struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Count a trace's ranks, operations, messages and collectives
    Info(Info),
}

#[derive(Debug, Args)]
struct Info {
    /// Trace: a folder, an archive or a file
    file: PathBuf,

    /// Turn computations into time at this speed
    #[arg(long, value_name = "SPEED", default_value = "10 Gflop/s")]
    flops_per_second: FlopRate,

    /// Print a table or JSON
    #[arg(long, value_enum, default_value_t, value_name = "FORMAT")]
    format: Format,
}

/// Runs the command.
pub fn execute(arguments: &Arguments) -> Result<(), Failure> {
    let Command::Info(info) = &arguments.command;
    if info.flops_per_second.0 == 0 {
        let message = "error: --flops-per-second is zero: give the speed of a rank, such as \"10 Gflop/s\"";
        return Err(Failure::Refused(message.into()));
    }
    let row = trace::info(&info.file, info.flops_per_second)?;
    output::print(&match info.format {
        Format::Json => {
            let mut json = json::from_row(&row);
            // A list without elements has no column, but a reader of JSON expects it.
            if let Some(object) = json.as_object_mut() {
                object.entry("warnings").or_insert_with(|| Vec::<String>::new().into());
            }
            format!("{json:#}\n")
        }
        Format::Table => trace_output::table(&info.file, &row),
    })
}
