//! What `[network]` may name: kinds, routings and formats of files; those of other crates among them.

use std::sync::Arc;

use drowse_core::routing::RoutingKind;
use drowse_core::topology::{Graph, OwnRouting, TableKind, TopologySpec};
use drowse_fabric::OtherFormat;
use schemars::SchemaGenerator;
use serde_json::{Value, json};

use super::kinds::{KINDS, Kind};
use super::refuse::describe;
use super::schema::of_kind;
use crate::diagnostic::Diagnostic;
use crate::keys::Keys;
use crate::node::Node;

/// What a network may be.
#[derive(Clone)]
pub struct Known {
    /// All kinds, those of other crates last.
    pub kinds: Vec<Kind>,
    /// Routings of other crates.
    pub routings: Vec<OwnRouting>,
    /// Formats of files of other crates.
    pub formats: Vec<OtherFormat>,
}

impl Known {
    /// Returns what is known here.
    pub fn built_in() -> Self {
        Known { kinds: KINDS.to_vec(), routings: Vec::new(), formats: Vec::new() }
    }

    /// Returns the schemas of kinds of other crates.
    pub fn added_kinds(&self, generator: &mut SchemaGenerator) -> Vec<Value> {
        self.kinds[KINDS.len()..].iter().map(|kind| of_kind(kind, generator)).collect()
    }

    /// Returns the schemas of routings of other crates.
    pub fn added_routings(&self) -> Vec<Value> {
        let word =
            |routing: &OwnRouting| json!({ "description": routing.about, "type": "string", "const": routing.word });
        self.routings.iter().map(word).collect()
    }

    /// Takes the routing of another crate out of the section, if it names one; nothing is routed where a kind has no
    /// routings.
    pub fn take_routing(&self, node: &mut Node<'_>, kind: &Kind) -> Option<OwnRouting> {
        let word = node.text_of("routing").filter(|_| !kind.routings.is_empty())?;
        let found = *self.routings.iter().find(|routing| routing.word == word)?;
        node.take("routing");
        Some(found)
    }
}

/// Routes a network by the tables of another crate.
pub fn routed(
    topology: TopologySpec,
    routing: OwnRouting,
    keys: &Keys,
) -> Result<(TopologySpec, RoutingKind), Diagnostic> {
    let graph = match topology {
        TopologySpec::Graph(graph) => graph,
        other => {
            let network = other.build().map_err(|error| describe(&error, keys))?;
            Graph::of(&network, TableKind::default(), |_| true)
        }
    };
    let forwarding = (routing.tables)(&graph).map_err(|error| describe(&error, keys))?;
    let forwarding = Some(Arc::new(forwarding));
    let graph = Graph { tables: TableKind::Forwarding, forwarding, ..graph };
    Ok((TopologySpec::Graph(graph), RoutingKind::Table))
}
