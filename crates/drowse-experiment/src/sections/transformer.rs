//! The keys of the training of a transformer in `job.app`.

use drowse_core::model::units::{BitRate, FlopRate};
use drowse_core::workload::programs::{
    Batch, Given, Parallelism, Parts, Published, Sharding, Sums, Training, Transformer,
};
use schemars::JsonSchema;
use serde::Deserialize;

use super::model::ModelKeys;
use super::programs::refused;
use crate::diagnostic::Diagnostic;
use crate::keys::{Keys, join};
use crate::node::Node;
use crate::wording;

/// The keys of the training of a transformer.
#[derive(JsonSchema)]
#[expect(dead_code, reason = "only its schema is used: the keys of the model are taken first")]
pub(super) struct TransformerKeys {
    #[serde(flatten)]
    model: ModelKeys,
    #[serde(flatten)]
    training: RawTransformer,
}

/// The keys of a training but for those of its model.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct RawTransformer {
    /// Ranks that share each layer (tensor parallelism).
    #[schemars(extend("default" = 1), range(min = 1, max = 1024))]
    tensor: Option<u32>,
    /// Ranks that share each sequence (context parallelism), a divisor of `sequence`.
    #[schemars(extend("default" = 1), range(min = 1, max = 1024))]
    context: Option<u32>,
    /// Replicas that share the experts of each layer (expert parallelism), a divisor of `data` and of `experts`.
    #[schemars(extend("default" = 1), range(min = 1))]
    expert: Option<u32>,
    /// Stages of layers (pipeline parallelism), a divisor of `layers`.
    #[schemars(extend("default" = 1), range(min = 1))]
    pipeline: Option<u32>,
    /// Chunks of layers of each stage. With more than one the schedule is interleaved.
    #[schemars(extend("default" = 1), range(min = 1))]
    virtual_stages: Option<u32>,
    /// Replicas (data parallelism). There are `tensor` x `context` x `pipeline` x `data` ranks.
    #[schemars(extend("default" = 1), range(min = 1))]
    data: Option<u32>,
    /// Tokens of a sequence. Default: the model's; required without one.
    #[schemars(
        extend("examples" = [4096]),
        extend("x-hint" = "the tokens of a sequence"),
        range(min = 1, max = 16_777_216)
    )]
    sequence: Option<u32>,
    /// Sequences of a micro-batch.
    #[schemars(extend("default" = 1), range(min = 1, max = 65_536))]
    micro_batch: Option<u32>,
    /// Micro-batches of a replica in an iteration; a multiple of `pipeline` for an interleaved schedule.
    #[schemars(extend("default" = 1), range(min = 1, max = 65_536))]
    micro_batches: Option<u32>,
    /// Bytes of a weight and of an activation.
    #[schemars(extend("default" = 2), range(min = 1, max = 16))]
    element: Option<u32>,
    /// Bytes of the gradient of a weight. Default: `element`.
    #[schemars(range(min = 1, max = 16))]
    gradient: Option<u32>,
    /// The peak speed of an accelerator, from which follows how long ranks compute. Default: none; `compute` tells.
    #[schemars(extend("examples" = ["989 Tflop/s"]))]
    flops_per_second: Option<FlopRate>,
    /// The share of the peak speed that is reached.
    #[schemars(extend("default" = 1.0), range(min = 0, max = 1))]
    efficiency: Option<f64>,
    /// Bandwidth between the `tensor` ranks over links that are not in the network, such as those within a server: their
    /// sums then take the time of a ring at it, and send nothing. Only with `flops_per_second`. Default: they are messages.
    #[schemars(extend("examples" = ["450 GB/s"]))]
    tensor_bandwidth: Option<BitRate>,
    /// How ranks sum, gather and exchange.
    #[schemars(extend("default" = "rings"))]
    sums: Option<RawSums>,
    /// Whether gradients of a layer are summed while ranks compute those of others; only with `sums = "collectives"`.
    #[schemars(extend("default" = false))]
    overlap: Option<bool>,
    /// What replicas share of optimizer, gradients and weights.
    #[schemars(extend("default" = "none"))]
    data_sharding: Option<Sharding>,
    /// Whether each of the ranks that share a layer passes only its part of the activations to the next stage.
    #[schemars(extend("default" = false))]
    sequence_parallel: Option<bool>,
}

