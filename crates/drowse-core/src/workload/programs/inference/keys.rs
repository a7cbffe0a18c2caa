//! The keys of the serving of a transformer.

use serde::Deserialize;

use super::{Inference, Lengths, Pool, Serving, Speed};
use crate::model::units::{BitRate, FlopRate, Time};
use crate::workload::programs::error::ProgramError;
use crate::workload::programs::keys::{Given, Parts};
use crate::workload::programs::transformer::{ModelKeys, ModelProgramKeys, rate};

/// The keys of the serving of a transformer.
#[derive(Clone, Copy, Debug, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct InferenceKeys {
    /// Groups of ranks that read prompts.
    #[cfg_attr(feature = "schema", schemars(extend("default" = 1), range(min = 1)))]
    prefill_groups: Option<u32>,
    /// Ranks of a group that reads prompts, which share each layer.
    #[cfg_attr(feature = "schema", schemars(extend("default" = 1), range(min = 1, max = 1024)))]
    prefill_tensor: Option<u32>,
    /// Groups of ranks that make answers. With the router, there are 1 + `prefill_groups` x `prefill_tensor` +
    /// `decode_groups` x `decode_tensor` ranks.
    #[cfg_attr(feature = "schema", schemars(extend("default" = 1), range(min = 1)))]
    decode_groups: Option<u32>,
    /// Ranks of a group that makes answers, which share each layer.
    #[cfg_attr(feature = "schema", schemars(extend("default" = 1), range(min = 1, max = 1024)))]
    decode_tensor: Option<u32>,
    /// The most requests for which a group makes tokens at once.
    #[cfg_attr(feature = "schema", schemars(extend("default" = 64), range(min = 1, max = 65_536)))]
    batch: Option<u32>,
    /// Requests of an iteration.
    #[cfg_attr(feature = "schema", schemars(extend("examples" = [100]), extend("x-hint" = "the requests")))]
    #[cfg_attr(feature = "schema", schemars(range(min = 1, max = 65_536)))]
    requests: u32,
    /// Requests that come in a second, in the mean, at random times; from 0.001 to 1,000,000.
    #[cfg_attr(feature = "schema", schemars(extend("examples" = [10.0]), range(min = 0.001, max = 1_000_000)))]
    requests_per_second: f64,
    /// Tokens of a prompt, in the mean.
    #[cfg_attr(feature = "schema", schemars(extend("examples" = [1024]), extend("x-hint" = "the tokens of a prompt")))]
    #[cfg_attr(feature = "schema", schemars(range(min = 1, max = 1_048_576)))]
    prompt: u32,
    /// Tokens of an answer after the first, in the mean.
    #[cfg_attr(feature = "schema", schemars(extend("examples" = [128]), extend("x-hint" = "the tokens of an answer")))]
    #[cfg_attr(feature = "schema", schemars(range(min = 1, max = 65_536)))]
    output: u32,
    /// How the tokens of prompts and answers are drawn, from the seed of the job.
    #[cfg_attr(feature = "schema", schemars(extend("default" = "fixed")))]
    lengths: Option<Lengths>,
    /// Bytes of a weight, of an activation, and of an element of keys and values.
    #[cfg_attr(feature = "schema", schemars(extend("default" = 2), range(min = 1, max = 16)))]
    element: Option<u32>,
    /// The peak speed of an accelerator.
    #[cfg_attr(feature = "schema", schemars(extend("examples" = ["989 Tflop/s"])))]
    flops_per_second: FlopRate,
    /// The share of the peak speed that is reached.
    #[cfg_attr(feature = "schema", schemars(extend("default" = 1.0), range(min = 0, max = 1)))]
    efficiency: Option<f64>,
    /// The bandwidth of an accelerator's memory.
    #[cfg_attr(feature = "schema", schemars(extend("examples" = ["3350 GB/s"])))]
    memory_bandwidth: BitRate,
}

impl ModelProgramKeys for InferenceKeys {
    const KIND: &'static str = "inference";
    const ABOUT: &'static str = "The serving of a transformer by ranks that read prompts and ranks that make answers.";

    fn parts(self, model: &ModelKeys, given: Given) -> Result<Parts, ProgramError> {
        let pool = |groups: Option<u32>, tensor: Option<u32>| Pool {
            groups: groups.unwrap_or(1),
            tensor: tensor.unwrap_or(1),
        };
        let model = model.shape()?;
        let flops = rate(Some(self.flops_per_second), self.efficiency)?.unwrap_or(1);
        let inference = Inference::new(Serving {
            model,
            element: self.element.unwrap_or(2),
            prefill: pool(self.prefill_groups, self.prefill_tensor),
            decode: pool(self.decode_groups, self.decode_tensor),
            batch: self.batch.unwrap_or(64),
            requests: self.requests,
            gap: gap(self.requests_per_second)?,
            prompt: self.prompt,
            output: self.output,
            lengths: self.lengths.unwrap_or_default(),
            speed: Speed { flops, memory: (self.memory_bandwidth.0 / 8).max(1) },
            seed: given.seed,
        });
        Ok(given.iterated(inference?))
    }
}

/// Returns the mean time between requests.
fn gap(rate: f64) -> Result<Time, ProgramError> {
    if (1e-3..=1e6).contains(&rate) {
        #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "between a million and 10^15")]
        return Ok(Time((1e12 / rate).round() as u64));
    }
    Err(ProgramError::out_of_range("requests_per_second", rate, "write a number from 0.001 to 1000000"))
}
