//! What differences come from: what each change makes of the paper's numbers, those that it explains and those that it
//! breaks.
//!
//! A change is a run with one thing other than as traced (`condition.rs`). The settings among them have rows with
//! verdicts of their own, which repeat the numbers of the paper: such a row differs because of its setting where the
//! number is met as traced, and otherwise follows from the row as traced. The other changes have rows without verdicts.

use super::condition::{self, Condition, SETTINGS};
use super::tracking::READINGS;
use crate::cause::{self, Change};
use crate::comparison::{Comparison, Theirs};

/// What the mean over uncorrected runs is without that: what the paper ran.
const CORRECTED: Change<'static> = Change::Instead("uncorrected DynamicFastwake", "DynamicFastwake");
/// What a number over all programs of ours is over those that the paper has, too.
const SHARED: Change<'static> = Change::After("shared programs");

/// Notes the causes of numbers that differ; a number without a cause says what was tried.
pub fn explain(rows: &mut [Comparison]) {
    let labels: Vec<String> = condition::changes().map(Condition::label).collect();
    let mut changes: Vec<Change<'_>> = labels.iter().map(|label| Change::Before(label)).collect();
    changes.extend([SHARED, CORRECTED]);
    changes.extend(READINGS.map(Change::After));
    cause::find(rows, &changes);
    repeat(rows);
    try_all(rows, &changes);
}

/// Notes the cause of each number that differs under a setting: the setting, or the row as traced if that differs, too.
fn repeat(rows: &mut [Comparison]) {
    let of = |row: &Comparison| {
        let place = SETTINGS.iter().find_map(|setting| row.place.strip_prefix(&format!("{}: ", setting.name)))?;
        let traced = rows.iter().find(|other| other.place == place && other.quantity == row.quantity)?;
        let ours = traced.ours.filter(|_| row.differs())?;
        Some(if traced.differs() {
            format!("follows from {place}: the same number, which differs as traced, too: {ours:.4}")
        } else {
            format!("it does not differ as traced: {ours:.4}")
        })
    };
    let causes: Vec<Option<String>> = rows.iter().map(of).collect();
    for (row, cause) in rows.iter_mut().zip(causes) {
        row.cause = row.cause.take().or(cause);
    }
}

/// Says of a number that nothing explains what was tried.
fn try_all(rows: &mut [Comparison], changes: &[Change<'_>]) {
    let of = |row: &Comparison| {
        let again = |change: &Change<'_>| {
            let ours = change.again(row, rows)?.ours.filter(|ours| row.ours != Some(*ours))?;
            Some(format!("{} {ours:.2}", change.name()))
        };
        let tried: Vec<String> = changes.iter().filter_map(again).collect();
        (row.differs() && row.cause.is_none() && !tried.is_empty()).then(|| tried.join(", "))
    };
    let tried: Vec<Option<String>> = rows.iter().map(of).collect();
    for (row, tried) in rows.iter_mut().zip(tried) {
        if let Some(tried) = tried {
            row.how = format!("{}; tried: {tried}", row.how).into();
        }
    }
}

/// Makes the rows of what each change does to the numbers of the paper: how many differ as traced and not under it, and how
/// many the other way round.
pub fn balance(rows: &[Comparison]) -> Vec<Comparison> {
    condition::changes().flat_map(|condition| balance_of(&condition.label(), rows)).collect()
}

fn balance_of(label: &str, rows: &[Comparison]) -> Vec<Comparison> {
    let change = Change::Before(label);
    let met = |row: &Comparison, again: &Comparison| Some((row.theirs.meets(row.ours?), row.theirs.meets(again.ours?)));
    let compared: Vec<(&Comparison, (bool, bool))> = rows
        .iter()
        .filter(|row| row.theirs != Theirs::Nothing)
        .filter_map(|row| Some((row, met(row, change.again(row, rows)?)?)))
        .collect();
    if compared.is_empty() {
        return Vec::new();
    }
    let row = |quantity: &str, chosen: (bool, bool)| {
        let names: Vec<String> = compared
            .iter()
            .filter(|(_, met)| *met == chosen)
            .map(|(row, _)| format!("{} ({})", row.place, row.quantity))
            .collect();
        let how = format!("of {} numbers of the paper: {}", compared.len(), listed(&names));
        Comparison::own(format!("Change: {label}"), quantity, "numbers", names.len() as f64, how)
    };
    vec![
        row("differ as traced, and not with it", (false, true)),
        row("differ with it, and not as traced", (true, false)),
    ]
}

