//! The keys of transformers in `job.app`: a published model or a shape, and how ranks share its training.

use drowse_core::model::units::{Bandwidth, FlopRate};
use drowse_core::workload::chains::{Batch, Model, Parallelism, Published, Sums, Training, Transformer};
use schemars::JsonSchema;
use serde::Deserialize;

use super::chains::{Made, made};
use crate::diagnostic::Diagnostic;
use crate::keys::{Keys, join};
use crate::node::Node;
use crate::quantity::Quantity;
use crate::wording;

/// The keys of the training of a transformer.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct RawTransformer {
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
    /// A published model; keys that are written replace its values. Default: none.
    model: Option<RawModel>,
    /// Layers. Default: the model's; required without one.
    #[schemars(extend("examples" = [32]), extend("x-hint" = "the layers"), range(min = 1, max = 65_536))]
    layers: Option<u32>,
    /// The hidden size. Default: the model's; required without one.
    #[schemars(extend("examples" = [4096]), extend("x-hint" = "the hidden size"), range(min = 1, max = 1_048_576))]
    hidden: Option<u32>,
    /// Heads of attention. Default: the model's, or as many as make up the hidden size.
    #[schemars(range(min = 1, max = 1_048_576))]
    heads: Option<u32>,
    /// Heads with keys and values, a divisor of `heads` (grouped-query attention). Default: the model's, or `heads`.
    #[schemars(range(min = 1, max = 1_048_576))]
    kv_heads: Option<u32>,
    /// Elements of a head. Default: the model's, or `hidden` / `heads`.
    #[schemars(range(min = 1, max = 65_536))]
    head_size: Option<u32>,
    /// The inner size of the perceptron, or of an expert. Default: the model's, or 4 `hidden`.
    #[schemars(range(min = 1, max = 4_194_304))]
    feed_forward: Option<u32>,
    /// Whether the perceptron has a gate (SwiGLU): three matrices, and not two. Default: the model's, or `false`.
    gated: Option<bool>,
    /// Tokens of the vocabulary: rows of the embedding and of the output layer. Default: the model's, or 0, neither.
    #[schemars(range(min = 0, max = 16_777_216))]
    vocabulary: Option<u32>,
    /// Experts of each layer. Default: the model's, or 1, a perceptron for all tokens.
    #[schemars(range(min = 1, max = 4096))]
    experts: Option<u32>,
    /// Experts that each token passes. Default: the model's, or 1.
    #[schemars(range(min = 1, max = 4096))]
    experts_per_token: Option<u32>,
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
    flops_per_second: Option<Quantity<FlopRate>>,
    /// The share of the peak speed that is reached.
    #[schemars(extend("default" = 1.0), range(min = 0, max = 1))]
    efficiency: Option<f64>,
    /// Bandwidth between the `tensor` ranks over links that are not in the network, such as those within a server: their
    /// sums then take the time of a ring at it, and send nothing. Only with `flops_per_second`. Default: they are messages.
    #[schemars(extend("examples" = ["450 GB/s"]))]
    tensor_bandwidth: Option<Quantity<Bandwidth>>,
    /// How ranks sum, gather and exchange.
    #[schemars(extend("default" = "rings"))]
    sums: Option<RawSums>,
    /// Whether gradients of a layer are summed while ranks compute those of others; only with `sums = "collectives"`.
    #[schemars(extend("default" = false))]
    overlap: Option<bool>,
    /// Whether each of the ranks that share a layer passes only its part of the activations to the next stage.
    #[schemars(extend("default" = false))]
    sequence_parallel: Option<bool>,
}

