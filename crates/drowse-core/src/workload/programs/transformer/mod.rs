//! The training of a transformer on ranks that share it (Narayanan et al. 2021, Megatron-LM): `tensor` ranks the matrices
//! of a layer, `context` ranks the sequences, `expert` replicas the experts, `pipeline` stages the layers, and `data`
//! replicas the batch. An iteration is one update of the weights.
//!
//! After attention, and after the perceptron, the ranks that share a layer sum their activations, forward and backward.
//! Ranks that share sequences gather keys and values before attention, forward and backward, and then sum the gradients
//! of both (Grattafiori et al. 2024, section 3.3.2). Replicas that share experts exchange tokens before and after these
//! (Lepikhin et al. 2020, GShard). Stages pass activations on, and gradients back. At the end, or while ranks compute,
//! replicas sum the gradients of their weights. They may share the optimizer, gradients and weights (ZeRO).
//!
//! Sums are the messages of rings, or calls of collectives, whose algorithms the job names. Ranks compute in proportion
//! to weights, or as long as their operations take at a rate; backward twice as long as forward. Left out: norms and
//! biases, activations that are computed again, what the update of the weights computes, tied embeddings, and tokens that
//! choose some experts more often than others.

mod keys;
mod layout;
mod model;
mod model_keys;
mod published;
mod schedule;
mod sharding;
mod steps;
mod sums;
mod volume;
mod work;

pub use keys::TransformerKeys;
pub(super) use keys::rate;
pub use model::Model;
pub use model_keys::{ModelKeys, ModelProgramKeys};
pub use published::Published;

use serde::{Deserialize, Serialize};

use super::error::{MOST_RANKS, ProgramError, check};
use super::program::{Program, Steps};
use crate::model::units::Time;
use layout::Axis;
use model::{divides, part};
use schedule::Schedule;
use steps::Lengths;
use work::{LONGEST, Work};

/// How ranks share a transformer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Parallelism {
    /// Ranks that share each layer.
    pub tensor: u32,
    /// Ranks that share each sequence.
    pub context: u32,
    /// Replicas that share the experts of a layer, consecutive ones; a divisor of the replicas.
    pub expert: u32,
    /// Stages of layers.
    pub pipeline: u32,
    /// Chunks of consecutive layers of each stage; several make an interleaved schedule.
    pub chunks: u32,
    /// Replicas.
    pub data: u32,
}

impl Default for Parallelism {
    /// One rank.
    fn default() -> Self {
        Parallelism { tensor: 1, context: 1, expert: 1, pipeline: 1, chunks: 1, data: 1 }
    }
}

/// What a replica is trained with in an iteration.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Batch {
    /// Tokens of a sequence.
    pub sequence: u32,
    /// Sequences of a micro-batch.
    pub micro_batch: u32,
    /// Micro-batches.
    pub micro_batches: u32,
}

impl Batch {
    /// Returns the tokens of a micro-batch.
    fn tokens(&self) -> u64 {
        u64::from(self.micro_batch) * u64::from(self.sequence)
    }
}

/// How ranks sum, gather and exchange.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sums {
    /// By the messages of rings.
    Rings,
    /// By calling collectives.
    Collectives,
    /// By calling collectives; gradients of a layer while the rank computes those of the layers before it.
    Overlapping,
}

/// What replicas share of weights and what belongs to them (Rajbhandari et al. 2020, section 5).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum Sharding {
    /// Nothing: all sum all gradients.
    None,
    /// The optimizer, or gradients as well (ZeRO-1, ZeRO-2): sums of gradients are scattered, and weights gathered at the end.
    Optimizer,
    /// Weights, too (ZeRO-3, FSDP): the weights of a layer are gathered before each pass of a micro-batch, and its gradients
    /// are summed and scattered after each.
    Full,
}

/// The training of a transformer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Training {
    /// How ranks share it.
    pub shares: Parallelism,
    /// The transformer.
    pub model: Model,
    /// What it is trained with.
    pub batch: Batch,
    /// Bytes of an activation.
    pub element: u32,
    /// Bytes of a gradient of a weight.
    pub gradient: u32,
    /// Operations of a rank in a second; if there is none, times are in proportion to weights.
    pub rate: Option<u64>,
    /// How ranks sum.
    pub sums: Sums,
    /// What replicas share.
    pub sharding: Sharding,
    /// Bytes a second between the ranks that share a layer, over links that are not in the network: their sums take the
    /// time of a ring there, and send nothing. Only with a rate.
    pub tensor_bandwidth: Option<u64>,
    /// Whether each rank that shares a layer passes only its part of the activations to the next stage.
    pub sequence_parallel: bool,
}

