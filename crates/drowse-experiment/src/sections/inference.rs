//! The keys of the serving of a transformer in `job.app`.

use drowse_core::model::units::{BitRate, FlopRate, Time};
use drowse_core::workload::programs::{Given, Inference, Lengths, Parts, Pool, Serving, Speed};
use schemars::JsonSchema;
use serde::Deserialize;

use super::model::ModelKeys;
use super::programs::refused;
use super::transformer::rate;
use crate::diagnostic::Diagnostic;
use crate::keys::{Keys, join};
use crate::node::Node;

/// The keys of the serving of a transformer.
#[derive(JsonSchema)]
#[expect(dead_code, reason = "only its schema is used: the keys of the model are taken first")]
pub(super) struct InferenceKeys {
    #[serde(flatten)]
    model: ModelKeys,
    #[serde(flatten)]
    serving: RawInference,
}

/// The keys of a serving but for those of its model.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct RawInference {
    /// Groups of ranks that read prompts.
    #[schemars(extend("default" = 1), range(min = 1))]
    prefill_groups: Option<u32>,
    /// Ranks of a group that reads prompts, which share each layer.
    #[schemars(extend("default" = 1), range(min = 1, max = 1024))]
    prefill_tensor: Option<u32>,
    /// Groups of ranks that make answers. With the router, there are 1 + `prefill_groups` x `prefill_tensor` +
    /// `decode_groups` x `decode_tensor` ranks.
    #[schemars(extend("default" = 1), range(min = 1))]
    decode_groups: Option<u32>,
    /// Ranks of a group that makes answers, which share each layer.
    #[schemars(extend("default" = 1), range(min = 1, max = 1024))]
    decode_tensor: Option<u32>,
    /// The most requests for which a group makes tokens at once.
    #[schemars(extend("default" = 64), range(min = 1, max = 65_536))]
    batch: Option<u32>,
    /// Requests of an iteration.
    #[schemars(extend("examples" = [100]), extend("x-hint" = "the requests"), range(min = 1, max = 65_536))]
    requests: u32,
    /// Requests that come in a second, in the mean, at random times; from 0.001 to 1,000,000.
    #[schemars(extend("examples" = [10.0]), range(min = 0.001, max = 1_000_000))]
    requests_per_second: f64,
    /// Tokens of a prompt, in the mean.
    #[schemars(extend("examples" = [1024]), extend("x-hint" = "the tokens of a prompt"), range(min = 1, max = 1_048_576))]
    prompt: u32,
    /// Tokens of an answer after the first, in the mean.
    #[schemars(extend("examples" = [128]), extend("x-hint" = "the tokens of an answer"), range(min = 1, max = 65_536))]
    output: u32,
    /// How the tokens of prompts and answers are drawn, from the seed of the job.
    #[schemars(extend("default" = "fixed"))]
    lengths: Option<Lengths>,
    /// Bytes of a weight, of an activation, and of an element of keys and values.
    #[schemars(extend("default" = 2), range(min = 1, max = 16))]
    element: Option<u32>,
    /// The peak speed of an accelerator.
    #[schemars(extend("examples" = ["989 Tflop/s"]))]
    flops_per_second: FlopRate,
    /// The share of the peak speed that is reached.
    #[schemars(extend("default" = 1.0), range(min = 0, max = 1))]
    efficiency: Option<f64>,
    /// The bandwidth of an accelerator's memory.
    #[schemars(extend("examples" = ["3350 GB/s"]))]
    memory_bandwidth: BitRate,
}

/// Reads the keys of a serving.
pub(super) fn read(mut node: Node<'_>, given: Given, keys: &Keys) -> Result<Parts, Diagnostic> {
    let path = node.path.clone();
    let model = ModelKeys::take(&mut node, keys)?;
    let raw: RawInference = node.read(keys)?;
    let model = model.model(keys, &path)?;
    let pool =
        |groups: Option<u32>, tensor: Option<u32>| Pool { groups: groups.unwrap_or(1), tensor: tensor.unwrap_or(1) };
    let flops = rate(Some(raw.flops_per_second), raw.efficiency, keys, &path)?.unwrap_or(1);
    let inference = Inference::new(Serving {
        model,
        element: raw.element.unwrap_or(2),
        prefill: pool(raw.prefill_groups, raw.prefill_tensor),
        decode: pool(raw.decode_groups, raw.decode_tensor),
        batch: raw.batch.unwrap_or(64),
        requests: raw.requests,
        gap: gap(raw.requests_per_second, keys, &path)?,
        prompt: raw.prompt,
        output: raw.output,
        lengths: raw.lengths.unwrap_or_default(),
        speed: Speed { flops, memory: (raw.memory_bandwidth.0 / 8).max(1) },
        seed: given.seed,
    });
    Ok(given.iterated(inference.map_err(|error| refused(error, keys, &path))?))
}

/// Returns the mean time between requests.
fn gap(rate: f64, keys: &Keys, path: &str) -> Result<Time, Diagnostic> {
    if (1e-3..=1e6).contains(&rate) {
        #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "between a million and 10^15")]
        return Ok(Time((1e12 / rate).round() as u64));
    }
    let key = join(path, "requests_per_second");
    Err(keys.error(&key, format!("`{key}` = {rate} is out of range"), "write a number from 0.001 to 1000000"))
}
