//! `drowse report`: a page of charts from result tables.

use std::path::PathBuf;

use clap::Args;
use drowse_report::{Results, page};
use drowse_run::files::target::Target;

use super::to_file::ToFile;
use crate::failure::Failure;
use crate::output;

/// Make a page of charts from a folder of results
///
/// The page has everything in it and needs no network: the answer in a sentence, the cases side by side, energy
/// against run time, states of links, latency, waiting, and what the tables hold beyond that. Filters choose cases of
/// a sweep. Each chart saves as SVG, PNG, CSV and as a Vega-Lite specification.
#[derive(Debug, Args)]
pub struct Arguments {
    /// Folder that `drowse run --out` or `drowse sweep --out` has written
    folder: PathBuf,

    #[command(flatten)]
    page: ToFile,
}

/// Runs the command.
pub fn execute(arguments: &Arguments) -> Result<(), Failure> {
    let target = arguments.page.target(&[])?;
    let results = Results::read(&arguments.folder).map_err(Failure::Report)?;
    let path = arguments.page.output.as_path();
    let beside = path.parent().filter(|_| matches!(target, Target::File { .. }));
    output::save(&target, &page(&results, beside).map_err(Failure::Report)?)
}
