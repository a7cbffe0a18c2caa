//! What an iteration sends and calls, in closed form.

use super::layout::Axis;
use super::sums::{axes, ring_steps};
use super::{Sharding, Sums, Training, Transformer};

/// Messages from rank to rank and their bytes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Volume {
    pub messages: u64,
    pub bytes: u64,
}

impl Volume {
    fn add(&mut self, messages: u64, bytes: u64) {
        self.messages = self.messages.saturating_add(messages);
        self.bytes = self.bytes.saturating_add(bytes);
    }
}

impl Transformer {
    /// Returns how many micro-batches pass each layer, over all replicas and parts of sequences.
    fn passes(&self) -> u64 {
        let Training { shares, batch, .. } = self.training;
        u64::from(shares.data) * u64::from(shares.context) * u64::from(batch.micro_batches)
    }

    pub(super) fn volume(&self) -> Volume {
        let mut volume = Volume::default();
        self.add_stages(&mut volume);
        if self.training.sums == Sums::Rings {
            self.add_layers(&mut volume);
            self.add_replicas(&mut volume);
        }
        volume
    }

    /// Adds what stages pass to each other: each rank all activations, or its part of them.
    fn add_stages(&self, volume: &mut Volume) {
        let Training { shares, sequence_parallel, .. } = self.training;
        let borders = u64::from(shares.pipeline) * u64::from(shares.chunks) - 1;
        let (times, tensor) = (2 * borders * self.passes(), u64::from(shares.tensor));
        let copies = if sequence_parallel { 1 } else { tensor };
        volume.add(times.saturating_mul(tensor), times.saturating_mul(copies).saturating_mul(self.activations()));
    }

    /// Adds sums of activations, keys and values, and exchanges of tokens.
    fn add_layers(&self, volume: &mut Volume) {
        let Training { shares, model, .. } = self.training;
        let passes = self.passes().saturating_mul(model.layers.into());
        let tensor = u64::from(shares.tensor);
        // Each step of a ring moves all data once.
        let steps = 2 * passes * ring_steps(self.training.summing());
        let summed = self.activations().saturating_add(self.routed());
        volume.add(2 * steps * tensor, steps.saturating_mul(summed));
        let turns = 3 * passes * u64::from(shares.context - 1) * tensor;
        volume.add(turns, turns.saturating_mul(self.keys_and_values()));
        let others = 4 * passes * u64::from(shares.expert - 1);
        volume.add(others * tensor, others.saturating_mul(self.routed()) / u64::from(shares.expert));
    }

    /// Adds what replicas sum and gather. Half a ring moves all data once less a part.
    fn add_replicas(&self, volume: &mut Volume) {
        let Training { shares, batch, gradient, element, sharding, .. } = self.training;
        let (gradient, element) = (u64::from(gradient), u64::from(element));
        // Halves of rings, how often each goes round, and the bytes of a weight in all of them.
        let (halves, times, bytes) = match sharding {
            Sharding::None => (2, 1, 2 * gradient),
            Sharding::Optimizer => (2, 1, gradient + element),
            Sharding::Full => (3, u64::from(batch.micro_batches), gradient + 2 * element),
        };
        let each_layer = if sharding == Sharding::Full { self.layers() } else { 1 };
        for axis in axes(&self.training) {
            let ranks = shares.size(axis);
            let (turns, rings) = (u64::from(ranks - 1), u64::from(shares.ranks() / ranks));
            let messages = turns * halves * rings * u64::from(ranks);
            volume.add(messages.saturating_mul(times).saturating_mul(each_layer), 0);
            let rings_of_stage = rings / u64::from(shares.pipeline * shares.tensor);
            for stage in 0..shares.pipeline {
                let weights = self.alike(axis, self.layers(), self.ends(stage)).saturating_mul(bytes);
                let moved = turns.saturating_mul(rings_of_stage).saturating_mul(weights);
                volume.add(0, moved.saturating_mul(times));
            }
        }
    }

    /// Returns the waits and collectives of all ranks.
    pub(super) fn collectives(&self) -> u64 {
        if self.training.sums == Sums::Rings {
            return 0;
        }
        let per_layer: u64 = self
            .axes()
            .map(|axis| match axis {
                Axis::Tensor | Axis::Expert => 4,
                Axis::Context => 3,
                Axis::Replicas | Axis::ExpertReplicas => 0,
            })
            .sum();
        let axes = axes(&self.training).count() as u64;
        let layers = self.layers() * u64::from(self.training.batch.micro_batches);
        let of_replicas = match (self.training.sharding, self.training.sums) {
            (Sharding::Full, _) => 3 * axes * layers,
            (_, Sums::Overlapping) => axes * self.layers(),
            _ => 0,
        };
        let all = per_layer.saturating_mul(layers) + of_replicas + self.steps_at_end();
        all.saturating_mul(self.training.shares.ranks().into())
    }

    /// Returns the size of the largest message, or of what the largest collective is given.
    pub(super) fn largest_message(&self) -> u64 {
        let Training { shares, sequence_parallel, sums, gradient, element, .. } = self.training;
        let chunk = |whole: u64, ranks: u32| match (ranks, sums) {
            (1, _) => 0,
            (of, Sums::Rings) => whole.div_ceil(of.into()),
            _ => whole,
        };
        let parts = if sequence_parallel { shares.tensor } else { 1 };
        let between = if shares.pipeline > 1 { self.activations().div_ceil(parts.into()) } else { 0 };
        let keys = if shares.context > 1 { self.keys_and_values() } else { 0 };
        let exchanged = if shares.expert > 1 { self.sent_to_expert() } else { 0 };
        // Shared weights go a layer at a time, and only a layer that is alone in its stage has both ends.
        let (layers, most_ends) = match self.training.sharding {
            Sharding::Full if self.layers() > 1 => (1, 1),
            Sharding::Full => (1, 2),
            _ => (self.layers(), 2),
        };
        let each = if self.training.sharding == Sharding::None { gradient } else { gradient.max(element) };
        let gradients = axes(&self.training).flat_map(|axis| {
            let ends = (0..shares.pipeline).map(|stage| self.ends(stage).min(most_ends)).max().unwrap_or(0);
            let weights = self.alike(axis, layers, ends);
            (0..shares.tensor).map(move |share| chunk(self.size(weights, share, each), shares.size(axis)))
        });
        let summed = chunk(self.routed(), self.training.summing());
        gradients.chain([between, keys, exchanged, summed]).max().unwrap_or(0)
    }

    /// Returns the most bytes that a rank sends to another that shares the experts.
    pub(super) fn sent_to_expert(&self) -> u64 {
        let Training { shares, .. } = self.training;
        self.routed().div_ceil((u64::from(shares.tensor) * u64::from(shares.expert)).max(1))
    }
}
