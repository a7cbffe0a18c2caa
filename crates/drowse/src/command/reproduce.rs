//! `drowse reproduce`: a paper's numbers beside ours.

use clap::{Args, ValueEnum};
use drowse_study::reproduce::Paper;
use drowse_tables::json;

use super::Format;
use crate::failure::Failure;
use crate::output::{self, reproduction};

/// Compare the numbers of a paper with ours
///
/// Computes each number anew and says whether it is equal at the decimals that the paper prints.
#[derive(Debug, Args)]
pub struct Arguments {
    /// Paper
    #[arg(value_enum)]
    paper: Name,

    /// Leave out what takes long to simulate
    #[arg(long)]
    quick: bool,

    /// Print a table or JSON
    #[arg(long, value_enum, default_value_t, value_name = "FORMAT")]
    format: Format,
}

/// The papers' short names.
#[derive(Clone, Copy, Debug, ValueEnum)]
enum Name {
    /// Tori with trunks of several links
    Torus,
    /// Sleep that bounds the loss of performance
    Perfbound,
    /// Trees with fewer links towards the top
    ThinTrees,
    /// A runtime system that directs sleep
    Runtime,
}

/// Runs the command.
pub fn execute(arguments: &Arguments) -> Result<(), Failure> {
    let paper = match arguments.paper {
        Name::Torus => Paper::Torus,
        Name::Perfbound => Paper::PerfBound,
        Name::ThinTrees => Paper::ThinTrees,
        Name::Runtime => Paper::Runtime,
    };
    let rows = paper.reproduce().map_err(|diagnostic| Failure::Run(diagnostic.into()))?;
    if rows.is_empty() {
        return Err(Failure::Refused(format!(
            "error: nothing of the paper `{}` is reproduced yet\nhelp: papers with numbers: {}",
            paper.name(),
            Paper::REPRODUCED.map(Paper::name).join(", ")
        )));
    }
    output::print(&match arguments.format {
        Format::Json => {
            let rows: serde_json::Value = rows.iter().map(json::from_row).collect();
            format!("{rows:#}\n")
        }
        Format::Table => reproduction::table(&rows),
    })
}
