//! The serving of a transformer by two pools of ranks (Zhong et al. 2024, DistServe; Patel et al. 2024, Splitwise): groups
//! that read prompts (prefill), and groups that make the tokens of answers, several requests in a step (decode).
//!
//! Rank 0 is the router: requests come to it at random times, and it sends each prompt to all ranks of a prefill group, in
//! turn. The group computes, and sums the activations of each half of a layer. Then it sends keys and values to a decode
//! group, in turn: each rank those of the heads that the receiving one has. A step of a decode group makes a token of each
//! request of its batch. Which requests are in which step is planned as if messages took no time ([`plan`]); a group waits
//! for the keys and values of those that join.
//!
//! Ranks compute as long as their operations or their bytes of memory take, whichever is longer. Left out: answers that go
//! back, requests that share prompts, and prompts that are read in parts.

mod cost;
mod draw;
mod keys;
mod plan;
mod steps;

pub use cost::Speed;
pub use draw::Lengths;
pub use keys::InferenceKeys;

use std::sync::Arc;

use super::error::{ProgramError, check};
use super::program::{Program, Steps};
use super::transformer::{MOST_LISTED, Model};
use crate::model::units::Time;
use plan::{LONGEST, Plan};

/// Groups of ranks that serve alike.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Pool {
    /// Groups.
    pub groups: u32,
    /// Ranks of a group, which share each layer.
    pub tensor: u32,
}

impl Pool {
    const fn ranks(self) -> u32 {
        self.groups * self.tensor
    }
}

/// What is served, and by whom.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Serving {
    /// The transformer.
    pub model: Model,
    /// Bytes of a weight, an activation, and an element of keys and values.
    pub element: u32,
    /// The groups that read prompts.
    pub prefill: Pool,
    /// The groups that make answers.
    pub decode: Pool,
    /// The most requests of a step of a decode group.
    pub batch: u32,
    /// Requests of an iteration.
    pub requests: u32,
    /// The mean time between two requests.
    pub gap: Time,
    /// Tokens of prompts.
    pub prompt: u32,
    /// Tokens of answers after the first, which the prefill group makes.
    pub output: u32,
    /// How the numbers of tokens are drawn.
    pub lengths: Lengths,
    /// How fast a rank computes.
    pub speed: Speed,
    /// The seed of what is drawn.
    pub seed: u64,
}

/// The program of a serving.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Inference {
    serving: Serving,
    plan: Arc<Plan>,
}

impl Serving {
    /// Says what makes an iteration take more than an hour: the requests, the speed, or the memory.
    fn too_slow(&self, plan: &Plan) -> ProgramError {
        let with_memory = Serving { speed: Speed { memory: u64::MAX, ..self.speed }, ..*self };
        let (key, value) = if plan.waits() > LONGEST {
            ("requests_per_second", (1e12 / self.gap.0 as f64).to_string())
        } else if Plan::new(&with_memory).longest() > LONGEST {
            ("flops_per_second", self.speed.flops.to_string())
        } else {
            ("memory_bandwidth", self.speed.memory.to_string())
        };
        let reason =
            "a rank would compute or wait for more than an hour in an iteration; write more, or fewer requests";
        ProgramError::out_of_range(key, value, reason)
    }
}

impl Inference {
    /// Returns how often something happens in the halves of layers, so often in each for a group of a pool.
    fn halves(&self, of: impl Fn(Pool) -> u32) -> u64 {
        let Serving { model, prefill, decode, requests, .. } = self.serving;
        let steps: u64 = self.plan.groups.iter().map(plan::Group::steps).sum();
        2 * u64::from(model.layers) * (u64::from(requests) * u64::from(of(prefill)) + steps * u64::from(of(decode)))
    }

    /// Makes the program of a router, the prefill groups, and the decode groups, in that order of ranks.
    pub fn new(serving: Serving) -> Result<Self, ProgramError> {
        let Serving { model, element, prefill, decode, batch, requests, prompt, output, .. } = serving;
        model.check()?;
        check("element", element, 1..=16)?;
        check("batch", batch, 1..=1 << 16)?;
        check("prompt", prompt, 1..=1 << 20)?;
        check("output", output, 1..=1 << 16)?;
        check("requests", requests, 1..=(MOST_TOKENS / output).min(1 << 16))?;
        for (pool, groups, tensor) in
            [(prefill, "prefill_groups", "prefill_tensor"), (decode, "decode_groups", "decode_tensor")]
        {
            check(tensor, pool.tensor, 1..=1 << 10)?;
            // One without a request would have nothing to do.
            check(groups, pool.groups, 1..=requests.min(MOST_LISTED / pool.tensor))?;
        }
        let plan = Plan::new(&serving);
        if plan.longest() > LONGEST {
            return Err(serving.too_slow(&plan));
        }
        Ok(Inference { serving, plan: Arc::new(plan) })
    }

