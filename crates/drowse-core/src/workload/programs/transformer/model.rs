//! The shape of a transformer: its weights, and the operations that they take.

use crate::workload::programs::error::{ProgramError, check};

/// The shape of a transformer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Model {
    /// Layers.
    pub layers: u32,
    /// The hidden size: elements of a token's activation.
    pub hidden: u32,
    /// Heads of attention, each with its queries.
    pub heads: u32,
    /// Heads with keys and values, which groups of query heads share.
    pub kv_heads: u32,
    /// Elements of a head.
    pub head_size: u32,
    /// The inner size of the perceptron, or of an expert.
    pub feed_forward: u32,
    /// Whether the perceptron has a third matrix, the gate (SwiGLU).
    pub gated: bool,
    /// Tokens of the vocabulary; 0 leaves out the embedding and the output layer.
    pub vocabulary: u32,
    /// Experts in each layer; 1 is a perceptron that all tokens pass.
    pub experts: u32,
    /// Experts that a token passes in each layer.
    pub experts_per_token: u32,
}

impl Model {
    /// A transformer whose layers have 12 times the square of the hidden size of weights, without a vocabulary.
    pub const fn plain(layers: u32, hidden: u32) -> Self {
        Model {
            layers,
            hidden,
            heads: hidden,
            kv_heads: hidden,
            head_size: 1,
            feed_forward: hidden.saturating_mul(4),
            gated: false,
            vocabulary: 0,
            experts: 1,
            experts_per_token: 1,
        }
    }

    /// Refuses what is no transformer.
    pub(in crate::workload::programs) fn check(&self) -> Result<(), ProgramError> {
        check("layers", self.layers, 1..=1 << 16)?;
        check("hidden", self.hidden, 1..=1 << 20)?;
        check("heads", self.heads, 1..=1 << 20)?;
        check("kv_heads", self.kv_heads, 1..=self.heads)?;
        divides("kv_heads", self.kv_heads, self.heads, "heads")?;
        check("head_size", self.head_size, 1..=1 << 16)?;
        check("feed_forward", self.feed_forward, 1..=1 << 22)?;
        check("vocabulary", self.vocabulary, 0..=1 << 24)?;
        check("experts", self.experts, 1..=1 << 12)?;
        check("experts_per_token", self.experts_per_token, 1..=self.experts)
    }

    /// Returns whether layers have experts.
    pub(in crate::workload::programs) const fn has_experts(&self) -> bool {
        self.experts > 1
    }

    /// Returns the elements of the keys of a token; its values have as many.
    fn keys(&self) -> u64 {
        u64::from(self.kv_heads) * u64::from(self.head_size)
    }

    /// Returns the elements of the keys, or of the values, of a token that one of `tensor` ranks keeps: whole heads.
    pub(in crate::workload::programs) fn keys_of(&self, tensor: u32) -> u64 {
        u64::from(self.kv_heads.div_ceil(tensor)) * u64::from(self.head_size)
    }

    /// Returns the weights of the attention of a layer: queries and the output, keys and values.
    pub fn attention(&self) -> u64 {
        let queries = u64::from(self.heads) * u64::from(self.head_size);
        (2 * u64::from(self.hidden)).saturating_mul(queries + self.keys())
    }

    /// Returns the weights of a perceptron, or of one expert.
    pub fn perceptron(&self) -> u64 {
        let matrices = if self.gated { 3 } else { 2 };
        matrices * u64::from(self.hidden) * u64::from(self.feed_forward)
    }

    /// Returns the weights of a layer but for those of experts: attention, and the perceptron or the router.
    pub fn dense(&self) -> u64 {
        let rest = if self.has_experts() { self.router() } else { self.perceptron() };
        self.attention().saturating_add(rest)
    }

    /// Returns the weights that choose the experts of a token in a layer.
    fn router(&self) -> u64 {
        u64::from(self.hidden) * u64::from(self.experts)
    }

    /// Returns the weights of the embedding; the output layer has as many.
    pub fn embedding(&self) -> u64 {
        u64::from(self.vocabulary) * u64::from(self.hidden)
    }

    /// Returns all weights, but for those of norms and biases.
    pub fn weights(&self) -> u64 {
        let experts = if self.has_experts() { self.perceptron().saturating_mul(self.experts.into()) } else { 0 };
        let layers = self.dense().saturating_add(experts).saturating_mul(self.layers.into());
        layers.saturating_add(2 * self.embedding())
    }

    /// Returns the weights that a token passes in the perceptron or the experts of a layer.
    pub fn passed(&self) -> u64 {
        let router = if self.has_experts() { self.router() } else { 0 };
        self.perceptron().saturating_mul(self.experts_per_token.into()).saturating_add(router)
    }

    /// Returns the operations of the attention of a layer for a token that attends to so many: two for each weight, and
    /// two for each element of the queries' products with keys and with values.
    pub fn attention_flops(&self, attended: u64) -> u128 {
        let queries = u128::from(self.heads) * u128::from(self.head_size);
        2 * u128::from(self.attention()) + 4 * u128::from(attended) * queries
    }

    /// Returns the operations of the perceptron or the experts of a layer for a token.
    pub fn perceptron_flops(&self) -> u128 {
        2 * u128::from(self.passed())
    }

    /// Returns the operations of the output layer for a token.
    pub fn output_flops(&self) -> u128 {
        2 * u128::from(self.embedding())
    }
}

/// Refuses a number that does not divide another.
pub(in crate::workload::programs) fn divides(
    key: &'static str,
    value: u32,
    whole: u32,
    of: &str,
) -> Result<(), ProgramError> {
    if value > 0 && whole.is_multiple_of(value) {
        return Ok(());
    }
    let reason = format!("write a number that divides the {whole} {of}");
    Err(ProgramError::out_of_range(key, value, reason))
}

/// Returns the size of one of `of` parts of a number; the parts sum to it.
pub(in crate::workload::programs) fn part(whole: u64, number: u32, of: u32) -> u64 {
    let until = |parts: u64| (u128::from(whole) * u128::from(parts) / u128::from(of)) as u64;
    until(u64::from(number) + 1) - until(number.into())
}
