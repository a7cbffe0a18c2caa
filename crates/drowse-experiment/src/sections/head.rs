//! The keys above all tables of an experiment file.

use schemars::JsonSchema;
use serde::Deserialize;

/// The keys above all sections.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Head {
    /// Title in results. Default: the file's name.
    #[schemars(extend("examples" = ["Uniform traffic on a torus"]))]
    pub title: Option<String>,
    /// Seed of all random draws.
    #[schemars(extend("default" = 1))]
    pub seed: Option<u64>,
}
