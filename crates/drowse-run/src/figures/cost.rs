//! What sleeping links save of the system of `[cost]` over its life.

use drowse_core::power::cost::CostModel;
use drowse_tables::Row;
use drowse_tables::schema::cases;

/// Returns the figures that need no baseline.
pub fn columns(cost: &CostModel) -> Row {
    let mut row = Row::new();
    row.push(cases::COST_LINKS_FRACTION, cost.links_fraction());
    row.push(cases::COST_LIFETIME, cost.lifetime());
    row
}

/// Returns what a case saves whose links' energy and makespan are these shares of its baseline's.
pub fn savings(cost: &CostModel, energy: f64, makespan: f64) -> Row {
    let (saved, lifetime) = (cost.saved_fraction(energy, makespan), cost.lifetime());
    let mut row = Row::new();
    row.push(cases::COST_SAVED_FRACTION, saved);
    row.push(cases::COST_SAVED, saved * lifetime);
    row.push(cases::COST_TOTAL, (1.0 - saved) * lifetime);
    row
}
