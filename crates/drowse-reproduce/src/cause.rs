//! What a number differs for: it is run again with one thing changed, and differs no longer.

use crate::comparison::Comparison;

/// A change with which numbers are run again, by how their rows are named then.
#[derive(Clone, Copy, Debug)]
pub enum Change<'a> {
    /// It is named before the place.
    Before(&'a str),
    /// It is named after the quantity.
    After(&'a str),
}

/// Gives each number that differs the first change with which it does not as its cause. Some have none.
pub fn find(comparisons: &mut [Comparison], changes: &[Change<'_>]) {
    let caused = |row: &Comparison| changes.iter().find_map(|&change| cause(row, change, comparisons));
    let causes: Vec<Option<String>> = comparisons.iter().map(caused).collect();
    for (row, cause) in comparisons.iter_mut().zip(causes) {
        row.cause = row.cause.take().or(cause);
    }
}

/// Returns a change as the cause of a difference, if ours is accepted with it.
fn cause(row: &Comparison, change: Change<'_>, comparisons: &[Comparison]) -> Option<String> {
    if !row.differs() {
        return None;
    }
    let (place, quantity) = match change {
        Change::Before(name) => (format!("{name}: {}", row.place), row.quantity.clone()),
        Change::After(name) => (row.place.clone(), format!("{}, {name}", row.quantity)),
    };
    let again = comparisons.iter().find(|other| other.place == place && other.quantity == quantity)?;
    let ours = again.ours.filter(|&ours| row.theirs.meets(ours))?;
    let (Change::Before(name) | Change::After(name)) = change;
    Some(format!("it does not differ as \"{name}\": {ours:.4}"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::comparison::Theirs;
    use crate::trivial::Kind;

    fn row(place: &str, quantity: &str, ours: f64) -> Comparison {
        let theirs = Theirs::Found { value: 1.0, tolerance: 0.1 };
        Comparison { theirs, ..Comparison::own(place, quantity, "1", ours, "simulated") }.with_trivial(Kind::Change)
    }

    /// Of four numbers that differ the change of one closes the gap, one comes nearer but not near enough, one was not run
    /// again, and one has a cause already; what does not differ needs none.
    #[test]
    fn the_change_that_closes_the_gap() {
        let mut rows = vec![
            row("Fig. 1", "time", 2.0),
            row("Fig. 1", "power", 2.0),
            row("Fig. 2", "time", 2.0),
            row("Fig. 3", "time", 2.0).with_cause("arithmetic"),
            row("Fig. 4", "time", 1.0),
            row("slow: Fig. 1", "time", 1.05),
            row("slow: Fig. 1", "power", 1.5),
            row("slow: Fig. 3", "time", 1.0),
            row("slow: Fig. 4", "time", 1.0),
            row("Fig. 1", "power, by hand", 0.95),
        ];
        find(&mut rows[..9], &[Change::Before("slow")]);
        let causes = |rows: &[Comparison]| rows.iter().map(|row| row.cause.clone()).collect::<Vec<_>>();
        let slow = Some("it does not differ as \"slow\": 1.0500".to_owned());
        assert_eq!(causes(&rows[..5]), [slow, None, None, Some("arithmetic".into()), None]);
        find(&mut rows, &[Change::Before("slow"), Change::After("by hand")]);
        assert_eq!(rows[1].cause.as_deref(), Some("it does not differ as \"by hand\": 0.9500"));
        assert_eq!(rows[8].cause, None);
    }
}
