//! What is drawn of requests: when they come, and how long they are. Integers only: the same on every machine.

use serde::{Deserialize, Serialize};

use crate::model::rng::{Purpose, Stream};
use crate::model::units::Time;

/// How numbers of tokens are drawn.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum Lengths {
    /// All are the mean.
    #[default]
    Fixed,
    /// Each number from 1 to twice the mean less 1 is as likely.
    Uniform,
    /// Exponential, rounded up.
    Exponential,
}

impl Lengths {
    /// Draws a number of tokens.
    pub(super) fn draw(self, mean: u32, stream: &mut Stream) -> u32 {
        match self {
            Lengths::Fixed => mean,
            Lengths::Uniform => 1 + stream.below(2 * mean - 1),
            // At most 2^20 times 32.
            Lengths::Exponential => (exponential(u64::from(mean), stream) + 1) as u32,
        }
    }
}

/// Draws the time between two requests, exponential with this mean.
pub(super) fn gap(mean: Time, stream: &mut Stream) -> Time {
    Time(exponential(mean.0, stream).max(1))
}

/// Draws an exponential number with this mean, rounded down, by comparing uniform ones (von Neumann 1951): the fall of a
/// series of them is of odd length with a probability of 1 - 1/e. At most 32 times the mean.
fn exponential(mean: u64, stream: &mut Stream) -> u64 {
    for whole in 0..32u64 {
        let first = stream.bits();
        let (mut last, mut length) = (first, 1);
        loop {
            let next = stream.bits();
            if next >= last {
                break;
            }
            (last, length) = (next, length + 1);
        }
        if length % 2 == 1 {
            let scaled = ((u128::from(whole) << 64) | u128::from(first)) * u128::from(mean);
            return (scaled >> 64) as u64;
        }
    }
    mean.saturating_mul(32)
}

/// Returns the stream of a serving.
pub(super) fn stream(seed: u64) -> Stream {
    Stream::new(seed, Purpose::Requests, 0)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Mean and standard deviation of an exponential number are the same, and a share of 1/e is above the mean. Of 100,000
    /// draws each lies within five standard deviations of its place.
    #[test]
    fn exponential_numbers() {
        let mut stream = stream(7);
        let drawn: Vec<f64> = (0..100_000).map(|_| exponential(1_000_000, &mut stream) as f64 / 1e6).collect();
        let mean = drawn.iter().sum::<f64>() / 1e5;
        let variance = drawn.iter().map(|x| (x - mean).powi(2)).sum::<f64>() / 1e5;
        let above = drawn.iter().filter(|&&x| x > 1.0).count() as f64 / 1e5;
        assert!((mean - 1.0).abs() < 5.0 / 1e5_f64.sqrt(), "{mean}");
        // The fourth moment of the deviation is 9.
        assert!((variance - 1.0).abs() < 5.0 * (8.0 / 1e5_f64).sqrt(), "{variance}");
        assert!((above - (-1.0_f64).exp()).abs() < 5.0 * 0.5 / 1e5_f64.sqrt(), "{above}");
    }

    #[test]
    fn lengths_have_their_mean() {
        let mut stream = stream(3);
        for (lengths, deviation) in [(Lengths::Fixed, 0.0), (Lengths::Uniform, 0.58), (Lengths::Exponential, 1.0)] {
            let drawn: Vec<u32> = (0..100_000).map(|_| lengths.draw(1_000, &mut stream)).collect();
            let mean = drawn.iter().map(|&tokens| f64::from(tokens)).sum::<f64>() / 1e5;
            // Rounding up adds up to one.
            assert!((mean - 1_000.0).abs() <= 5.0 * 1_000.0 * deviation / 1e5_f64.sqrt() + 1.0, "{lengths:?} {mean}");
            assert!(drawn.iter().all(|&tokens| tokens > 0));
        }
    }
}
