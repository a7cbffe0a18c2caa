//! The options of a reproduction, and how far it has come.

use std::num::NonZeroU32;
use std::path::Path;

use drowse_experiment::Diagnostic;
use drowse_run::cancel::Cancel;

use crate::thin_trees::weights::Weights;

/// Where traces are looked for if no folder is given.
const TRACES: &str = "traces";

/// The most seeds: each adds cases to the plan.
pub const MOST_SEEDS: u32 = 1_000;

/// The options of a reproduction.
#[derive(Clone, Copy, Debug)]
pub struct Options<'a> {
    /// Leave out programs and points that take long to simulate.
    pub quick: bool,
    /// The folder of traces; `None` for `traces`.
    pub traces: Option<&'a Path>,
    /// The folder for tables and for finished cases.
    pub out: Option<&'a Path>,
    /// How many seeds cases that draw are run with; `None` for as many as the paper has, or three.
    pub seeds: Option<NonZeroU32>,
    /// The number of cases that run at a time.
    pub threads: usize,
    /// The weights of the workloads of Navaridas et al. 2010.
    pub weights: Weights,
    /// Stops it, if it shall be stopped; finished cases are kept.
    pub cancel: Option<&'a Cancel>,
}

/// The number of cases that have been run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Progress {
    /// Cases that are done.
    pub done: u64,
    /// All cases.
    pub total: u64,
}

/// Is called with the progress of a reproduction, from any thread.
pub type Observer<'a> = &'a (dyn Fn(Progress) + Sync);

impl Default for Options<'_> {
    fn default() -> Self {
        Options {
            quick: false,
            traces: None,
            out: None,
            seeds: None,
            threads: 1,
            weights: Weights::default(),
            cancel: None,
        }
    }
}

impl<'a> Options<'a> {
    /// Returns the folder of traces; only a given folder must exist.
    pub(crate) fn trace_folder(&self) -> Result<&'a Path, Diagnostic> {
        match self.traces {
            Some(folder) if !folder.is_dir() => {
                let help = "give the folder that holds the traces, such as --traces traces";
                Err(Diagnostic::of_file(folder, "this folder of traces does not exist", help))
            }
            Some(folder) => Ok(folder),
            None => Ok(Path::new(TRACES)),
        }
    }
}
