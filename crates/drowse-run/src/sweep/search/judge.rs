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

/// What was measured at a place of the grid: means over its seeds.
#[derive(Clone, Debug)]
pub struct Measured {
    /// The columns of the figures in the order of [`Search::figures`].
    columns: Vec<Option<f64>>,
    finished: bool,
    is_oracle: bool,
    /// The run time of the place or of its baseline, which is the shorter; of the oracle that of the baseline.
    pub shortest: Option<f64>,
}

impl Measured {
    /// Reads the rows of cases that differ in seeds only.
    pub fn of(search: &Search, rows: &[Row], is_oracle: bool) -> Self {
        let own = mean(rows, |row| row.number(cases::MAKESPAN_S)).filter(|_| !is_oracle);
        let of_baseline = |row: &Row| Some(row.number(cases::MAKESPAN_S)? / row.number(cases::RELATIVE_MAKESPAN)?);
        Measured {
            columns: search.figures().map(|name| of_figure(rows, name)).collect(),
            finished: !rows.is_empty(),
            is_oracle,
            shortest: own.into_iter().chain(mean(rows, of_baseline)).min_by(f64::total_cmp),
        }
    }
}

impl Judged {
    /// Judges a place; `shortest` is the shortest run time of all that run the same. The oracle needs to keep no
    /// condition: it is no answer, but the best that there could be.
    pub fn of(search: &Search, measured: &Measured, shortest: f64) -> Self {
        let mut figures = search.figures().zip(&measured.columns).map(|(name, value)| {
            let (_, form) = figure::column(name);
            value.map(|value| form.of(value, shortest))
        });
        let goal = figures.next().flatten();
        let terms = if measured.is_oracle { &[] } else { search.terms.as_slice() };
        Judged {
            goal: goal.unwrap_or(f64::INFINITY),
            finished: measured.finished,
            violations: terms.iter().zip(figures).map(|(term, figure)| term.violation(figure)).collect(),
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

/// Returns the mean of the column of a figure; `None` where no row has it.
fn of_figure(rows: &[Row], name: &str) -> Option<f64> {
    let (column, _) = figure::column(name);
    let of_key = |row: &Row| row.text(cases::SET.of(column)).parse().ok();
    mean(rows, |row| row.number(column).or_else(|| of_key(row)))
}

/// Returns the mean of what rows have; `None` where none has it.
fn mean(rows: &[Row], value: impl Fn(&Row) -> Option<f64>) -> Option<f64> {
    let sample: Sample = rows.iter().filter_map(value).collect();
    (sample.count > 0).then_some(sample.mean)
}
