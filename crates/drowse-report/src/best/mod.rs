//! Which case is the best: least in one figure, among those that keep a condition.
//!
//! A baseline is a case like any other. The oracle is no policy that can be built: it is never the answer, and the
//! answer says how far away that of the same network and programs is.

mod condition;
mod figure;
mod groups;
pub mod verify;

pub use condition::Missed;
pub use figure::Figure;

use drowse_tables::question::figure::meaning;
use drowse_tables::schema::cases;

use crate::baselines::ALWAYS_ON;
use crate::error::ReportError;
use crate::results::Results;
use crate::study::{Comparison, Study};
use crate::table::Table;
use condition::Condition;

/// A question about the cases of a folder.
#[derive(Clone, Copy, Debug)]
pub struct Question<'q> {
    /// The figure that should be small.
    pub minimize: &'q str,
    /// What a case must keep.
    pub condition: Option<&'q str>,
    /// Keys of the sweep: an answer is wanted for each of their values.
    pub by: &'q [String],
}

/// The answers to a question.
#[derive(Debug)]
pub struct Answer {
    /// The figure that should be small.
    pub goal: Figure,
    /// What cases are weighed against in the front: their slowdown, or the time or latency where there is no baseline;
    /// none where that is the goal.
    pub time: Option<Figure>,
    /// The share of energy that cases save, where there is a baseline.
    pub saved: Option<Figure>,
    /// The figures that compare something, and what with what.
    pub meanings: Vec<(String, String)>,
    /// The keys of [`Question::by`].
    pub by: Vec<String>,
    /// An answer for each combination of their values, in the order of the cases.
    pub groups: Vec<Group>,
    /// Pairs of groups whose answers differ by less than their 95 % confidence intervals.
    pub close: Vec<(usize, usize)>,
}

/// The cases that have the same values of the keys asked for.
#[derive(Debug)]
pub struct Group {
    /// These values, as they are written.
    pub values: Vec<String>,
    /// The short words of these.
    pub words: Vec<String>,
    /// Cases of policies that can be built.
    pub cases: usize,
    /// Those that keep the condition.
    pub keep: usize,
    /// The best of them; the first of several.
    pub best: Option<usize>,
    /// Others that are as good.
    pub equal: usize,
    /// The case that comes nearest to the condition where none keeps it, and what it misses.
    pub nearest: Option<(usize, Vec<Missed>)>,
    /// Cases that no other case betters in both goal and time, by time.
    pub front: Vec<usize>,
    /// The least goal of a case with the oracle that is otherwise the same as the best.
    pub oracle: Option<f64>,
    /// Whether its cases run different programs, whose figures cannot be compared.
    pub is_mixed: bool,
    /// What several seeds leave open.
    pub open: Open,
}

/// What several seeds leave open: their confidence intervals hold other answers.
#[derive(Debug, Default)]
pub struct Open {
    /// Other cases whose interval overlaps that of the best.
    pub rivals: Vec<usize>,
    /// Figures of the best case whose interval holds the bound of the condition.
    pub bounds: Vec<String>,
}

/// Answers a question.
pub fn best(results: &Results, study: &Study, question: &Question<'_>) -> Result<Answer, ReportError> {
    let table = &results.cases;
    let goal = Figure::find(table, study, question.minimize)
        .map_err(|(message, help)| ReportError::Question(format!("--minimize: error: {message}\nhelp: {help}")))?;
    let condition = question.condition.map(|text| Condition::parse(text, table, study)).transpose()?;
    let by = groups::columns(table, question.by)?;
    let time = time(table, study, &goal, condition.as_ref());
    let saved = Figure::find(table, study, "saved").ok();
    let asked = Asked { study, goal: &goal, time: time.as_ref(), condition: condition.as_ref() };
    let groups: Vec<Group> = groups::split(table, study, &by).into_iter().map(|split| asked.answer(split)).collect();
    let by = by.iter().map(|column| cases::SET.star(column).unwrap_or(column).to_owned()).collect();
    let close = close(&goal, &groups);
    let figures = condition.iter().flat_map(Condition::figures).chain([&goal]).chain(&time).chain(&saved);
    let meanings = meanings(study, figures);
    Ok(Answer { goal, time, saved, meanings, by, groups, close })
}

/// Chooses what cases are weighed against: the slowdown that the condition names; or that of the fastest where cases of
/// several baselines are compared.
fn time(table: &Table, study: &Study, goal: &Figure, condition: Option<&Condition>) -> Option<Figure> {
    let usual = ["slowdown-of-fastest", "slowdown"];
    let named = condition.into_iter().flat_map(Condition::figures).find(|figure| usual.contains(&figure.name.as_str()));
    let of_several = study.baseline.is_some() && study.comparison() != Comparison::Ratios;
    let first = if of_several { "slowdown-of-fastest" } else { "slowdown" };
    let names = named.map(|figure| figure.name.as_str()).into_iter().chain([first, "slowdown", "time", "latency"]);
    names.filter_map(|name| Figure::find(table, study, name).ok()).find(|time| !time.is_same(goal))
}

