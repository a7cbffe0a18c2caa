//! The table of `drowse run`: the figures that answer its question, a line each.

use drowse_run::outcome::Outcome;
use drowse_tables::Row;
use drowse_tables::schema::{Column, cases};

use super::{Baseline, sheet};
use crate::output::number::Style;

/// A line: its label, the figures whose sum it shows, how that is shown, and its ratio to the baseline.
type Line = (&'static str, &'static [Column], Style, Option<Column>);

/// The lines; a figure that does not apply leaves no line.
const LINES: [Line; 13] = [
    ("run time", &[cases::MAKESPAN_S], Style::Seconds, Some(cases::RELATIVE_MAKESPAN)),
    ("offered load", &[cases::LOAD_OFFERED], Style::Percent, None),
    ("accepted load", &[cases::LOAD_ACCEPTED], Style::Percent, None),
    ("packet latency, mean", &[cases::LATENCY_PACKET_MEAN_NS], Style::Nanoseconds, None),
    ("packet latency, 99th percentile", &[cases::LATENCY_PACKET_P99_NS], Style::Nanoseconds, None),
    ("share of link time on", &[cases::LINKS_ON_FRACTION], Style::Percent, None),
    ("share of link time asleep", &[cases::LINKS_SHALLOW_FRACTION, cases::LINKS_DEEP_FRACTION], Style::Percent, None),
    ("messages delayed by waking", &[cases::LINKS_DELAYED_MESSAGES], Style::Count(""), None),
    ("run time that waits for waking links", &[cases::PATH_WAKING_FRACTION], Style::Percent, None),
    (
        "energy of all links, as time at full power",
        &[cases::ENERGY_LINKS_ALL],
        Style::Seconds,
        Some(cases::RELATIVE_LINKS),
    ),
    ("energy of all links, in joules", &[cases::ENERGY_LINKS_ALL_J], Style::Plain("J"), None),
    ("energy of the network (E_net)", &[cases::ENERGY_E_NET], Style::Seconds, Some(cases::RELATIVE_E_NET)),
    ("money saved over the system's life", &[cases::COST_SAVED], Style::Plain(""), None),
];

/// The power of the network, for open-loop traffic, which has no energy.
const POWER: Line = ("power of the network (W_net)", &[cases::ENERGY_W_NET], Style::Percent, None);

/// Lays out the most important figures of a case, beside those of a baseline if there is one.
pub fn table(outcome: &Outcome, baseline: Option<&Baseline<'_>>) -> String {
    let mut sheet = sheet(outcome, baseline);
    let rows: Vec<Row> =
        std::iter::once(outcome).chain(baseline.map(|baseline| baseline.outcome)).map(Outcome::figures).collect();
    sheet.group("");
    let has_energy = rows.iter().any(|row| row.get(cases::ENERGY_E_NET).is_some());
    for (label, columns, style, ratio) in LINES.into_iter().chain((!has_energy).then_some(POWER)) {
        let values: Vec<Option<f64>> = rows.iter().map(|row| sum(row, columns)).collect();
        sheet.line(label, style, &values, ratio.and_then(|ratio| rows.first()?.number(ratio)));
    }
    sheet.subtitle(network(outcome));
    super::add_notes(&mut sheet, outcome, baseline);
    sheet.note("--details shows all figures");
    sheet.to_string()
}

/// Returns the sum of some figures; `None` where one is absent.
fn sum(row: &Row, columns: &[Column]) -> Option<f64> {
    columns.iter().map(|&column| row.number(column)).sum()
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
