//! What a rank does in an iteration: passes of micro-batches, each a receive, the halves of layers, and a send; then the
//! sums of gradients.

use super::layout::{Axis, Group, Place};
use super::model::part;
use super::schedule::Pass;
use super::sums::{allreduce, ring_steps, steps_of_gradients, steps_of_weights};
use super::work::Half;
use super::{Parallelism, Sums, Training, Transformer};
use crate::model::units::Time;
use crate::workload::operation::Collective;
use crate::workload::programs::program::Steps;
use crate::workload::programs::writer::Writer;

/// Tags: activations, gradients of activations, sums of activations, tokens of experts, keys and values. The sums of
/// replicas have tags between these.
const FORWARD: u32 = 0;
const BACKWARD: u32 = 1;
const LAYER: u32 = 2;
const TOKENS: u32 = 5;
const KEYS: u32 = 6;

/// What a rank does one after the other in a half of a layer.
#[derive(Clone, Copy)]
enum Part {
    Compute,
    /// Gathers the weights of the layer, before its first half.
    Weights,
    /// Gathers keys and values.
    Gather,
    /// Sums the gradients of keys and values.
    Scatter,
    /// Sums activations.
    Sum,
    /// Sends tokens to experts, or back.
    Exchange,
    /// Sums the gradients of the layer, or starts to, after its last half.
    Gradients,
}

/// A part of a half of a layer of a chunk.
#[derive(Clone, Copy)]
struct Piece {
    layer: u64,
    half: Half,
    part: Part,
}

/// Data that is summed, the bytes of an element of it, and the tag of its messages.
#[derive(Clone, Copy)]
pub(super) struct Summed {
    pub bytes: u64,
    pub element: u32,
    pub tag: u32,
}

const ATTENTION: [Part; 6] = [Part::Weights, Part::Gather, Part::Compute, Part::Scatter, Part::Sum, Part::Gradients];
const PERCEPTRON: [Part; 5] = [Part::Weights, Part::Exchange, Part::Compute, Part::Sum, Part::Exchange];

impl Half {
    const fn parts(self) -> &'static [Part] {
        match self {
            Half::Attention => &ATTENTION,
            Half::Perceptron => &PERCEPTRON,
        }
    }
}

/// The steps of each part of a layer, of a layer, and of a pass of one micro-batch through a chunk.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Lengths {
    attention: [u64; ATTENTION.len()],
    perceptron: [u64; PERCEPTRON.len()],
    layer: u64,
    pass: u64,
}

impl Lengths {
    pub fn of(training: &Training) -> Self {
        let attention = ATTENTION.map(|part| length(training, part));
        let perceptron = PERCEPTRON.map(|part| length(training, part));
        let layer = attention.iter().sum::<u64>() + perceptron.iter().sum::<u64>();
        let Parallelism { pipeline, chunks, .. } = training.shares;
        // A receive, the layers, and a send.
        let pass = 2 + u64::from(training.model.layers / pipeline / chunks) * layer;
        Lengths { attention, perceptron, layer, pass }
    }

    fn parts(&self, half: Half) -> &[u64] {
        match half {
            Half::Attention => &self.attention,
            Half::Perceptron => &self.perceptron,
        }
    }
}

/// Returns the steps of a part.
fn length(training: &Training, part: Part) -> u64 {
    let along = |ranks: u32, steps: fn(u32) -> u64| match (ranks, training.sums) {
        (1, _) => 0,
        (ranks, Sums::Rings) => steps(ranks),
        _ => 1,
    };
    let once = |ranks: u32| u64::from(ranks - 1);
    match part {
        Part::Compute => 1,
        Part::Gather | Part::Scatter => along(training.shares.context, once),
        Part::Sum => along(training.summing(), ring_steps),
        Part::Exchange => along(training.shares.expert, once),
        Part::Weights => steps_of_weights(training),
        Part::Gradients => steps_of_gradients(training),
    }
}

impl Steps for Transformer {
    fn count(&self, _: u32) -> u64 {
        self.steps_of_passes() + self.steps_at_end()
    }

    fn take(&self, rank: u32, step: u64, writer: &mut Writer<'_>) {
        let at = self.training.shares.place(rank);
        match step.checked_sub(self.steps_of_passes()) {
            None => {
                let (number, within) = (step / self.lengths.pass, step % self.lengths.pass);
                self.take_in_pass(&at, &self.schedule().pass(at.stage, number), within, writer);
            }
            Some(step) => self.take_at_end(&at, step, writer),
        }
    }
}

impl Transformer {
    fn steps_of_passes(&self) -> u64 {
        2 * self.schedule().one_way() * self.lengths.pass
    }

    fn take_in_pass(&self, at: &Place, pass: &Pass, step: u64, writer: &mut Writer<'_>) {
        let neighbour = |is_before| {
            let stage = self.schedule().neighbour(at.stage, pass.chunk, is_before);
            stage.map(|stage| self.training.shares.in_stage(at, stage))
        };
        let tag = if pass.is_forward { FORWARD } else { BACKWARD };
        let Some(inner) = step.checked_sub(1) else {
            return neighbour(pass.is_forward).into_iter().for_each(|from| writer.receive(from, tag));
        };
        if step + 1 == self.lengths.pass {
            let bytes = self.passed_on(at);
            return neighbour(!pass.is_forward).into_iter().for_each(|to| writer.send(to, tag, bytes));
        }
        let (number, mut within) = (inner / self.lengths.layer, inner % self.lengths.layer);
        let layers = self.layers_of_chunk();
        let (layer, halves) = if pass.is_forward {
            (number, [Half::Attention, Half::Perceptron])
        } else {
            (layers - 1 - number, [Half::Perceptron, Half::Attention])
        };
        for half in halves {
            for (&part, &length) in half.parts().iter().zip(self.lengths.parts(half)) {
                match within.checked_sub(length) {
                    None => return self.take_part(at, pass, Piece { layer, half, part }, within, writer),
                    Some(rest) => within = rest,
                }
            }
        }
    }