/// How ranks sum, gather and exchange.
#[derive(Clone, Copy, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
enum RawSums {
    /// By the messages of rings; tokens go to one rank after the other.
    Rings,
    /// By collectives, whose algorithms `job.collectives` names.
    Collectives,
}

/// Reads the keys of a training.
pub(super) fn read(mut node: Node<'_>, given: Given, keys: &Keys) -> Result<Parts, Diagnostic> {
    let path = node.path.clone();
    let model = ModelKeys::take(&mut node, keys)?;
    let raw: RawTransformer = node.read(keys)?;
    let sequence = raw.sequence.or(model.published().map(Published::sequence));
    let model = model.model(keys, &path)?;
    let sequence = sequence.ok_or_else(|| wording::missing(keys, &path, "sequence", &[]))?;
    let or_one = |number: Option<u32>| number.unwrap_or(1);
    let shares = Parallelism {
        tensor: or_one(raw.tensor),
        context: or_one(raw.context),
        expert: or_one(raw.expert),
        pipeline: or_one(raw.pipeline),
        chunks: or_one(raw.virtual_stages),
        data: or_one(raw.data),
    };
    let [micro_batch, micro_batches] = [raw.micro_batch, raw.micro_batches].map(or_one);
    let element = raw.element.unwrap_or(2);
    let transformer = Transformer::new(Training {
        shares,
        model,
        batch: Batch { sequence, micro_batch, micro_batches },
        element,
        gradient: raw.gradient.unwrap_or(element),
        rate: rate(raw.flops_per_second, raw.efficiency, keys, &path)?,
        sums: raw.sums(keys, &path)?,
        sharding: raw.data_sharding.unwrap_or(Sharding::None),
        tensor_bandwidth: raw.tensor_bandwidth(keys, &path)?,
        sequence_parallel: raw.sequence_parallel.unwrap_or(false),
    });
    Ok(given.iterated(transformer.map_err(|error| refused(error, keys, &path))?))
}

impl RawTransformer {
    /// Returns the bytes a second between ranks that share a layer beside the network.
    fn tensor_bandwidth(&self, keys: &Keys, path: &str) -> Result<Option<u64>, Diagnostic> {
        match (self.tensor_bandwidth, self.flops_per_second) {
            (Some(_), None) => {
                let key = join(path, "tensor_bandwidth");
                let message = format!("`{key}` makes sums take time, and no speed says how long ranks compute");
                Err(keys.error(&key, message, "write flops_per_second = \"989 Tflop/s\", too"))
            }
            (bandwidth, _) => Ok(bandwidth.map(|bandwidth| (bandwidth.0 / 8).max(1))),
        }
    }

    fn sums(&self, keys: &Keys, path: &str) -> Result<Sums, Diagnostic> {
        match (self.sums.unwrap_or(RawSums::Rings), self.overlap.unwrap_or(false)) {
            (RawSums::Rings, false) => Ok(Sums::Rings),
            (RawSums::Collectives, false) => Ok(Sums::Collectives),
            (RawSums::Collectives, true) => Ok(Sums::Overlapping),
            (RawSums::Rings, true) => {
                let overlap = join(path, "overlap");
                let message = format!("`{overlap}` = true needs collectives, which go on while ranks compute");
                Err(keys.error(&overlap, message, "write sums = \"collectives\", too"))
            }
        }
    }
}

/// Returns the operations of a rank in a second, if a speed is written.
pub(super) fn rate(
    speed: Option<FlopRate>,
    efficiency: Option<f64>,
    keys: &Keys,
    path: &str,
) -> Result<Option<u64>, Diagnostic> {
    let Some(FlopRate(speed)) = speed else {
        return match efficiency {
            Some(_) => {
                let key = join(path, "efficiency");
                let message = format!("`{key}` is a share of a speed, and there is none");
                Err(keys.error(&key, message, "write flops_per_second = \"989 Tflop/s\", too"))
            }
            None => Ok(None),
        };
    };
    let key = join(path, "efficiency");
    let efficiency = super::billionths(super::share(keys, &key, efficiency.unwrap_or(1.0))?);
    let rate = u128::from(speed) * u128::from(efficiency) / 1_000_000_000;
    match u64::try_from(rate) {
        Ok(rate) if rate > 0 => Ok(Some(rate)),
        _ => Err(keys.error(&key, format!("`{key}` leaves no speed"), "write a share of more than 0.0, such as 0.4")),
    }
}
