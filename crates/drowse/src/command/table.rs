//! `drowse table`: the cases of a folder as a table for papers.

use std::path::PathBuf;

use clap::Args;
use drowse_report::{Language, Results, text_table};

use crate::failure::Failure;
use crate::output;

/// Print the cases of a folder of results as a table for papers
///
/// A row a case, with the figures that the page of `drowse report` compares, in one unit a column.
#[derive(Debug, Args)]
pub struct Arguments {
    /// Folder that `drowse run --out` or `drowse sweep --out` has written
    folder: PathBuf,

    /// Write Markdown, which is the default
    #[arg(long, conflicts_with = "latex")]
    markdown: bool,

    /// Write LaTeX, with rules of the package booktabs
    #[arg(long)]
    latex: bool,

    /// Take these columns of cases.csv instead, such as makespan_s,energy.e_net
    #[arg(long, value_name = "NAMES", value_delimiter = ',')]
    columns: Vec<String>,
}

/// Runs the command.
pub fn execute(arguments: &Arguments) -> Result<(), Failure> {
    let language = if arguments.latex { Language::Latex } else { Language::Markdown };
    let results = Results::read(&arguments.folder).map_err(Failure::Report)?;
    output::print(&text_table(&results, &arguments.columns, language).map_err(Failure::Report)?)
}
