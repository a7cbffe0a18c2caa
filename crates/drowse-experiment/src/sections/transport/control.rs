//! `transport.control`: the registry of its kinds.

use std::borrow::Cow;

use drowse_core::model::transport::Control;
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::de::DeserializeOwned;
use serde_json::Value;

use super::kind::{ControlKeys, Place};
use super::{becn, credit, dcqcn, none, nscc, window};
use crate::diagnostic::Diagnostic;
use crate::node::Node;
use crate::sections::kind_schema::with_kind;
use crate::wording;

/// The kinds of control, in the order of error messages and of the key reference.
const KINDS: &[Kind] = &[
    Kind::of::<none::Freely>("none"),
    Kind::of::<window::FixedWindow>("window"),
    Kind::of::<dcqcn::Dcqcn>("dcqcn"),
    Kind::of::<nscc::Nscc>("nscc"),
    Kind::of::<credit::Credit>("credit"),
    Kind::of::<becn::Becn>("becn"),
];

/// A kind in the registry.
struct Kind {
    /// The word that selects it.
    word: &'static str,
    read: fn(Node<'_>, &Place<'_>) -> Result<Control, Diagnostic>,
    schema: fn(&mut SchemaGenerator) -> Schema,
}

impl Kind {
    const fn of<K: ControlKeys + DeserializeOwned + JsonSchema>(word: &'static str) -> Self {
        Kind { word, read: read_keys::<K>, schema: K::json_schema }
    }
}

fn read_keys<K: ControlKeys + DeserializeOwned>(node: Node<'_>, place: &Place<'_>) -> Result<Control, Diagnostic> {
    node.read::<K>(place.keys)?.control(place)
}

/// Reads the table.
pub(super) fn read(mut node: Node<'_>, place: &Place<'_>) -> Result<Control, Diagnostic> {
    let kind = node.require("kind", place.keys)?;
    let path = kind.path.clone();
    let word: String = kind.read(place.keys)?;
    let Some(kind) = KINDS.iter().find(|kind| kind.word == word) else {
        let known: Vec<&str> = KINDS.iter().map(|kind| kind.word).collect();
        return Err(wording::unknown_word(place.keys, &path, &word, &known));
    };
    (kind.read)(node, place)
}

/// A control as it is written; for the schema.
pub(super) struct ControlSpec;

impl JsonSchema for ControlSpec {
    fn schema_name() -> Cow<'static, str> {
        "control".into()
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        let of_kind = |kind: &Kind| {
            let mut keys = (kind.schema)(generator);
            with_kind(&mut keys, kind.word);
            keys.to_value()
        };
        let kinds: Vec<Value> = KINDS.iter().map(of_kind).collect();
        json_schema!({ "examples": [{ "kind": "window", "size": "256 KiB" }], "oneOf": kinds })
    }
}
