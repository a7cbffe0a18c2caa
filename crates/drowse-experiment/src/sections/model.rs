//! The keys of a transformer's shape in `job.app`: a published model, and what is different from it.

use drowse_core::workload::programs::{Model, Published};
use schemars::JsonSchema;
use serde::de::DeserializeOwned;

use crate::diagnostic::Diagnostic;
use crate::keys::Keys;
use crate::node::Node;
use crate::wording;

/// The keys of the shape of a transformer.
#[derive(JsonSchema)]
pub(super) struct ModelKeys {
    /// A published model; keys that are written replace its values. Default: none.
    model: Option<Published>,
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
}

impl ModelKeys {
    /// Takes the keys out of a table.
    pub fn take(node: &mut Node<'_>, keys: &Keys) -> Result<Self, Diagnostic> {
        Ok(ModelKeys {
            model: key(node, "model", keys)?,
            layers: key(node, "layers", keys)?,
            hidden: key(node, "hidden", keys)?,
            heads: key(node, "heads", keys)?,
            kv_heads: key(node, "kv_heads", keys)?,
            head_size: key(node, "head_size", keys)?,
            feed_forward: key(node, "feed_forward", keys)?,
            gated: key(node, "gated", keys)?,
            vocabulary: key(node, "vocabulary", keys)?,
            experts: key(node, "experts", keys)?,
            experts_per_token: key(node, "experts_per_token", keys)?,
        })
    }

    /// Returns the published model, if one is written.
    pub fn published(&self) -> Option<Published> {
        self.model
    }

    /// Returns the shape: that of the published model, but for what is written.
    pub fn model(&self, keys: &Keys, path: &str) -> Result<Model, Diagnostic> {
        let published = self.published().map(Published::model);
        let size = |written: Option<u32>, name, of: fn(Model) -> u32| {
            let known = written.or(published.map(of));
            known.ok_or_else(|| wording::missing(keys, path, name, &[]))
        };
        let layers = size(self.layers, "layers", |model| model.layers)?;
        let hidden = size(self.hidden, "hidden", |model| model.hidden)?;
        let base = match (published, self.heads) {
            (Some(published), _) => Model { layers, hidden, ..published },
            (None, None) => Model::plain(layers, hidden),
            (None, Some(heads)) => {
                let head_size = hidden.checked_div(heads).unwrap_or(0);
                Model { kv_heads: heads, head_size, ..Model::plain(layers, hidden) }
            }
        };
        Ok(Model {
            heads: self.heads.unwrap_or(base.heads),
            kv_heads: self.kv_heads.unwrap_or(base.kv_heads),
            head_size: self.head_size.unwrap_or(base.head_size),
            feed_forward: self.feed_forward.unwrap_or(base.feed_forward),
            gated: self.gated.unwrap_or(base.gated),
            vocabulary: self.vocabulary.unwrap_or(base.vocabulary),
            experts: self.experts.unwrap_or(base.experts),
            experts_per_token: self.experts_per_token.unwrap_or(base.experts_per_token),
            ..base
        })
    }
}

fn key<T: DeserializeOwned>(node: &mut Node<'_>, name: &'static str, keys: &Keys) -> Result<Option<T>, Diagnostic> {
    node.take(name).map(|node| node.read(keys)).transpose()
}
