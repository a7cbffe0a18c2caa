//! `watts`: what a channel draws, so that shares of its power become joules.

use schemars::JsonSchema;
use serde::Deserialize;

use super::amount;
use crate::diagnostic::Diagnostic;
use crate::keys::{Keys, join};
use crate::node::Node;

/// What a channel draws, so that results also say joules.
#[derive(Clone, Copy, Debug, Default, PartialEq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Watts {
    /// Power of each lane of a channel that is on, in watts. Default: none, and results have no joules.
    #[schemars(extend("examples" = [0.9]), range(min = 0))]
    pub on: Option<f64>,
    /// Energy of each bit that is sent, in joules. Default: none.
    #[schemars(extend("examples" = [5e-12]), range(min = 0))]
    pub per_bit: Option<f64>,
}

/// Reads watts; what is left out is that of `general`.
pub fn read(node: Node<'_>, keys: &Keys, general: Watts) -> Result<Watts, Diagnostic> {
    let path = node.path.clone();
    let Watts { on, per_bit } = node.read(keys)?;
    for (key, value) in [("on", on), ("per_bit", per_bit)] {
        if let Some(value) = value {
            amount(keys, &join(&path, key), value)?;
        }
    }
    Ok(Watts { on: on.or(general.on), per_bit: per_bit.or(general.per_bit) })
}
