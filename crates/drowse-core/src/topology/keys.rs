//! Topologies as experiments name them: a kind, its parameters as keys, and the routings that it has.

use serde::de::DeserializeOwned;

use super::{KAryTree, Mesh, TableKind, ThinTree, TopologySpec, Torus};
use crate::model::routing_kind::RoutingKind;

/// A routing that a kind of network has, and what packets do there.
#[derive(Clone, Copy, Debug)]
pub struct Routing {
    /// The routing.
    pub kind: RoutingKind,
    /// Another word for it.
    pub alias: Option<&'static str>,
    /// What packets do.
    pub what: &'static str,
}

/// The parameters of a topology that experiments can name. Another crate implements it with [`Topology`](super::Topology),
/// and makes a [`TopologySpec::Other`].
pub trait TopologyKeys: DeserializeOwned {
    /// The word that selects it (`network.kind`).
    const KIND: &'static str;
    /// The routings that it has, the usual one first. Those of a graph are among [`ON_GRAPHS`]; where paths have more channels
    /// than a port has virtual channels, only up-down can be routed: such a network lists it first.
    const ROUTINGS: &'static [Routing];

    /// Returns the topology; one that is routed by tables has these: those of the routing that the experiment writes. A graph
    /// takes them as [`Graph::tables`](super::Graph::tables).
    fn topology(self, tables: TableKind) -> TopologySpec;
}

const fn routing(kind: RoutingKind, what: &'static str) -> Routing {
    Routing { kind, alias: None, what }
}

/// Tori, meshes and hypercubes.
pub const ON_GRIDS: &[Routing] = &[
    routing(
        RoutingKind::Adaptive,
        "Any minimal output on adaptive virtual channels, dimension order on escape ones (Duato).",
    ),
    routing(RoutingKind::DimensionOrder, "One dimension after the other, lowest first."),
];
/// Trees.
pub const ON_TREES: &[Routing] = &[
    routing(RoutingKind::Adaptive, "Up by the output with the most credits."),
    routing(RoutingKind::Random, "Up by an output drawn at random."),
    routing(RoutingKind::DModK, "Up by an output that the destination's number fixes."),
];
/// Racks: the routes of Saravanan and Carpenter 2018 are static.
pub(super) const ON_RACKS: &[Routing] = &[ON_TREES[2], ON_TREES[0], ON_TREES[1]];
/// Networks of groups.
pub const ON_GROUPS: &[Routing] = &[
    Routing { kind: RoutingKind::Minimal, alias: Some("direct"), what: "By a minimal path." },
    Routing {
        kind: RoutingKind::Valiant,
        alias: Some("indirect"),
        what: "By an intermediate group that is drawn for each packet.",
    },
    routing(RoutingKind::Ugal, "Minimal or by an intermediate group, as the queues at the source switch advise."),
    PROGRESSIVE,
];
const PROGRESSIVE: Routing =
    routing(RoutingKind::Progressive, "The same, and decided once more after the first hop of a minimal route.");
const VALIANT: Routing = routing(RoutingKind::Valiant, "By an intermediate switch that is drawn for each packet.");
const UGAL: Routing =
    routing(RoutingKind::Ugal, "Minimal or by an intermediate switch, as the queues at the source switch advise.");
/// Where switches have coordinates and each is joined with all others of its line.
pub const ON_LATTICES: &[Routing] = &[
    routing(RoutingKind::Minimal, "By any minimal path."),
    routing(RoutingKind::DimensionOrder, "By a minimal path, one dimension after the other."),
    VALIANT,
    UGAL,
    PROGRESSIVE,
];
/// Graphs, by tables: minimal, Valiant, UGAL, progressive, up-down and k-shortest, in this order.
pub const ON_GRAPHS: &[Routing] = ON_GIVEN_GRAPHS.split_at(6).0;
/// Graphs that may bring forwarding tables along: the same, and by these tables.
pub const ON_GIVEN_GRAPHS: &[Routing] = &[
    routing(RoutingKind::Minimal, "By any shortest path."),
    VALIANT,
    UGAL,
    PROGRESSIVE,
    routing(RoutingKind::UpDown, "Down where a path leads down, else up; one virtual channel suffices."),
    routing(RoutingKind::KShortest, "By one of the `paths` shortest paths, which is drawn for each packet."),
    routing(
        RoutingKind::Table,
        "By the forwarding tables of `network.tables`: each switch has one output for each node.",
    ),
];

impl TopologyKeys for Mesh {
    const KIND: &'static str = "mesh";
    const ROUTINGS: &'static [Routing] = ON_GRIDS;

    fn topology(self, _: TableKind) -> TopologySpec {
        TopologySpec::Mesh(Torus::new(self.dims, self.trunk, self.nodes))
    }
}

impl TopologyKeys for KAryTree {
    const KIND: &'static str = "tree";
    const ROUTINGS: &'static [Routing] = ON_TREES;

    fn topology(self, _: TableKind) -> TopologySpec {
        TopologySpec::Tree(ThinTree { down: self.k, up: self.k, levels: self.n })
    }
}
