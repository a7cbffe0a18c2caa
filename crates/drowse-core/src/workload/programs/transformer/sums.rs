//! The sums of replicas: along which axes, in how many steps, and by which tags.

use super::layout::Axis;
use super::{Sharding, Sums, Training};
use crate::model::units::Time;
use crate::workload::operation::Collective;

/// Tags of sums of gradients, and of those of experts.
pub(super) const REPLICAS: u32 = 3;
pub(super) const EXPERT_REPLICAS: u32 = 4;

/// Returns the steps of a sum over a ring: each chunk goes round to be summed, and then to be known.
pub(super) fn ring_steps(ranks: u32) -> u64 {
    2 * u64::from(ranks - 1)
}

/// A sum of numbers of so many bytes.
pub(super) fn allreduce(bytes: u64, element: u32) -> Collective {
    Collective::Allreduce { bytes, count: bytes / u64::from(element), compute: Time::ZERO }
}

/// Returns the steps in which the weights of a layer are gathered.
pub(super) fn steps_of_weights(training: &Training) -> u64 {
    match (training.sharding, training.sums) {
        (Sharding::Full, Sums::Rings) => axes(training).map(|axis| u64::from(training.shares.size(axis) - 1)).sum(),
        (Sharding::Full, _) => 1,
        _ => 0,
    }
}

/// Returns the steps in which the gradients of a layer are summed.
pub(super) fn steps_of_gradients(training: &Training) -> u64 {
    match training.sums {
        Sums::Overlapping => 1,
        _ => steps_of_weights(training),
    }
}

/// Returns the axes along which ranks have the same weights.
pub(super) fn axes(training: &Training) -> impl Iterator<Item = Axis> + '_ {
    let is_used = |axis: &Axis| *axis == Axis::Replicas || training.model.has_experts();
    [Axis::Replicas, Axis::ExpertReplicas]
        .into_iter()
        .filter(move |axis| is_used(axis) && training.shares.size(*axis) > 1)
}
