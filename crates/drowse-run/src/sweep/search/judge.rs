//! What cases are worth in a search.

use std::cmp::Ordering;

use drowse_experiment::Search;
use drowse_tables::Row;
use drowse_tables::interval::Sample;
use drowse_tables::question::figure;
use drowse_tables::schema::cases;

/// What a place of the grid is worth: a mean over its seeds.
#[derive(Clone, Debug, PartialEq)]
pub struct Judged {
    /// The figure that should be small; without end where there is none.
    pub goal: f64,
    /// Whether one of its cases has run to its end.
    pub finished: bool,
    /// How far each term of the condition is from being kept; `None` where it is.
    pub violations: Vec<Option<f64>>,
}

/// How good a place is: the least is the best.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Standing {
    /// How far the condition is from being kept; 0 where it is.
    pub violation: f64,
    /// The figure that should be small.
    pub goal: f64,
}

impl Judged {
    /// Judges the rows of cases that differ in seeds only. The oracle needs to keep no condition: it is no answer, but
    /// the best that there could be.
    pub fn of(search: &Search, rows: &[Row], is_oracle: bool) -> Self {
        let goal = mean(rows, &search.minimize);
        let terms = if is_oracle { &[] } else { search.terms.as_slice() };
        Judged {
            goal: goal.unwrap_or(f64::INFINITY),
            finished: !rows.is_empty(),
            violations: terms.iter().map(|term| term.violation(mean(rows, &term.figure))).collect(),
        }
    }

    /// Returns whether there is a figure, of those in the order of [`Search::figures`].
    pub fn has(&self, figure: usize) -> bool {
        match figure.checked_sub(1) {
            None => self.goal.is_finite(),
            Some(term) => self.violations.get(term).is_some_and(|violation| *violation != Some(f64::INFINITY)),
        }
    }

    /// Returns how good the place is.
    pub fn standing(&self) -> Standing {
        // A case without the figure is no answer, whatever it keeps.
        let absent = if self.goal.is_finite() { 0.0 } else { f64::INFINITY };
        // A bound that is met and excluded is violated, by as little as there is.
        let violated = self.violations.iter().flatten().map(|violation| violation.max(f64::MIN_POSITIVE));
        Standing { violation: violated.sum::<f64>() + absent, goal: self.goal }
    }
}

impl Eq for Standing {}

impl PartialOrd for Standing {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Standing {
    fn cmp(&self, other: &Self) -> Ordering {
        self.violation.total_cmp(&other.violation).then(self.goal.total_cmp(&other.goal))
    }
}

/// Returns the mean of a figure; `None` where no row has it.
fn mean(rows: &[Row], name: &str) -> Option<f64> {
    let (column, form) = figure::column(name);
    let of_key = |row: &Row| row.text(cases::SET.of(column)).parse().ok();
    let sample: Sample = rows.iter().filter_map(|row| row.number(column).or_else(|| of_key(row))).collect();
    (sample.count > 0).then(|| form.of(sample.mean))
}
