//! `watts`: what a channel draws, so that shares of its power become joules.

use serde::Deserialize;

use super::amount;
use crate::diagnostic::Diagnostic;
use crate::keys::{Keys, join};
use crate::node::Node;

/// What the channels of a class draw (`power.watts`).
#[derive(Clone, Copy, Debug, Default, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Watts {
    /// Power of one channel that is on, of each of its lanes, in watts; energies in joules are told only where it is given.
    pub on: Option<f64>,
    /// Energy of each bit that is sent, in joules; nothing where it is not given.
    pub per_bit: Option<f64>,
}

/// Reads watts; what is left out has the values of `general`.
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
