//! `drowse show`: a folder of results on one screen.

use std::path::PathBuf;

use clap::Args;
use drowse_report::{Results, screen};

use crate::failure::Failure;
use crate::output;
use crate::output::{colour, screen as text};

/// Show a run on one screen of the terminal
///
/// Prints what is saved and what it costs, which links sleep (over time, where `drowse run --timeline table` has
/// recorded it), what the parts draw over time (`--table power`), and how busy links are. Without colour it says the
/// same.
#[derive(Debug, Args)]
pub struct Arguments {
    /// Folder that `drowse run --out` or `drowse sweep --out` has written
    folder: PathBuf,

    /// The case to show, by its name in `drowse table` [default: the first]
    #[arg(long, value_name = "NAME")]
    case: Option<String>,
}

/// Runs the command.
pub fn execute(arguments: &Arguments) -> Result<(), Failure> {
    let results = Results::read(&arguments.folder).map_err(Failure::Report)?;
    let screen = screen::of(&results, arguments.case.as_deref()).map_err(Failure::Report)?;
    output::print(&text::text(&screen, colour::of_stdout()))
}
