//! The tables of `drowse run`: a short one, and one with all details.

mod costs;
mod details;
mod load;
mod meaning;
mod sections;
mod short;
mod wakes;

pub use details::table as details;
pub use sections::Section;
pub use short::table as short;

use drowse_experiment::LeftOut;
use drowse_run::described;
use drowse_run::outcome::Outcome;
use drowse_tables::Row;
use drowse_tables::schema::{Column, cases};

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

/// What a table shows of energies of which nothing is known.
const UNKNOWN: &str = "unknown";

/// Returns whether figures are 0 only because nobody has published what these parts draw.
fn is_unknown(column: Column, values: &[Option<f64>], left_out: LeftOut) -> bool {
    const LINKS: [Column; 6] = [
        cases::ENERGY_LINKS_NODE_J,
        cases::ENERGY_LINKS_SWITCH_J,
        cases::ENERGY_LINKS_ALL_J,
        cases::POWER_LINKS_NODE_W,
        cases::POWER_LINKS_SWITCH_W,
        cases::POWER_LINKS_ALL_W,
    ];
    const SWITCHES: [Column; 2] = [cases::ENERGY_SWITCHES_J, cases::POWER_SWITCHES_W];
    let lacks = (left_out.links && LINKS.contains(&column)) || (left_out.switches && SWITCHES.contains(&column));
    lacks && values.iter().any(Option::is_some) && values.iter().flatten().all(|value| *value == 0.0)
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
