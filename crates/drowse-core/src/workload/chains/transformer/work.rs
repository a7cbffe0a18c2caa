//! How long ranks compute, and in which shares of an iteration.

use std::ops::Range;

use super::model::Model;
use super::schedule::{Pass, Schedule};
use super::{Batch, Parallelism};

/// The times of parts of a micro-batch, in picoseconds where a rate is known and else in shares of an iteration. Backward
/// takes twice as long as forward.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Work {
    attention: u64,
    perceptron: u64,
    /// The output layer, which the last stage has.
    output: u64,
}

/// A half of a layer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Half {
    Attention,
    Perceptron,
}

/// The longest time that a rank may compute in an iteration: an hour.
pub(super) const LONGEST: u128 = 3_600_000_000_000_000;
/// Shares are below this number.
const FINE: u64 = 1 << 20;

impl Work {
    /// Returns the shares of a rank that computes so many operations a second; `None` if it would take more than an hour.
    pub fn timed(model: &Model, shares: &Parallelism, batch: &Batch, rate: u64) -> Option<Self> {
        let of = u128::from(shares.tensor) * u128::from(shares.context) * u128::from(rate);
        let time = |flops: u128| {
            let picoseconds = (flops * u128::from(batch.tokens())).checked_mul(1_000_000_000_000)? / of;
            let least = u128::from(flops > 0);
            u64::try_from(picoseconds.max(least)).ok().filter(|&time| u128::from(time) <= LONGEST)
        };
        Some(Work {
            attention: time(model.attention_flops(batch.sequence.into()))?,
            perceptron: time(model.perceptron_flops())?,
            output: time(model.output_flops())?,
        })
    }

    /// Returns shares in proportion to weights.
    pub fn weighed(model: &Model) -> Self {
        let weights = [model.attention(), model.passed(), model.embedding()];
        let divisor = weights.into_iter().fold(0, gcd).max(1);
        let mut of = weights.map(|weights| weights / divisor);
        while of.iter().any(|&share| share >= FINE) {
            of = of.map(|share| share.div_ceil(2));
        }
        Work { attention: of[0], perceptron: of[1], output: of[2] }
    }

    const fn layer(&self) -> u64 {
        self.attention + self.perceptron
    }

    /// Returns the sum of the stage that computes most, of so many layers in each: the last.
    pub fn whole(&self, layers: u64, micro_batches: u32) -> u128 {
        let pass = u128::from(layers) * u128::from(self.layer()) + u128::from(self.output);
        3 * u128::from(micro_batches) * pass
    }

    /// Returns the shares of a half of a layer in a pass, of so many layers in a chunk. The output layer goes with the last
    /// layer.
    pub fn shares(
        &self,
        schedule: &Schedule,
        stage: u32,
        layers: u64,
        pass: &Pass,
        (layer, half): (u64, Half),
    ) -> Range<u64> {
        let times = if pass.is_forward { 1 } else { 2 };
        let is_last_chunk = stage + 1 == schedule.stages && pass.chunk + 1 == schedule.chunks;
        let has_output = is_last_chunk && layer + 1 == layers;
        let begin = self.before(schedule, stage, layers, pass);
        let perceptron = self.perceptron + if has_output { self.output } else { 0 };
        let output_before = if is_last_chunk && !pass.is_forward && !has_output { self.output } else { 0 };
        let layers_before = if pass.is_forward { layer } else { layers - 1 - layer };
        let (before, length) = match (half, pass.is_forward) {
            (Half::Attention, true) => (0, self.attention),
            (Half::Perceptron, true) => (self.attention, perceptron),
            (Half::Perceptron, false) => (0, perceptron),
            (Half::Attention, false) => (perceptron, self.attention),
        };
        let from = begin + times * (layers_before * self.layer() + output_before + before);
        from..from + times * length
    }

    /// Returns what a stage has computed before a pass.
    fn before(&self, schedule: &Schedule, stage: u32, layers: u64, pass: &Pass) -> u64 {
        let [forward, backward] = pass.before;
        let layers = layers * self.layer() * (forward + 2 * backward);
        if stage + 1 < schedule.stages {
            return layers;
        }
        let last = schedule.chunks - 1;
        layers + self.output * (schedule.of_position(forward, last) + 2 * schedule.of_position(backward, 0))
    }
}

fn gcd(one: u64, other: u64) -> u64 {
    if other == 0 { one } else { gcd(other, one % other) }
}
