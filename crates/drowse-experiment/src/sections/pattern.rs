//! `traffic.pattern`: whom each node sends to, a word or a table.

use std::sync::Arc;

use drowse_core::workload::traffic::{OtherPattern, Pattern, PatternError, TrafficPattern};
use schemars::{JsonSchema, Schema, SchemaGenerator};
use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};

use super::kind_schema::with_kind;

use crate::case::System;
use crate::diagnostic::Diagnostic;
use crate::keys::{Keys, join};
use crate::node::Node;

/// The pattern as it may be written.
#[derive(JsonSchema)]
#[serde(untagged)]
#[schemars(extend("x-kinds" = "pattern"))]
#[expect(dead_code, reason = "only its schema is used: `kind` is read before the other keys")]
pub enum PatternSchema {
    /// A pattern without parameters.
    Word(Kind),
    /// A pattern, with its parameters.
    Table(PatternTable),
}

/// A pattern as a table.
#[derive(JsonSchema)]
#[serde(deny_unknown_fields)]
#[expect(dead_code, reason = "only its schema is used: `kind` is read before the other keys")]
pub struct PatternTable {
    /// Whom each node sends to.
    #[schemars(extend("examples" = ["tornado"]))]
    kind: Kind,
    #[serde(flatten)]
    hot_spot: Option<HotSpot>,
}

/// Whom each node sends to.
#[derive(Clone, Copy, Deserialize, JsonSchema, PartialEq, Eq)]
#[serde(rename_all = "kebab-case")]
pub enum Kind {
    /// Every node is as likely.
    Uniform,
    /// The upper half of the bits of a node's number changes places with the lower half.
    Transpose,
    /// Node s of N sends to node N - 1 - s.
    Complement,
    /// The bits of a node's number in reverse order.
    BitReversal,
    /// The bits of a node's number, rotated up by one (a perfect shuffle).
    Shuffle,
    /// The bits of a node's number, rotated down by one: a shuffle the other way.
    BitRotation,
    /// Each digit of a node's number goes up by half its dimension less one: the worst case of rings.
    Tornado,
    /// Each digit of a node's number goes up by one, around the end.
    Neighbour,
    /// A permutation drawn at random from the seed.
    Permutation,
    /// Some nodes more often than others; needs `nodes` and `share`.
    HotSpot,
}

/// A pattern without parameters, as a table.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Plain {}

/// The parameters of a hot spot.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct HotSpot {
    /// Numbers of the nodes that receive more (`kind = "hot-spot"`).
    #[schemars(extend("examples" = [[0, 5]]))]
    nodes: Vec<u32>,
    /// Share of the messages that go to these nodes (`kind = "hot-spot"`).
    #[schemars(extend("examples" = [0.2]), range(min = 0, max = 1))]
    share: f64,
}

/// The keys of a pattern of another crate.
pub trait PatternKeys: DeserializeOwned {
    /// The word that selects it (`traffic.pattern`); alone where no key is required.
    const KIND: &'static str;
    /// Whom each node sends to.
    const ABOUT: &'static str;

    /// Returns the pattern.
    fn pattern(self) -> Arc<dyn TrafficPattern>;
}

/// A kind of pattern of another crate.
#[derive(Clone, Copy)]
pub struct Added {
    /// The word that selects it.
    word: &'static str,
    about: &'static str,
    /// Reads its keys.
    read: fn(Node<'_>, &Keys) -> Result<Pattern, Diagnostic>,
    /// Makes the schema of its keys.
    schema: fn(&mut SchemaGenerator) -> Schema,
}

impl Added {
    /// Returns the kind of a pattern.
    pub const fn of<K: PatternKeys + JsonSchema + 'static>() -> Self {
        Added { word: K::KIND, about: K::ABOUT, read: read_added::<K>, schema: K::json_schema }
    }

    /// Returns how it is written: as a word, and as a table.
    pub fn schemas(&self, generator: &mut SchemaGenerator) -> [Value; 2] {
        let mut table = (self.schema)(generator);
        with_kind(&mut table, self.word);
        table.insert("description".into(), self.about.into());
        [json!({ "description": self.about, "type": "string", "const": self.word }), table.to_value()]
    }
}

fn read_added<K: PatternKeys + 'static>(node: Node<'_>, keys: &Keys) -> Result<Pattern, Diagnostic> {
    Ok(Pattern::Other(OtherPattern(node.read::<K>(keys)?.pattern())))
}

/// Reads the pattern and tries it on the network.
pub fn resolve(
    node: Option<Node<'_>>,
    added: &[Added],
    system: &System,
    include_self: bool,
) -> Result<Pattern, Diagnostic> {
    let keys = &system.keys;
    let pattern = node.map_or(Ok(Pattern::Uniform), |node| read(node, added, keys))?;
    let tried = pattern.destinations(&system.network, include_self, system.config.seed);
    tried.map_err(|error| refuse(&error, keys, "traffic.pattern"))?;
    Ok(pattern)
}

fn read(mut node: Node<'_>, added: &[Added], keys: &Keys) -> Result<Pattern, Diagnostic> {
    let path = node.path.clone();
    let kind = if node.is_table() {
        let kind = node.require("kind", keys)?;
        if let Some(added) = added.iter().find(|added| kind.is_text(added.word)) {
            return (added.read)(node, keys);
        }
        let kind = kind.read(keys)?;
        if kind == Kind::HotSpot {
            let HotSpot { nodes, share } = node.read(keys)?;
            return Ok(Pattern::HotSpot { nodes, share });
        }
        let Plain {} = node.read(keys)?;
        kind
    } else if let Some(added) = added.iter().find(|added| node.is_text(added.word)) {
        return (added.read)(Node::empty(&path), keys);
    } else {
        node.read(keys)?
    };
    match kind {
        Kind::Uniform => Ok(Pattern::Uniform),
        Kind::Transpose => Ok(Pattern::Transpose),
        Kind::Complement => Ok(Pattern::Complement),
        Kind::BitReversal => Ok(Pattern::BitReversal),
        Kind::Shuffle => Ok(Pattern::Shuffle),
        Kind::BitRotation => Ok(Pattern::BitRotation),
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
pub fn refuse(error: &PatternError, keys: &Keys, path: &str) -> Diagnostic {
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
        PatternError::HotSpotAmong => {
            ("traffic.nodes".to_owned(), "write nodes = \"all\", or take another pattern".into())
        }
        PatternError::NobodyElse => {
            (path.to_owned(), "set include_self = true, take another pattern or a larger network".into())
        }
        PatternError::Refused { cure, .. } => (path.to_owned(), cure.clone()),
    };
    keys.error(&at, error.to_string(), help)
}
