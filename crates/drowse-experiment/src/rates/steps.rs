//! From values with their times to a series.

use std::cmp::Reverse;
use std::collections::BTreeMap;
use std::ops::Range;

use drowse_core::power::rate::{Step, Steps};

use super::clock::written;
use super::{Series, Wrong};

/// How the times of a series are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Times {
    /// As moments of the calendar.
    Calendar,
    /// As seconds.
    Seconds,
}

impl Times {
    /// Returns a time as it is written.
    pub fn written(self, time: i64) -> String {
        match self {
            Times::Calendar => written(time),
            Times::Seconds => format!("{} s", time as f64 / 1e6),
        }
    }
}

/// A value, from when it holds, for how long where that is said, and where it is written.
pub struct Point {
    pub from: i64,
    pub length: Option<i64>,
    pub value: Option<i64>,
    pub span: Range<usize>,
}

/// Values that hold for longer than most do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Gap {
    /// How many values do.
    pub count: usize,
    /// Of how many, the last left out.
    pub all: usize,
    /// For how long values usually hold, in microseconds.
    pub usual: u64,
    /// When the first of them begins.
    pub from: i64,
    /// For how long it holds, in microseconds.
    pub length: u64,
}

/// Finds values that hold for longer than the most frequent time; of equally frequent times the shortest is the usual
/// one. Nothing is found where values say for how long they hold.
fn gap(points: &[Point]) -> Option<Gap> {
    let lengths: Vec<(i64, u64)> =
        points.windows(2).map(|pair| (pair[0].from, pair[1].from.abs_diff(pair[0].from))).collect();
    let mut counts = BTreeMap::new();
    lengths.iter().for_each(|&(_, length)| *counts.entry(length).or_insert(0_usize) += 1);
    let (&usual, _) = counts.iter().max_by_key(|&(&length, &count)| (count, Reverse(length)))?;
    let mut longer = lengths.iter().filter(|&&(_, length)| length > usual);
    let count = longer.clone().count();
    let &(from, length) = longer.next().filter(|_| points.iter().all(|point| point.length.is_none()))?;
    Some(Gap { count, all: lengths.len(), usual, from, length })
}

/// Makes a series of values in the order of their times. Where a value does not hold until the next one, nothing is known
/// in between; the last one holds for as long as the one before it, where nothing else is said.
pub fn series(points: &[Point], times: Times) -> Result<Series, Wrong> {
    let mut steps: Vec<Step> = Vec::with_capacity(points.len());
    let mut end = i64::MIN;
    for (place, point) in points.iter().enumerate() {
        let before = place.checked_sub(1).map(|place| &points[place]);
        if let Some(before) = before.filter(|before| before.from >= point.from) {
            let order = if before.from == point.from { "the same time as" } else { "a time before" };
            let message = format!("{} is {order} the line above", times.written(point.from));
            let help = "write each time once, the earliest first; of several series in a file, keep one";
            return Err((point.span.clone(), message, help.into()));
        }
        if before.is_some() && end < point.from {
            steps.push(Step { from: end, value: None });
        }
        let next = points.get(place + 1).map(|next| next.from);
        let as_before = before.map(|before| point.from - before.from);
        let length = point.length.or(next.map(|next| next - point.from)).or(as_before);
        let Some(length) = length else {
            let message = "one value does not say for how long it holds".into();
            return Err((
                point.span.clone(),
                message,
                "write a second line, or the value itself into the experiment".into(),
            ));
        };
        let until = point.from.saturating_add(length);
        end = next.map_or(until, |next| until.min(next));
        steps.push(Step { from: point.from, value: point.value });
    }
    let last = points.last().map_or(0..0, |point| point.span.clone());
    if steps.iter().all(|step| step.value.is_none()) {
        return Err((last, "no value of this series is known".into(), "write numbers, at least one".into()));
    }
    let steps = Steps::new(steps, end);
    steps.map(|steps| Series { steps, times, gap: gap(points), keys: &[] }).ok_or_else(|| {
        (last, "the series has no end".to_owned(), "write each time once, the earliest first".to_owned())
    })
}
