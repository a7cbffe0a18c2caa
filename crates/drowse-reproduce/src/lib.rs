//! The numbers of papers beside those that Drowse computes.
//!
//! Each paper has a file or folder here with its numbers as they are printed, and with experiment files from which ours
//! are computed as `drowse network`, `drowse usage` and `drowse run` do. A number of ours is never written down.

mod cases;
mod cause;
mod comparison;
mod described;
mod mutation;
mod options;
mod perfbound;
mod programs;
mod runtime;
mod thin_trees;
mod torus;
mod trivial;

pub use options::{MOST_SEEDS, Observer, Options, Progress};
pub use perfbound::saved_in_four_years;
pub use thin_trees::Weights;

use std::path::{Path, PathBuf};

use drowse_run::files::{self, ExportError};
use drowse_run::sweep::SweepError;
use drowse_tables::schema::REPRODUCTION;
use drowse_tables::{Row, csv};

use comparison::Comparison;

/// A paper whose numbers are compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Paper {
    /// Andújar et al. 2019: tori with trunks, a policy that switches links of trunks off.
    Torus,
    /// Saravanan and Carpenter 2018: `PerfBound`, sleep that bounds the loss of performance.
    PerfBound,
    /// Navaridas et al. 2010: thin trees.
    ThinTrees,
    /// Totoni et al. 2014: a runtime system that turns links off and on.
    Runtime,
}

/// The results of a reproduction.
#[derive(Clone, Debug, Default)]
pub struct Reproduction {
    /// The rows of `reproduction.csv`.
    pub rows: Vec<Row>,
    /// Numbers that differ although they follow from the definitions of the paper: each is a defect.
    pub wrong: usize,
    /// Place and quantity of numbers that an answer without any model would meet, such as that of an idle network, or
    /// that are only shown although none would: each is a defect, too.
    pub blind: Vec<String>,
    /// Place and quantity of numbers whose verdict stays whatever ours is: each is a defect, too.
    pub rigid: Vec<String>,
    /// The tables that were written.
    pub files: Vec<PathBuf>,
}

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

    /// Returns a paper by its short name.
    pub fn named(name: &str) -> Option<Self> {
        Paper::ALL.into_iter().find(|paper| paper.name() == name)
    }

    /// Returns whether its workloads have weights.
    pub const fn has_weights(self) -> bool {
        matches!(self, Paper::ThinTrees)
    }

    /// Returns whether some of its cases draw, so that they are run with several seeds.
    pub const fn has_seeds(self) -> bool {
        matches!(self, Paper::ThinTrees | Paper::Torus)
    }

    /// Compares the paper's numbers, and writes tables if a folder is given for them.
    pub fn reproduce(self, options: &Options<'_>, observer: Observer<'_>) -> Result<Reproduction, SweepError> {
        let (comparisons, mut files) = match self {
            Paper::Torus => torus::reproduce(options, observer)?,
            Paper::ThinTrees => (thin_trees::reproduce(options, observer)?, Vec::new()),
            Paper::PerfBound => perfbound::reproduce(options, observer)?,
            Paper::Runtime => (runtime::reproduce(options, observer)?, Vec::new()),
        };
        let rows: Vec<Row> = comparisons.iter().map(|comparison| comparison.row(self.name())).collect();
        if let Some(folder) = options.out {
            files.insert(0, write(folder, &rows)?);
        }
        let wrong = comparisons.iter().filter(|comparison| comparison.is_wrong()).count();
        let named = |is_so: fn(&Comparison) -> bool| {
            let of_rows = comparisons.iter().filter(|comparison| is_so(comparison));
            of_rows.map(|comparison| format!("{}, {}", comparison.place, comparison.quantity)).collect()
        };
        let (blind, rigid) = (named(Comparison::is_blind), named(Comparison::is_rigid));
        Ok(Reproduction { rows, wrong, blind, rigid, files })
    }
}

impl Reproduction {
    /// Returns what is wrong with it, which is a defect of Drowse.
    pub fn defect(&self) -> Option<String> {
        if self.wrong > 0 {
            return Some(format!("{} numbers that follow from the paper's definitions differ", self.wrong));
        }
        if let Some(first) = self.blind.first() {
            return Some(format!(
                "{} numbers would be met by an answer without a model, or are only shown and would not, the first is {first}",
                self.blind.len()
            ));
        }
        let first = self.rigid.first()?;
        Some(format!("the verdict on {} numbers cannot change, the first is {first}", self.rigid.len()))
    }
}

fn write(folder: &Path, rows: &[Row]) -> Result<PathBuf, ExportError> {
    files::prepare(folder)?;
    files::write_file(folder, REPRODUCTION.file, |file| {
        Ok(csv::write_long(&REPRODUCTION, rows.iter().cloned(), file)?)
    })?;
    Ok(folder.join(REPRODUCTION.file))
}
