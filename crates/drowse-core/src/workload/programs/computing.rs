//! How long a rank computes in an iteration: one time, or one that differs by rank (imbalance) and by iteration (jitter).
//!
//! A factor is 1 plus a share times a number that is drawn: uniformly between -1 and 1, or nearly normally with a
//! standard deviation of 1, as the sum of twelve numbers in [0, 1) less six. A factor below 0 is 0. Draws depend on the
//! seed, the rank and the iteration only, and are integers of 32 fractional bits: the same on every machine.

use serde::{Deserialize, Serialize};

use crate::model::rng::{Purpose, draw};
use crate::model::units::Time;

/// The time of an iteration's computation.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Computing {
    /// The time of a rank that differs from no other.
    pub time: Time,
    /// How much ranks differ, all iterations alike.
    pub imbalance: Share,
    /// How much the iterations of a rank differ.
    pub jitter: Share,
    /// How both are drawn.
    pub distribution: Distribution,
    /// The seed of both.
    pub seed: u64,
}

/// A share, in millionths.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Share(pub u32);

/// How numbers are drawn.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum Distribution {
    /// Each factor between 1 less the share and 1 plus the share is as likely.
    #[default]
    Uniform,
    /// Nearly normal: the share is the standard deviation of the factor around 1. No factor is below 0.
    Normal,
}

/// 1 with 32 fractional bits.
const ONE: i128 = 1 << 32;
const MILLION: i128 = 1_000_000;
/// The occasion of a rank's imbalance; iterations have the others.
const IMBALANCE: u64 = u64::MAX;

impl From<Time> for Computing {
    fn from(time: Time) -> Self {
        Computing { time, ..Computing::default() }
    }
}

impl Computing {
    /// Returns the time that a rank computes in an iteration, counted from 0 over all phases and runs.
    pub fn of(&self, rank: u32, iteration: u64) -> Time {
        let factor = |share: Share, occasion| match share {
            Share(0) => ONE,
            Share(share) => (ONE + i128::from(share) * self.deviation(rank, occasion) / MILLION).max(0),
        };
        let time = i128::from(self.time.0) * factor(self.imbalance, IMBALANCE) / ONE;
        // Both factors are at most 7, and times at most a second.
        #[expect(clippy::cast_sign_loss, clippy::cast_possible_truncation, reason = "neither negative nor that long")]
        let time = (time * factor(self.jitter, iteration) / ONE) as u64;
        Time(time)
    }

    /// Returns the longest time that can be drawn.
    pub fn longest(&self) -> Time {
        let widest = match self.distribution {
            Distribution::Uniform => 1,
            Distribution::Normal => 6,
        };
        let widened = |time: u64, Share(share): Share| {
            time.saturating_add(
                ((u128::from(time) * u128::from(share) * widest).div_ceil(1_000_000)).try_into().unwrap_or(u64::MAX),
            )
        };
        Time(widened(widened(self.time.0, self.imbalance), self.jitter))
    }

    /// Draws how far a factor is from 1 if the share is all of it, with 32 fractional bits.
    fn deviation(&self, rank: u32, occasion: u64) -> i128 {
        let bits = |number: u64| draw(self.seed ^ number, Purpose::Computing, rank, occasion);
        match self.distribution {
            Distribution::Uniform => i128::from(bits(0) >> 31) - ONE,
            Distribution::Normal => {
                let two = |bits: u64| i128::from(bits >> 32) + i128::from(bits & u64::from(u32::MAX));
                (0..6).map(|number| two(bits(number))).sum::<i128>() - 6 * ONE
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns the mean and the standard deviation of the times of many ranks or iterations, and the extremes.
    fn statistics(times: impl Iterator<Item = Time>) -> [f64; 4] {
        let times: Vec<f64> = times.map(|time| time.0 as f64).collect();
        let mean = times.iter().sum::<f64>() / times.len() as f64;
        let variance = times.iter().map(|time| (time - mean).powi(2)).sum::<f64>() / times.len() as f64;
        [
            mean,
            variance.sqrt(),
            times.iter().copied().fold(f64::MAX, f64::min),
            times.iter().copied().fold(0.0, f64::max),
        ]
    }

    #[test]
    fn without_shares_all_compute_as_long() {
        let computing = Computing::from(Time(123_457));
        assert!((0..99).all(|rank| computing.of(rank, u64::from(rank) * 7) == Time(123_457)));
        assert_eq!(computing.longest(), Time(123_457));
    }

    /// A uniform number in (-1, 1) has a standard deviation of 1 / sqrt(3). Of 100,000 draws, the mean lies within five
    /// standard deviations of a mean of its place.
    #[test]
    fn draws_have_the_mean_and_the_deviation_of_their_distribution() {
        for (distribution, deviation, widest) in
            [(Distribution::Uniform, 1.0 / 3.0_f64.sqrt(), 1u32), (Distribution::Normal, 1.0, 6)]
        {
            let jitter =
                Computing { jitter: Share(100_000), distribution, seed: 3, ..Computing::from(Time(1_000_000)) };
            let imbalance = Computing { jitter: Share(0), imbalance: Share(100_000), ..jitter };
            let by_iteration = statistics((0..100_000).map(|iteration| jitter.of(5, iteration)));
            let by_rank = statistics((0..100_000).map(|rank| imbalance.of(rank, 7)));
            for [mean, spread, least, most] in [by_iteration, by_rank] {
                assert!((mean - 1e6).abs() < 5.0 * 1e5 * deviation / 1e5_f64.sqrt(), "{distribution:?}: {mean}");
                assert!((spread / (1e5 * deviation) - 1.0).abs() < 0.02, "{distribution:?}: {spread}");
                assert!(least >= 1e6 - 1e5 * f64::from(widest) && most <= jitter.longest().0 as f64);
            }
            assert_eq!(jitter.longest(), Time(1_000_000 + 100_000 * u64::from(widest)));
        }
    }

    #[test]
    fn imbalance_lasts_and_jitter_does_not() {
        let computing = Computing { imbalance: Share(500_000), seed: 1, ..Computing::from(Time(1_000_000)) };
        assert!((1..99).all(|iteration| computing.of(4, iteration) == computing.of(4, 0)));
        assert_ne!(computing.of(4, 0), computing.of(5, 0));
        let computing = Computing { jitter: Share(500_000), imbalance: Share(0), ..computing };
        assert_ne!(computing.of(4, 0), computing.of(4, 1));
        assert_ne!(Computing { seed: 2, ..computing }.of(4, 0), computing.of(4, 0));
    }

    /// Shares above 1 would make times below zero.
    #[test]
    fn no_time_is_negative() {
        let computing =
            Computing { jitter: Share(1_000_000), distribution: Distribution::Normal, ..Computing::from(Time(1_000)) };
        let [_, _, least, most] = statistics((0..10_000).map(|iteration| computing.of(0, iteration)));
        assert!(least == 0.0 && most > 2_500.0);
    }
}
