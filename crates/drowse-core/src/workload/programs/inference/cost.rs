//! How long a rank computes in a half of a layer: as long as its operations or its bytes of memory take, whichever is
//! longer (the roofline of Williams, Waterman and Patterson 2009).

use super::Serving;
use crate::workload::programs::transformer::Model;

/// How fast a rank computes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Speed {
    /// Operations in a second.
    pub flops: u64,
    /// Bytes of memory in a second.
    pub memory: u64,
}

/// A half of a layer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Half {
    Attention,
    Perceptron,
    /// The perceptron of the last layer, and the output layer.
    Last,
}

/// What is computed at once.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Batch {
    /// Tokens that pass the layer.
    pub tokens: u64,
    /// Tokens with keys and values, summed over the tokens that attend to them.
    pub attended: u64,
    /// Tokens whose keys and values are read.
    pub read: u64,
    /// Tokens of answers.
    pub made: u64,
}

impl Batch {
    /// A prompt, all of which attends to all of it.
    pub fn prompt(tokens: u32) -> Self {
        let tokens = u64::from(tokens);
        Batch { tokens, attended: tokens * tokens, read: tokens, made: 1 }
    }

    /// A token of each of so many requests, with these tokens before in all.
    pub const fn step(requests: u32, context: u64) -> Self {
        let tokens = requests as u64;
        Batch { tokens, attended: context, read: context, made: tokens }
    }
}

impl Serving {
    /// Returns the half of a layer in a step of a rank: two of each layer.
    pub(super) fn half(&self, number: u64) -> Half {
        match number {
            number if number.is_multiple_of(2) => Half::Attention,
            number if number + 1 == 2 * u64::from(self.model.layers) => Half::Last,
            _ => Half::Perceptron,
        }
    }

    /// Returns the picoseconds of a rank that shares a half of a layer with others, at least one.
    pub(super) fn time(&self, half: Half, batch: &Batch, tensor: u32) -> u64 {
        let (flops, bytes) = match half {
            Half::Attention => self.attention(batch),
            Half::Perceptron => self.perceptron(batch),
            Half::Last => {
                let ((flops, bytes), embedding) = (self.perceptron(batch), u128::from(self.model.embedding()));
                (flops + u128::from(batch.made) * self.model.output_flops(), bytes + embedding * self.element())
            }
        };
        let of = |amount: u128, speed: u64| {
            let picoseconds =
                amount.saturating_mul(1_000_000_000_000) / (u128::from(speed.max(1)) * u128::from(tensor));
            u64::try_from(picoseconds).unwrap_or(u64::MAX)
        };
        of(flops, self.speed.flops).max(of(bytes, self.speed.memory)).max(1)
    }

    /// Returns the picoseconds of all layers.
    pub(super) fn whole(&self, batch: &Batch, tensor: u32) -> u64 {
        let layers = u64::from(self.model.layers);
        let time = |half| self.time(half, batch, tensor);
        let attention = time(Half::Attention).saturating_mul(layers);
        let perceptron = time(Half::Perceptron).saturating_mul(layers - 1);
        attention.saturating_add(perceptron).saturating_add(time(Half::Last))
    }

    fn element(&self) -> u128 {
        self.element.into()
    }

    fn attention(&self, batch: &Batch) -> (u128, u128) {
        let Model { heads, head_size, .. } = self.model;
        let products = 4 * u128::from(batch.attended) * u128::from(heads) * u128::from(head_size);
        let flops = u128::from(batch.tokens) * self.model.attention_flops(0) + products;
        let keys = 2 * u128::from(batch.read) * u128::from(self.model.keys_of(1));
        (flops, (u128::from(self.model.attention()) + keys) * self.element())
    }

    /// Only the experts that tokens choose are read, each by a token of its own as long as there are enough.
    fn perceptron(&self, batch: &Batch) -> (u128, u128) {
        let flops = u128::from(batch.tokens) * self.model.perceptron_flops();
        let chosen = u128::from(batch.tokens) * u128::from(self.model.experts_per_token);
        let experts = chosen.min(self.model.experts.into());
        (flops, u128::from(self.model.perceptron()) * experts * self.element())
    }
}
