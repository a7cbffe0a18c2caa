//! `traffic.pattern`: whom each node sends to, a word or a table.

use drowse_core::workload::traffic::{Pattern, PatternError};
use serde::Deserialize;

use crate::case::System;
use crate::diagnostic::Diagnostic;
use crate::keys::{Keys, join};
use crate::node::Node;

#[derive(Clone, Copy, Deserialize, PartialEq, Eq)]
#[serde(rename_all = "kebab-case")]
enum Kind {
    Uniform,
    Transpose,
    Complement,
    BitReversal,
    Shuffle,
    Tornado,
    Neighbour,
    Permutation,
    HotSpot,
}

/// A pattern without parameters, as a table.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Plain {}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct HotSpot {
    nodes: Vec<u32>,
    share: f64,
}

/// Reads the pattern and tries it on the network.
pub fn resolve(node: Option<Node<'_>>, system: &System, include_self: bool) -> Result<Pattern, Diagnostic> {
    let keys = &system.keys;
    let pattern = node.map_or(Ok(Pattern::Uniform), |node| read(node, keys))?;
    let tried = pattern.destinations(&system.network, include_self, system.config.seed);
    tried.map_err(|error| refuse(&error, keys, "traffic.pattern"))?;
    Ok(pattern)
}

fn read(mut node: Node<'_>, keys: &Keys) -> Result<Pattern, Diagnostic> {
    let path = node.path.clone();
    let kind = if node.is_table() {
        let kind = node.require("kind", keys)?.read(keys)?;
        if kind == Kind::HotSpot {
            let HotSpot { nodes, share } = node.read(keys)?;
            return Ok(Pattern::HotSpot { nodes, share });
        }
        let Plain {} = node.read(keys)?;
        kind
    } else {
        node.read(keys)?
    };
    match kind {
        Kind::Uniform => Ok(Pattern::Uniform),
        Kind::Transpose => Ok(Pattern::Transpose),
        Kind::Complement => Ok(Pattern::Complement),
        Kind::BitReversal => Ok(Pattern::BitReversal),
        Kind::Shuffle => Ok(Pattern::Shuffle),
        Kind::Tornado => Ok(Pattern::Tornado),
        Kind::Neighbour => Ok(Pattern::Neighbour),
        Kind::Permutation => Ok(Pattern::Permutation),
        Kind::HotSpot => {
            let help = "write pattern = { kind = \"hot-spot\", nodes = [0], share = 0.2 }";
            Err(keys.error(&path, "a hot spot needs its nodes and their share of the messages", help))
        }
    }
}

/// Says where a pattern makes no sense, and what to do.
fn refuse(error: &PatternError, keys: &Keys, path: &str) -> Diagnostic {
    let (at, help) = match error {
        PatternError::NoPowerOfTwo { nodes, .. } => {
            let above = nodes.checked_next_power_of_two().unwrap_or(1 << 31);
            let help = format!("change [network] to {} or {above} nodes, or take another pattern", above / 2);
            (path.to_owned(), help)
        }
        PatternError::OddBits { nodes } => {
            let help = format!("change [network] to {} or {} nodes, or take another pattern", nodes / 2, nodes * 2);
            (path.to_owned(), help)
        }
        PatternError::NoHotNode => (join(path, "nodes"), "write node numbers, such as nodes = [0, 5]".into()),
        PatternError::NoSuchNode { position, nodes, .. } => {
            (join(path, &format!("nodes.{position}")), format!("write a number from 0 to {}", nodes - 1))
        }
        PatternError::NamedTwice { position, .. } => {
            (join(path, &format!("nodes.{position}")), "name each node once: all are as likely".into())
        }
        PatternError::Share { .. } => {
            (join(path, "share"), "write the share of messages that go to these nodes, such as 0.2".into())
        }
        PatternError::NobodyElse => {
            (path.to_owned(), "set include_self = true, take another pattern or a larger network".into())
        }
    };
    keys.error(&at, error.to_string(), help)
}
