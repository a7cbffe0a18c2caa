//! `network.failed`: links and switches that do not work, and the routing around them.

use std::borrow::Cow;
use std::fmt;

use drowse_core::topology::{Faults, Faulty, TableKind, TopologySpec};
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::Deserialize;
use serde::de::{Deserializer, Error, Visitor};

use super::kinds::Kind;
use crate::diagnostic::Diagnostic;
use crate::keys::Keys;
use crate::node::Node;
use crate::wording::meant;

/// Links and switches that do not work.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct FailedKeys {
    /// Failed links, each a list of the two switches that it joins, by number or by name. An entry stands for one of
    /// several parallel links. Default: none.
    #[schemars(extend("examples" = [[[0, 1]]]))]
    #[serde(default)]
    links: Vec<(Name, Name)>,
    /// Failed switches, by number or by name. Their links and nodes fail with them. Default: none.
    #[schemars(extend("examples" = [[5]]))]
    #[serde(default)]
    switches: Vec<Name>,
    /// Share of all other links between switches that fail at random, from 0.0 to below 1.0.
    #[schemars(extend("default" = 0.0), range(min = 0, max = 1))]
    fraction: Option<f64>,
    /// Seed of the random failures.
    #[schemars(extend("default" = 1))]
    seed: Option<u64>,
}

/// A switch, by its number or as a file of a graph calls it.
enum Name {
    Number(u32),
    Word(String),
}

/// What has failed.
pub struct Failed(FailedKeys);

impl Failed {
    /// Reads what has failed of a kind of network.
    pub fn read(node: Node<'_>, kind: &Kind, keys: &Keys) -> Result<Self, Diagnostic> {
        let failed: FailedKeys = node.read(keys)?;
        if kind.routings.is_empty() {
            let message = "there is nothing in an ideal network that could fail";
            return Err(keys.error("network.failed", message, "leave failed out"));
        }
        if let Some(fraction) = failed.fraction.filter(|fraction| !(0.0..1.0).contains(fraction)) {
            let message = format!("`network.failed.fraction` = {fraction} is no share of links");
            return Err(keys.error("network.failed.fraction", message, "write a number from 0.0 to below 1.0"));
        }
        Ok(Failed(failed))
    }

    /// Puts what has failed upon a network, which is routed by these tables then.
    pub fn apply(self, whole: TopologySpec, tables: TableKind, keys: &Keys) -> Result<TopologySpec, Diagnostic> {
        let Failed(raw) = self;
        let number = |(name, path): (Name, String)| match name {
            Name::Number(number) => Ok(number),
            Name::Word(word) => named(&word, &path, &whole, keys),
        };
        let mut links = Vec::new();
        for (place, (a, b)) in (0..).zip(raw.links) {
            let path = |end: u32| format!("network.failed.links.{place}.{end}");
            links.push([number((a, path(0)))?, number((b, path(1)))?]);
        }
        let path = |place: u32| format!("network.failed.switches.{place}");
        let switches = (0..).zip(raw.switches).map(|(place, name)| number((name, path(place))));
        let switches = switches.collect::<Result<Vec<u32>, Diagnostic>>()?;
        let per_million = per_million(raw.fraction.unwrap_or(0.0));
        let faults = Faults { links, switches, per_million, seed: raw.seed.unwrap_or(1) };
        Ok(TopologySpec::Faulty(Faulty { whole: Box::new(whole), faults, tables }))
    }
}

#[expect(clippy::cast_sign_loss, reason = "a share is no less than 0")]
fn per_million(share: f64) -> u32 {
    (share * 1e6).round() as u32
}

/// Finds the number of a switch by its name.
fn named(word: &str, path: &str, whole: &TopologySpec, keys: &Keys) -> Result<u32, Diagnostic> {
    let names = match whole {
        TopologySpec::Graph(graph) => graph.names.as_slice(),
        _ => &[],
    };
    if let Some(number) = names.iter().position(|name| name == word) {
        return Ok(number as u32);
    }
    let help = if names.is_empty() {
        "switches of this network have numbers only: write 0 for the first".into()
    } else {
        let known: Vec<&str> = names.iter().map(String::as_str).collect();
        format!("{}write a name that the file of the graph has, or a number from 0", meant(word, &known))
    };
    Err(keys.error(path, format!("there is no switch \"{word}\""), help))
}

impl JsonSchema for Name {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> Cow<'static, str> {
        "Switch".into()
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        json_schema!({ "anyOf": [generator.subschema_for::<u32>(), generator.subschema_for::<String>()] })
    }
}

impl<'de> Deserialize<'de> for Name {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(NameVisitor)
    }
}

struct NameVisitor;

impl Visitor<'_> for NameVisitor {
    type Value = Name;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the number of a switch, or its name in quotes")
    }

    fn visit_i64<E: Error>(self, number: i64) -> Result<Name, E> {
        let wrong = |_| E::invalid_value(serde::de::Unexpected::Signed(number), &self);
        u32::try_from(number).map(Name::Number).map_err(wrong)
    }

    fn visit_str<E: Error>(self, word: &str) -> Result<Name, E> {
        Ok(Name::Word(word.to_owned()))
    }
}
