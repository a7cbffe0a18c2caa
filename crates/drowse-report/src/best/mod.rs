//! Which case is the best: least in one figure, among those that keep a condition.
//!
//! The oracle is no policy that can be built: it is never the answer, and the answer says how far away it is.

mod condition;
mod figure;

pub use figure::Figure;

use std::collections::HashMap;

use crate::error::ReportError;
use crate::results::Results;
use crate::study::Study;
use crate::table::Table;
use condition::Condition;
use drowse_experiment::meant;
use drowse_tables::question::means_key;
use drowse_tables::schema::cases;

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
    /// The keys of [`Question::by`].
    pub by: Vec<String>,
    /// An answer for each combination of their values, in the order of the cases.
    pub groups: Vec<Group>,
}

/// The cases that have the same values of the keys asked for.
#[derive(Debug)]
pub struct Group {
    /// These values.
    pub values: Vec<String>,
    /// Cases of policies that can be built.
    pub cases: usize,
    /// Those that keep the condition.
    pub keep: usize,
    /// The best of them; the first of several.
    pub best: Option<usize>,
    /// Others that are as good.
    pub equal: usize,
    /// Cases that no other case betters in both goal and time, by time.
    pub front: Vec<usize>,
    /// The least goal of a case with the oracle.
    pub oracle: Option<f64>,
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
    let goal = Figure::find(table, question.minimize).map_err(|(message, help)| {
        let help = if help.is_empty() { help } else { format!("\nhelp: {help}") };
        ReportError::Question(format!("--minimize: error: {message}{help}"))
    })?;
    let condition = question.condition.map(|text| Condition::parse(text, table)).transpose()?;
    let mut times = ["slowdown", "time", "latency"].iter().filter_map(|name| Figure::find(table, name).ok());
    let time = times.find(|time| !time.is_same(&goal));
    let saved = Figure::find(table, "saved").ok();
    let by = columns(table, question.by)?;
    let mut places: HashMap<Vec<&str>, usize> = HashMap::new();
    let mut groups: Vec<(Vec<String>, Vec<usize>)> = Vec::new();
    for row in 0..table.len() {
        let values: Vec<&str> = by.iter().map(|column| table.named(row, column)).collect();
        let named = values.iter().map(|&value| value.to_owned()).collect();
        let place = *places.entry(values).or_insert(groups.len());
        if place == groups.len() {
            groups.push((named, Vec::new()));
        }
        groups[place].1.push(row);
    }
    let keeps = |row: usize| condition.as_ref().is_none_or(|condition| condition.holds(table, row));
    let group = |(values, rows): (Vec<String>, Vec<usize>)| {
        let of = |row: &usize| goal.of(table, *row);
        let (oracles, rows): (Vec<usize>, Vec<usize>) = rows.into_iter().partition(|&row| study.is_oracle(row));
        let kept: Vec<usize> = rows.iter().copied().filter(|&row| keeps(row) && of(&row).is_some()).collect();
        let best = kept.iter().copied().min_by(|a, b| of(a).unwrap_or(f64::MAX).total_cmp(&of(b).unwrap_or(f64::MAX)));
        let equal = kept.iter().filter(|&row| Some(*row) != best && best.is_some_and(|best| of(row) == of(&best)));
        let front = time.as_ref().map(|time| front(table, &goal, time, &rows)).unwrap_or_default();
        let oracle = oracles.iter().filter_map(of).min_by(f64::total_cmp);
        let open = best.map(|best| open(table, &goal, condition.as_ref(), best, &kept)).unwrap_or_default();
        Group { values, cases: rows.len(), keep: kept.len(), best, equal: equal.count(), front, oracle, open }
    };
    let groups = groups.into_iter().map(group).collect();
    let by = by.iter().map(|column| cases::SET.star(column).unwrap_or(column).to_owned()).collect();
    Ok(Answer { goal, time, saved, by, groups })
}

/// Returns what the intervals of the best case and of the others that keep the condition leave open.
fn open(table: &Table, goal: &Figure, condition: Option<&Condition>, best: usize, kept: &[usize]) -> Open {
    let ends = |row: usize| {
        let (value, half_width) = (goal.of(table, row)?, goal.half_width(table, row).unwrap_or(0.0));
        Some((value - half_width, value + half_width))
    };
    // Without several seeds nothing is known of chance.
    let known = |row: usize| goal.half_width(table, row).is_some();
    let overlaps = |row: usize| ends(row).zip(ends(best)).is_some_and(|(ours, best)| ours.0 <= best.1);
    let differs = |row: usize| goal.of(table, row) != goal.of(table, best);
    let rivals =
        kept.iter().copied().filter(|&row| row != best && known(best) && known(row) && overlaps(row) && differs(row));
    let bounds = condition.into_iter().flat_map(|condition| condition.unsure(table, best));
    Open { rivals: rivals.collect(), bounds: bounds.map(|figure| figure.name.clone()).collect() }
}

/// Returns the cases that no other betters in one figure without being worse in the other, by time.
fn front(table: &Table, goal: &Figure, time: &Figure, rows: &[usize]) -> Vec<usize> {
    let both = |&row: &usize| Some((time.of(table, row)?, goal.of(table, row)?, row));
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

/// Finds the columns of keys: by their whole path, by its beginning (`network`) or its end (`trace`).
fn columns(table: &Table, names: &[String]) -> Result<Vec<String>, ReportError> {
    let paths: Vec<&str> = table.columns().iter().filter_map(|name| cases::SET.star(name)).collect();
    let mut columns: Vec<String> = Vec::new();
    for name in names {
        let is_meant = |path: &&&str| means_key(name, path);
        let found: Vec<String> = paths.iter().filter(is_meant).map(|path| format!("set.{path}")).collect();
        if found.is_empty() {
            let known = if paths.is_empty() { "none".to_owned() } else { paths.join(", ") };
            let help = format!("{}keys of this sweep: {known}", meant(name, &paths));
            let message = format!("--by: error: no key of the sweep is named `{name}`\nhelp: {help}");
            return Err(ReportError::Question(message));
        }
        columns.extend(found.into_iter().filter(|column| !columns.contains(column)).collect::<Vec<_>>());
    }
    Ok(columns)
}
