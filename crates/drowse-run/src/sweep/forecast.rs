//! What a sweep would do: how many cases there are, how many are stored, and what the others will cost. Nothing is
//! written; nothing is run but a part of one case, where that is asked for.

use std::collections::HashSet;
use std::path::Path;
use std::time::Duration;

use drowse_experiment::Sweep;

use super::case_list::CaseList;
use super::cost::{Measured, side_by_side};
use super::error::SweepError;
use super::progress::Watch;
use super::store::Store;
use super::work::{self, Plan};
use crate::cancel::Cancel;
use crate::expected::Expected;
use crate::files;
use crate::inputs::Traces;

/// What a sweep would do.
#[derive(Clone, Debug)]
pub struct Forecast {
    /// Cases of the sweep.
    pub cases: u64,
    /// Cases whose results are stored.
    pub stored: u64,
    /// Baselines that are none of the cases.
    pub baselines: u64,
    /// Cases and baselines that would be run.
    pub missing: u64,
    /// The first of them, as many as were asked for.
    pub first: Vec<Listed>,
    /// The time that they would take, where something is known of it.
    pub time: Option<Time>,
    /// What the case with most work among them moves; none if there is none to run.
    pub largest: Option<Largest>,
    /// The memory of networks and simulations of the largest cases, as many as run at a time, in bytes.
    pub bytes: u64,
    /// The largest resident memory of the process that has run stored cases, in bytes.
    pub peak_bytes: Option<u64>,
}

/// The case with most work.
#[derive(Clone, Copy, Debug)]
pub struct Largest {
    /// Its number, from 0.
    pub case: u64,
    /// What it moves.
    pub expected: Expected,
    /// The work of all that would be run, its own = 1.
    pub all: f64,
}

/// A case that a forecast lists.
#[derive(Clone, Debug)]
pub struct Listed {
    /// Its values of the sweep.
    pub values: Vec<String>,
    /// Whether its result is stored.
    pub stored: bool,
}

/// An estimate of a time.
#[derive(Clone, Copy, Debug)]
pub struct Time {
    /// The estimate, in seconds.
    pub seconds: f64,
    /// The estimates by the cheapest and by the dearest known case, in seconds; none if only one case is known.
    pub range: Option<(f64, f64)>,
    /// What it is known from.
    pub source: Source,
}

/// What an estimate is known from.
#[derive(Clone, Copy, Debug)]
pub enum Source {
    /// The times of so many stored cases.
    Stored(u64),
    /// A part of a run.
    Probe {
        /// The number of the case, from 0.
        case: u64,
        /// The share of it that was run.
        share: f64,
        /// The time that this took.
        seconds: f64,
    },
}

/// Says what a sweep would do in a folder on so many threads, and lists the first `shown` cases.
///
/// With a limit of time, a part of the case with most work is run where no stored case tells how long cases take.
pub fn forecast(
    sweep: &Sweep<'_>,
    folder: &Path,
    threads: usize,
    shown: usize,
    probe: Option<Duration>,
    watch: &Watch<'_>,
) -> Result<Forecast, SweepError> {
    files::refuse_runs(folder)?;
    let traces = Traces::default();
    let plan = work::plan(sweep, &traces, &Store::view(folder), watch)?;
    let time = match time(&plan.measured, &plan, threads, Source::Stored(plan.measured.cases)) {
        None => probe.map(|limit| probed(sweep, &traces, &plan, threads, limit, &watch.cancel)).transpose()?.flatten(),
        known => known,
    };
    let missing: HashSet<&str> = plan.missing.iter().map(|missing| missing.id.as_str()).collect();
    let listed = |(number, id): (usize, &String)| Listed {
        values: sweep.point(number as u64),
        stored: !missing.contains(id.as_str()),
    };
    let largest = plan.missing.first().map(|first| {
        let all = plan.missing.iter().map(|missing| missing.cost.work).sum::<f64>() / first.cost.work;
        work::expected(sweep, &traces, first).map(|expected| Largest { case: first.number, expected, all })
    });
    let mut bytes: Vec<u64> = plan.missing.iter().map(|missing| missing.cost.bytes).collect();
    bytes.sort_unstable_by(|one, other| other.cmp(one));
    Ok(Forecast {
        cases: sweep.cases(),
        stored: plan.done,
        baselines: CaseList::of(sweep, &plan.cases).others.len() as u64,
        missing: plan.missing.len() as u64,
        first: plan.cases.ids.iter().enumerate().take(shown).map(listed).collect(),
        time,
        largest: largest.transpose()?,
        bytes: bytes.iter().take(threads).sum(),
        peak_bytes: plan.measured.peak_bytes,
    })
}

/// Estimates the time from what cases have cost.
fn time(measured: &Measured, plan: &Plan, threads: usize, source: Source) -> Option<Time> {
    let units = side_by_side(plan.missing.iter().map(|missing| missing.cost.work), threads);
    let seconds = units * measured.rate()?;
    let range = measured.range.filter(|_| measured.cases > 1);
    Some(Time { seconds, range: range.map(|(least, most)| (units * least, units * most)), source })
}

/// Estimates the time from a part of the case that is run first.
fn probed(
    sweep: &Sweep<'_>,
    traces: &Traces,
    plan: &Plan,
    threads: usize,
    limit: Duration,
    cancel: &Cancel,
) -> Result<Option<Time>, SweepError> {
    let Some(first) = plan.missing.first() else { return Ok(None) };
    let sample = work::sample(sweep, traces, first, limit, cancel)?;
    let Some(share) = sample.share.filter(|&share| share > 0.0) else { return Ok(None) };
    let mut measured = Measured::default();
    measured.add(first.cost.work * share, sample.wall_s);
    let source = Source::Probe { case: first.number, share, seconds: sample.wall_s };
    Ok(time(&measured, plan, threads, source))
}
