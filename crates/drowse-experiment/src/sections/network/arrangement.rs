//! `network.arrangement`: which global port of a group leads to which other group.

use drowse_core::topology;
use schemars::JsonSchema;
use serde::Deserialize;

/// Which global port of a group leads to which other group (Hastings et al. 2015; Camarero et al. 2014).
#[derive(Clone, Copy, Default, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Arrangement {
    /// Port k leads to group k, or k + 1 from the group's own number on.
    Absolute,
    /// Port k leads k + 1 groups on.
    Relative,
    /// Port k leads k + 1 groups back.
    #[default]
    Palmtree,
}

impl From<Arrangement> for topology::Arrangement {
    fn from(arrangement: Arrangement) -> Self {
        match arrangement {
            Arrangement::Absolute => topology::Arrangement::Absolute,
            Arrangement::Relative => topology::Arrangement::Relative,
            Arrangement::Palmtree => topology::Arrangement::Palmtree,
        }
    }
}
