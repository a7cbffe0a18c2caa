//! What replicas do with weights and their gradients. They sum gradients, or share the optimizer, gradients and weights as
//! ZeRO does (Rajbhandari et al. 2020): sums are scattered, and weights gathered.

use super::layout::{Axis, Place};
use super::schedule::Pass;
use super::sums::{EXPERT_REPLICAS, REPLICAS, allreduce, axes, ring_steps};
use super::{Sharding, Sums, Training, Transformer};
use crate::model::units::Time;
use crate::workload::operation::{Collective, RequestId};
use crate::workload::programs::writer::Writer;

impl Transformer {
    /// Returns the weights of a layer of a stage that ranks of an axis have alike, with the embedding or the output layer
    /// if it is the first or the last.
    fn weights_of_layer(&self, axis: Axis, at: &Place, layer: u64) -> u64 {
        let first = at.stage == 0 && layer == 0;
        let last = at.stage + 1 == self.training.shares.pipeline && layer + 1 == self.layers();
        self.alike(axis, 1, u64::from(first) + u64::from(last))
    }

    /// Returns the bytes of so many weights of a rank, and of their gradients.
    fn bytes_of(&self, weights: u64, at: &Place) -> [u64; 2] {
        [self.training.element, self.training.gradient].map(|size| self.size(weights, at.share, size))
    }

    /// Takes a step in which the weights of a layer are gathered.
    pub(super) fn gather_weights(&self, at: &Place, layer: u64, mut step: u64, writer: &mut Writer<'_>) {
        for axis in axes(&self.training) {
            let [bytes, _] = self.bytes_of(self.weights_of_layer(axis, at, layer), at);
            let turns = u64::from(self.training.shares.size(axis) - 1);
            if self.training.sums != Sums::Rings {
                self.gather(axis, at, bytes, writer);
            } else if step < turns {
                return self.ring(axis, at, turns + step, bytes, tag(axis), writer);
            } else {
                step -= turns;
            }
        }
    }

    /// Takes a step in which the gradients of a layer are summed after a pass, if they are then.
    pub(super) fn sum_gradients(&self, at: &Place, pass: &Pass, layer: u64, mut step: u64, writer: &mut Writer<'_>) {
        let is_full = self.training.sharding == Sharding::Full;
        if !is_full && !self.schedule().is_last(pass) {
            return;
        }
        for (axis, number) in axes(&self.training).zip(0..) {
            let [_, bytes] = self.bytes_of(self.weights_of_layer(axis, at, layer), at);
            let turns = u64::from(self.training.shares.size(axis) - 1);
            match self.training.sums {
                Sums::Overlapping => {
                    let before = if is_full { pass.before[1] } else { 0 };
                    let request = self.request(before, layer, number);
                    writer.start_in(self.number(axis, at), self.sum_of_gradients(axis, bytes), request);
                }
                Sums::Collectives => writer.call_in(self.number(axis, at), self.sum_of_gradients(axis, bytes)),
                Sums::Rings if step < turns => return self.ring(axis, at, step, bytes, tag(axis), writer),
                Sums::Rings => step -= turns,
            }
        }
    }

    /// Returns the request of a sum along an axis of a layer of a stage, after so many passes backward.
    fn request(&self, passes: u64, layer: u64, axis: u64) -> RequestId {
        // Below 2^32, as checked.
        ((passes * self.layers() + layer) * 2 + axis) as RequestId
    }

    /// Returns the sum of gradients of so many bytes: of all at each rank, or of a part at each.
    fn sum_of_gradients(&self, axis: Axis, bytes: u64) -> Collective {
        match self.training.sharding {
            Sharding::None => allreduce(bytes, self.training.gradient),
            Sharding::Optimizer | Sharding::Full => {
                let ranks = self.training.shares.size(axis);
                let bytes = vec![bytes.div_ceil(ranks.into()); ranks as usize].into();
                Collective::ReduceScatter { bytes, compute: Time::ZERO }
            }
        }
    }

    /// Gathers weights of so many bytes, of which each rank has a part.
    fn gather(&self, axis: Axis, at: &Place, bytes: u64, writer: &mut Writer<'_>) {
        let bytes = bytes.div_ceil(self.training.shares.size(axis).into());
        writer.call_in(self.number(axis, at), Collective::Allgather { bytes });
    }

    /// Returns the steps along an axis after all passes.
    fn steps_at_end_along(&self, axis: Axis) -> u64 {
        let Training { sharding, sums, shares, .. } = self.training;
        match (sharding, sums) {
            (Sharding::Full, _) | (Sharding::None, Sums::Overlapping) => 0,
            (_, Sums::Rings) => ring_steps(shares.size(axis)),
            (Sharding::None, Sums::Collectives) | (Sharding::Optimizer, Sums::Overlapping) => 1,
            (Sharding::Optimizer, Sums::Collectives) => 2,
        }
    }

    /// Returns the waits after all passes: for sums that were started.
    pub(super) fn waits_at_end(&self) -> u64 {
        u64::from(self.training.sums == Sums::Overlapping && axes(&self.training).next().is_some())
    }

    /// Returns the steps after all passes.
    pub(super) fn steps_at_end(&self) -> u64 {
        self.waits_at_end() + axes(&self.training).map(|axis| self.steps_at_end_along(axis)).sum::<u64>()
    }

    /// Takes a step after all passes: waits for sums that were started, sums gradients, or gathers weights.
    pub(super) fn take_at_end(&self, at: &Place, step: u64, writer: &mut Writer<'_>) {
        let Some(mut step) = step.checked_sub(self.waits_at_end()) else { return writer.wait_all() };
        for axis in axes(&self.training) {
            let steps = self.steps_at_end_along(axis);
            if step < steps {
                return self.take_along(axis, at, step, writer);
            }
            step -= steps;
        }
    }

    fn take_along(&self, axis: Axis, at: &Place, step: u64, writer: &mut Writer<'_>) {
        let [weights, gradients] = self.bytes_of(self.alike(axis, self.layers(), self.ends(at.stage)), at);
        match (self.training.sharding, self.training.sums) {
            (Sharding::Optimizer, Sums::Rings) if step >= u64::from(self.training.shares.size(axis) - 1) => {
                self.ring(axis, at, step, weights, tag(axis), writer);
            }
            (_, Sums::Rings) => self.ring(axis, at, step, gradients, tag(axis), writer),
            (Sharding::Optimizer, sums) if step > 0 || sums == Sums::Overlapping => {
                self.gather(axis, at, weights, writer);
            }
            _ => writer.call_in(self.number(axis, at), self.sum_of_gradients(axis, gradients)),
        }
    }
}

/// Returns the tag of what replicas send.
const fn tag(axis: Axis) -> u32 {
    match axis {
        Axis::ExpertReplicas => EXPERT_REPLICAS,
        _ => REPLICAS,
    }
}