impl Training {
    /// Returns the ranks that sum activations over the network.
    fn summing(&self) -> u32 {
        if self.tensor_bandwidth.is_some() { 1 } else { self.shares.tensor }
    }
}

/// The program of a training.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Transformer {
    training: Training,
    work: Work,
    lengths: Lengths,
}

impl Transformer {
    /// Makes the program of one rank for each share of each part of the sequences of each stage of each replica.
    pub fn new(training: Training) -> Result<Self, ProgramError> {
        let Training { shares, model, batch, element, gradient, rate, sums, .. } = training;
        model.check()?;
        check_shares(&shares, &model, if sums == Sums::Rings { MOST_RANKS } else { MOST_LISTED })?;
        check("sequence", batch.sequence, 1..=1 << 24)?;
        divides("context", shares.context, batch.sequence, "tokens of a sequence")?;
        check("micro_batch", batch.micro_batch, 1..=1 << 16)?;
        check("micro_batches", batch.micro_batches, 1..=1 << 16)?;
        if shares.chunks > 1 && !batch.micro_batches.is_multiple_of(shares.pipeline) {
            let reason = format!("interleaved, write a multiple of the {} stages", shares.pipeline);
            return Err(ProgramError::out_of_range("micro_batches", batch.micro_batches, reason));
        }
        check_requests(&training)?;
        check("element", element, 1..=16)?;
        check("gradient", gradient, 1..=16)?;
        let untimed = Transformer { training, work: Work::weighed(&model), lengths: Lengths::of(&training) };
        let sums = untimed.sums_beside().ok_or_else(|| {
            ProgramError::out_of_range(
                "tensor_bandwidth",
                training.tensor_bandwidth.unwrap_or(0),
                "a sum of activations would take more than an hour; write more",
            )
        })?;
        let timed = |rate| Work::timed(&model, &shares, &batch, rate, sums);
        let work = rate.map_or(Some(untimed.work), timed);
        let work = work.filter(|work| {
            let layers = model.layers / shares.pipeline;
            rate.is_none() || work.whole(layers.into(), batch.micro_batches) <= LONGEST
        });
        let too_long = || {
            ProgramError::out_of_range(
                "flops_per_second",
                rate.unwrap_or(0),
                "a rank would compute for more than an hour in an iteration; write more, or a smaller batch",
            )
        };
        Ok(Transformer { work: work.ok_or_else(too_long)?, ..untimed })
    }

    /// Returns the layers of a stage.
    fn layers(&self) -> u64 {
        u64::from(self.training.model.layers / self.training.shares.pipeline)
    }

    /// Returns the layers of a chunk.
    fn layers_of_chunk(&self) -> u64 {
        self.layers() / u64::from(self.training.shares.chunks)
    }

    fn schedule(&self) -> Schedule {
        let Training { shares, batch, .. } = self.training;
        Schedule { stages: shares.pipeline, chunks: shares.chunks, micro_batches: batch.micro_batches }
    }

    /// Returns the bytes of the activations between two layers of a part of the sequences of a micro-batch.
    fn activations(&self) -> u64 {
        let Training { shares, model, batch, element, .. } = self.training;
        let tokens = batch.tokens() / u64::from(shares.context);
        tokens.saturating_mul(u64::from(model.hidden) * u64::from(element))
    }

    /// Returns the bytes of the activations that go to experts.
    fn routed(&self) -> u64 {
        self.activations().saturating_mul(self.training.model.experts_per_token.into())
    }

    /// Returns the picoseconds of the sums of a layer, after attention and after the perceptron, over links that are not in
    /// the network: as long as a ring sends. `None` if one takes more than an hour.
    fn sums_beside(&self) -> Option<[u64; 2]> {
        let Training { shares, tensor_bandwidth, .. } = self.training;
        let time = |bytes: u64| {
            let Some(bandwidth) = tensor_bandwidth else { return Some(0) };
            let sent = u128::from(bytes) * u128::from(sums::ring_steps(shares.tensor)) / u128::from(shares.tensor);
            let picoseconds = sent.checked_mul(1_000_000_000_000)?.div_ceil(bandwidth.max(1).into());
            u64::try_from(picoseconds).ok().filter(|&time| u128::from(time) <= LONGEST)
        };
        Some([time(self.activations())?, time(self.routed())?])
    }

    /// Returns the bytes of the keys and values of a rank.
    fn keys_and_values(&self) -> u64 {
        let Training { shares, model, batch, element, .. } = self.training;
        let tokens = batch.tokens() / u64::from(shares.context);
        tokens.saturating_mul(2 * model.keys_of(shares.tensor) * u64::from(element))
    }

