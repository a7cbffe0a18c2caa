//! A number that differs, and the same number with something changed.

use crate::cause::{self, Change};
use crate::comparison::Comparison;

/// Returns a number, and that with the first change with which it does not differ, which is its cause; or it says what was
/// tried.
pub fn explained(mut usual: Comparison, again: &[(&str, Comparison)]) -> Vec<Comparison> {
    if !usual.differs() || again.is_empty() {
        return vec![usual];
    }
    let Some((change, row)) = again.iter().find(|(_, row)| !row.differs()) else {
        let tried = again.iter().filter_map(|(change, row)| Some(format!("{change}: {:.3}", row.ours?)));
        usual.how = format!("{}; tried: {}", usual.how, tried.collect::<Vec<_>>().join(", ")).into();
        return vec![usual];
    };
    let place = format!("{change}: {}", usual.place);
    let cause = row.ours.map(|ours| Comparison::own(place, usual.quantity.clone(), usual.unit, ours, row.how.clone()));
    let mut rows: Vec<Comparison> = std::iter::once(usual).chain(cause).collect();
    cause::find(&mut rows, &[Change::Before(change)]);
    rows
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::comparison::Theirs;
    use crate::trivial::Kind;

    fn row(ours: f64) -> Comparison {
        let theirs = Theirs::Found { value: 1.0, tolerance: 0.1 };
        Comparison { theirs, ..Comparison::own("set C", "time", "1", ours, "simulated") }.with_trivial(Kind::Change)
    }

    #[test]
    fn causes_and_what_was_tried() {
        let explain = |usual, again: &[(&str, Comparison)]| explained(row(usual), again);
        let rows = explain(2.0, &[("fast", row(1.5)), ("slow", row(0.95)), ("slower", row(1.0))]);
        assert_eq!(rows[0].cause.as_deref(), Some("it does not differ as \"slow\": 0.9500"));
        assert_eq!(
            (rows[1].place.as_str(), rows[1].ours, &rows[1].theirs),
            ("slow: set C", Some(0.95), &Theirs::Nothing)
        );
        let rows = explain(2.0, &[("fast", row(1.5)), ("slow", row(0.5))]);
        assert_eq!(
            (rows.len(), &*rows[0].how, &rows[0].cause),
            (1, "simulated; tried: fast: 1.500, slow: 0.500", &None)
        );
        assert_eq!(explain(1.05, &[("slow", row(1.0))]), [row(1.05)]);
        assert_eq!(explain(2.0, &[]), [row(2.0)]);
    }
}
