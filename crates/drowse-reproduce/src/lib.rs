//! The numbers of the papers beside ours.
//!
//! Each paper has a file or folder here that lists its numbers as they are printed, and experiment files beside it, from which
//! ours are computed as `drowse network` and `drowse run` compute them. A number of ours is never written down.

mod cases;
mod comparison;
mod levels;
mod perfbound;
mod programs;
mod runtime;
mod thin_trees;
mod torus;

use std::path::{Path, PathBuf};
use std::sync::Arc;

use drowse_tables::schema::REPRODUCTION;
use drowse_tables::{Row, csv};

use comparison::{Comparison, Theirs};
use drowse_describe::network;
use drowse_describe::usage;
use drowse_experiment::{Diagnostic, Source};
use drowse_run::export::{self, ExportError};
use drowse_run::inputs::Traces;
use drowse_run::run::RunError;
use drowse_run::sweep::SweepError;

/// Where traces are looked for if no folder is given.
const TRACES: &str = "traces";

/// A paper whose numbers are compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Paper {
    /// Andújar et al. 2019: tori with trunks, a policy that switches links of trunks off.
    Torus,
    /// Saravanan and Carpenter 2018: `PerfBound`, sleep that bounds the loss of performance.
    PerfBound,
    /// Navaridas et al. 2010: thin trees.
    ThinTrees,
    /// Totoni et al. 2014: a runtime system that directs sleep.
    Runtime,
}

/// How a reproduction is made.
#[derive(Clone, Copy, Debug)]
pub struct Options<'a> {
    /// Leave out programs and points that take long to simulate.
    pub quick: bool,
    /// The folder of traces, if it is not `traces`.
    pub traces: Option<&'a Path>,
    /// The folder for tables and for finished cases.
    pub out: Option<&'a Path>,
    /// So many cases run at a time.
    pub threads: usize,
}

/// What a reproduction has given.
#[derive(Clone, Debug, Default)]
pub struct Reproduction {
    /// The rows of `reproduction.csv`.
    pub rows: Vec<Row>,
    /// How many numbers follow from what the paper defines, and yet differ: each is a defect.
    pub wrong: usize,
    /// The tables that were written.
    pub files: Vec<PathBuf>,
}

/// How many cases have been run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Progress {
    /// So many are done,
    pub done: u64,
    /// of so many.
    pub total: u64,
}

/// Is told how far a reproduction has come, from any thread.
pub type Observer<'a> = &'a (dyn Fn(Progress) + Sync);

impl Paper {
    /// All papers.
    pub const ALL: [Paper; 4] = [Paper::Torus, Paper::PerfBound, Paper::ThinTrees, Paper::Runtime];

    /// Returns the paper's short name.
    pub const fn name(self) -> &'static str {
        match self {
            Paper::Torus => "torus",
            Paper::PerfBound => "perfbound",
            Paper::ThinTrees => "thin-trees",
            Paper::Runtime => "runtime",
        }
    }

    /// Compares the paper's numbers, and writes tables if a folder is given for them.
    pub fn reproduce(self, options: &Options<'_>, observer: Observer<'_>) -> Result<Reproduction, SweepError> {
        let (comparisons, mut files) = match self {
            Paper::Torus => torus::reproduce(options, observer)?,
            Paper::ThinTrees => {
                let mut comparisons = thin_trees::comparisons().map_err(RunError::from)?;
                comparisons.extend(levels::comparisons(options.quick, options.traces)?);
                (comparisons, Vec::new())
            }
            Paper::PerfBound => perfbound::reproduce(options, observer)?,
            Paper::Runtime => (runtime::reproduce(options, observer)?, Vec::new()),
        };
        let rows: Vec<Row> = comparisons.iter().map(|comparison| comparison.row(self.name())).collect();
        if let Some(folder) = options.out {
            files.insert(0, write(folder, &rows)?);
        }
        let wrong = comparisons.iter().filter(|comparison| comparison.is_wrong()).count();
        Ok(Reproduction { rows, wrong, files })
    }
}

impl Default for Options<'_> {
    fn default() -> Self {
        Options { quick: false, traces: None, out: None, threads: 1 }
    }
}

fn write(folder: &Path, rows: &[Row]) -> Result<PathBuf, ExportError> {
    export::prepare(folder)?;
    export::write_file(folder, REPRODUCTION.file, |file| Ok(csv::write(&REPRODUCTION, rows, file)?))?;
    Ok(folder.join(REPRODUCTION.file))
}

/// Returns the folder of traces; the one that is meant without being given need not be there.
fn traces(given: Option<&Path>) -> Result<&Path, Diagnostic> {
    match given {
        Some(folder) if !folder.is_dir() => {
            let help = "give the folder that holds the traces, such as --traces traces";
            Err(Diagnostic::of_file(folder, "there is no such folder of traces", help))
        }
        Some(folder) => Ok(folder),
        None => Ok(Path::new(TRACES)),
    }
}

/// Describes the network of an experiment with overrides, as `drowse network NAME --set ...` does.
fn network(name: &str, text: &str, overrides: &[String]) -> Result<Row, Diagnostic> {
    let source = Source::new(Path::new(name), text.to_owned(), overrides)?;
    Ok(network::describe(&drowse_experiment::system(&Arc::new(source))?))
}

/// Counts what the channels of an experiment with overrides carry, as `drowse usage NAME --set ...` does.
fn usage(name: &str, text: &str, overrides: &[String], options: &usage::Options) -> Result<Row, RunError> {
    let source = Source::new(Path::new(name), text.to_owned(), overrides)?;
    let case = drowse_experiment::case(&Arc::new(source))?;
    Ok(usage::count(&case, &Traces::default())?.row(&case, options)?)
}
