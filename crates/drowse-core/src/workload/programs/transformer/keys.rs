//! The keys of the training of a transformer.

use serde::Deserialize;

use super::model_keys::{ModelKeys, ModelProgramKeys};
use super::published::Published;
use super::{Batch, Parallelism, Sharding, Sums, Training, Transformer};
use crate::model::units::{BitRate, FlopRate};
use crate::workload::programs::error::{ProgramError, billionths};
use crate::workload::programs::keys::{Given, Parts};

/// The keys of the training of a transformer.
#[derive(Clone, Copy, Debug, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct TransformerKeys {
    /// Ranks that share each layer (tensor parallelism).
    #[cfg_attr(feature = "schema", schemars(extend("default" = 1), range(min = 1, max = 1024)))]
    tensor: Option<u32>,
    /// Ranks that share each sequence (context parallelism), a divisor of `sequence`.
    #[cfg_attr(feature = "schema", schemars(extend("default" = 1), range(min = 1, max = 1024)))]
    context: Option<u32>,
    /// Replicas that share the experts of each layer (expert parallelism), a divisor of `data` and of `experts`.
    #[cfg_attr(feature = "schema", schemars(extend("default" = 1), range(min = 1)))]
    expert: Option<u32>,
    /// Stages of layers (pipeline parallelism), a divisor of `layers`.
    #[cfg_attr(feature = "schema", schemars(extend("default" = 1), range(min = 1)))]
    pipeline: Option<u32>,
    /// Chunks of layers of each stage. With more than one the schedule is interleaved.
    #[cfg_attr(feature = "schema", schemars(extend("default" = 1), range(min = 1)))]
    virtual_stages: Option<u32>,
    /// Replicas (data parallelism). There are `tensor` x `context` x `pipeline` x `data` ranks.
    #[cfg_attr(feature = "schema", schemars(extend("default" = 1), range(min = 1)))]
    data: Option<u32>,
    /// Tokens of a sequence. Default: the model's; required without one.
    #[cfg_attr(feature = "schema", schemars(extend("examples" = [4096])))]
    #[cfg_attr(feature = "schema", schemars(extend("x-hint" = "the tokens of a sequence")))]
    #[cfg_attr(feature = "schema", schemars(range(min = 1, max = 16_777_216)))]
    sequence: Option<u32>,
    /// Sequences of a micro-batch.
    #[cfg_attr(feature = "schema", schemars(extend("default" = 1), range(min = 1, max = 65_536)))]
    micro_batch: Option<u32>,
    /// Micro-batches of a replica in an iteration; a multiple of `pipeline` for an interleaved schedule.
    #[cfg_attr(feature = "schema", schemars(extend("default" = 1), range(min = 1, max = 65_536)))]
    micro_batches: Option<u32>,
    /// Bytes of a weight and of an activation.
    #[cfg_attr(feature = "schema", schemars(extend("default" = 2), range(min = 1, max = 16)))]
    element: Option<u32>,
    /// Bytes of the gradient of a weight. Default: `element`.
    #[cfg_attr(feature = "schema", schemars(range(min = 1, max = 16)))]
    gradient: Option<u32>,
    /// The peak speed of an accelerator, from which follows how long ranks compute. Default: none; `compute` tells.
    #[cfg_attr(feature = "schema", schemars(extend("examples" = ["989 Tflop/s"])))]
    flops_per_second: Option<FlopRate>,
    /// The share of the peak speed that is reached.
    #[cfg_attr(feature = "schema", schemars(extend("default" = 1.0), range(min = 0, max = 1)))]
    efficiency: Option<f64>,
    /// Bandwidth between the `tensor` ranks over links that are not in the network, such as those within a server: their
    /// sums then take the time of a ring at it, and send nothing. Only with `flops_per_second`. Default: they are messages.
    #[cfg_attr(feature = "schema", schemars(extend("examples" = ["450 GB/s"])))]
    tensor_bandwidth: Option<BitRate>,
    /// How ranks sum, gather and exchange.
    #[cfg_attr(feature = "schema", schemars(extend("default" = "rings")))]
    sums: Option<SumsKey>,
    /// Whether gradients of a layer are summed while ranks compute those of others; only with `sums = "collectives"`.
    #[cfg_attr(feature = "schema", schemars(extend("default" = false)))]
    overlap: Option<bool>,
    /// What replicas share of optimizer, gradients and weights.
    #[cfg_attr(feature = "schema", schemars(extend("default" = "none")))]
    data_sharding: Option<Sharding>,
    /// Whether each of the ranks that share a layer passes only its part of the activations to the next stage.
    #[cfg_attr(feature = "schema", schemars(extend("default" = false)))]
    sequence_parallel: Option<bool>,
}