    /// Returns the bytes of the keys and values of so many tokens, in all layers.
    fn keys_and_values(&self, tokens: u32) -> u64 {
        let Serving { model, element, .. } = self.serving;
        let heads = u64::from(model.layers) * 2 * model.keys_of(1);
        heads.saturating_mul(u64::from(tokens) * u64::from(element))
    }

    /// Returns the bytes of the activations of so many tokens.
    fn activations(&self, tokens: u64) -> u64 {
        tokens.saturating_mul(u64::from(self.serving.model.hidden) * u64::from(self.serving.element))
    }
}

/// The most tokens of answers.
const MOST_TOKENS: u32 = 1 << 28;
/// Bytes of a token of a prompt: its number.
const TOKEN: u64 = 4;

impl Program for Inference {
    fn ranks(&self) -> u32 {
        1 + self.serving.prefill.ranks() + self.serving.decode.ranks()
    }

    /// Prompts to all ranks of a group; then as many messages of keys and values as intervals that t parts and u parts of a
    /// number have in common: t + u less their greatest common divisor.
    fn messages(&self) -> u64 {
        let [prefill, decode] = [self.serving.prefill, self.serving.decode].map(|pool| pool.tensor);
        let to_decode = prefill + decode - gcd(prefill, decode);
        u64::from(self.serving.requests) * u64::from(prefill + to_decode)
    }

    fn bytes(&self) -> u64 {
        let prompts = self.plan.requests.iter().map(|request| request.prompt);
        let of = |prompt: u32| {
            let told = TOKEN * u64::from(prompt) * u64::from(self.serving.prefill.tensor);
            told.saturating_add(self.keys_and_values(prompt))
        };
        prompts.fold(0, |sum: u64, prompt| sum.saturating_add(of(prompt)))
    }

    /// The longest prompt, its keys and values, or what a group sums.
    fn largest(&self) -> u64 {
        let Serving { prefill, decode, batch, .. } = self.serving;
        let longest = self.plan.requests.iter().map(|request| request.prompt).max().unwrap_or(0);
        let keys = self.keys_and_values(longest).div_ceil(prefill.tensor.max(decode.tensor).into());
        let summed = |pool: Pool, tokens: u64| if pool.tensor > 1 { self.activations(tokens) } else { 0 };
        let sums = summed(prefill, longest.into()).max(summed(decode, batch.into()));
        (TOKEN * u64::from(longest)).max(keys).max(sums)
    }

    /// Ranks compute differently often; [`Program::all_computations`] counts that.
    fn computations(&self) -> u64 {
        0
    }

    /// In each half of a layer, ranks compute and, if they share it, sum: of each request, and of each step. Before each
    /// request, the router waits for it.
    fn all_computations(&self) -> u64 {
        u64::from(self.serving.requests) + self.halves(|pool| pool.tensor)
    }

    fn calls(&self) -> u64 {
        self.halves(|pool| if pool.tensor > 1 { pool.tensor } else { 0 })
    }

    fn time(&self) -> Option<Time> {
        Some(Time(self.plan.longest()))
    }

    fn groups(&self) -> Vec<Vec<u32>> {
        let Serving { prefill, decode, .. } = self.serving;
        let groups = |pool: Pool, first: u32| {
            let of = move |group| (first + group * pool.tensor..first + (group + 1) * pool.tensor).collect();
            (0..pool.groups).map(of)
        };
        groups(prefill, 1).chain(groups(decode, 1 + prefill.ranks())).collect()
    }

    fn has_accelerators(&self) -> bool {
        true
    }

    fn prepare(&self) -> Box<dyn Steps> {
        Box::new(self.clone())
    }
}

fn gcd(one: u32, other: u32) -> u32 {
    if other == 0 { one } else { gcd(other, one % other) }
}

#[cfg(test)]
mod tests;
