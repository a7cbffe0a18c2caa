//! The training of a transformer on ranks that share it in three ways (Narayanan et al. 2021, Megatron-LM): the matrices of
//! a layer among `tensor` ranks, the layers among `pipeline` stages, and the sequences among `data` replicas. An iteration
//! is one update of the weights.
//!
//! A layer has 12 h^2 weights for a hidden size of h: 4 h^2 of attention, then 8 h^2 of the perceptron. After each of the
//! two, the ranks of a layer sum their activations, forward and backward. Stages pass activations on, and gradients back,
//! one forward and one backward in turn (1F1B). At the end replicas sum the gradients of their weights. Sums are NCCL's
//! rings: the data in as many chunks as ranks, each of which goes round twice.
//!
//! Ranks compute as many times longer as there are more weights, and backward twice as long as forward. Left out: the
//! embedding and its gradients, and sums that go on while ranks compute.

use super::steps::{Program, Steps, Writer};
use crate::workload::graph::{GraphError, MOST_RANKS, check};

/// Tags: activations, gradients of activations, sums of activations, sums of gradients.
const FORWARD: u32 = 0;
const BACKWARD: u32 = 1;
const LAYER: u32 = 2;
const REPLICAS: u32 = 3;
/// Weights of a layer over the square of the hidden size.
const WEIGHTS: u64 = 12;
/// Shares of the time of a layer: attention and the perceptron, forward; twice as much backward.
const ATTENTION: u64 = 1;
const PERCEPTRON: u64 = 2;
const FORWARDS: u64 = ATTENTION + PERCEPTRON;
const BACKWARDS: u64 = 2 * FORWARDS;
/// Sums of activations in a layer, in each direction.
const SUMS: u64 = 2;

/// How ranks share a transformer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Parallelism {
    /// Ranks that share each layer.
    pub tensor: u32,
    /// Stages of consecutive layers.
    pub pipeline: u32,
    /// Replicas.
    pub data: u32,
}

/// A transformer, and what it is trained with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Model {
    /// Layers.
    pub layers: u32,
    /// The hidden size.
    pub hidden: u32,
    /// Tokens of a sequence.
    pub sequence: u32,
    /// Sequences of a micro-batch.
    pub micro_batch: u32,
    /// Micro-batches of a replica in an iteration.
    pub micro_batches: u32,
    /// Bytes of a weight, a gradient and an activation.
    pub element: u32,
}

/// The training of a transformer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Transformer {
    shares: Parallelism,
    model: Model,
}

impl Transformer {
    /// Makes the program of one rank for each share of each stage of each replica.
    pub fn new(shares: Parallelism, model: Model) -> Result<Self, GraphError> {
        let Parallelism { tensor, pipeline, data } = shares;
        check("tensor", tensor, 1..=1 << 10)?;
        check("layers", model.layers, 1..=1 << 16)?;
        check("pipeline", pipeline, 1..=model.layers)?;
        if !model.layers.is_multiple_of(pipeline) {
            let reason = format!("write a number that divides the {} layers", model.layers);
            return Err(GraphError { key: "pipeline", value: pipeline.to_string(), reason });
        }
        check("data", data, 1..=(u64::from(MOST_RANKS) / (u64::from(tensor) * u64::from(pipeline))) as u32)?;
        check("hidden", model.hidden, 1..=1 << 20)?;
        check("sequence", model.sequence, 1..=1 << 24)?;
        check("micro_batch", model.micro_batch, 1..=1 << 16)?;
        check("micro_batches", model.micro_batches, 1..=1 << 16)?;
        check("element", model.element, 1..=16)?;
        Ok(Transformer { shares, model })
    }

    /// Returns the layers of a stage.
    fn layers(&self) -> u64 {
        u64::from(self.model.layers / self.shares.pipeline)
    }

    /// Returns the bytes of the activations of a micro-batch between two layers.
    fn activations(&self) -> u64 {
        let Model { hidden, sequence, micro_batch, element, .. } = self.model;
        let tokens = u64::from(micro_batch) * u64::from(sequence);
        tokens.saturating_mul(u64::from(hidden) * u64::from(element))
    }