/// Drops the rows of changes that tell nothing: what is within the tolerance as traced and with the change, too, or
/// compared with nothing. Settings keep all of theirs.
pub fn thin(rows: &mut Vec<Comparison>) {
    let labels: Vec<String> =
        condition::changes().filter(|condition| !condition.is_setting()).map(Condition::label).collect();
    let tells = |row: &Comparison| {
        let Some(place) = labels.iter().find_map(|label| row.place.strip_prefix(label)?.strip_prefix(": ")) else {
            return true;
        };
        let traced = rows.iter().find(|other| other.place == place && other.quantity == row.quantity);
        let compared = traced.filter(|traced| traced.theirs != Theirs::Nothing);
        compared.is_some_and(|traced| traced.differs() || row.ours.is_some_and(|ours| !traced.theirs.meets(ours)))
    };
    let keep: Vec<bool> = rows.iter().map(tells).collect();
    let mut keep = keep.into_iter();
    rows.retain(|_| keep.next().unwrap_or(true));
}

fn listed(names: &[String]) -> String {
    if names.is_empty() { "none".into() } else { names.join(", ") }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::trivial::Kind;

    fn row(place: &str, ours: f64) -> Comparison {
        let theirs = Theirs::Found { value: 1.0, tolerance: 0.1 };
        Comparison { theirs, ..Comparison::own(place, "time", "1", ours, "simulated") }.with_trivial(Kind::Change)
    }

    fn own(place: &str, ours: f64) -> Comparison {
        Comparison::own(place, "time", "1", ours, "simulated")
    }

    /// Twice the computation closes the gap of the first number and opens that of the second; the third differs whatever is
    /// changed. Under a setting the second differs because of the setting, and the others follow from those as traced.
    #[test]
    fn causes_by_hand() {
        let mut rows = vec![
            row("Fig. 1", 2.0),
            row("Fig. 2", 1.0),
            row("Fig. 3", 3.0),
            row("idle scale: Fig. 1", 3.0),
            row("idle scale: Fig. 2", 4.0),
            row("idle scale: Fig. 3", 5.0),
            own("computation, x 2: Fig. 1", 1.05),
            own("computation, x 2: Fig. 2", 6.0),
            own("computation, x 2: Fig. 3", 7.0),
        ];
        let balanced: Vec<f64> = balance_of("computation, x 2", &rows).iter().filter_map(|row| row.ours).collect();
        assert!(balanced == [1.0, 1.0] && balance_of("computation, x 4", &rows).is_empty());
        explain(&mut rows);
        let causes: Vec<Option<&str>> = rows.iter().map(|row| row.cause.as_deref()).collect();
        assert_eq!(causes[..3], [Some("it does not differ as \"computation, x 2\": 1.0500"), None, None]);
        assert!(
            causes[3].unwrap().starts_with("follows from Fig. 1: ")
                && causes[5].unwrap().starts_with("follows from Fig. 3: ")
        );
        assert_eq!(causes[4], Some("it does not differ as traced: 1.0000"));
        assert_eq!(rows[2].how, "simulated; tried: idle scale 5.00, computation, x 2 7.00");
        assert_eq!(rows[5].how, "simulated", "what follows was tried where it comes from");
        rows.extend([row("Fig. 4", 1.0), own("computation, x 2: Fig. 4", 1.01), own("computation, x 2: Fig. 5", 1.0)]);
        thin(&mut rows);
        let places: Vec<&str> = rows[6..].iter().map(|row| row.place.as_str()).collect();
        let kept = ["computation, x 2: Fig. 1", "computation, x 2: Fig. 2", "computation, x 2: Fig. 3", "Fig. 4"];
        assert_eq!(places, kept, "the fourth number is met both ways, and the fifth is none of the paper");
    }
}
