//! How long ranks compute, and in which shares of an iteration.

use std::ops::Range;

use super::model::Model;
use super::schedule::{Pass, Schedule};
use super::{Batch, Parallelism};

/// The times of parts of a micro-batch, in picoseconds where a rate is known and else in shares of an iteration. Backward
/// takes twice as long as forward, but for sums.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Work {
    attention: u64,
    perceptron: u64,
    /// The output layer, which the last stage has.
    output: u64,
    /// Sums of activations over links that are not in the network: after attention, and after the perceptron.
    sums: [u64; 2],
}

/// A half of a layer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Half {
    Attention,
    Perceptron,
}

/// The longest time that a rank may compute in an iteration: an hour.
pub(super) const LONGEST: u128 = 3_600_000_000_000_000;
/// How many times as long as forward each direction takes.
const FORWARD: u64 = 1;
const BACKWARD: u64 = 2;
/// Shares are below this number.
const FINE: u64 = 1 << 20;

impl Work {
    /// Returns the shares of a rank that computes so many operations a second; `None` if it would take more than an hour.
    pub fn timed(model: &Model, shares: &Parallelism, batch: &Batch, rate: u64, sums: [u64; 2]) -> Option<Self> {
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
            sums,
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
        Work { attention: of[0], perceptron: of[1], output: of[2], sums: [0; 2] }
    }

    /// Returns the sum of a layer that takes so many times as long as forward.
    const fn layer(&self, times: u64) -> u64 {
        times * (self.attention + self.perceptron) + self.sums[0] + self.sums[1]
    }

    /// Returns the sum of the stage that computes most, of so many layers in each: the last.
    pub fn whole(&self, layers: u64, micro_batches: u32) -> u128 {
        let both_directions = u128::from(self.layer(FORWARD)) + u128::from(self.layer(BACKWARD));
        let output = u128::from(FORWARD + BACKWARD) * u128::from(self.output);
        u128::from(micro_batches) * (u128::from(layers) * both_directions + output)
    }

    /// Returns the shares of a half of a layer in a pass, of so many layers in a chunk. The output layer goes with the last
    /// layer.
    pub fn shares(
        &self,
        schedule: &Schedule,
        stage: u32,
        layers: u64,
        pass: &Pass,
        layer: u64,
        half: Half,
    ) -> Range<u64> {
        let times = if pass.is_forward { FORWARD } else { BACKWARD };
        let is_last_chunk = stage + 1 == schedule.stages && pass.chunk + 1 == schedule.chunks;
        let has_output = is_last_chunk && layer + 1 == layers;
        let attention = times * self.attention + self.sums[0];
        let perceptron = times * (self.perceptron + if has_output { self.output } else { 0 }) + self.sums[1];
        let output_before = if is_last_chunk && !pass.is_forward && !has_output { times * self.output } else { 0 };
        let layers_before = if pass.is_forward { layer } else { layers - 1 - layer };
        let (before, length) = match (half, pass.is_forward) {
            (Half::Attention, true) => (0, attention),
            (Half::Perceptron, true) => (attention, perceptron),
            (Half::Perceptron, false) => (0, perceptron),
            (Half::Attention, false) => (perceptron, attention),
        };
        let begin = self.before(schedule, stage, layers, pass);
        let from = begin + layers_before * self.layer(times) + output_before + before;
        from..from + length
    }

    /// Returns what a stage has computed before a pass.
    fn before(&self, schedule: &Schedule, stage: u32, layers: u64, pass: &Pass) -> u64 {
        let [forward, backward] = pass.before;
        let layers = layers * (forward * self.layer(FORWARD) + backward * self.layer(BACKWARD));
        if stage + 1 < schedule.stages {
            return layers;
        }
        let last = schedule.chunks - 1;
        layers
            + self.output
                * (FORWARD * schedule.of_position(forward, last) + BACKWARD * schedule.of_position(backward, 0))
    }
}

fn gcd(one: u64, other: u64) -> u64 {
    if other == 0 { one } else { gcd(other, one % other) }
}