    /// Returns the bytes of the gradients of a rank that has one of the shares of a stage.
    fn gradients(&self, share: u32) -> u64 {
        let weights = WEIGHTS * u64::from(self.model.hidden).pow(2) * self.layers();
        part(weights, share, self.shares.tensor) * u64::from(self.model.element)
    }

    /// Returns the replicas and micro-batches of an iteration: how many micro-batches pass each layer.
    fn passes(&self) -> u64 {
        u64::from(self.shares.data) * u64::from(self.model.micro_batches)
    }

    /// Returns the steps of each rank in a pass of one micro-batch through its stage: a receive, computations that are
    /// followed by the steps of a ring, and a send.
    fn steps_of_a_pass(&self) -> u64 {
        2 + SUMS * self.layers() * (1 + ring_steps(self.shares.tensor))
    }
}

/// Returns the size of one of `of` parts of a number; the parts sum to it.
fn part(whole: u64, number: u32, of: u32) -> u64 {
    let until = |parts: u64| (u128::from(whole) * u128::from(parts) / u128::from(of)) as u64;
    until(u64::from(number) + 1) - until(number.into())
}

/// Returns the steps of a sum over a ring: each chunk goes round to be summed, and then to be known.
fn ring_steps(ranks: u32) -> u64 {
    2 * u64::from(ranks - 1)
}

impl Program for Transformer {
    fn ranks(&self) -> u32 {
        self.shares.tensor * self.shares.pipeline * self.shares.data
    }

    fn messages(&self) -> u64 {
        let Parallelism { tensor, pipeline, data } = self.shares;
        let sums = 2 * SUMS * u64::from(self.model.layers) * ring_steps(tensor) * u64::from(tensor);
        let between = 2 * u64::from(pipeline - 1) * u64::from(tensor);
        let replicas = ring_steps(data) * u64::from(self.ranks());
        self.passes().saturating_mul(sums + between).saturating_add(replicas)
    }

    /// Each step of a ring moves all data once.
    fn bytes(&self) -> u64 {
        let Parallelism { tensor, pipeline, data } = self.shares;
        let sums = 2 * SUMS * u64::from(self.model.layers) * ring_steps(tensor);
        let between = 2 * u64::from(pipeline - 1) * u64::from(tensor);
        let activations = self.passes().saturating_mul(sums + between).saturating_mul(self.activations());
        let gradients: u64 = (0..tensor).map(|share| self.gradients(share)).sum();
        let replicas = gradients.saturating_mul(u64::from(pipeline)).saturating_mul(ring_steps(data));
        activations.saturating_add(replicas)
    }

    fn largest(&self) -> u64 {
        let Parallelism { tensor, pipeline, data } = self.shares;
        let chunk = |whole: u64, of: u32| if of > 1 { whole.div_ceil(of.into()) } else { 0 };
        let between = if pipeline > 1 { self.activations() } else { 0 };
        let gradients = (0..tensor).map(|share| chunk(self.gradients(share), data)).max().unwrap_or(0);
        between.max(chunk(self.activations(), tensor)).max(gradients)
    }

    fn computations(&self) -> u64 {
        2 * SUMS * self.layers() * u64::from(self.model.micro_batches)
    }

    fn prepare(&self) -> Box<dyn Steps> {
        Box::new(*self)
    }
}

impl Steps for Transformer {
    fn count(&self, _: u32) -> u64 {
        2 * u64::from(self.model.micro_batches) * self.steps_of_a_pass() + ring_steps(self.shares.data)
    }

    fn take(&self, rank: u32, step: u64, writer: &mut Writer<'_>) {
        let at = self.place(rank);
        let (number, within) = (step / self.steps_of_a_pass(), step % self.steps_of_a_pass());
        if number < 2 * u64::from(self.model.micro_batches) {
            return self.take_in_pass(&at, &self.pass(at.stage, number), within, writer);
        }
        let after = step - 2 * u64::from(self.model.micro_batches) * self.steps_of_a_pass();
        let ring = Ring { place: at.replica, ranks: self.shares.data, first: rank - at.replica * at.per_replica };
        ring.take(at.per_replica, after, self.gradients(at.share), REPLICAS, writer);
    }
}

