//! Which cases that flows have found packets must verify, and by how much flows are off.
//!
//! Cases run by both are pairs: how far their figures differ is the spread of 95 % of them. A case may be the answer, or
//! on the front, if no other betters it by more than these spreads and if it may keep the condition within them. What
//! packets have run counts as they say.

use std::collections::HashMap;

use drowse_tables::question::spread::Spread;
use drowse_tables::schema::cases;

use super::condition::Condition;
use super::{Answer, Figure, Question, best, groups};
use crate::error::ReportError;
use crate::keys;
use crate::results::Results;
use crate::study::Study;
use crate::table::Table;

/// The share of pairs that a spread keeps.
const SHARE: f64 = 0.95;

/// What packets have verified of a question, and what is left.
#[derive(Clone, Debug)]
pub struct Verified {
    /// The spread of each figure that is asked for, each once.
    pub spreads: Vec<(String, Spread)>,
    /// Cases by flows that packets have run, too.
    pub pairs: usize,
    /// Those of them that were drawn.
    pub drawn: usize,
    /// Cases by flows.
    pub cases: usize,
    /// The ids, by flows, of cases that packets must run before the answer is known.
    pub pending: Vec<String>,
    /// The name of the best case by flows alone, of each group.
    pub by_flows: Vec<Option<String>>,
}

impl Verified {
    /// Returns the spread of a figure by its name.
    pub fn spread(&self, name: &str) -> Spread {
        self.spreads.iter().find(|(known, _)| known == name).map(|(_, spread)| *spread).unwrap_or_default()
    }
}

/// Compares cases by flows with those that packets have run of them, if some have; so many cases are drawn as pairs.
pub fn verify(
    flows: &Results,
    packets: Option<&Results>,
    question: &Question<'_>,
    draw: usize,
) -> Result<Verified, ReportError> {
    let study = Study::new(flows);
    let answer = best(flows, &study, question)?;
    let condition = question.condition.map(|text| Condition::parse(text, &flows.cases, &study)).transpose()?;
    let asked = Asked::new(flows, &study, packets, &answer, condition.as_ref());
    let drawn = asked.drawn(draw);
    let by = groups::columns(&flows.cases, question.by)?;
    let mut wanted = drawn.clone();
    for (split, group) in groups::split(&flows.cases, &study, &by).iter().zip(&answer.groups) {
        let nearest = group.nearest.as_ref().map(|(row, _)| *row);
        let found = asked.candidates(&split.rows, nearest);
        wanted.extend(found.iter().flat_map(|&row| study.oracles_of(row)));
        wanted.extend(found);
    }
    wanted.sort_unstable();
    wanted.dedup();
    let has_pair = |row: &usize| asked.pairs[*row].is_some();
    let pending = wanted.iter().filter(|row| !has_pair(row)).flat_map(|&row| ids(&flows.cases, row)).collect();
    let label = |row: usize| study.cases[row].label.clone();
    Ok(Verified {
        spreads: asked.figures.iter().map(|figure| (figure.flows.name.clone(), figure.spread)).collect(),
        pairs: asked.cases().filter(has_pair).count(),
        drawn: drawn.iter().filter(|row| has_pair(row)).count(),
        cases: asked.cases().count(),
        pending,
        by_flows: answer.groups.iter().map(|group| group.best.map(label)).collect(),
    })
}

/// Returns the ids of the cases that a row stands for.
fn ids(table: &Table, row: usize) -> Vec<String> {
    let (table, rows) = table.members(row);
    rows.iter().map(|&row| table.named(row, cases::CASE_ID.name).to_owned()).collect()
}

/// A figure by flows and by packets.
struct Both<'a> {
    flows: &'a Figure,
    /// By packets, in the rows of flows.
    packets: Vec<Option<f64>>,
    spread: Spread,
}

impl Both<'_> {
    /// Returns the least and the largest value that a case has by packets; `None` where it has no such figure.
    fn ends(&self, row: usize) -> Option<[f64; 2]> {
        match self.packets[row] {
            Some(value) => Some([value, value]),
            None => Some(self.spread.around(self.flows.of(row)?)),
        }
    }
}

/// A question to flows and packets.
struct Asked<'a> {
    study: &'a Study,
    /// The goal, what it is weighed against if there is something, and the figures of the condition; each once.
    figures: Vec<Both<'a>>,
    condition: Option<&'a Condition>,
    has_time: bool,
    /// The row of packets for each of flows.
    pairs: Vec<Option<usize>>,
}

