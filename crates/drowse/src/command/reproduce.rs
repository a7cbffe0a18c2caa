//! `drowse reproduce`: the numbers of papers beside ours.

use std::num::{NonZeroU32, NonZeroUsize};
use std::path::{Path, PathBuf};
use std::thread;

use clap::{Args, ValueEnum};
use drowse_reproduce::{MOST_SEEDS, Options, Paper, Reproduction, Weights};
use drowse_run::files;
use drowse_run::files::folder::Over;
use drowse_tables::json;

use super::Format;
use crate::failure::Failure;
use crate::output::{self, progress, reproduction};

/// Compare the numbers of papers with ours
///
/// Computes each number, and says whether it is equal at the decimals that the paper prints, or near the paper's
/// simulated number. Numbers of programs without a trace are listed as such. A number that follows from the paper's
/// definitions and yet differs is a defect: exit code 1.
#[derive(Debug, Args)]
pub struct Arguments {
    /// Paper, or all of them
    #[arg(value_enum)]
    paper: Name,

    /// Leave out long simulations
    #[arg(long)]
    quick: bool,

    /// Folder with the traces of programs [default: traces]
    #[arg(long, value_name = "DIR")]
    traces: Option<PathBuf>,

    /// Write tables into this folder, and keep finished cases there to continue later; with `all`, each paper's into a
    /// folder of its name in it
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,

    /// Weights of the workloads of `thin-trees`, such as `AA=0,BU=2` [default: 1 for all]; 0 is not run
    #[arg(long, value_name = "NAME=WEIGHT,...")]
    weights: Option<Weights>,

    /// Seeds that cases which draw are run with [default: 30 for the sets of jobs of `torus`, none if `--quick`; 3 for
    /// `thin-trees`, 1 if `--quick`]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=i64::from(MOST_SEEDS)))]
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
    /// All, one after the other
    All,
}

impl Name {
    const fn papers(self) -> &'static [Paper] {
        match self {
            Name::Torus => &[Paper::Torus],
            Name::Perfbound => &[Paper::PerfBound],
            Name::ThinTrees => &[Paper::ThinTrees],
            Name::Runtime => &[Paper::Runtime],
            Name::All => &Paper::ALL,
        }
    }
}

/// Runs the command.
pub fn execute(arguments: &Arguments) -> Result<(), Failure> {
    let papers = arguments.paper.papers();
    refuse(arguments, papers)?;
    let (mut rows, mut defects) = (Vec::new(), Vec::new());
    let of_paper = |paper: &Paper, out: &PathBuf| if papers.len() > 1 { out.join(paper.name()) } else { out.clone() };
    let folders: Vec<_> = papers.iter().map(|paper| arguments.out.as_ref().map(|out| of_paper(paper, out))).collect();
    // All of them before the first simulation, which may take hours.
    for folder in folders.iter().flatten() {
        let free = files::folder::refuse(folder, &Over::default()).and_then(|()| files::prepare(folder));
        free.and_then(|()| files::refuse_runs(folder)).map_err(Failure::Export)?;
    }
    for (&paper, folder) in papers.iter().zip(&folders) {
        let found = reproduce(arguments, paper, folder.as_deref())?;
        if arguments.format == Format::Table {
            let title = if papers.len() > 1 { format!("== {}\n\n", paper.name()) } else { String::new() };
            output::print(&(title + &reproduction::table(&found.rows, &found.files)))?;
        }
        defects.extend(found.defect());
        rows.extend(found.rows);
    }
    if arguments.format == Format::Json {
        let rows: serde_json::Value = rows.iter().map(json::from_row).collect();
        output::print(&format!("{rows:#}\n"))?;
    }
    let help = "help: this is a defect of drowse; please report it";
    defects.into_iter().next().map_or(Ok(()), |defect| Err(Failure::Cases(format!("error: {defect}\n{help}"))))
}

/// Refuses options that none of the papers has.
fn refuse(arguments: &Arguments, papers: &[Paper]) -> Result<(), Failure> {
    let refused = |what: &str| Failure::Refused(format!("error: {what} has none\nhelp: leave it out"));
    let [paper] = papers else { return Ok(()) };
    if arguments.weights.is_some() && !paper.has_weights() {
        return Err(refused(&format!("`--weights` are those of workloads of `thin-trees`; `{}`", paper.name())));
    }
    if arguments.seeds.is_some() && !paper.has_seeds() {
        let what = "`--seeds` are those of cases that draw, of `torus` and `thin-trees`";
        return Err(refused(&format!("{what}; `{}`", paper.name())));
    }
    Ok(())
}

/// Compares the numbers of one paper, with its tables in a folder.
fn reproduce(arguments: &Arguments, paper: Paper, out: Option<&Path>) -> Result<Reproduction, Failure> {
    let options = Options {
        quick: arguments.quick,
        traces: arguments.traces.as_deref(),
        out,
        seeds: arguments.seeds.and_then(NonZeroU32::new),
        threads: arguments.threads.or(thread::available_parallelism().ok()).map_or(1, NonZeroUsize::get),
        weights: arguments.weights.unwrap_or_default(),
        cancel: None,
    };
    let bar = progress::CaseBar::new();
    paper.reproduce(&options, &|progress| bar.show(progress)).map_err(Failure::of_sweep)
}
