//! The tables of `drowse run`: a short one, and one with all details.

mod costs;
mod details;
mod load;
mod meaning;
mod short;

pub use details::table as details;
pub use short::table as short;

use drowse_run::described;
use drowse_run::outcome::Outcome;
use drowse_tables::Row;
use drowse_tables::schema::cases;

use super::sheet::Sheet;

/// The case that another one is compared with.
pub struct Baseline<'a> {
    /// Its name, as the user gave it.
    pub name: &'a str,
    /// Its results.
    pub outcome: &'a Outcome,
}

/// The longest name that a baseline's column has.
const LONGEST_NAME: usize = 13;

/// The label of nodes whose energy counts, where no scheduler starts the jobs.
const NODES: &str = "nodes that run ranks";

/// Returns a label of some cases; that of nodes says which of them count in these.
fn of_nodes<'a>(label: &'a str, rows: &[Row]) -> &'a str {
    let scheduled = rows.iter().filter(|row| row.get(cases::JOBS_UTILISATION).is_some()).count();
    match scheduled {
        _ if label != NODES => label,
        0 => NODES,
        all if all == rows.len() => "all nodes",
        _ => "nodes (all under the scheduler)",
    }
}

/// Makes a sheet with a column for a case, and one for its baseline.
fn sheet(outcome: &Outcome, baseline: Option<&Baseline<'_>>) -> Sheet {
    let mut columns = vec!["this case".to_owned()];
    columns.extend(baseline.map(|baseline| {
        let fits = baseline.name.chars().count() <= LONGEST_NAME;
        if fits { baseline.name.to_owned() } else { "baseline".to_owned() }
    }));
    let mut sheet = Sheet::new(&outcome.case.system.title, columns);
    meaning::sentence(outcome).into_iter().for_each(|meaning| sheet.lead(meaning));
    sheet
}

/// Adds what identifies the case, and the warnings of both.
fn add_notes(sheet: &mut Sheet, outcome: &Outcome, baseline: Option<&Baseline<'_>>) {
    sheet.note(identity(outcome));
    load::notes(outcome).for_each(|note| sheet.note(note));
    outcome.summary.warnings().for_each(|warning| sheet.note(format!("warning: {warning}")));
    if let Some(Baseline { name, outcome }) = baseline {
        outcome.summary.warnings().for_each(|warning| sheet.note(format!("warning of {name}: {warning}")));
    }
}

/// Returns version, seed and name of a case.
fn identity(outcome: &Outcome) -> String {
    let text = |column| outcome.summary.identity.text(column);
    format!("drowse {}, seed {}, case {}", text(cases::VERSION), text(cases::SEED), text(cases::CASE_ID))
}

/// Says whose watts the energies are.
fn add_device(sheet: &mut Sheet, outcome: &Outcome) {
    if outcome.summary.figures.get(cases::ENERGY_WATTS).is_none() {
        return;
    }
    let watts = described(&outcome.case.system, |whose| &whose.what);
    sheet.note(format!("watts: {watts}; power.watts sets yours"));
}
