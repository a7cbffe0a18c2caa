//! The keys of a transformer's shape: a published model, and what is different from it.

use serde::Deserialize;
use serde::de::DeserializeOwned;

use super::model::Model;
use super::published::Published;
use crate::workload::programs::error::ProgramError;
use crate::workload::programs::keys::{Given, Parts};

/// The keys of the shape of a transformer.
#[derive(Clone, Copy, Debug, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ModelKeys {
    /// A published model; keys that are written replace its values. Default: none.
    model: Option<Published>,
    /// Layers. Default: the model's; required without one.
    #[cfg_attr(feature = "schema", schemars(extend("examples" = [32]), extend("x-hint" = "the layers")))]
    #[cfg_attr(feature = "schema", schemars(range(min = 1, max = 65_536)))]
    layers: Option<u32>,
    /// The hidden size. Default: the model's; required without one.
    #[cfg_attr(feature = "schema", schemars(extend("examples" = [4096]), extend("x-hint" = "the hidden size")))]
    #[cfg_attr(feature = "schema", schemars(range(min = 1, max = 1_048_576)))]
    hidden: Option<u32>,
    /// Heads of attention. Default: the model's, or as many as make up the hidden size.
    #[cfg_attr(feature = "schema", schemars(range(min = 1, max = 1_048_576)))]
    heads: Option<u32>,
    /// Heads with keys and values, a divisor of `heads` (grouped-query attention). Default: the model's, or `heads`.
    #[cfg_attr(feature = "schema", schemars(range(min = 1, max = 1_048_576)))]
    kv_heads: Option<u32>,
    /// Elements of a head. Default: the model's, or `hidden` / `heads`.
    #[cfg_attr(feature = "schema", schemars(range(min = 1, max = 65_536)))]
    head_size: Option<u32>,
    /// The inner size of the perceptron, or of an expert. Default: the model's, or 4 `hidden`.
    #[cfg_attr(feature = "schema", schemars(range(min = 1, max = 4_194_304)))]
    feed_forward: Option<u32>,
    /// Whether the perceptron has a gate (SwiGLU): three matrices, and not two. Default: the model's, or `false`.
    gated: Option<bool>,
    /// Tokens of the vocabulary: rows of the embedding and of the output layer. Default: the model's, or 0, neither.
    #[cfg_attr(feature = "schema", schemars(range(min = 0, max = 16_777_216)))]
    vocabulary: Option<u32>,
    /// Experts of each layer. Default: the model's, or 1, a perceptron for all tokens.
    #[cfg_attr(feature = "schema", schemars(range(min = 1, max = 4096)))]
    experts: Option<u32>,
    /// Experts that each token passes. Default: the model's, or 1.
    #[cfg_attr(feature = "schema", schemars(range(min = 1, max = 4096)))]
    experts_per_token: Option<u32>,
}

/// The keys of a program of a transformer, beside the keys of its shape and those that all programs have.
pub trait ModelProgramKeys: DeserializeOwned {
    /// The word that selects it (`job.app.kind`).
    const KIND: &'static str;
    /// What it is.
    const ABOUT: &'static str;

    /// Returns what ranks do.
    fn parts(self, model: &ModelKeys, given: Given) -> Result<Parts, ProgramError>;
}

impl ModelKeys {
    /// The names of the keys.
    pub const NAMES: [&'static str; 11] = [
        "model",
        "layers",
        "hidden",
        "heads",
        "kv_heads",
        "head_size",
        "feed_forward",
        "gated",
        "vocabulary",
        "experts",
        "experts_per_token",
    ];

    /// Returns the published model, if one is written.
    pub(super) fn published(&self) -> Option<Published> {
        self.model
    }

    /// Returns the shape: that of the published model, but for what is written.
    pub fn shape(&self) -> Result<Model, ProgramError> {
        let published = self.model.map(Published::model);
        let size = |written: Option<u32>, name, of: fn(Model) -> u32| {
            written.or(published.map(of)).ok_or(ProgramError::missing(name))
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
