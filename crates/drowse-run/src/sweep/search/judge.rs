//! What cases are worth in a search.

use std::cmp::Ordering;

use drowse_experiment::Search;
use drowse_tables::Row;
use drowse_tables::interval::Sample;
use drowse_tables::question::condition::Term;
use drowse_tables::question::figure;
use drowse_tables::question::spread::Spread;
use drowse_tables::schema::cases;

/// What a place of the grid is worth: a mean over its seeds.
#[derive(Clone, Debug, PartialEq)]
pub struct Judged {
    /// The figure that should be small; without end where there is none.
    pub goal: f64,
    /// Whether one of its cases has run to its end.
    pub finished: bool,
    /// How far each term of the condition is from being kept; `None` where it is, or may be.
    pub violations: Vec<Option<f64>>,
    /// How far the terms together are from being kept for certain; 0 where they are.
    pub doubt: f64,
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
    /// Judges a place by figures that may be off by these spreads; `shortest` is the shortest run time of all that run the
    /// same. The oracle needs to keep no condition: it is no answer, but the best that there could be.
    pub fn of(search: &Search, spreads: &[Spread], measured: &Measured, shortest: f64) -> Self {
        let mut figures = search.figures().zip(&measured.columns).map(|(name, value)| {
            let (_, form) = figure::column(name);
            value.map(|value| form.of(value, shortest))
        });
        let goal = figures.next().flatten();
        let terms = if measured.is_oracle { &[] } else { search.terms.as_slice() };
        let spreads = spreads.iter().skip(1).copied().chain(std::iter::repeat(Spread::default()));
        let known: Vec<(&Term, Option<f64>, Spread)> =
            terms.iter().zip(figures).zip(spreads).map(|((term, figure), spread)| (term, figure, spread)).collect();
        // A bound that is met and excluded is violated, by as little as there is.
        let missed = |term: &Term, figure| term.violation(figure).unwrap_or(0.0).max(f64::MIN_POSITIVE);
        let violation = |&(term, figure, spread): &(&Term, Option<f64>, Spread)| {
            let may = figure.is_some_and(|value| term.may_hold(spread.around(value)));
            (!may).then(|| missed(term, figure))
        };
        let doubt = |&(term, figure, spread): &(&Term, Option<f64>, Spread)| {
            let ends = figure.map(|value| spread.around(value));
            let sure = ends.is_some_and(|ends| term.surely_holds(ends));
            let worst =
                || ends.map_or(f64::INFINITY, |[low, high]| missed(term, Some(low)).max(missed(term, Some(high))));
            if sure { 0.0 } else { worst() }
        };
        Judged {
            goal: goal.unwrap_or(f64::INFINITY),
            finished: measured.finished,
            violations: known.iter().map(violation).collect(),
            doubt: known.iter().map(doubt).sum(),
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
        Standing { violation: self.doubt + absent, goal: self.goal }
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
