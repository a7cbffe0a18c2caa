//! Andújar et al. 2019: tori with trunks whose ports are switched off when they are not needed.
//!
//! The numbers that the paper defines are computed exactly: Table 2 (`table_2.rs`), and that without power saving
//! energy is the port ratio times the run time. Those that it found by simulation are simulated again (`cases.rs`) with
//! the available traces, and compared (`rows.rs`). The paper's are of 512 tasks, eight or two to a node, of NAMD,
//! GROMACS, Linpack, MPI Random Access and Graph500 at scale 20; these programs are generated (`generated.rs`), and
//! run under other settings of the policy (`policies.rs`) and other choices that the paper does not print (`choices.rs`),
//! too; numbers that differ have the one as their cause under which they do not (`settings.rs`). Traces are of 64 ranks
//! of Linpack and others. Each program runs as it was traced, and with its communication alone, which is the
//! highest load that it can make. `closed_form.rs` has the numbers of a light load of any program. Sets of programs
//! that a scheduler starts (section 4.2) are run with several seeds (`sets.rs`).

mod again;
mod case;
mod cases;
mod choices;
mod closed_form;
mod generated;
mod policies;
mod policy;
mod program;
mod results;
mod rows;
mod set;
mod sets;
mod settings;
mod table_2;
mod tables;

use std::path::PathBuf;

use drowse_run::error::RunError;
use drowse_run::sweep::SweepError;

use crate::comparison::Comparison;
use crate::options::{Observer, Options};
use results::Results;

/// Compares all numbers, and writes the tables of all runs if a folder is given for them.
pub fn reproduce(options: &Options<'_>, observer: Observer<'_>) -> Result<(Vec<Comparison>, Vec<PathBuf>), SweepError> {
    let traces = options.trace_folder().map_err(RunError::from)?;
    let results = Results(cases::run(options, traces, observer)?);
    let files = options.out.map_or(Ok(Vec::new()), |folder| tables::write(folder, &results))?;
    let mut comparisons = table_2::comparisons().map_err(RunError::from)?;
    comparisons.extend(rows::comparisons(options.quick, traces, &results));
    comparisons.extend(generated::comparisons(&results));
    comparisons.extend(policies::comparisons(&results));
    comparisons.extend(sets::comparisons(&results));
    settings::explain(&mut comparisons, &results);
    Ok((comparisons, files))
}