    /// Returns the bytes that a rank passes to the next stage.
    fn passed_on(&self, at: &Place) -> u64 {
        let parts = if self.training.sequence_parallel { self.training.shares.tensor } else { 1 };
        part(self.activations(), at.share % parts, parts)
    }

    /// Takes a step of a part of a layer.
    fn take_part(&self, at: &Place, pass: &Pass, piece: Piece, step: u64, writer: &mut Writer<'_>) {
        let Piece { layer, half, part } = piece;
        match part {
            Part::Compute => {
                let shares = self.work.shares(&self.schedule(), at.stage, self.layers_of_chunk(), pass, layer, half);
                let of = self.work.whole(self.layers(), self.training.batch.micro_batches);
                // Shares of a plain number are of at most 2^55, and times of at most an hour.
                writer.compute_part(shares, of as u64);
            }
            Part::Gather => self.gather_keys(at, writer),
            Part::Scatter if pass.is_forward => {}
            Part::Scatter => self.scatter(at, writer),
            Part::Sum => {
                let bytes = if half == Half::Perceptron { self.routed() } else { self.activations() };
                let summed = Summed { bytes, element: self.training.element, tag: LAYER };
                self.sum(Axis::Tensor, at, step, summed, writer);
            }
            Part::Exchange => self.exchange(at, step, writer),
            Part::Weights if (half == Half::Attention) == pass.is_forward => {
                self.gather_weights(at, self.layer_of_stage(pass, layer), step, writer);
            }
            Part::Gradients if !pass.is_forward => {
                self.sum_gradients(at, pass, self.layer_of_stage(pass, layer), step, writer);
            }
            Part::Weights | Part::Gradients => {}
        }
    }

    /// Returns the number of a layer of a chunk in its stage.
    fn layer_of_stage(&self, pass: &Pass, layer: u64) -> u64 {
        u64::from(pass.chunk) * self.layers_of_chunk() + layer
    }

    fn group(&self, axis: Axis, at: &Place) -> Group {
        self.training.shares.group(axis, at)
    }

    /// Returns the number of the communicator of a rank's group.
    pub(super) fn number(&self, axis: Axis, at: &Place) -> u32 {
        self.training.shares.number_among(self.axes(), axis, at)
    }

    /// Sums by a step of a ring, or by a collective.
    pub(super) fn sum(&self, axis: Axis, at: &Place, step: u64, summed: Summed, writer: &mut Writer<'_>) {
        let Summed { bytes, element, tag } = summed;
        if self.training.sums != Sums::Rings {
            return writer.call_in(self.number(axis, at), allreduce(bytes, element));
        }
        self.ring(axis, at, step, bytes, tag, writer);
    }

    /// Takes a step of a ring: sends a chunk to the next rank, and waits for one of the rank before. In the first half of
    /// its steps, what is sent is summed, and in the second gathered.
    pub(super) fn ring(&self, axis: Axis, at: &Place, step: u64, bytes: u64, tag: u32, writer: &mut Writer<'_>) {
        let group = self.group(axis, at);
        let chunk = (group.place + group.ranks - (step % u64::from(group.ranks)) as u32) % group.ranks;
        writer.send(group.ahead(1), tag, part(bytes, chunk, group.ranks));
        writer.receive(group.behind(1), tag);
    }

    /// Gathers keys and values: passes on those of another rank.
    fn gather_keys(&self, at: &Place, writer: &mut Writer<'_>) {
        let bytes = self.keys_and_values();
        match self.training.sums {
            Sums::Rings => self.turn(at, bytes, writer),
            _ => writer.call_in(self.number(Axis::Context, at), Collective::Allgather { bytes }),
        }
    }

    /// Sums the gradients of keys and values, each at the rank that has these.
    fn scatter(&self, at: &Place, writer: &mut Writer<'_>) {
        let bytes = self.keys_and_values();
        if self.training.sums == Sums::Rings {
            return self.turn(at, bytes, writer);
        }
        let bytes = vec![bytes; self.training.shares.context as usize].into();
        writer.call_in(self.number(Axis::Context, at), Collective::ReduceScatter { bytes, compute: Time::ZERO });
    }

    /// Sends to the next rank of the same sequences, and waits for the one before.
    fn turn(&self, at: &Place, bytes: u64, writer: &mut Writer<'_>) {
        let group = self.group(Axis::Context, at);
        writer.send(group.ahead(1), KEYS, bytes);
        writer.receive(group.behind(1), KEYS);
    }

    /// Sends tokens to one rank that has other experts, and waits for those of another; as many to each.
    fn exchange(&self, at: &Place, step: u64, writer: &mut Writer<'_>) {
        let shares = &self.training.shares;
        if self.training.sums != Sums::Rings {
            let bytes = self.sent_to_expert();
            return writer.call_in(self.number(Axis::Expert, at), Collective::Alltoall { bytes });
        }
        let group = self.group(Axis::Expert, at);
        // Below the ranks of the group.
        let distance = step as u32 + 1;
        let to = (group.place + distance) % group.ranks;
        let bytes = part(self.routed(), at.share * group.ranks + to, shares.tensor * group.ranks);
        writer.send(group.ahead(distance), TOKENS, bytes);
        writer.receive(group.behind(distance), TOKENS);
    }
}
