//! `network.failed`: links and switches that do not work, and the routing around them.

use std::borrow::Cow;
use std::fmt;

use drowse_core::routing::RoutingKind;
use drowse_core::topology::{Faults, Faulty, TableKind, TopologySpec};
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::Deserialize;
use serde::de::{Deserializer, Error, Visitor};
use serde_json::{Value, json};

use super::tables;
use crate::diagnostic::Diagnostic;
use crate::keys::Keys;
use crate::node::Node;
use crate::wording::meant;

/// The routings that find paths around faults.
const AROUND_FAULTS: [RoutingKind; 6] = [
    RoutingKind::Minimal,
    RoutingKind::Valiant,
    RoutingKind::Ugal,
    RoutingKind::Progressive,
    RoutingKind::UpDown,
    RoutingKind::KShortest,
];

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

/// What has failed, and the routing that was written for it.
pub struct Failed {
    raw: FailedKeys,
    routing: Option<RoutingKind>,
    paths: Option<u32>,
}

/// Takes what concerns failures out of the section, if anything has failed: they change which routings there are.
pub fn take(node: &mut Node<'_>, keys: &Keys) -> Result<Option<Failed>, Diagnostic> {
    let Some(failed) = node.take("failed") else { return Ok(None) };
    let raw: FailedKeys = failed.read(keys)?;
    if let Some(fraction) = raw.fraction.filter(|fraction| !(0.0..1.0).contains(fraction)) {
        let message = format!("`network.failed.fraction` = {fraction} is no share of links");
        return Err(keys.error("network.failed.fraction", message, "write a number from 0.0 to below 1.0"));
    }
    let routing = node.take("routing").map(|routing| routing.read(keys)).transpose()?.map(|word: String| {
        // The words of PERCS.
        let word = match word.as_str() {
            "direct" => "minimal",
            "indirect" => "valiant",
            word => word,
        };
        let found = AROUND_FAULTS.into_iter().find(|kind| kind.name() == word);
        found.ok_or_else(|| refuse(keys, &format!("{word} routing finds no path around what has failed")))
    });
    Ok(Some(Failed {
        raw,
        routing: routing.transpose()?,
        paths: node.take("paths").map(|paths| paths.read(keys)).transpose()?,
    }))
}

impl Failed {
    /// Puts what has failed upon a network; `usual` is its routing where none is written.
    pub fn apply(
        self,
        whole: TopologySpec,
        usual: RoutingKind,
        keys: &Keys,
    ) -> Result<(TopologySpec, RoutingKind), Diagnostic> {
        if matches!(whole, TopologySpec::Ideal(_)) {
            let message = "there is nothing in an ideal network that could fail";
            return Err(keys.error("network.failed", message, "leave failed out"));
        }
        let routing = self.routing.unwrap_or(usual);
        if !AROUND_FAULTS.contains(&routing) {
            return Err(refuse(keys, &format!("{} routing finds no path around what has failed", routing.name())));
        }
        let number = |(name, path): (Name, String)| match name {
            Name::Number(number) => Ok(number),
            Name::Word(word) => named(&word, &path, &whole, keys),
        };
        let mut links = Vec::new();
        for (place, (a, b)) in (0..).zip(self.raw.links) {
            let path = |end: u32| format!("network.failed.links.{place}.{end}");
            links.push([number((a, path(0)))?, number((b, path(1)))?]);
        }
        let path = |place: u32| format!("network.failed.switches.{place}");
        let switches = (0..).zip(self.raw.switches).map(|(place, name)| number((name, path(place))));
        let switches = switches.collect::<Result<Vec<u32>, Diagnostic>>()?;
        let per_million = per_million(self.raw.fraction.unwrap_or(0.0));
        let faults = Faults { links, switches, per_million, seed: self.raw.seed.unwrap_or(1) };
        let (routing, tables) = tables::of(keys, routing, self.paths)?;
        Ok((TopologySpec::Faulty(Faulty { whole: Box::new(whole), faults, tables }), routing))
    }
}

#[expect(clippy::cast_sign_loss, reason = "a share is no less than 0")]
fn per_million(share: f64) -> u32 {
    (share * 1e6).round() as u32
}

fn refuse(keys: &Keys, message: &str) -> Diagnostic {
    let known = AROUND_FAULTS.map(RoutingKind::name).join(", ");
    // One that is not written is the kind's usual one.
    let place = if keys.contains("network.routing") { "network.routing" } else { "network.failed" };
    keys.error(place, message, format!("with network.failed, write one of these routings: {known}"))
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

/// Adds to the schema of `[network]` what each kind knows beside `failed`: routings around faults, and their `paths`.
pub fn add_to_schema(network: &mut Value) {
    let kinds = network.get_mut("oneOf").and_then(Value::as_array_mut).into_iter().flatten();
    for keys in kinds.filter_map(|kind| kind.get_mut("properties")?.as_object_mut()) {
        // An ideal network has no routing.
        let routing = keys.get_mut("routing").and_then(|routing| routing.get_mut("oneOf")?.as_array_mut());
        let Some(words) = routing else { continue };
        let mut more = AROUND_FAULTS.map(RoutingKind::name).to_vec();
        more.retain(|name| words.iter().all(|word| word["const"] != *name));
        if !more.is_empty() {
            let description = "Only with `failed`: packets are routed by tables, as on a graph.";
            words.push(json!({ "description": description, "type": "string", "enum": more }));
        }
        let description = format!(
            "Paths between every two switches. Only used with `failed` and `routing = \"k-shortest\"`. Default: {}.",
            tables::PATHS
        );
        let paths =
            json!({ "description": description, "type": "integer", "minimum": 1, "maximum": TableKind::MAX_PATHS });
        keys.entry("paths").or_insert(paths);
    }
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
