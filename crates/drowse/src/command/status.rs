//! `drowse status`: how many cases of a sweep are done.

use std::path::PathBuf;

use clap::Args;
use drowse_run::sweep::status::status;

use super::Format;
use crate::failure::Failure;
use crate::output::{self, status as table};

/// Count the cases of a sweep that are stored, failed and missing
///
/// Reads a folder of results, or the folders of shards, while others write to them, on any machine that sees them.
/// Nothing is changed.
#[derive(Debug, Args)]
pub struct Arguments {
    /// Folders of `drowse sweep`, all of one sweep
    #[arg(required = true, value_name = "DIR")]
    folders: Vec<PathBuf>,

    /// Print a table or JSON
    #[arg(long, value_enum, default_value_t, value_name = "FORMAT")]
    format: Format,
}

/// Runs the command.
pub fn execute(arguments: &Arguments) -> Result<(), Failure> {
    let status = status(&arguments.folders).map_err(Failure::of_sweep)?;
    output::warn_of_damaged(&status.damaged, "its case is missing");
    match arguments.format {
        Format::Json => output::print(&format!("{:#}\n", table::json(&status))),
        Format::Table => output::print_table(&table::table(&status)),
    }
}
