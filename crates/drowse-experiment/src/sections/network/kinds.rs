//! The kinds of networks, each with the keys that it reads and the routings that it has.

use drowse_core::routing::RoutingKind;
use drowse_core::topology::{
    Aries, Dragonfly, DragonflyPlus, Full, HyperX, Hypercube, Ideal, Jellyfish, KAryTree, Mesh, ON_GIVEN_GRAPHS, Percs,
    PolarFly, Racks, Routing, SlimFly, ThinTree, TopologyKeys, Torus, TwistedTorus, Xgft,
};
use schemars::{JsonSchema, Schema, SchemaGenerator};

use super::graph::{self, GraphKeys};
use super::make::Make;
use crate::diagnostic::Diagnostic;
use crate::keys::Keys;
use crate::node::Node;
use crate::wording;

/// A kind of network.
#[derive(Clone, Copy)]
pub struct Kind {
    /// The word that selects it.
    pub word: &'static str,
    /// Its routings, the usual one first; none where nothing is routed.
    pub routings: &'static [Routing],
    /// Reads its keys, and returns what makes the network of them.
    pub read: fn(Node<'_>, &Keys) -> Result<Box<Make>, Diagnostic>,
    /// Context the schema of its keys.
    pub schema: fn(&mut SchemaGenerator) -> Schema,
}

/// All that are known here.
pub static KINDS: [Kind; 19] = [
    Kind::of::<Torus>(),
    Kind::of::<Mesh>(),
    Kind::of::<TwistedTorus>(),
    Kind::of::<Hypercube>(),
    Kind::of::<KAryTree>(),
    Kind::of::<ThinTree>(),
    Kind::of::<Xgft>(),
    Kind::of::<Racks>(),
    Kind::of::<Dragonfly>(),
    Kind::of::<DragonflyPlus>(),
    Kind::of::<Percs>(),
    Kind::of::<Aries>(),
    Kind::of::<Full>(),
    Kind::of::<HyperX>(),
    Kind::of::<SlimFly>(),
    Kind::of::<PolarFly>(),
    Kind::of::<Jellyfish>(),
    Kind { word: "graph", routings: ON_GIVEN_GRAPHS, read: graph::read, schema: GraphKeys::json_schema },
    Kind::of::<Ideal>(),
];

impl Kind {
    /// Returns the kind of a topology.
    pub const fn of<T: TopologyKeys + JsonSchema + 'static>() -> Self {
        Kind { word: T::KIND, routings: T::ROUTINGS, read: read::<T>, schema: T::json_schema }
    }

    /// Takes the kind out of the section; it is one of these.
    pub fn take<'k>(node: &mut Node<'_>, kinds: &'k [Kind], keys: &Keys) -> Result<&'k Kind, Diagnostic> {
        let word: String = node.require("kind", keys)?.read(keys)?;
        let words = || kinds.iter().map(|kind| kind.word).collect::<Vec<_>>();
        let found = kinds.iter().find(|kind| kind.word == word);
        found.ok_or_else(|| wording::unknown_word(keys, "network.kind", &word, &words()))
    }

    /// Returns whether a routing of it draws paths.
    pub fn draws_paths(&self) -> bool {
        self.routings.iter().any(|routing| routing.kind == RoutingKind::KShortest)
    }

    /// Finds one of its routings by its word.
    pub fn routing(&self, word: &str) -> Option<RoutingKind> {
        let found = self.routings.iter().find(|routing| routing.kind.name() == word || routing.alias == Some(word));
        found.map(|routing| routing.kind)
    }
}

fn read<T: TopologyKeys + 'static>(node: Node<'_>, keys: &Keys) -> Result<Box<Make>, Diagnostic> {
    let parameters: T = node.read(keys)?;
    Ok(Box::new(|_, tables, _| Ok(parameters.topology(tables))))
}
