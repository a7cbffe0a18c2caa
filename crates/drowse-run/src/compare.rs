//! Compares a finished case with a finished baseline.

use drowse_experiment::System;
use drowse_tables::Row;
use drowse_tables::schema::{Column, cases};

use crate::figures::{cost, jobs};
use crate::outcome::{Outcome, Relative};

/// Returns the figures of a case that need a baseline.
pub fn relative(outcome: &Outcome, baseline: &Outcome) -> Relative {
    let mut figures = savings(outcome, baseline);
    figures.append(ratios(outcome, baseline));
    Relative { figures, jobs: jobs::relative(&outcome.summary.jobs, &baseline.summary.jobs) }
}

/// Returns the ratios of a case's figures to those of its baseline.
fn ratios(outcome: &Outcome, baseline: &Outcome) -> Row {
    let mut row = Row::new();
    let mut push = |name: Column, figure| row.push_some(name, ratio(outcome, baseline, figure));
    push(cases::RELATIVE_MAKESPAN, cases::MAKESPAN_S);
    if same_reference(&outcome.case.system, &baseline.case.system) {
        push(cases::RELATIVE_E_NET, cases::ENERGY_E_NET);
    }
    push(cases::RELATIVE_LINKS, cases::ENERGY_LINKS_ALL);
    push(cases::RELATIVE_EDP, cases::ENERGY_EDP);
    row
}

/// Returns the ratio of one figure; `None` where either lacks it, or the baseline's is 0.
fn ratio(outcome: &Outcome, baseline: &Outcome, figure: Column) -> Option<f64> {
    let [ours, theirs] = [outcome, baseline].map(|outcome| outcome.summary.figures.number(figure));
    let theirs = theirs.filter(|&theirs| theirs > 0.0)?;
    ours.map(|ours| ours / theirs)
}

/// Returns whether two systems' network energies are shares of the same reference network's power.
fn same_reference(a: &System, b: &System) -> bool {
    let same_ports = a.ports() == b.ports();
    a.model.reference == b.model.reference && (a.model.reference.is_some() || same_ports)
}

/// Returns what a case saves of the cost of its `[cost]`. Both networks must have as many links, since the links' share
/// of the system's energy is that of the baseline's.
fn savings(outcome: &Outcome, baseline: &Outcome) -> Row {
    let of_links = ratio(outcome, baseline, cases::ENERGY_LINKS_ALL);
    let of_time = ratio(outcome, baseline, cases::MAKESPAN_S);
    let links = [outcome, baseline].map(|outcome| outcome.case.system.network.links());
    match (&outcome.case.system.cost, of_links.zip(of_time)) {
        (Some(model), Some((energy, makespan))) if links[0] == links[1] => cost::savings(model, energy, makespan),
        _ => Row::new(),
    }
}
