//! Sums over intervals of a run: what was done in each of them, in integers, so that they add up to the whole.

use serde::{Deserialize, Serialize};

use crate::model::units::Time;

/// The lengths of the intervals over which something is recorded.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum IntervalLength {
    /// By the length of the run: 1, 2, 10, 20, 100 ns and so on, the first for which there are at most 1,000.
    #[default]
    OfRun,
    /// So long; longer by factors of 2 and 5, one after the other, where there would be more than 100,000.
    Of(Time),
}

/// The most intervals of each kind of length.
const MOST_OF_RUN: u64 = 1_000;
const MOST: u64 = 100_000;

/// How much longer intervals become, one factor after the other.
const FACTORS: [u64; 2] = [2, 5];

/// Sums by interval, several beside each other. Times are picoseconds since the measured time began.
///
/// ```
/// use drowse_core::measure::series::{IntervalLength, Series};
/// use drowse_core::model::units::Time;
///
/// // Two sums for each 10 ps.
/// let mut series = Series::new(IntervalLength::Of(Time(10)), 2);
/// // 3 channels from 5 to 25 ps, and 7 flits that are sent from 8 to 12 ps.
/// series.last(5, 25, 0, 3);
/// series.spread(8, 12, 1, 7);
/// assert_eq!(series.intervals().collect::<Vec<_>>(), [[15, 3], [30, 4], [15, 0]]);
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Series {
    /// The length of intervals.
    length: u64,
    /// How often they have become longer.
    grown: usize,
    most: u64,
    /// Sums of an interval.
    columns: usize,
    /// Those of all intervals, one behind the other.
    sums: Vec<u128>,
}

impl Series {
    /// Begins with so many sums of each interval.
    pub fn new(length: IntervalLength, columns: usize) -> Self {
        let (length, most) = match length {
            IntervalLength::OfRun => (1_000, MOST_OF_RUN),
            IntervalLength::Of(Time(length)) => (length.max(1), MOST),
        };
        Series { length, grown: 0, most, columns, sums: Vec::new() }
    }

    /// Begins anew, with intervals of the same first length.
    pub(crate) fn clear(&mut self) {
        while self.grown > 0 {
            self.grown -= 1;
            self.length /= FACTORS[self.grown % 2];
        }
        self.sums.clear();
    }

    /// Returns the length of intervals.
    pub fn length(&self) -> Time {
        Time(self.length)
    }

    /// Returns whether intervals are longer than they were to be.
    pub fn has_grown(&self) -> bool {
        self.grown > 0
    }

    /// Returns the sums of each interval.
    pub fn intervals(&self) -> impl Iterator<Item = &[u128]> {
        self.sums.chunks(self.columns.max(1))
    }

    /// Returns the end of the interval that a time lies in.
    pub(crate) fn end_of(&self, time: u64) -> u64 {
        (time / self.length + 1).saturating_mul(self.length)
    }

    /// Makes room for what happens before a time; intervals become longer where there would be too many.
    pub(crate) fn reserve(&mut self, until: u64) {
        while until > self.length.saturating_mul(self.most) {
            self.grow();
        }
        let needed = usize::try_from(until.div_ceil(self.length)).unwrap_or(usize::MAX) * self.columns;
        if self.sums.len() < needed {
            self.sums.resize(needed, 0);
        }
    }

    /// Makes intervals longer.
    fn grow(&mut self) {
        let factor = FACTORS[self.grown % 2];
        self.grown += 1;
        self.length = self.length.saturating_mul(factor);
        let (columns, before) = (self.columns, std::mem::take(&mut self.sums));
        for joined in before.chunks(columns.max(1) * factor as usize) {
            let sum = |column: usize| joined.iter().skip(column).step_by(columns).sum::<u128>();
            self.sums.extend((0..columns).map(sum));
        }
    }

    /// Adds something that lasts from one time to another, so many times.
    pub fn last(&mut self, from: u64, to: u64, column: usize, times: u64) {
        self.each(from, to, |sums, time| sums[column] += u128::from(time) * u128::from(times));
    }

    /// Takes off what had been added as [lasting](Series::last) once.
    pub(crate) fn take_off(&mut self, from: u64, to: u64, column: usize) {
        self.each(from, to, |sums, time| sums[column] = sums[column].saturating_sub(u128::from(time)));
    }

    /// Adds a number to the interval of a time.
    pub(crate) fn add(&mut self, at: u64, column: usize, number: u64) {
        self.reserve(at.saturating_add(1));
        let first = self.place(at);
        self.sums[first + column] += u128::from(number);
    }