    /// Returns the weights of so many layers of a stage that ranks of an axis have alike, over all shares. The first stage
    /// has the embedding, and the last the output layer.
    fn alike(&self, axis: Axis, layers: u64, ends: u64) -> u64 {
        let Training { shares, model, .. } = self.training;
        match axis {
            Axis::Replicas => model.dense().saturating_mul(layers).saturating_add(ends * model.embedding()),
            _ if model.has_experts() => {
                model.perceptron().saturating_mul(u64::from(model.experts / shares.expert)).saturating_mul(layers)
            }
            _ => 0,
        }
    }

    /// Returns how many of both ends of the model a stage has: the embedding and the output layer.
    fn ends(&self, stage: u32) -> u64 {
        u64::from(stage == 0) + u64::from(stage + 1 == self.training.shares.pipeline)
    }

    /// Returns the bytes of what a rank with one of the shares has of weights, of so many bytes each.
    fn size(&self, weights: u64, share: u32, each: u32) -> u64 {
        part(weights, share, self.training.shares.tensor).saturating_mul(each.into())
    }

    /// Returns the axes along which there is something to sum, gather or exchange.
    fn axes(&self) -> impl Iterator<Item = Axis> + '_ {
        let Training { shares, model, .. } = &self.training;
        let is_needed = |axis: &Axis| {
            let is_used = model.has_experts() || !matches!(axis, Axis::Expert | Axis::ExpertReplicas);
            let size = if *axis == Axis::Tensor { self.training.summing() } else { shares.size(*axis) };
            is_used && size > 1
        };
        Axis::ALL.into_iter().filter(is_needed)
    }
}

/// The most ranks whose groups are listed.
pub(super) const MOST_LISTED: u32 = 1 << 22;

/// Refuses more sums beside the program than there are requests.
fn check_requests(training: &Training) -> Result<(), ProgramError> {
    if training.sums != Sums::Overlapping || training.sharding != Sharding::Full {
        return Ok(());
    }
    let Training { shares, model, batch, .. } = training;
    // A stage has its layers a chunk at a time, and a sum for each, also of experts.
    let sums_of_a_batch = 2 * u64::from(model.layers / shares.pipeline) * u64::from(shares.chunks);
    check("micro_batches", batch.micro_batches, 1..=((1 << 32) / sums_of_a_batch).min(1 << 16) as u32)
}

/// Refuses shares that do not fit the model, or make more than so many ranks.
fn check_shares(shares: &Parallelism, model: &Model, most: u32) -> Result<(), ProgramError> {
    let Parallelism { tensor, context, expert, pipeline, chunks, data } = *shares;
    check("tensor", tensor, 1..=1 << 10)?;
    check("pipeline", pipeline, 1..=model.layers.min(most / tensor))?;
    divides("pipeline", pipeline, model.layers, "layers")?;
    check("virtual_stages", chunks, 1..=if pipeline > 1 { model.layers } else { 1 })?;
    divides("virtual_stages", chunks, model.layers / pipeline, "layers of a stage")?;
    check("context", context, 1..=(most / (tensor * pipeline)).min(1 << 10))?;
    check("data", data, 1..=most / (tensor * pipeline * context))?;
    check("expert", expert, 1..=data)?;
    divides("expert", expert, data, "replicas")?;
    divides("expert", expert, model.experts, "experts")
}

impl Program for Transformer {
    fn ranks(&self) -> u32 {
        self.training.shares.ranks()
    }

    fn messages(&self) -> u64 {
        self.volume().messages
    }

    fn bytes(&self) -> u64 {
        self.volume().bytes
    }

    fn largest(&self) -> u64 {
        self.largest_message()
    }

    fn computations(&self) -> u64 {
        4 * self.layers() * u64::from(self.training.batch.micro_batches)
    }

    fn calls(&self) -> u64 {
        self.collectives()
    }

    fn time(&self) -> Option<Time> {
        // At most an hour.
        self.training.rate.map(|_| Time(self.work.whole(self.layers(), self.training.batch.micro_batches) as u64))
    }

    fn groups(&self) -> Vec<Vec<u32>> {
        match self.training.sums {
            Sums::Rings => Vec::new(),
            Sums::Collectives | Sums::Overlapping => self.training.shares.groups(self.axes()),
        }
    }

    fn has_accelerators(&self) -> bool {
        true
    }

    fn prepare(&self) -> Box<dyn Steps> {
        Box::new(*self)
    }
}

#[cfg(test)]
pub(super) mod tests;
