//! What a number differs for: it is run again with one thing changed, and differs no longer.

use crate::comparison::Comparison;

/// A change with which numbers are run again, by how their rows are named then.
#[derive(Clone, Copy, Debug)]
pub enum Change<'a> {
    /// It is named before the place.
    Before(&'a str),
    /// It is named after the quantity.
    After(&'a str),
    /// The quantity has other words in place of the first.
    Instead(&'a str, &'a str),
}

impl<'a> Change<'a> {
    /// Returns its name.
    pub const fn name(self) -> &'a str {
        let (Change::Before(name) | Change::After(name) | Change::Instead(_, name)) = self;
        name
    }

    /// Returns the row of a number with it, if there is one.
    pub fn again<'b>(self, row: &Comparison, comparisons: &'b [Comparison]) -> Option<&'b Comparison> {
        let (place, quantity) = match self {
            Change::Before(name) => (format!("{name}: {}", row.place), row.quantity.clone()),
            Change::After(name) => (row.place.clone(), format!("{}, {name}", row.quantity)),
            Change::Instead(words, name) => (row.place.clone(), row.quantity.replace(words, name)),
        };
        let is_other = place != row.place || quantity != row.quantity;
        comparisons.iter().find(|other| is_other && other.place == place && other.quantity == quantity)
    }
}

/// Notes the cause of each number that differs: the first change with which it does not differ. Some have none.
pub fn find(comparisons: &mut [Comparison], changes: &[Change<'_>]) {
    let caused = |row: &Comparison| changes.iter().find_map(|&change| cause(row, change, comparisons));
    let causes: Vec<Option<String>> = comparisons.iter().map(caused).collect();
    for (row, cause) in comparisons.iter_mut().zip(causes) {
        row.cause = row.cause.take().or(cause);
    }
}

/// Notes a band as the cause of each number that differs and has none yet: the paper's number lies between ours of two
/// changes that are named after the quantity.
pub fn between(comparisons: &mut [Comparison], names: &[String]) {
    let causes: Vec<Option<String>> = comparisons.iter().map(|row| band(row, names, comparisons)).collect();
    for (row, cause) in comparisons.iter_mut().zip(causes) {
        row.cause = row.cause.take().or(cause);
    }
}

/// Returns the two neighbours of a band between which the paper's number lies.
fn band(row: &Comparison, names: &[String], comparisons: &[Comparison]) -> Option<String> {
    let theirs = row.theirs.value().filter(|_| row.differs())?;
    let of_name = |name: &String| {
        let quantity = format!("{}, {name}", row.quantity);
        comparisons.iter().find(|other| other.place == row.place && other.quantity == quantity)?.ours
    };
    let band: Vec<(&String, f64)> = names.iter().filter_map(|name| Some((name, of_name(name)?))).collect();
    let around = |pair: &&[(&String, f64)]| pair[0].1.min(pair[1].1) < theirs && theirs < pair[0].1.max(pair[1].1);
    let [(a, x), (b, y)] = band.windows(2).find(around)?.try_into().ok()?;
    Some(format!("it lies between \"{a}\" and \"{b}\": {x:.4} and {y:.4}"))
}

/// Returns a change as the cause of a difference, if ours is accepted with it.
fn cause(row: &Comparison, change: Change<'_>, comparisons: &[Comparison]) -> Option<String> {
    if !row.differs() {
        return None;
    }
    let ours = change.again(row, comparisons)?.ours.filter(|&ours| row.theirs.meets(ours))?;
    let name = change.name();
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

    /// Of a band of three, the paper's 1 lies between the second and the third; without a band, or beside it, there is no
    /// cause.
    #[test]
    fn a_band_around_the_number() {
        let mut rows = vec![
            row("Fig. 1", "time", 2.0),
            row("Fig. 1", "time, a", 1.9),
            row("Fig. 1", "time, b", 1.4),
            row("Fig. 1", "time, c", 0.7),
            row("Fig. 2", "time", 2.0),
            row("Fig. 2", "time, a", 1.9),
            row("Fig. 2", "time, c", 1.4),
            row("Fig. 3", "time", 1.0),
        ];
        between(&mut rows, &["a", "b", "c"].map(str::to_owned));
        let causes: Vec<Option<&str>> = rows.iter().map(|row| row.cause.as_deref()).collect();
        assert_eq!(causes[0], Some("it lies between \"b\" and \"c\": 1.4000 and 0.7000"));
        assert_eq!(causes[1..], [None; 7]);
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