impl<'a> Asked<'a> {
    fn new(
        flows: &Results,
        study: &'a Study,
        packets: Option<&Results>,
        answer: &'a Answer,
        condition: Option<&'a Condition>,
    ) -> Self {
        let pairs =
            packets.map_or_else(|| vec![None; flows.cases.len()], |packets| pairs(&flows.cases, &packets.cases));
        let of_condition = condition.into_iter().flat_map(Condition::figures);
        let mut known: Vec<&Figure> = Vec::new();
        for figure in std::iter::once(&answer.goal).chain(&answer.time).chain(of_condition) {
            if !known.iter().any(|other| other.name == figure.name) {
                known.push(figure);
            }
        }
        let theirs = packets.map(|packets| (packets, Study::new(packets)));
        let both = |figure: &'a Figure| {
            let found = theirs.as_ref().and_then(|(all, study)| Figure::find(&all.cases, study, &figure.name).ok());
            let packets: Vec<Option<f64>> = pairs.iter().map(|&row| found.as_ref()?.of(row?)).collect();
            let is_own = |row: usize| study.cases[row].baseline == Some(row);
            // A baseline is as it is beside itself, whatever moves.
            let values = (0..pairs.len()).filter(|&row| !is_own(row));
            let values: Vec<(f64, f64)> = values.filter_map(|row| figure.of(row).zip(packets[row])).collect();
            Both { flows: figure, packets, spread: Spread::of_pairs(&values, SHARE, !figure.is_ratio()) }
        };
        let figures = known.into_iter().map(both).collect();
        Asked { study, figures, condition, has_time: answer.time.is_some(), pairs }
    }

    /// Returns the rows that are cases of their own, rather than what others are compared with.
    fn cases(&self) -> impl Iterator<Item = usize> {
        (0..self.pairs.len()).filter(|&row| self.study.cases[row].baseline != Some(row))
    }

    /// Draws cases. Their ids are hashes of all that they depend on, so the least of these are as good as random.
    fn drawn(&self, count: usize) -> Vec<usize> {
        let mut rows: Vec<usize> = self.cases().collect();
        rows.sort_by(|&one, &other| self.study.cases[one].id.cmp(&self.study.cases[other].id));
        rows.truncate(count);
        rows
    }

    /// Returns the rows of a group that may be the answer or on the front; or else that which comes nearest to it.
    fn candidates(&self, rows: &[usize], nearest: Option<usize>) -> Vec<usize> {
        let goal = |row: usize| self.figures[0].ends(row);
        let rows: Vec<usize> =
            rows.iter().copied().filter(|&row| !self.study.is_oracle(row) && goal(row).is_some()).collect();
        let may: Vec<usize> = rows.iter().copied().filter(|&row| self.may_keep(row)).collect();
        if may.is_empty() {
            return nearest.into_iter().collect();
        }
        let sure: Vec<usize> = may.iter().copied().filter(|&row| self.surely_keeps(row)).collect();
        may.into_iter().filter(|&row| !sure.iter().any(|&other| self.betters(other, row))).collect()
    }

    /// Returns whether one case is better than another in goal, and not worse in time, whatever the spreads.
    fn betters(&self, one: usize, other: usize) -> bool {
        let apart = |figure: &Both<'_>| Some(figure.ends(other)?[0] - figure.ends(one)?[1]);
        let in_goal = apart(&self.figures[0]).is_some_and(|apart| apart > 0.0);
        let in_time = || apart(&self.figures[1]).is_some_and(|apart| apart >= 0.0);
        in_goal && (!self.has_time || in_time())
    }

    fn may_keep(&self, row: usize) -> bool {
        let terms = self.condition.map_or(&[][..], Condition::terms);
        terms.iter().all(|(term, figure)| self.ends(figure, row).is_some_and(|ends| term.may_hold(ends)))
    }

    fn surely_keeps(&self, row: usize) -> bool {
        let terms = self.condition.map_or(&[][..], Condition::terms);
        terms.iter().all(|(term, figure)| self.ends(figure, row).is_some_and(|ends| term.surely_holds(ends)))
    }

    fn ends(&self, figure: &Figure, row: usize) -> Option<[f64; 2]> {
        self.figures.iter().find(|both| both.flows.name == figure.name)?.ends(row)
    }
}

/// Finds the row of packets for each row of flows: it has the same values of all keys, but for seeds, which are all in one
/// row.
fn pairs(flows: &Table, packets: &Table) -> Vec<Option<usize>> {
    let key = |table: &Table, row: usize| {
        let of = |(column, path): (usize, &str)| format!("{path}={}", table.text(row, Some(column)));
        let is_seed = |path: &str| path.rsplit('.').next() == Some("seed");
        let paths = keys::paths(table).into_iter().filter(|(_, path)| !is_seed(path));
        let mut words: Vec<String> = paths.map(of).collect();
        words.push(table.named(row, cases::BASELINE.name).to_owned());
        words
    };
    let known: HashMap<Vec<String>, usize> = (0..packets.len()).map(|row| (key(packets, row), row)).collect();
    (0..flows.len()).map(|row| known.get(&key(flows, row)).copied()).collect()
}
