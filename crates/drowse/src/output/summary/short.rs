//! The table of `drowse run`: the figures that answer its question, a line each.

use drowse_run::outcome::Outcome;
use drowse_tables::Row;
use drowse_tables::schema::{Column, cases};

use super::{Baseline, NODES, sheet};
use crate::output::number::Style;

/// A line: its label, the figures whose sum it shows, how that is shown, and its ratio to the baseline.
type Line = (&'static str, &'static [Column], Style, Option<Column>);

/// The lines; a figure that does not apply leaves no line.
const LINES: [Line; 14] = [
    ("run time", &[cases::MAKESPAN_S], Style::Seconds, Some(cases::RELATIVE_MAKESPAN)),
    ("offered load", &[cases::LOAD_OFFERED], Style::Percent, None),
    ("accepted load", &[cases::LOAD_ACCEPTED], Style::Percent, None),
    ("offered load beside the jobs", &[cases::BACKGROUND_LOAD_OFFERED], Style::Percent, None),
    ("accepted load beside the jobs", &[cases::BACKGROUND_LOAD_ACCEPTED], Style::Percent, None),
    ("packet latency, mean", &[cases::LATENCY_PACKET_MEAN_NS], Style::Nanoseconds, None),
    ("packet latency, 99th percentile", &[cases::LATENCY_PACKET_P99_NS], Style::Nanoseconds, None),
    ("time on, mean of links that may sleep", &[cases::LINKS_ON_FRACTION], Style::Percent, None),
    (
        "time asleep, mean of links that may sleep",
        &[
            cases::LINKS_SHALLOW_FRACTION,
            cases::LINKS_DEEP_FRACTION,
            cases::LINKS_THIRD_FRACTION,
            cases::LINKS_FOURTH_FRACTION,
            cases::LINKS_FIFTH_FRACTION,
            cases::LINKS_SIXTH_FRACTION,
        ],
        Style::Percent,
        None,
    ),
    ("messages delayed by waking links", &[cases::LINKS_DELAYED_MESSAGES], Style::Count(""), None),
    ("run time that waits for waking links", &[cases::PATH_WAKING_FRACTION], Style::Percent, None),
    ("cap of switches and links", &[cases::CAP_W], Style::Watts, None),
    ("highest mean of these in an interval", &[cases::CAP_HIGHEST_W], Style::Watts, None),
    ("port time refused", &[cases::CAP_REFUSED_S], Style::Seconds, None),
];

/// The energies of a run.
const ENERGIES: [Line; 12] = [
    (
        "total energy of links between switches",
        &[cases::ENERGY_LINKS_SWITCH_J],
        Style::Joules,
        Some(cases::RELATIVE_LINKS_SWITCH_J),
    ),
    ("total energy of all links", &[cases::ENERGY_LINKS_ALL_J], Style::Joules, Some(cases::RELATIVE_LINKS_J)),
    (
        "total energy of links, switches and NICs",
        &[cases::ENERGY_NETWORK_J],
        Style::Joules,
        Some(cases::RELATIVE_NETWORK_J),
    ),
    (NODES, &[cases::ENERGY_NODES_J], Style::Joules, Some(cases::RELATIVE_NODES_J)),
    ("total energy of network and nodes", &[cases::ENERGY_TOTAL_J], Style::Joules, Some(cases::RELATIVE_TOTAL_J)),
    ("price of the run", &[cases::COST_RUN], Style::Plain(""), None),
    ("a year at this load, network and nodes", &[cases::COST_YEAR_KWH], Style::Count("kWh"), None),
    ("price of it", &[cases::COST_YEAR], Style::Plain(""), None),
    ("price of it for the network", &[cases::COST_YEAR_NETWORK], Style::Plain(""), None),
    ("CO2 of it", &[cases::COST_YEAR_CARBON_KG], Style::Count("kg"), None),
    ("cost of ownership of a year", &[cases::COST_OWNED_YEAR], Style::Plain(""), None),
    ("money saved over the system's life", &[cases::COST_SAVED], Style::Plain(""), None),
];

/// The mean powers of open-loop traffic, whose energy would be that of a window.
const POWERS: [Line; 7] = [
    ("mean power of links between switches", &[cases::POWER_LINKS_SWITCH_W], Style::Watts, None),
    ("mean power of all links", &[cases::POWER_LINKS_ALL_W], Style::Watts, None),
    ("mean power of links, switches and NICs", &[cases::POWER_NETWORK_W], Style::Watts, None),
    ("a year at this load, network", &[cases::COST_YEAR_NETWORK_KWH], Style::Count("kWh"), None),
    ("price of it", &[cases::COST_YEAR_NETWORK], Style::Plain(""), None),
    ("CO2 of it", &[cases::COST_YEAR_NETWORK_CARBON_KG], Style::Count("kg"), None),
    ("cost of ownership of a year", &[cases::COST_OWNED_YEAR], Style::Plain(""), None),
];

/// Lays out the most important figures of a case, beside those of a baseline if there is one.
pub fn table(outcome: &Outcome, baseline: Option<&Baseline<'_>>) -> String {
    let mut sheet = sheet(outcome, baseline);
    let rows: Vec<Row> =
        std::iter::once(outcome).chain(baseline.map(|baseline| baseline.outcome)).map(Outcome::figures).collect();
    sheet.group("");
    let ends = rows.iter().any(|row| row.get(cases::MAKESPAN_S).is_some());
    let power: &[Line] = if ends { &ENERGIES } else { &POWERS };
    for &(label, columns, style, ratio) in LINES.iter().chain(power) {
        let values: Vec<Option<f64>> = rows.iter().map(|row| sum(row, columns)).collect();
        let label =
            if label == NODES { format!("total energy of {}", super::of_nodes(NODES, &rows)) } else { label.into() };
        if super::is_unknown(columns[0], &values, outcome.case.system.watts.left_out) {
            sheet.words(label, vec![super::UNKNOWN.to_owned(); values.len()]);
        } else {
            sheet.line(label, style, &values, ratio.and_then(|ratio| rows.first()?.number(ratio)));
        }
    }
    sheet.subtitle(network(outcome));
    super::add_notes(&mut sheet, outcome, baseline);
    super::add_device(&mut sheet, outcome);
    sheet.note("--details shows all figures");
    sheet.to_string()
}

/// Returns the sum of some figures; `None` where the first is absent. Others are absent where links have fewer states.
fn sum(row: &Row, columns: &[Column]) -> Option<f64> {
    let (&first, others) = columns.split_first()?;
    Some(row.number(first)? + others.iter().filter_map(|&column| row.number(column)).sum::<f64>())
}

/// Describes the network in a line.
fn network(outcome: &Outcome) -> String {
    let row = &outcome.summary.figures;
    let count = |column: Column, one: &str, many: &str| {
        let count = row.number(column).unwrap_or_default();
        format!("{} {}", Style::Count("").show(count), if (count - 1.0).abs() < 0.5 { one } else { many })
    };
    format!(
        "{}, {}, {} between switches",
        count(cases::NETWORK_NODES, "node", "nodes"),
        count(cases::NETWORK_SWITCHES, "switch", "switches"),
        count(cases::NETWORK_SWITCH_LINKS, "link", "links"),
    )
}
