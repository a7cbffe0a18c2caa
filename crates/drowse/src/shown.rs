//! What commands print, for those who show it elsewhere than on a terminal.

use drowse_report::Study;
use drowse_report::best::{Answer, Question};
use drowse_run::outcome::Outcome;
use drowse_run::sweep::search::Found;
use drowse_run::sweep::status::Status;
use drowse_tables::Row;
use serde_json::Value;

use crate::command;
use crate::output::summary::{self, Baseline};
use crate::output::{best, deadlock, network, search, status as counts};

/// Returns the table of `drowse run`: the most important figures of a case, and beside it of its baseline by its name.
pub fn short(outcome: &Outcome, baseline: Option<(&str, &Outcome)>) -> String {
    summary::short(outcome, named(baseline).as_ref())
}

/// Returns the table of `drowse run --details`: all figures.
pub fn details(outcome: &Outcome, baseline: Option<(&str, &Outcome)>) -> String {
    summary::details(outcome, named(baseline).as_ref(), &[summary::Section::All])
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

/// Returns the answer of `drowse search` as a text.
pub fn found(study: &Study, question: &Question<'_>, answer: &Answer, found: &Found) -> String {
    search::text(study, question, answer, found, None)
}

/// Returns the answer of `drowse search` as JSON.
pub fn found_json(study: &Study, answer: &Answer, found: &Found) -> Value {
    search::json(study, answer, found, None)
}

/// Returns the table of `drowse status`.
pub fn status(status: &Status) -> String {
    counts::table(status)
}

/// Returns the counts of `drowse status` as JSON.
pub fn status_json(status: &Status) -> Value {
    counts::json(status)
}

/// Returns the link states of `drowse states` as JSON.
pub fn link_states_json() -> Value {
    command::states::all()
}

/// Returns the switches, modules and NICs of `drowse devices` as JSON.
pub fn devices_json() -> Value {
    command::devices::all()
}
