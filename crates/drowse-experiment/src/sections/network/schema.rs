//! The schema of `[network]`: one table of keys for each kind, with its routings.

use std::borrow::Cow;

use drowse_core::routing::RoutingKind;
use drowse_core::topology::TableKind;
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde_json::{Value, json};

use super::failed::FailedKeys;
use super::kinds::{KINDS, Kind};
use super::routing::{AROUND_FAULTS, PATHS};
use crate::sections::kind_schema::{MARK, properties, with_kind};

/// The keys of `[network]`.
pub struct NetworkKeys;

impl JsonSchema for NetworkKeys {
    fn schema_name() -> Cow<'static, str> {
        "Network".into()
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        let kinds: Vec<Value> = KINDS.iter().map(|kind| of_kind(kind, generator)).collect();
        let mut failed = generator.subschema_for::<FailedKeys>();
        failed.insert("description".into(), "Links and switches that do not work.".into());
        json_schema!({
            "type": "object",
            "properties": { "failed": failed },
            "unevaluatedProperties": false,
            "oneOf": kinds,
            MARK: "network",
        })
    }
}

/// Returns the schema of a kind of network.
pub fn of_kind(kind: &Kind, generator: &mut SchemaGenerator) -> Value {
    let mut schema = (kind.schema)(generator);
    with_kind(&mut schema, kind.word);
    let table = schema.ensure_object();
    // `failed` is a key beside these.
    table.remove("additionalProperties");
    if let (false, Some(keys)) = (kind.routings.is_empty(), properties(table)) {
        keys.insert("routing".into(), routing(kind));
        keys.insert("paths".into(), paths(kind));
    }
    schema.to_value()
}

/// Returns the schema of the routings of a kind, and of those around faults.
fn routing(kind: &Kind) -> Value {
    let word = |name: &str, what: &str| json!({ "description": what, "type": "string", "const": name });
    let names = || kind.routings.iter().map(|routing| (routing.kind.name(), routing));
    let mut words: Vec<Value> = names().map(|(name, routing)| word(name, routing.what)).collect();
    let aliases = names().filter_map(|(name, routing)| Some((routing.alias?, name)));
    words.extend(aliases.map(|(alias, name)| word(alias, &format!("Another word for `{name}`."))));
    let mut more = AROUND_FAULTS.map(RoutingKind::name).to_vec();
    more.retain(|name| names().all(|(own, _)| own != *name));
    if !more.is_empty() {
        let description = "Only with `failed`: packets are routed by tables, as on a graph.";
        words.push(json!({ "description": description, "type": "string", "enum": more }));
    }
    if kind.word == "graph" {
        let description = "How packets are routed. Default: `table` where `tables` are named, `up-down` where shortest paths have \
                           more channels than a port has virtual channels, else `minimal`.";
        return json!({ "description": description, "oneOf": words, MARK: "routing" });
    }
    let usual = names().next().map(|(name, _)| name);
    json!({ "description": "How packets are routed.", "default": usual, "oneOf": words, MARK: "routing" })
}

/// Returns the schema of the number of paths.
fn paths(kind: &Kind) -> Value {
    let most = TableKind::MAX_PATHS;
    let only = if kind.draws_paths() { "" } else { "`failed` and " };
    let description = format!("Paths between every two switches. Only used with {only}`routing = \"k-shortest\"`.");
    json!({ "description": description, "type": "integer", "minimum": 1, "maximum": most, "default": PATHS })
}
