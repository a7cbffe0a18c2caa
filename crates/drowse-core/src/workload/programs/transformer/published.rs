//! The shapes of published models.

use serde::{Deserialize, Serialize};

use super::model::Model;

/// A published model.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub enum Published {
    /// GPT-3 175B (Brown et al. 2020, "Language Models are Few-Shot Learners", table 2.1).
    #[serde(rename = "gpt-3-175b")]
    Gpt3,
    /// Llama 3 8B (Grattafiori et al. 2024, "The Llama 3 Herd of Models", table 3; vocabulary as released).
    #[serde(rename = "llama-3-8b")]
    Llama3Of8B,
    /// Llama 3 70B, of the same table.
    #[serde(rename = "llama-3-70b")]
    Llama3Of70B,
    /// Llama 3 405B, of the same table.
    #[serde(rename = "llama-3-405b")]
    Llama3Of405B,
    /// Mixtral 8x7B (Jiang et al. 2024, "Mixtral of Experts", table 1).
    #[serde(rename = "mixtral-8x7b")]
    Mixtral,
}

impl Published {
    /// Returns its shape.
    pub const fn model(self) -> Model {
        match self {
            Published::Gpt3 => {
                Model { heads: 96, kv_heads: 96, head_size: 128, vocabulary: 50_257, ..Model::plain(96, 12_288) }
            }
            Published::Llama3Of8B => llama(32, 4_096, 14_336),
            Published::Llama3Of70B => llama(80, 8_192, 28_672),
            Published::Llama3Of405B => llama(126, 16_384, 53_248),
            Published::Mixtral => {
                Model { vocabulary: 32_000, experts: 8, experts_per_token: 2, ..llama(32, 4_096, 14_336) }
            }
        }
    }

    /// Returns the tokens of a sequence in its training.
    pub const fn sequence(self) -> u32 {
        match self {
            Published::Gpt3 => 2_048,
            Published::Llama3Of8B | Published::Llama3Of70B | Published::Llama3Of405B => 8_192,
            Published::Mixtral => 32_768,
        }
    }
}

/// A model of Llama 3: heads of 128 elements, eight of them with keys and values.
const fn llama(layers: u32, hidden: u32, feed_forward: u32) -> Model {
    Model {
        layers,
        hidden,
        heads: hidden / 128,
        kv_heads: 8,
        head_size: 128,
        feed_forward,
        gated: true,
        vocabulary: 128_256,
        experts: 1,
        experts_per_token: 1,
    }
}
