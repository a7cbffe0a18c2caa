//! What the energy of the system of `[cost]` costs, and what is saved of it.

use drowse_core::power::cost::CostModel;
use drowse_tables::Row;

use crate::compare::Outcome;

/// Adds what needs no baseline.
pub fn push(row: &mut Row, cost: &CostModel) {
    row.push("cost.links_fraction", cost.links_fraction());
    row.push("cost.lifetime", cost.lifetime());
}

/// Adds what a case saves beside its baseline, by the case's `[cost]`; both must have as many links, since the links' share of
/// the system's energy is that of the baseline's.
pub fn compare(outcome: &mut Outcome, baseline: &Outcome) {
    let Some(cost) = &outcome.case.system.cost else { return };
    let summary = &mut outcome.summary;
    let links = [&summary.figures, &baseline.summary.figures].map(|figures| figures.number("network.links"));
    let ratio = |name: &str| summary.relative.number(name);
    let (Some(energy), Some(makespan)) = (ratio("relative.links"), ratio("relative.makespan")) else { return };
    if links[0] != links[1] {
        return;
    }
    let (saved, lifetime) = (cost.saved_fraction(energy, makespan), cost.lifetime());
    summary.figures.push("cost.saved_fraction", saved);
    summary.figures.push("cost.saved", saved * lifetime);
    summary.figures.push("cost.total", (1.0 - saved) * lifetime);
}
