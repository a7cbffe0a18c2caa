//! The keys of permutations in `job.app`.

use drowse_core::model::units::Bytes;
use drowse_core::workload::graph::{GraphError, Permutation, Rule};
use schemars::JsonSchema;
use serde::Deserialize;

/// The keys of a permutation.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct RawPermutation {
    /// Ranks; a power of two for `bit-reversal` and `shuffle`, of four for `transpose`.
    #[schemars(extend("examples" = [64]))]
    ranks: u32,
    /// Whom each rank sends to.
    #[schemars(extend("examples" = ["tornado"]))]
    pattern: RawPattern,
    /// How far ahead (`pattern = "shift"`).
    #[schemars(extend("default" = 1), range(min = 0))]
    by: Option<u32>,
    /// Messages of each rank.
    #[schemars(extend("default" = 1), range(min = 1, max = 65_536))]
    messages: Option<u32>,
    /// Size of each message.
    #[schemars(extend("examples" = ["8 KiB"]))]
    bytes: Bytes,
}

/// Whom a rank sends to.
#[derive(Clone, Copy, Deserialize, JsonSchema, PartialEq, Eq)]
#[serde(rename_all = "kebab-case")]
enum RawPattern {
    /// The rank that is `by` ranks ahead, around the end.
    Shift,
    /// The rank that is half of the ranks less one ahead, around the end.
    Tornado,
    /// Rank r of N sends to rank N - 1 - r.
    Complement,
    /// The upper half of the bits of a rank's number changes places with the lower half.
    Transpose,
    /// The bits of a rank's number in reverse order.
    BitReversal,
    /// The bits of a rank's number, rotated up by one (a perfect shuffle).
    Shuffle,
    /// Ranks form pairs, drawn from the seed of the job, and send to each other.
    Bisection,
    /// Drawn from the seed of the job.
    Random,
}

impl RawPermutation {
    /// Makes the graph.
    pub fn graph(self, seed: u64) -> Result<Permutation, GraphError> {
        let RawPermutation { ranks, pattern, by, messages, bytes } = self;
        if let Some(by) = by.filter(|_| pattern != RawPattern::Shift) {
            let reason = "only a shift goes by a number of ranks: leave it out".into();
            return Err(GraphError { key: "by", value: by.to_string(), reason });
        }
        let rule = match pattern {
            RawPattern::Shift => Rule::Shift(by.unwrap_or(1)),
            RawPattern::Tornado => Rule::Tornado,
            RawPattern::Complement => Rule::Complement,
            RawPattern::Transpose => Rule::Transpose,
            RawPattern::BitReversal => Rule::BitReversal,
            RawPattern::Shuffle => Rule::Shuffle,
            RawPattern::Bisection => Rule::Bisection,
            RawPattern::Random => Rule::Random,
        };
        Permutation::new(ranks, rule, messages.unwrap_or(1), bytes.0, seed)
    }
}
