//! What commands print, for those who show it elsewhere than on a terminal.

use drowse_report::Study;
use drowse_report::best::{Answer, Question};
use drowse_run::outcome::Outcome;
use drowse_tables::Row;
use serde_json::Value;

use crate::output::summary::{self, Baseline};
use crate::output::{best, deadlock, network};

/// Returns the table of `drowse run`: the most important figures of a case, and beside it of its baseline by its name.
pub fn short(outcome: &Outcome, baseline: Option<(&str, &Outcome)>) -> String {
    summary::short(outcome, named(baseline).as_ref())
}

/// Returns the table of `drowse run --details`: all figures.
pub fn details(outcome: &Outcome, baseline: Option<(&str, &Outcome)>) -> String {
    summary::details(outcome, named(baseline).as_ref())
}

fn named<'a>(baseline: Option<(&'a str, &'a Outcome)>) -> Option<Baseline<'a>> {
    baseline.map(|(name, outcome)| Baseline { name, outcome })
}

/// Returns the answer of `drowse best` as a text.
pub fn answer(study: &Study, question: &Question<'_>, answer: &Answer) -> String {
    best::text(study, question, answer)
}

/// Returns the answer of `drowse best` as JSON.
pub fn answer_json(study: &Study, answer: &Answer) -> Value {
    best::json(study, answer)
}

/// Returns the table of `drowse network`.
pub fn network(title: &str, row: &Row) -> String {
    network::table(title, row)
}

/// Returns the sentence of `drowse network --check`.
pub fn deadlock(row: &Row) -> String {
    deadlock::sentence(row)
}
