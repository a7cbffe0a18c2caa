//! A histogram of durations with a bounded relative error, exact sums, and no floating point.

use serde::{Deserialize, Serialize};

use crate::model::units::Time;

/// Linear steps in each octave, as a power of two: the relative error is at most 1/128, under 0.8 %.
const STEP_BITS: u32 = 7;
const STEPS: u64 = 1 << STEP_BITS;

/// Counts durations in log-linear bins; count, sum and maximum are exact.
///
/// ```
/// use drowse_core::measure::Histogram;
/// use drowse_core::model::units::Time;
///
/// let mut latencies = Histogram::default();
/// (1..=100).for_each(|us| latencies.add(Time::from_us(us)));
/// assert_eq!((latencies.count(), latencies.mean(), latencies.max()), (100, Some(50.5e6), Some(Time::from_us(100))));
/// // A quantile is at most 1/128 above the exact one.
/// let median = latencies.quantile(1, 2).expect("there are some");
/// assert!((50.0..50.0 * (1.0 + 1.0 / 128.0)).contains(&(median.seconds() * 1e6)), "{median}");
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Histogram {
    bins: Vec<u64>,
    count: u64,
    sum: u128,
    max: u64,
}

impl Histogram {
    /// Adds one duration.
    #[inline]
    pub fn add(&mut self, value: Time) {
        let bin = bin_of(value.0);
        if bin >= self.bins.len() {
            self.bins.resize(bin + 1, 0);
        }
        self.bins[bin] += 1;
        self.count += 1;
        self.sum += u128::from(value.0);
        self.max = self.max.max(value.0);
    }

    /// Adds the counts of another histogram.
    pub fn merge(&mut self, other: &Histogram) {
        if other.bins.len() > self.bins.len() {
            self.bins.resize(other.bins.len(), 0);
        }
        for (mine, theirs) in self.bins.iter_mut().zip(&other.bins) {
            *mine += theirs;
        }
        self.count += other.count;
        self.sum += other.sum;
        self.max = self.max.max(other.max);
    }

    /// Returns how the durations are spread from the smallest to the largest: counts in at most so many columns, whose
    /// widths grow with the durations.
    pub fn spread(&self, most: usize) -> Vec<u64> {
        let Some(first) = self.bins.iter().position(|&count| count > 0) else { return Vec::new() };
        let mut bins = 1;
        while (self.bins.len() - 1) / bins - first / bins >= most.max(1) {
            bins *= 2;
        }
        let columns = (self.bins.len() - 1) / bins - first / bins + 1;
        let mut spread = vec![0; columns];
        for (bin, count) in self.bins.iter().enumerate().skip(first) {
            spread[bin / bins - first / bins] += count;
        }
        spread
    }

    /// Returns the number of durations.
    pub fn count(&self) -> u64 {
        self.count
    }

    /// Returns the exact sum in picoseconds.
    pub fn sum(&self) -> u128 {
        self.sum
    }

    /// Returns the mean in picoseconds; `None` when empty.
    pub fn mean(&self) -> Option<f64> {
        (self.count > 0).then(|| self.sum as f64 / self.count as f64)
    }

    /// Returns the largest duration; `None` when empty.
    pub fn max(&self) -> Option<Time> {
        (self.count > 0).then_some(Time(self.max))
    }

    /// Returns the upper edge of the bin that holds the value of this rank, never above the maximum; `None` when empty.
    ///
    /// The rank is `ceil(count * numerator / denominator)`: `quantile(99, 100)` is the 99th percentile.
    pub fn quantile(&self, numerator: u64, denominator: u64) -> Option<Time> {
        let rank = (u128::from(self.count) * u128::from(numerator)).div_ceil(u128::from(denominator)).max(1);
        let mut seen = 0;
        for (bin, &count) in self.bins.iter().enumerate() {
            seen += count;
            if u128::from(seen) >= rank {
                return Some(Time(upper_edge(bin).min(self.max)));
            }
        }
        None
    }
}

/// Returns the bin of a value. Small values have a bin each; above, each octave has [`STEPS`] bins.
#[inline]
fn bin_of(value: u64) -> usize {
    if value < STEPS {
        return value as usize;
    }
    let shift = value.ilog2() - STEP_BITS;
    ((u64::from(shift) + 1) * STEPS + ((value >> shift) - STEPS)) as usize
}

/// Returns the largest value that falls into a bin.
fn upper_edge(bin: usize) -> u64 {
    let bin = bin as u64;
    if bin < STEPS {
        return bin;
    }
    let (shift, step) = (bin / STEPS - 1, bin % STEPS);
    ((STEPS + step) << shift) + ((1 << shift) - 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_spread_has_every_duration_once() {
        let mut histogram = Histogram::default();
        assert!(histogram.spread(8).is_empty());
        histogram.add(Time(1_000_000));
        assert_eq!(histogram.spread(8), [1]);
        (0..1_000).for_each(|n| histogram.add(Time(1_000_000 + n * n)));
        for most in [1, 2, 3, 8, 10_000] {
            let spread = histogram.spread(most);
            assert!(spread.len() <= most && spread.iter().sum::<u64>() == 1_001, "{spread:?}");
            assert!(spread[0] > 0 && spread[spread.len() - 1] > 0, "no column is empty at the ends: {spread:?}");
        }
        assert!(histogram.spread(8).len() >= 4);
    }

    #[test]
    fn bins_are_tight_and_ordered() {
        let values = (0..2_000u64).chain((10..63).flat_map(|e| [(1 << e) - 1, 1 << e, (1 << e) + 1]));
        for value in values {
            let edge = upper_edge(bin_of(value));
            assert!(edge >= value && edge - value <= value / STEPS, "{value} in a bin up to {edge}");
            assert!(bin_of(edge) == bin_of(value) && bin_of(edge + 1) == bin_of(value) + 1);
        }
    }

    #[test]
    fn quantiles_of_a_uniform_ramp() {
        let mut histogram = Histogram::default();
        (1..=100).for_each(|v| histogram.add(Time(v)));
        assert_eq!(histogram.quantile(50, 100), Some(Time(50)));
        assert_eq!(histogram.quantile(99, 100), Some(Time(99)));
        assert_eq!(histogram.max(), Some(Time(100)));
        assert_eq!(histogram.mean(), Some(50.5));
        assert_eq!(Histogram::default().quantile(50, 100), None);
    }

    /// Against the definition on a sorted list: the least value that a share of at least n / d of all do not exceed.
    /// Values this small have bins of their own.
    #[test]
    fn quantiles_of_short_lists_round_up() {
        for length in 1..=13u64 {
            let values: Vec<u64> = (0..length).map(|i| 3 + 7 * i).collect();
            let mut histogram = Histogram::default();
            values.iter().for_each(|&value| histogram.add(Time(value)));
            for percent in 0..=100 {
                let covers = |value: u64| values.iter().filter(|&&other| other <= value).count() as u64;
                let least = values.iter().copied().find(|&value| 100 * covers(value) >= percent * length);
                assert_eq!(histogram.quantile(percent, 100), least.map(Time), "{percent} % of {length}");
            }
        }
    }

    #[test]
    fn merging_equals_adding() {
        let (mut all, mut left, mut right) = (Histogram::default(), Histogram::default(), Histogram::default());
        for v in 0..1_000u64 {
            all.add(Time(v * v));
            if v % 3 == 0 { left.add(Time(v * v)) } else { right.add(Time(v * v)) }
        }
        left.merge(&right);
        assert_eq!(left, all);
    }
}