/// How ranks sum, gather and exchange, by its word.
#[derive(Clone, Copy, Debug, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum SumsKey {
    /// By the messages of rings; tokens go to one rank after the other.
    Rings,
    /// By collectives, whose algorithms `job.collectives` names.
    Collectives,
}

impl ModelProgramKeys for TransformerKeys {
    const KIND: &'static str = "transformer";
    const ABOUT: &'static str =
        "The training of a transformer whose layers, sequences and matrices are shared among ranks.";

    fn parts(self, model: &ModelKeys, given: Given) -> Result<Parts, ProgramError> {
        let or_one = |number: Option<u32>| number.unwrap_or(1);
        let shape = model.shape()?;
        let sequence = self.sequence.or(model.published().map(Published::sequence));
        let element = self.element.unwrap_or(2);
        let training = Training {
            shares: Parallelism {
                tensor: or_one(self.tensor),
                context: or_one(self.context),
                expert: or_one(self.expert),
                pipeline: or_one(self.pipeline),
                chunks: or_one(self.virtual_stages),
                data: or_one(self.data),
            },
            model: shape,
            batch: Batch {
                sequence: sequence.ok_or(ProgramError::missing("sequence"))?,
                micro_batch: or_one(self.micro_batch),
                micro_batches: or_one(self.micro_batches),
            },
            element,
            gradient: self.gradient.unwrap_or(element),
            rate: rate(self.flops_per_second, self.efficiency)?,
            sums: self.sums()?,
            sharding: self.data_sharding.unwrap_or(Sharding::None),
            tensor_bandwidth: self.tensor_bandwidth()?,
            sequence_parallel: self.sequence_parallel.unwrap_or(false),
        };
        Ok(given.iterated(Transformer::new(training)?))
    }
}

impl TransformerKeys {
    /// Returns the bytes a second between ranks that share a layer beside the network.
    fn tensor_bandwidth(&self) -> Result<Option<u64>, ProgramError> {
        match (self.tensor_bandwidth, self.flops_per_second) {
            (Some(_), None) => {
                let what = "makes sums take time, and no speed says how long ranks compute";
                Err(ProgramError::wrong("tensor_bandwidth", what, "write flops_per_second = \"989 Tflop/s\", too"))
            }
            (bandwidth, _) => Ok(bandwidth.map(|bandwidth| (bandwidth.0 / 8).max(1))),
        }
    }

    fn sums(&self) -> Result<Sums, ProgramError> {
        match (self.sums.unwrap_or(SumsKey::Rings), self.overlap.unwrap_or(false)) {
            (SumsKey::Rings, false) => Ok(Sums::Rings),
            (SumsKey::Collectives, false) => Ok(Sums::Collectives),
            (SumsKey::Collectives, true) => Ok(Sums::Overlapping),
            (SumsKey::Rings, true) => {
                let what = "= true needs collectives, which go on while ranks compute";
                Err(ProgramError::wrong("overlap", what, "write sums = \"collectives\", too"))
            }
        }
    }
}

/// Returns the operations of a rank in a second, if a speed is written.
pub(in crate::workload::programs) fn rate(
    speed: Option<FlopRate>,
    efficiency: Option<f64>,
) -> Result<Option<u64>, ProgramError> {
    let Some(FlopRate(speed)) = speed else {
        let what = "is a share of a speed, and there is none";
        let unused = |_| ProgramError::wrong("efficiency", what, "write flops_per_second = \"989 Tflop/s\", too");
        return efficiency.map(unused).map_or(Ok(None), Err);
    };
    let efficiency = billionths("efficiency", efficiency.unwrap_or(1.0))?;
    let rate = u128::from(speed) * u128::from(efficiency) / 1_000_000_000;
    match u64::try_from(rate) {
        Ok(rate) if rate > 0 => Ok(Some(rate)),
        _ => Err(ProgramError::wrong("efficiency", "leaves no speed", "write a share of more than 0.0, such as 0.4")),
    }
}
