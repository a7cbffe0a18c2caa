//! Saravanan and Carpenter 2018: PerfBound and DynamicFastwake.
//!
//! What the paper defines or works out must come out exactly (`exact.rs`, `savings.rs`). What it has found by
//! simulation is run anew with the traces that there are (`../programs.rs`, `setting.rs`, `runs.rs`) and set beside its
//! numbers (`printed.rs`, `figure.rs`, `rows.rs`; what the paper leaves open in `condition.rs` and `bands.rs`). These
//! are other runs of other sizes on other processors, so their rows may differ, and say why. Its codes without a trace
//! have rows without a number of ours, and are in no mean. How long links idle is in `idling.rs`, how near delays come
//! to their targets in `tracking.rs`, and what differences come from in `changes.rs`.

mod bands;
mod changes;
mod condition;
mod exact;
mod figure;
mod front;
mod idling;
mod measured;
mod printed;
mod rows;
mod runs;
mod savings;
mod setting;
mod tables;
mod tracking;

pub use savings::saved_in_four_years;

use std::path::PathBuf;

use drowse_run::error::RunError;
use drowse_run::sweep::SweepError;

use self::condition::{AS_TRACED, SETTINGS};
use self::measured::Curves;
use crate::comparison::Comparison;
use crate::options::{Observer, Options};

/// Compares all numbers, and writes the curves if a folder is given for them.
pub fn reproduce(options: &Options<'_>, observer: Observer<'_>) -> Result<(Vec<Comparison>, Vec<PathBuf>), SweepError> {
    let traces = options.trace_folder().map_err(RunError::from)?;
    let curves = runs::run(options, traces, observer)?;
    let as_traced: Vec<Curves> = curves.iter().filter(|curves| *curves.condition == AS_TRACED).cloned().collect();
    let shown: Vec<Curves> = as_traced.iter().filter(|curves| curves.program.sketch.is_none()).cloned().collect();
    let files = options.out.map_or(Ok(Vec::new()), |folder| tables::write(folder, &shown))?;
    let mut comparisons = exact::comparisons().map_err(RunError::from)?;
    comparisons.extend(rows::comparisons(options.quick, traces, &as_traced));
    comparisons.extend(SETTINGS.iter().flat_map(|condition| rows::under(condition, options.quick, traces, &curves)));
    let again = condition::changes().filter(|condition| !condition.is_setting());
    comparisons.extend(again.flat_map(|condition| rows::changed(condition, traces, &curves)));
    comparisons.extend(idling::comparisons(options.quick, traces)?);
    comparisons.extend(tracking::comparisons(options.quick, traces)?);
    changes::explain(&mut comparisons);
    comparisons.extend(changes::balance(&comparisons));
    changes::thin(&mut comparisons);
    comparisons.extend(bands::comparisons(&curves));
    Ok((comparisons, files))
}
