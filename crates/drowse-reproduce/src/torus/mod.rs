//! Andújar et al. 2019: tori with trunks whose ports go off when they are not needed.
//!
//! What the paper defines comes out exactly: Table 2 (`table_2.rs`), and that without power saving energy is the port ratio times the
//! run time. What it has found by simulation is run anew (`cases.rs`) with the traces that there are, and set beside its numbers
//! (`rows.rs`): the paper's are of 512 tasks, eight or two to a node, of NAMD, GROMACS, Linpack, MPI Random Access and Graph500 at scale
//! 20; ours of 64 ranks of Linpack, Graph500 at scale 14 and others. Each runs as it was traced, and with its communication alone, which
//! is as much as it can load a network. `closed_form.rs` tells what a light load must give, whatever the program. Left out: the
//! sets of programs that a scheduler starts (section 4.2).

mod cases;
mod closed_form;
mod results;
mod rows;
mod table_2;
mod tables;

use std::path::PathBuf;

use super::{Comparison, Observer, Options};
use drowse_run::run::RunError;
use drowse_run::sweep::SweepError;

/// Compares all numbers, and writes the tables of all runs if a folder is given for them.
pub fn reproduce(options: &Options<'_>, observer: Observer<'_>) -> Result<(Vec<Comparison>, Vec<PathBuf>), SweepError> {
    let traces = super::traces(options.traces).map_err(RunError::from)?;
    let results = cases::run(options, traces, observer)?;
    let files = options.out.map_or(Ok(Vec::new()), |folder| tables::write(folder, &results))?;
    let mut comparisons = table_2::comparisons().map_err(RunError::from)?;
    comparisons.extend(rows::comparisons(options.quick, traces, &results));
    Ok((comparisons, files))
}