    /// Spreads a number evenly over a time; what rounding leaves goes into the last interval.
    pub fn spread(&mut self, from: u64, to: u64, column: usize, number: u64) {
        let (whole, mut passed, mut spent) = (u128::from(to.saturating_sub(from)), 0, 0);
        if whole == 0 {
            return self.add(from, column, number);
        }
        self.each(from, to, |sums, time| {
            passed += u128::from(time);
            let until = u128::from(number) * passed / whole;
            sums[column] += until - spent;
            spent = until;
        });
    }

    /// Acts on each interval that shares some time with another one.
    fn each(&mut self, mut from: u64, to: u64, mut act: impl FnMut(&mut [u128], u64)) {
        if from >= to {
            return;
        }
        self.reserve(to);
        while from < to {
            let end = self.end_of(from).min(to);
            let first = self.place(from);
            act(&mut self.sums[first..first + self.columns], end - from);
            from = end;
        }
    }

    fn place(&self, time: u64) -> usize {
        (time / self.length) as usize * self.columns
    }

    /// Makes intervals as long as those of another one of the same first length.
    pub(crate) fn grow_to(&mut self, length: Time) {
        while self.length < length.0 {
            self.grow();
        }
    }

    /// Adds another one of the same first length; both end with intervals of the longer length.
    pub(crate) fn merge(&mut self, mut other: Series) {
        self.grow_to(other.length());
        other.grow_to(self.length());
        if self.sums.len() < other.sums.len() {
            self.sums.resize(other.sums.len(), 0);
        }
        self.sums.iter_mut().zip(&other.sums).for_each(|(sum, more)| *sum += more);
    }

    /// Ends at a time: as many intervals as that takes, and what lies beyond goes into the last of them.
    pub(crate) fn end(&mut self, at: u64) {
        self.reserve(at.max(1));
        let count = usize::try_from(at.max(1).div_ceil(self.length)).unwrap_or(usize::MAX) * self.columns;
        let beyond = self.sums.split_off(count.min(self.sums.len()));
        let last = self.sums.len() - self.columns;
        for sums in beyond.chunks(self.columns.max(1)) {
            self.sums[last..].iter_mut().zip(sums).for_each(|(sum, more)| *sum += more);
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn sums(series: &Series) -> Vec<Vec<u128>> {
        series.intervals().map(<[u128]>::to_vec).collect()
    }

    /// By hand: 1 ns, then 2, then 10 ns once there are more than 1,000.
    #[test]
    fn intervals_grow_with_the_run() {
        let mut series = Series::new(IntervalLength::OfRun, 1);
        series.last(0, 1_000_000, 0, 1);
        assert_eq!((series.length(), series.sums.len(), series.has_grown()), (Time(1_000), 1_000, false));
        series.last(1_000_000, 1_000_001, 0, 1);
        assert_eq!((series.length(), series.sums.len()), (Time(2_000), 501));
        series.last(2_000_000, 2_000_001, 0, 1);
        assert_eq!((series.length(), series.sums.len()), (Time(10_000), 201));
        assert_eq!(series.sums.iter().sum::<u128>(), 1_000_002);
        series.clear();
        assert_eq!(series, Series::new(IntervalLength::OfRun, 1));
    }

    #[test]
    fn what_lies_beyond_the_end_is_in_the_last_interval() {
        let mut series = Series::new(IntervalLength::Of(Time(10)), 1);
        series.add(3, 0, 5);
        series.add(38, 0, 7);
        series.end(12);
        assert_eq!(sums(&series), [[5], [7]]);
        series.end(31);
        assert_eq!(sums(&series), [[5], [7], [0], [0]]);
        series.take_off(2, 4, 0);
        assert_eq!(sums(&series), [[3], [7], [0], [0]]);
    }

    proptest! {
        /// However it is divided among several, and in whatever order: the same sums.
        #[test]
        fn parts_add_up(spans in prop::collection::vec((0..5_000u64, 0..5_000u64, 0..9u64, 0..3usize), 0..40)) {
            let new = || Series::new(IntervalLength::Of(Time(7)), 2);
            let mut all = Series { most: 16, ..new() };
            let mut parts = [(); 3].map(|()| Series { most: 16, ..new() });
            for &(from, length, number, part) in &spans {
                for series in [&mut all, &mut parts[part]] {
                    series.last(from, from + length, 0, number);
                    series.spread(from, from + length, 1, number);
                }
            }
            let mut merged = Series { most: 16, ..new() };
            parts.into_iter().rev().for_each(|part| merged.merge(part));
            prop_assert_eq!(sums(&merged), sums(&all));
            let column = |column: usize| all.intervals().map(|sums| sums[column]).sum::<u128>();
            prop_assert_eq!(column(0), spans.iter().map(|&(_, length, number, _)| u128::from(length * number)).sum());
            prop_assert_eq!(column(1), spans.iter().map(|&(_, _, number, _)| u128::from(number)).sum());
        }
    }
}
