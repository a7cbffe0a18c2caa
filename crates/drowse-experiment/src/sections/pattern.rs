//! `traffic.pattern`: whom each node sends to, a word or a table.

use std::borrow::Cow;
use std::sync::Arc;

use drowse_core::workload::traffic::{OtherPattern, Pattern, PatternError, TrafficPattern};
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};

use super::kind_schema::with_kind;

use crate::case::System;
use crate::diagnostic::Diagnostic;
use crate::keys::{Keys, join};
use crate::node::Node;
use crate::wording;

/// The pattern as it may be written.
#[derive(JsonSchema)]
#[serde(untagged)]
#[schemars(extend("x-kinds" = "pattern"))]
#[expect(dead_code, reason = "only its schema is used: `kind` is read before the other keys")]
pub enum PatternSchema {
    /// A pattern without parameters.
    Word(PatternWord),
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
    kind: PatternWord,
    #[serde(flatten)]
    hot_spot: Option<HotSpot>,
}

/// The word of a pattern.
#[derive(Clone, Copy)]
pub struct PatternWord;

/// The word of the pattern that has parameters.
const HOT_SPOT: &str = "hot-spot";

impl JsonSchema for PatternWord {
    fn schema_name() -> Cow<'static, str> {
        "PatternWord".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        let plain = Pattern::WORDS.iter().map(|&(word, about, _)| (word, about.trim()));
        let hot = (HOT_SPOT, "Some nodes more often than others; needs `nodes` and `share`.");
        let word = |(word, about)| json!({ "type": "string", "const": word, "description": about });
        let words: Vec<Value> = plain.chain([hot]).map(word).collect();
        json_schema!({ "oneOf": words, "description": "Whom each node sends to." })
    }
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
    if !node.is_table() {
        if let Some(added) = added.iter().find(|added| node.is_text(added.word)) {
            return (added.read)(Node::empty(&path), keys);
        }
        let word: String = node.read(keys)?;
        if word == HOT_SPOT {
            let help = "write pattern = { kind = \"hot-spot\", nodes = [0], share = 0.2 }";
            return Err(keys.error(&path, "a hot spot needs its nodes and their share of the messages", help));
        }
        return plain(&word, &path, keys);
    }
    let kind = node.require("kind", keys)?;
    if let Some(added) = added.iter().find(|added| kind.is_text(added.word)) {
        return (added.read)(node, keys);
    }
    let path = kind.path.clone();
    let word: String = kind.read(keys)?;
    if word == HOT_SPOT {
        let HotSpot { nodes, share } = node.read(keys)?;
        return Ok(Pattern::HotSpot { nodes, share });
    }
    let pattern = plain(&word, &path, keys)?;
    let Plain {} = node.read(keys)?;
    Ok(pattern)
}

/// Returns the pattern of a word.
fn plain(word: &str, path: &str, keys: &Keys) -> Result<Pattern, Diagnostic> {
    let found = Pattern::WORDS.iter().find(|(known, ..)| *known == word);
    let words = || Pattern::WORDS.iter().map(|(known, ..)| *known).chain([HOT_SPOT]).collect::<Vec<_>>();
    found.map_or_else(|| Err(wording::unknown_word(keys, path, word, &words())), |(.., pattern)| Ok(pattern.clone()))
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
