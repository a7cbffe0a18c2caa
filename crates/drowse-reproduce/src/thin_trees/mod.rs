//! Navaridas et al. 2010: trees thinner towards the top, and eleven workloads on them.
//!
//! What follows from definitions is computed exactly: Tables I and II and the costs of Table III (`tables.rs`), and the
//! levels that programs need (Fig. 1, `levels.rs`). The workloads are run on each tree (`workloads.rs`, `runs.rs`): their
//! times (Fig. 4) and what a tree gives for its cost (Table III) are in `performance.rs`. The paper prints no time, so
//! times are held against those measured with INSEE, the paper's simulator (`insee.rs`). The order of all-to-all, which it
//! does not print, is varied in `order.rs`.
//!
//! What the paper left out: all degrees of slimming (`slimming.rs`), freed ports up used as ports down (`freed.rs`), and
//! energy, with links that sleep, too (`energy.rs`).
//!
//! The paper's trees have 4,096 nodes, those of what it left out 512. A quick reproduction runs the paper's workloads on
//! trees of 512 nodes, too, and the last two studies on 64.

mod effectiveness;
mod energy;
mod freed;
mod insee;
mod levels;
mod order;
mod performance;
mod runs;
mod slimming;
mod tables;
mod tree;
pub(crate) mod weights;
mod workloads;

pub use weights::Weights;

use std::num::NonZeroU32;

use drowse_run::error::RunError;
use drowse_run::sweep::SweepError;

use crate::cause::{self, Change};
use crate::comparison::Comparison;
use crate::options::{Observer, Options};
use runs::Runs;

/// Seeds of each case, but for all-to-all on the paper's trees.
const SEEDS: u32 = 3;
/// Levels of the trees of all degrees of slimming, 512 nodes: all-to-all on 4,096 takes ten minutes a tree.
const SLIMMING: u32 = 3;

/// Compares all numbers.
pub fn reproduce(options: &Options<'_>, observer: Observer<'_>) -> Result<Vec<Comparison>, SweepError> {
    let levels = if options.quick { 3 } else { 4 };
    let seeds = options.seeds.map_or(if options.quick { 1 } else { SEEDS }, NonZeroU32::get);
    let mut cases = performance::cases(levels, seeds);
    cases.extend(slimming::cases(SLIMMING));
    cases.extend(order::cases(SLIMMING));
    cases.extend(freed::cases(levels - 1));
    cases.extend(energy::cases(levels - 1));
    cases.retain(|case| options.weights.has(case.workload.name));
    cases.extend(insee::cases(options.quick));
    let mut comparisons = tables::comparisons().map_err(RunError::from)?;
    comparisons.extend(levels::comparisons(options)?);
    let runs = Runs::run(cases, options, observer)?;
    let studies = [
        performance::comparisons(levels, &runs, &options.weights),
        Ok(insee::comparisons(options.quick, &runs)),
        slimming::comparisons(SLIMMING, &runs, &options.weights),
        freed::comparisons(levels - 1, &runs, &options.weights),
        energy::comparisons(levels - 1, &runs, &options.weights),
    ];
    for study in studies {
        comparisons.extend(study.map_err(RunError::from)?);
    }
    if options.weights.has(performance::ALL_TO_ALL) {
        comparisons.extend(order::comparisons(SLIMMING, &runs));
    }
    let changes = [effectiveness::BU_ASKS, insee::ALL_ASK, levels::BY_MESSAGES].map(Change::After);
    cause::find(&mut comparisons, &changes);
    Ok(comparisons)
}

/// What tests of the parts ask of comparisons.
#[cfg(test)]
mod test {
    use drowse_tables::schema::reproduction as columns;

    use super::Comparison;

    /// Our numbers of a place, in order.
    pub fn ours(comparisons: &[Comparison], place: &str) -> Vec<f64> {
        comparisons.iter().filter(|row| row.place == place).filter_map(|row| row.ours).collect()
    }

    /// Our number of a quantity.
    pub fn ours_of(comparisons: &[Comparison], place: &str, quantity: &str) -> f64 {
        let found = comparisons.iter().find(|row| row.place == place && row.quantity == quantity);
        found.and_then(|row| row.ours).unwrap_or_else(|| panic!("{place}: {quantity}"))
    }

    /// Those with a verdict.
    pub fn verdicts<'a>(comparisons: &'a [Comparison], verdict: &str) -> Vec<&'a Comparison> {
        comparisons.iter().filter(|row| row.row("").text(columns::VERDICT) == verdict).collect()
    }
}
