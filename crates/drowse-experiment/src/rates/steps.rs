//! From values with their times to a series.

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
    steps.map(|steps| Series { steps, times }).ok_or_else(|| {
        (last, "the series has no end".to_owned(), "write each time once, the earliest first".to_owned())
    })
}
