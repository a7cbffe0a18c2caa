//! Compares a finished case with a finished baseline.

use drowse_experiment::System;
use drowse_tables::schema::{Column, cases};
use drowse_tables::{Row, Value};

use crate::figures::{cost, jobs};
use crate::outcome::{Outcome, Relative};

const BILLION: u128 = 1_000_000_000;

/// Returns the figures of a case that need a baseline.
pub fn relative(outcome: &Outcome, baseline: &Outcome) -> Relative {
    let mut figures = savings(outcome, baseline);
    figures.append(ratios(outcome, baseline));
    figures.append(bound(outcome, baseline));
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
    // Where there is no run time, the energy is that of a window.
    if outcome.record.makespan.is_some() {
        push(cases::RELATIVE_LINKS_SWITCH_J, cases::ENERGY_LINKS_SWITCH_J);
        push(cases::RELATIVE_LINKS_J, cases::ENERGY_LINKS_ALL_J);
        push(cases::RELATIVE_NETWORK_J, cases::ENERGY_NETWORK_J);
        push(cases::RELATIVE_NODES_J, cases::ENERGY_NODES_J);
        push(cases::RELATIVE_TOTAL_J, cases::ENERGY_TOTAL_J);
    }
    row
}

/// Returns the bound that a policy was to keep, and whether the run is longer by more. Only against the same network
/// with all links on is the difference due to waking.
fn bound(outcome: &Outcome, baseline: &Outcome) -> Row {
    let mut row = Row::new();
    let same = outcome.case.system.topology == baseline.case.system.topology && baseline.case.is_always_on();
    let bound = outcome.case.system.policy.bound().filter(|_| same);
    if let (Some(billionths), Some(ours), Some(theirs)) = (bound, outcome.record.makespan, baseline.record.makespan) {
        let lost = u128::from(ours.saturating_sub(theirs).0) * BILLION;
        row.push(cases::RELATIVE_BOUND, f64::from(billionths) / BILLION as f64);
        row.push(cases::RELATIVE_BOUND_EXCEEDED, lost > u128::from(theirs.0) * u128::from(billionths));
    }
    row
}

/// Returns what to say of a run that took longer than its bound allows.
pub fn exceeded(relative: &Relative) -> Option<String> {
    let figures = &relative.figures;
    let over = figures.get(cases::RELATIVE_BOUND_EXCEEDED) == Some(&Value::from(true));
    let (makespan, bound) = figures.number(cases::RELATIVE_MAKESPAN).zip(figures.number(cases::RELATIVE_BOUND))?;
    over.then(|| {
        format!(
            "the bound was exceeded: the run took {:.2} % longer than with all links on, the bound is {} %; each link \
             keeps its share of the bound, but delays of several links and ranks add up",
            (makespan - 1.0) * 100.0,
            bound * 100.0,
        )
    })
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