/// Says what figures compare with what, each once.
fn meanings<'f>(study: &Study, figures: impl Iterator<Item = &'f Figure>) -> Vec<(String, String)> {
    let is_always_on = study.baseline.as_deref() == Some(ALWAYS_ON);
    let base = if is_always_on { "the same case with all links on" } else { "its baseline" };
    let mut meanings: Vec<(String, String)> = Vec::new();
    for figure in figures {
        let meaning = meaning(&figure.name).filter(|_| meanings.iter().all(|(name, _)| *name != figure.name));
        meanings.extend(meaning.map(|meaning| (figure.name.clone(), meaning.replace("BASELINE", base))));
    }
    meanings
}

/// A question whose figures are found.
struct Asked<'a> {
    study: &'a Study,
    goal: &'a Figure,
    time: Option<&'a Figure>,
    condition: Option<&'a Condition>,
}

impl Asked<'_> {
    /// Answers for one group.
    fn answer(&self, groups::Split { values, words, rows }: groups::Split) -> Group {
        let of = |row: usize| self.goal.of(row);
        let rows: Vec<usize> = rows.into_iter().filter(|&row| !self.study.is_oracle(row)).collect();
        let keeps = |row: usize| self.condition.is_none_or(|condition| condition.holds(row));
        let kept: Vec<usize> = rows.iter().copied().filter(|&row| keeps(row) && of(row).is_some()).collect();
        let best =
            kept.iter().copied().min_by(|&a, &b| of(a).unwrap_or(f64::MAX).total_cmp(&of(b).unwrap_or(f64::MAX)));
        let equal = kept.iter().filter(|&&row| Some(row) != best && best.is_some_and(|best| of(row) == of(best)));
        let oracles = best.into_iter().flat_map(|best| self.study.oracles_of(best));
        let program = |row: &usize| self.study.cases[*row].program;
        Group {
            values,
            words,
            cases: rows.len(),
            keep: kept.len(),
            best,
            equal: equal.count(),
            nearest: if kept.is_empty() { self.nearest(&rows) } else { None },
            front: self.time.map(|time| front(self.goal, time, &rows)).unwrap_or_default(),
            oracle: oracles.filter_map(of).min_by(f64::total_cmp),
            is_mixed: !self.goal.is_ratio() && rows.iter().any(|row| program(row) != program(&rows[0])),
            open: best.map(|best| self.open(best, &kept)).unwrap_or_default(),
        }
    }

    /// Finds the case that comes nearest to the condition; of several the one that has the least.
    fn nearest(&self, rows: &[usize]) -> Option<(usize, Vec<Missed>)> {
        let condition = self.condition?;
        let missed = |&row: &usize| {
            let (missed, distance) = condition.missed(row)?;
            Some((distance, self.goal.of(row)?, row, missed))
        };
        let nearest = rows.iter().filter_map(missed).min_by(|a, b| a.0.total_cmp(&b.0).then(a.1.total_cmp(&b.1)))?;
        Some((nearest.2, nearest.3))
    }

    /// Returns what the intervals of the best case and of the others that keep the condition leave open.
    fn open(&self, best: usize, kept: &[usize]) -> Open {
        let is_rival = |&row: &usize| row != best && are_close(self.goal, row, best);
        let bounds = self.condition.into_iter().flat_map(|condition| condition.unsure(best));
        Open {
            rivals: kept.iter().copied().filter(is_rival).collect(),
            bounds: bounds.map(|figure| figure.name.clone()).collect(),
        }
    }
}

/// Returns whether two cases differ in a figure, but their intervals overlap. Without several seeds nothing is known of
/// chance.
fn are_close(figure: &Figure, one: usize, other: usize) -> bool {
    let of = |row: usize| Some((figure.of(row)?, figure.half_width(row)?));
    let overlap = |((one, ours), (other, theirs)): ((f64, f64), (f64, f64))| {
        one.total_cmp(&other).is_ne() && (one - other).abs() <= ours + theirs
    };
    of(one).zip(of(other)).is_some_and(overlap)
}

/// Finds the pairs of groups whose answers are close.
fn close(goal: &Figure, groups: &[Group]) -> Vec<(usize, usize)> {
    let best = |group: usize| groups[group].best;
    let pairs = (0..groups.len()).flat_map(|one| (one + 1..groups.len()).map(move |other| (one, other)));
    let is_close = |&(one, other): &(usize, usize)| {
        best(one).zip(best(other)).is_some_and(|(one, other)| are_close(goal, one, other))
    };
    pairs.filter(is_close).collect()
}

/// Returns the cases that no other betters in one figure without being worse in the other, by time.
fn front(goal: &Figure, time: &Figure, rows: &[usize]) -> Vec<usize> {
    let both = |&row: &usize| Some((time.of(row)?, goal.of(row)?, row));
    let mut cases: Vec<(f64, f64, usize)> = rows.iter().filter_map(both).collect();
    cases.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.total_cmp(&b.1)).then(a.2.cmp(&b.2)));
    let mut least: Option<(f64, f64)> = None;
    cases.retain(|&(time, goal, _)| {
        let better = least.is_none_or(|least| goal < least.1 || (time, goal) == least);
        if better {
            least = Some((time, goal));
        }
        better
    });
    cases.into_iter().map(|(.., row)| row).collect()
}
