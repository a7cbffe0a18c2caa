//! The numbers of the papers beside ours.
//!
//! Each paper has a file here that lists its numbers as they are printed, and experiment files beside it, from which
//! ours are computed as `drowse network` and `drowse run` compute them. A number of ours is never written down.

mod comparison;
mod thin_trees;
mod torus;

use std::path::Path;
use std::sync::Arc;

use drowse_tables::Row;

use crate::describe;
use crate::experiment::{self, Diagnostic, Source};
use comparison::Comparison;

/// A paper whose numbers are compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Paper {
    /// Paper 000: tori with trunks, a policy that switches links of trunks off.
    Torus,
    /// Paper 001: `PerfBound`, sleep that bounds the loss of performance.
    PerfBound,
    /// Paper 002: thin trees.
    ThinTrees,
    /// Paper 004: a runtime system that directs sleep.
    Runtime,
}

impl Paper {
    /// The papers of which something is reproduced.
    pub const REPRODUCED: [Paper; 2] = [Paper::Torus, Paper::ThinTrees];

    /// Gives the paper's short name.
    pub const fn name(self) -> &'static str {
        match self {
            Paper::Torus => "torus",
            Paper::PerfBound => "perfbound",
            Paper::ThinTrees => "thin-trees",
            Paper::Runtime => "runtime",
        }
    }

    /// Gives the rows of `reproduction.csv`; none for a paper of which nothing is reproduced yet.
    pub fn reproduce(self) -> Result<Vec<Row>, Diagnostic> {
        let comparisons = match self {
            Paper::Torus => torus::comparisons()?,
            Paper::ThinTrees => thin_trees::comparisons()?,
            Paper::PerfBound | Paper::Runtime => Vec::new(),
        };
        Ok(comparisons.iter().map(|comparison| comparison.row(self.name())).collect())
    }
}

/// Describes the network of an experiment with overrides, as `drowse network NAME --set ...` does.
fn network(name: &str, text: &str, overrides: &[String]) -> Result<Row, Diagnostic> {
    let source = Source::new(Path::new(name), text.to_owned(), overrides)?;
    Ok(describe::network(&experiment::system(&Arc::new(source))?))
}
