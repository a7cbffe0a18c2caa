//! The first line of a result with a baseline: what it would mean for the machine.

use drowse_experiment::LeftOut;
use drowse_run::outcome::Outcome;
use drowse_tables::Row;
use drowse_tables::number::grouped;
use drowse_tables::schema::cases;

use crate::output::number::Style;

/// Says what the machine would save, or need more, for the same work; of open-loop traffic, the network. `None` without
/// a baseline.
pub fn sentence(outcome: &Outcome) -> Option<String> {
    let row = &outcome.relative.figures;
    let number = |column| row.number(column);
    let (saved, before) = number(cases::RELATIVE_SAVED_W).zip(number(cases::RELATIVE_BEFORE_W))?;
    let whose = if outcome.summary.figures.get(cases::MAKESPAN_S).is_some() { "machine" } else { "network" };
    let said = if saved < 0.0 {
        format!("the {whose} needs {} more than {}", watts(-saved), watts(before))
    } else {
        format!("the {whose} saves {} of {}", watts(saved), watts(before))
    };
    let without = not_counted(outcome.case.system.watts.left_out);
    Some(format!("{said}{without} ({})", year(row, outcome.case.system.tariff.pue)?))
}

/// Says what the watts lack; empty where they lack nothing.
fn not_counted(left_out: LeftOut) -> &'static str {
    match (left_out.links, left_out.switches) {
        (false, false) => "",
        (true, false) => ", not counting what is unknown of links",
        (false, true) => ", not counting switches, whose watts are unknown",
        (true, true) => ", not counting what is unknown of links and switches",
    }
}

/// Says what that is in a year.
fn year(row: &Row, pue: f64) -> Option<String> {
    let kwh = row.number(cases::RELATIVE_SAVED_YEAR_KWH)?.abs();
    let with = if pue > 1.0 { format!(" at a PUE of {pue}") } else { String::new() };
    let money = row.number(cases::RELATIVE_SAVED_YEAR).map(|money| format!(", which cost {}", rounded(money.abs())));
    Some(format!("{} kWh a year{with}{}", rounded(kwh), money.unwrap_or_default()))
}

fn watts(value: f64) -> String {
    let (factor, unit) = Style::Watts.unit(value);
    format!("{} {unit}", rounded(value * factor))
}

/// Shows a number with three digits that count.
fn rounded(value: f64) -> String {
    match value.abs() {
        0.0 => "0".to_owned(),
        size if size >= 999.5 => {
            let mut unit = 10.0;
            while size / unit >= 999.5 {
                unit *= 10.0;
            }
            grouped(&format!("{:.0}", (value / unit).round() * unit))
        }
        size if size >= 99.95 => format!("{value:.0}"),
        size if size >= 9.995 => format!("{value:.1}"),
        _ => format!("{value:.2}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn three_digits_count() {
        let shown = [0.0, 1.234, 9.996, 12.34, 99.96, 403.4, 999.6, 1_983.0, 27_156.0, 3_197_000.0].map(rounded);
        let expected = ["0", "1.23", "10.0", "12.3", "100", "403", "1,000", "1,980", "27,200", "3,200,000"];
        assert_eq!(shown, expected);
        assert_eq!([watts(3_104.0), watts(403.4), watts(0.0)], ["3.10 kW", "403 W", "0 W"]);
    }
}