/// Where a rank is; shares of a layer are consecutive, then replicas, then stages.
struct Place {
    rank: u32,
    share: u32,
    replica: u32,
    stage: u32,
    /// The distance of the same share in the next replica.
    per_replica: u32,
    /// The distance of the same share of the same replica in the next stage.
    per_stage: u32,
}

/// A micro-batch that passes a stage.
struct Pass {
    is_forward: bool,
    /// How many have passed the stage before, forward and backward.
    before: [u64; 2],
}

/// A ring of ranks.
struct Ring {
    place: u32,
    ranks: u32,
    first: u32,
}

impl Transformer {
    fn place(&self, rank: u32) -> Place {
        let Parallelism { tensor, data, .. } = self.shares;
        let replica = rank / tensor % data;
        let (per_replica, per_stage) = (tensor, tensor * data);
        Place { rank, share: rank % tensor, replica, stage: rank / per_stage, per_replica, per_stage }
    }

    /// Returns a pass of a stage by its number: as many forward as there are stages behind it, then one forward and one
    /// backward in turn, then the rest backward.
    fn pass(&self, stage: u32, number: u64) -> Pass {
        let all = u64::from(self.model.micro_batches);
        let first = u64::from(self.shares.pipeline - 1 - stage).min(all);
        let in_turn = number.saturating_sub(first);
        let (is_forward, forward) = if number < first {
            (true, number)
        } else if number < 2 * all - first {
            (in_turn.is_multiple_of(2), first + in_turn.div_ceil(2))
        } else {
            (false, all)
        };
        Pass { is_forward, before: [forward, number - forward] }
    }

    fn take_in_pass(&self, at: &Place, pass: &Pass, step: u64, writer: &mut Writer<'_>) {
        let below = at.stage.checked_sub(1).map(|_| at.rank - at.per_stage);
        let above = (at.stage + 1 < self.shares.pipeline).then(|| at.rank + at.per_stage);
        let (from, to, tag) = if pass.is_forward { (below, above, FORWARD) } else { (above, below, BACKWARD) };
        let Some(inner) = step.checked_sub(1) else {
            return from.into_iter().for_each(|from| writer.receive(from, tag));
        };
        if step + 1 == self.steps_of_a_pass() {
            return to.into_iter().for_each(|to| writer.send(to, tag, self.activations()));
        }
        let steps = 1 + ring_steps(self.shares.tensor);
        let (half, within) = (inner / steps, inner % steps);
        match within.checked_sub(1) {
            None => self.compute(pass, half, writer),
            Some(step) => {
                let ring = Ring { place: at.share, ranks: self.shares.tensor, first: at.rank - at.share };
                ring.take(1, step, self.activations(), LAYER, writer);
            }
        }
    }

    /// Computes a half of a layer: attention and then the perceptron, or back.
    fn compute(&self, pass: &Pass, half: u64, writer: &mut Writer<'_>) {
        let layers = self.layers();
        let [forward, backward] = pass.before;
        let (layer, is_second) = (half / 2, !half.is_multiple_of(2));
        let (of_a_layer, first, second) = if pass.is_forward {
            (FORWARDS, ATTENTION, PERCEPTRON)
        } else {
            (BACKWARDS, 2 * PERCEPTRON, 2 * ATTENTION)
        };
        let before = layers * (FORWARDS * forward + BACKWARDS * backward) + layer * of_a_layer;
        let (from, length) = if is_second { (before + first, second) } else { (before, first) };
        let all = layers * (FORWARDS + BACKWARDS) * u64::from(self.model.micro_batches);
        writer.compute_part(from..from + length, all);
    }
}

impl Ring {
    /// Takes a step of a sum: sends a chunk to the next rank, and waits for one of the rank before.
    fn take(&self, distance: u32, step: u64, bytes: u64, tag: u32, writer: &mut Writer<'_>) {
        let Ring { place, ranks, first } = *self;
        let other = |ahead: u32| first + (place + ahead) % ranks * distance;
        let chunk = (place + ranks - (step % u64::from(ranks)) as u32) % ranks;
        writer.send(other(1), tag, part(bytes, chunk, ranks));
        writer.receive(other(ranks - 1), tag);
    }
}