/// Published models.
#[derive(Clone, Copy, Deserialize, JsonSchema)]
enum RawModel {
    /// GPT-3 175B (Brown et al. 2020, table 2.1).
    #[serde(rename = "gpt-3-175b")]
    Gpt3,
    /// Llama 3 8B (Grattafiori et al. 2024, table 3).
    #[serde(rename = "llama-3-8b")]
    Llama3Of8B,
    /// Llama 3 70B (Grattafiori et al. 2024, table 3).
    #[serde(rename = "llama-3-70b")]
    Llama3Of70B,
    /// Llama 3 405B (Grattafiori et al. 2024, table 3).
    #[serde(rename = "llama-3-405b")]
    Llama3Of405B,
    /// Mixtral 8x7B (Jiang et al. 2024, table 1).
    #[serde(rename = "mixtral-8x7b")]
    Mixtral,
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

impl From<RawModel> for Published {
    fn from(model: RawModel) -> Self {
        match model {
            RawModel::Gpt3 => Published::Gpt3,
            RawModel::Llama3Of8B => Published::Llama3Of8B,
            RawModel::Llama3Of70B => Published::Llama3Of70B,
            RawModel::Llama3Of405B => Published::Llama3Of405B,
            RawModel::Mixtral => Published::Mixtral,
        }
    }
}

/// Reads the keys of a training.
pub(super) fn transformer(node: Node<'_>, keys: &Keys) -> Result<Made, Diagnostic> {
    let path = node.path.clone();
    let raw: RawTransformer = node.read(keys)?;
    let (model, sequence) = raw.shape(keys, &path)?;
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
    Ok(made(Transformer::new(Training {
        shares,
        model,
        batch: Batch { sequence, micro_batch, micro_batches },
        element,
        gradient: raw.gradient.unwrap_or(element),
        rate: rate(raw.flops_per_second, raw.efficiency, keys, &path)?,
        sums: raw.sums(keys, &path)?,
        tensor_bandwidth: raw.tensor_bandwidth(keys, &path)?,
        sequence_parallel: raw.sequence_parallel.unwrap_or(false),
    })))
}

impl RawTransformer {
    /// Returns the shape of the model and the tokens of a sequence: those of the published one, but for what is written.
    fn shape(&self, keys: &Keys, path: &str) -> Result<(Model, u32), Diagnostic> {
        let published = self.model.map(Published::from);
        let known = |value: Option<u32>, key: &str, of: u32| match (value, published) {
            (Some(value), _) => Ok(value),
            (None, Some(_)) => Ok(of),
            (None, None) => Err(wording::missing(keys, path, key, &[])),
        };
        let base = published.map_or(Model::plain(0, 0), Published::model);
        let layers = known(self.layers, "layers", base.layers)?;
        let hidden = known(self.hidden, "hidden", base.hidden)?;
        let sequence = known(self.sequence, "sequence", published.map_or(0, Published::sequence))?;
        let base = if published.is_some() { Model { layers, hidden, ..base } } else { Model::plain(layers, hidden) };
        let head_size = match self.heads {
            Some(heads) if published.is_none() => hidden.checked_div(heads).unwrap_or(0),
            _ => base.head_size,
        };
        let kv_heads = if published.is_none() { self.heads.unwrap_or(base.kv_heads) } else { base.kv_heads };
        let model = Model {
            heads: self.heads.unwrap_or(base.heads),
            kv_heads: self.kv_heads.unwrap_or(kv_heads),
            head_size: self.head_size.unwrap_or(head_size),
            feed_forward: self.feed_forward.unwrap_or(base.feed_forward),
            gated: self.gated.unwrap_or(base.gated),
            vocabulary: self.vocabulary.unwrap_or(base.vocabulary),
            experts: self.experts.unwrap_or(base.experts),
            experts_per_token: self.experts_per_token.unwrap_or(base.experts_per_token),
            ..base
        };
        Ok((model, sequence))
    }

    /// Returns the bytes a second between ranks that share a layer beside the network.
    fn tensor_bandwidth(&self, keys: &Keys, path: &str) -> Result<Option<u64>, Diagnostic> {
        match (self.tensor_bandwidth, self.flops_per_second) {
            (Some(_), None) => {
                let key = join(path, "tensor_bandwidth");
                let message = format!("`{key}` makes sums take time, and no speed says how long ranks compute");
                Err(keys.error(&key, message, "write flops_per_second = \"989 Tflop/s\", too"))
            }
            (bandwidth, _) => Ok(bandwidth.map(|Quantity(Bandwidth(bytes_per_second))| bytes_per_second)),
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
fn rate(
    speed: Option<Quantity<FlopRate>>,
    efficiency: Option<f64>,
    keys: &Keys,
    path: &str,
) -> Result<Option<u64>, Diagnostic> {
    let Some(Quantity(FlopRate(speed))) = speed else {
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
