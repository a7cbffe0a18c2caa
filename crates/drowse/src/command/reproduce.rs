//! `drowse reproduce`: a paper's numbers beside ours.

use std::num::{NonZeroU32, NonZeroUsize};
use std::path::PathBuf;
use std::thread;

use clap::{Args, ValueEnum};
use drowse_reproduce::{Options, Paper, Reproduction, Weights};
use drowse_tables::json;

use super::Format;
use crate::failure::Failure;
use crate::output::{self, progress, reproduction};

/// Each seed adds cases to the plan.
const MOST_SEEDS: i64 = 1_000;

/// Compare the numbers of a paper with ours
///
/// Computes each number, and says whether it is equal at the decimals that the paper prints, or near the paper's
/// simulated number. Numbers of programs without a trace are listed as such. A number that follows from the paper's
/// definitions and yet differs is a defect: exit code 1.
#[derive(Debug, Args)]
pub struct Arguments {
    /// Paper
    #[arg(value_enum)]
    paper: Name,

    /// Leave out long simulations
    #[arg(long)]
    quick: bool,

    /// Folder with the traces of programs [default: traces]
    #[arg(long, value_name = "DIR")]
    traces: Option<PathBuf>,

    /// Write tables into this folder, and keep finished cases there to continue later
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,

    /// Weights of the workloads of `thin-trees`, such as `AA=0,BU=2` [default: 1 for all]; 0 is not run
    #[arg(long, value_name = "NAME=WEIGHT,...")]
    weights: Option<Weights>,

    /// Seeds that cases which draw are run with [default: 30 for the sets of jobs of `torus`, none if `--quick`; 3 for
    /// `thin-trees`, 1 if `--quick`]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=MOST_SEEDS))]
    seeds: Option<u32>,

    /// Cases that run at a time [default: all cores]; results do not depend on it
    #[arg(long, value_name = "N")]
    threads: Option<NonZeroUsize>,

    /// Print a table or JSON
    #[arg(long, value_enum, default_value_t, value_name = "FORMAT")]
    format: Format,
}

/// The papers' short names.
#[derive(Clone, Copy, Debug, ValueEnum)]
enum Name {
    /// Tori with trunks of several links (Andújar et al. 2019)
    Torus,
    /// Sleep that bounds delay (Saravanan and Carpenter 2018)
    Perfbound,
    /// Trees thinner towards the top (Navaridas et al. 2010)
    ThinTrees,
    /// Runtime-controlled links (Totoni et al. 2014)
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
    if arguments.weights.is_some() && paper != Paper::ThinTrees {
        return Err(Failure::Refused(format!(
            "error: `--weights` are those of workloads of `thin-trees`; `{}` has none\nhelp: leave it out",
            paper.name()
        )));
    }
    if arguments.seeds.is_some() && !matches!(paper, Paper::ThinTrees | Paper::Torus) {
        return Err(Failure::Refused(format!(
            "error: `--seeds` are those of cases that draw, of `torus` and `thin-trees`; `{}` has none\n\
             help: leave it out",
            paper.name()
        )));
    }
    let options = Options {
        quick: arguments.quick,
        traces: arguments.traces.as_deref(),
        out: arguments.out.as_deref(),
        seeds: arguments.seeds.and_then(NonZeroU32::new),
        threads: arguments.threads.or(thread::available_parallelism().ok()).map_or(1, NonZeroUsize::get),
        weights: arguments.weights.unwrap_or_default(),
    };
    let bar = progress::CaseBar::new();
    let reproduction = paper.reproduce(&options, &|progress| bar.show(progress)).map_err(Failure::of_sweep)?;
    drop(bar);
    let Reproduction { rows, wrong, blind, rigid, files } = reproduction;
    output::print(&match arguments.format {
        Format::Json => {
            let rows: serde_json::Value = rows.iter().map(json::from_row).collect();
            format!("{rows:#}\n")
        }
        Format::Table => reproduction::table(&rows, &files),
    })?;
    let defect = if wrong > 0 {
        format!("{wrong} numbers that follow from the paper's definitions differ")
    } else if let Some(first) = blind.first() {
        format!("{} numbers would be met by links always on or an idle network, the first is {first}", blind.len())
    } else if let Some(first) = rigid.first() {
        format!("the verdict on {} numbers cannot change, the first is {first}", rigid.len())
    } else {
        return Ok(());
    };
    Err(Failure::Cases(format!("error: {defect}\nhelp: this is a defect of drowse; please report it")))
}
