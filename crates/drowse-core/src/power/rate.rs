//! What a kWh costs or emits: always the same, or by the time of day.

use std::ops::Range;
use std::sync::Arc;

use crate::model::units::Time;

/// Parts of the unit in which values of a series are whole numbers.
pub const PARTS: i64 = 1_000_000_000_000;
/// Picoseconds of a microsecond, in which times of a series are whole numbers.
const PS_PER_US: i128 = 1_000_000;

/// What a kWh costs or emits.
#[derive(Clone, Debug, PartialEq)]
pub enum Rate {
    /// Always the same.
    Constant(f64),
    /// By time.
    Steps(Arc<Steps>),
}

/// A series of values, each of which holds until the next one.
///
/// ```
/// use drowse_core::power::rate::{PARTS, Step, Steps};
///
/// // 0.25 for two hours, nothing known for an hour, then 0.1 for an hour.
/// const HOUR: i64 = 3_600_000_000;
/// let step = |from: i64, value: Option<i64>| Step { from: from * HOUR, value };
/// let values = [step(0, Some(PARTS / 4)), step(2, None), step(3, Some(PARTS / 10))];
/// let steps = Steps::new(values.to_vec(), 4 * HOUR).expect("they are in order");
/// assert_eq!(steps.mean(), Some(0.2));
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Steps {
    steps: Vec<Step>,
    end: i64,
}

/// A value of a series.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Step {
    /// From when it holds, in microseconds since 1970 (UTC) or since the run began.
    pub from: i64,
    /// The value in [parts](PARTS); `None` where it is not known.
    pub value: Option<i64>,
}

impl Steps {
    /// Makes a series that ends at some time, in microseconds; `None` where that, or the order of the steps, is no order
    /// of time.
    pub fn new(steps: Vec<Step>, end: i64) -> Option<Self> {
        let ordered = steps.windows(2).all(|two| two[0].from < two[1].from);
        let ends = steps.last().is_some_and(|last| last.from < end);
        (ordered && ends).then_some(Steps { steps, end })
    }

    /// Returns its beginning and its end, in microseconds.
    pub fn span(&self) -> Range<i64> {
        self.steps.first().map_or(self.end, |first| first.from)..self.end
    }

    /// Returns the numbers of all steps: from when they hold, and what is known then.
    pub fn numbers(&self) -> impl Iterator<Item = i64> {
        let numbers = |step: &Step| [step.from, i64::from(step.value.is_some()), step.value.unwrap_or_default()];
        self.steps.iter().flat_map(numbers).chain([self.end])
    }

    /// Returns how long no value is known, in microseconds.
    pub fn unknown(&self) -> u64 {
        self.lasting().filter(|(_, value)| value.is_none()).map(|(time, _)| time.end.abs_diff(time.start)).sum()
    }

    /// Returns the mean of all values that are known, by the time for which they hold.
    pub fn mean(&self) -> Option<f64> {
        let known = self.lasting().filter_map(|(time, value)| Some((i128::from(time.end - time.start), value?)));
        weighted(known)
    }

    /// Returns the mean over a time from a moment on, in microseconds; `None` where not all values are known.
    pub fn mean_over(&self, from: i64, length: Time) -> Option<f64> {
        let (from, span) = (i128::from(from) * PS_PER_US, self.span());
        let to = from + i128::from(length.0.max(1));
        let [first, last] = [span.start, span.end].map(|end| i128::from(end) * PS_PER_US);
        if from < first || to > last {
            return None;
        }
        let within = |(time, value): (Range<i64>, Option<i64>)| {
            let [start, end] = [time.start, time.end].map(|end| i128::from(end) * PS_PER_US);
            let overlap = end.min(to) - start.max(from);
            (overlap > 0).then_some((overlap, value))
        };
        let all: Option<Vec<(i128, i64)>> =
            self.lasting().filter_map(within).map(|(time, value)| Some((time, value?))).collect();
        weighted(all?)
    }

    /// Returns for how long each step holds, and its value.
    fn lasting(&self) -> impl Iterator<Item = (Range<i64>, Option<i64>)> {
        let ends = self.steps.iter().skip(1).map(|step| step.from).chain([self.end]);
        self.steps.iter().zip(ends).map(|(step, end)| (step.from..end, step.value))
    }
}

/// Returns the mean of values by the times for which they hold. It is exact where all are the same.
fn weighted(values: impl IntoIterator<Item = (i128, i64)>) -> Option<f64> {
    let (mut whole, mut sum) = (0, 0);
    for (time, value) in values {
        whole += time;
        sum += time * i128::from(value);
    }
    let parts = PARTS as f64;
    (whole > 0).then(|| ((sum / whole) as f64 + (sum % whole) as f64 / whole as f64) / parts)
}

impl Rate {
    /// Returns the mean over all that is known.
    pub fn mean(&self) -> Option<f64> {
        match self {
            Rate::Constant(value) => Some(*value),
            Rate::Steps(steps) => steps.mean(),
        }
    }

    /// Returns the mean over a run that begins at some time, in microseconds, where that is known.
    pub fn of_run(&self, start: Option<i64>, length: Time) -> Option<f64> {
        match self {
            Rate::Constant(value) => Some(*value),
            Rate::Steps(steps) => steps.mean_over(start?, length),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SECOND: i64 = 1_000_000;

    fn steps(values: &[(i64, Option<f64>)], end: i64) -> Steps {
        let parts = |value: f64| (value * PARTS as f64).round() as i64;
        let step = |&(from, value): &(i64, Option<f64>)| Step { from: from * SECOND, value: value.map(parts) };
        Steps::new(values.iter().map(step).collect(), end * SECOND).expect("in order")
    }

    /// A run of 3 s from 9 s on: 1 s at 0.3, 2 s at -0.06. Means by hand.
    #[test]
    fn means_by_hand() {
        let series = steps(&[(0, Some(0.3)), (10, Some(-0.06)), (20, None), (30, Some(0.3))], 40);
        assert_eq!(series.mean_over(9 * SECOND, Time::from_us(3_000_000)), Some(0.06));
        assert_eq!(series.mean_over(0, Time::ZERO), Some(0.3));
        assert_eq!(series.mean(), Some(0.18));
        assert_eq!(series.unknown(), 10 * SECOND as u64);
        // Into what is not known, before the beginning, beyond the end.
        assert_eq!(series.mean_over(19 * SECOND, Time::from_us(1_000_001)), None);
        assert_eq!(series.mean_over(-1, Time(1)), None);
        assert_eq!(series.mean_over(39 * SECOND, Time::from_us(1_000_001)), None);
        assert_eq!(series.mean_over(39 * SECOND, Time::from_us(1_000_000)), Some(0.3));
    }

    /// Whatever the number, and however long the steps are.
    #[test]
    fn a_constant_series_is_the_number() {
        for value in [0.1, 0.114, 0.2, 0.276, 1.0 / 8.0, 350.0, 0.333_333_333_333, -0.07] {
            let series = steps(&[(0, Some(value)), (7, Some(value)), (8, None), (19, Some(value))], 31);
            assert_eq!(series.mean(), Some(value));
            assert_eq!(series.mean_over(3, Time(5_000_001)), Some(value));
        }
    }

    #[test]
    fn steps_are_in_order() {
        let step = |from| Step { from, value: Some(1) };
        assert_eq!(Steps::new(vec![step(3), step(3)], 9), None);
        assert_eq!(Steps::new(vec![step(3), step(9)], 9), None);
        assert_eq!(Steps::new(Vec::new(), 9), None);
    }
}
