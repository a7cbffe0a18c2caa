//! `[network]`: which topology, and how packets are routed on it.

use std::fmt;
use std::sync::Arc;

use drowse_core::model::units::{BitRate, Time};
use drowse_core::routing::RoutingKind;
use drowse_core::topology::{
    HyperX, Hypercube, Ideal, Network, NetworkError, PerDimension, Racks, ThinTree, Ties, TopologySpec, Torus, Xgft,
};
use serde::Deserialize;
use serde::de::{Deserializer, Error, SeqAccess, Visitor};

use super::direct::{self, CoordinateRouting, Routing};
use super::{failed, graph};
use crate::diagnostic::Diagnostic;
use crate::keys::Keys;
use crate::memory;
use crate::node::Node;
use crate::quantity::Quantity;

/// The network, built.
#[derive(Clone)]
pub struct Resolved {
    pub topology: TopologySpec,
    pub network: Arc<Network>,
    pub routing: RoutingKind,
}

#[derive(Deserialize)]
#[serde(rename_all = "kebab-case")]
enum Kind {
    Torus,
    Mesh,
    Hypercube,
    Tree,
    ThinTree,
    Xgft,
    Racks,
    Dragonfly,
    DragonflyPlus,
    Percs,
    Aries,
    Full,
    #[serde(rename = "hyperx")]
    HyperX,
    SlimFly,
    Graph,
    Ideal,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Grid {
    dims: Vec<u32>,
    #[serde(default, deserialize_with = "per_dimension")]
    trunk: PerDimension,
    nodes: Option<u32>,
    #[serde(default)]
    routing: GridRouting,
    rings_of_two: Option<bool>,
    ties: Option<Ties>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RawHypercube {
    dimension: u32,
    nodes: Option<u32>,
    #[serde(default)]
    routing: GridRouting,
}

#[derive(Clone, Copy, Default, PartialEq, Deserialize)]
#[serde(rename_all = "kebab-case")]
enum GridRouting {
    #[default]
    Adaptive,
    DimensionOrder,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RawTree {
    k: u32,
    n: u32,
    #[serde(default)]
    routing: TreeRouting,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RawThinTree {
    down: u32,
    up: u32,
    levels: u32,
    #[serde(default)]
    routing: TreeRouting,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RawXgft {
    children: Vec<u32>,
    parents: Vec<u32>,
    links: Option<Vec<u32>>,
    #[serde(default)]
    routing: TreeRouting,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RawRacks {
    racks: u32,
    nodes_per_rack: u32,
    uplinks: Option<u32>,
    routing: Option<TreeRouting>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RawHyperX {
    dims: Vec<u32>,
    #[serde(default, deserialize_with = "per_dimension")]
    widths: PerDimension,
    nodes: Option<u32>,
}

#[derive(Default, Deserialize)]
#[serde(rename_all = "kebab-case")]
enum TreeRouting {
    #[default]
    Adaptive,
    Random,
    #[serde(rename = "d-mod-k")]
    DModK,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RawIdeal {
    nodes: u32,
    latency: Quantity<Time>,
    bandwidth: Quantity<BitRate>,
}

/// Reads the section and builds the network.
pub fn resolve(mut node: Node<'_>, keys: &Keys) -> Result<Resolved, Diagnostic> {
    let kind = node.require("kind", keys)?;
    let failed = failed::take(&mut node, keys)?;
    let (topology, routing) = match kind.read(keys)? {
        Kind::Torus => grid(node, keys, TopologySpec::Torus, true)?,
        Kind::Mesh => grid(node, keys, TopologySpec::Mesh, false)?,
        Kind::Hypercube => {
            let raw: RawHypercube = node.read(keys)?;
            let hypercube = Hypercube { dimension: raw.dimension, nodes: raw.nodes.unwrap_or(1) };
            (TopologySpec::Hypercube(hypercube), raw.routing.into())
        }
        Kind::Tree => {
            let raw: RawTree = node.read(keys)?;
            let tree = ThinTree { down: raw.k, up: raw.k, levels: raw.n };
            (TopologySpec::Tree(tree), raw.routing.into())
        }
        Kind::ThinTree => {
            let raw: RawThinTree = node.read(keys)?;
            let tree = ThinTree { down: raw.down, up: raw.up, levels: raw.levels };
            (TopologySpec::ThinTree(tree), raw.routing.into())
        }
        Kind::Xgft => {
            let RawXgft { children, parents, links, routing } = node.read(keys)?;
            let links = links.unwrap_or_else(|| vec![1; parents.len()]);
            (TopologySpec::Xgft(Xgft { children, parents, links }), routing.into())
        }
        Kind::Racks => {
            let raw: RawRacks = node.read(keys)?;
            let (racks, nodes_per_rack, uplinks) = (raw.racks, raw.nodes_per_rack, raw.uplinks.unwrap_or(1));
            // The routes of Saravanan and Carpenter 2018 are static.
            let routing = raw.routing.map_or(RoutingKind::DModK, RoutingKind::from);
            (TopologySpec::Racks(Racks { racks, nodes_per_rack, uplinks }), routing)
        }
        Kind::Dragonfly => {
            let (dragonfly, routing) = direct::read::<_, Routing>(node, keys)?;
            (TopologySpec::Dragonfly(dragonfly), routing)
        }
        Kind::DragonflyPlus => {
            let (dragonfly, routing) = direct::read::<_, Routing>(node, keys)?;
            (TopologySpec::DragonflyPlus(dragonfly), routing)
        }
        Kind::Percs => {
            let (percs, routing) = direct::read::<_, Routing>(node, keys)?;
            (TopologySpec::Percs(percs), routing)
        }
        Kind::Aries => {
            let (aries, routing) = direct::read::<_, Routing>(node, keys)?;
            (TopologySpec::Aries(aries), routing)
        }
        Kind::Full => {
            let (full, routing) = direct::read::<_, CoordinateRouting>(node, keys)?;
            (TopologySpec::Full(full), routing)
        }
        Kind::HyperX => {
            let (raw, routing) = direct::read::<RawHyperX, CoordinateRouting>(node, keys)?;
            let RawHyperX { dims, widths, nodes } = raw;
            (TopologySpec::HyperX(HyperX { dims, widths, nodes: nodes.unwrap_or(1) }), routing)
        }
        Kind::SlimFly => graph::slim_fly(node, keys)?,
        Kind::Graph => graph::graph(node, keys)?,
        Kind::Ideal => {
            let RawIdeal { nodes, latency, bandwidth } = node.read(keys)?;
            let latency = super::repeated(keys, "network.latency", latency.0)?;
            let ideal = Ideal { nodes, latency, bandwidth: super::bandwidth(keys, "network.bandwidth", bandwidth.0)? };
            // Nothing is routed.
            (TopologySpec::Ideal(ideal), RoutingKind::Adaptive)
        }
    };
    let (topology, routing) = match failed {
        Some(failed) => failed.apply(topology, routing, keys)?,
        None => (topology, routing),
    };
    let ports = topology.ports().map_err(|error| describe(&error, keys))?;
    if let Some(lack) = memory::lack(memory::of_tables(ports) + topology.routing_bytes(ports), "the network") {
        let help = "make the network smaller, or use a larger machine";
        return Err(Diagnostic { machine: true, ..keys.error("network", lack, help) });
    }
    let network = topology.build().map_err(|error| describe(&error, keys))?;
    Ok(Resolved { topology, network: Arc::new(network), routing })
}

fn grid(
    node: Node<'_>,
    keys: &Keys,
    kind: fn(Torus) -> TopologySpec,
    has_rings: bool,
) -> Result<(TopologySpec, RoutingKind), Diagnostic> {
    let grid: Grid = node.read(keys)?;
    check_ways(&grid, keys, has_rings)?;
    let torus = Torus {
        rings_of_two: grid.rings_of_two.unwrap_or(false),
        ties: grid.ties.unwrap_or_default(),
        ..Torus::new(grid.dims, grid.trunk, grid.nodes.unwrap_or(1))
    };
    Ok((kind(torus), grid.routing.into()))
}

impl From<GridRouting> for RoutingKind {
    fn from(routing: GridRouting) -> Self {
        match routing {
            GridRouting::Adaptive => RoutingKind::Adaptive,
            GridRouting::DimensionOrder => RoutingKind::DimensionOrder,
        }
    }
}

/// Refuses keys of rings and of ways round them where they mean nothing.
fn check_ways(grid: &Grid, keys: &Keys, has_rings: bool) -> Result<(), Diagnostic> {
    let written = [("network.rings_of_two", grid.rings_of_two.is_some()), ("network.ties", grid.ties.is_some())];
    if let Some((path, _)) = written.into_iter().find(|&(_, written)| written && !has_rings) {
        return Err(keys.error(path, format!("`{path}` is about rings, which a mesh has none of"), "remove it"));
    }
    if grid.ties.is_some() && grid.routing != GridRouting::DimensionOrder {
        let message = "`network.ties` is about dimension order; adaptive routing takes either way".to_owned();
        return Err(keys.error("network.ties", message, "remove it, or write routing = \"dimension-order\""));
    }
    Ok(())
}

impl From<TreeRouting> for RoutingKind {
    fn from(routing: TreeRouting) -> Self {
        match routing {
            TreeRouting::Adaptive => RoutingKind::Adaptive,
            TreeRouting::Random => RoutingKind::Random,
            TreeRouting::DModK => RoutingKind::DModK,
        }
    }
}

fn describe(error: &NetworkError, keys: &Keys) -> Diagnostic {
    match error {
        NetworkError::OutOfRange { key, value, reason } => {
            keys.error(key, format!("`{key}` = {value} is out of range"), *reason)
        }
        NetworkError::Refused { key, what, cure } => keys.error(key, what, cure),
        NetworkError::TooLarge { what, most } => {
            let sizes = [
                ("network.dims", "dims, trunk or nodes"),
                ("network.n", "k or n"),
                ("network.levels", "down, up or levels"),
                ("network.groups", "groups or their switches"),
                ("network.children", "children, parents or links"),
            ];
            let size = sizes.into_iter().find(|(path, _)| keys.contains(path));
            let (path, what_to_change) = size.unwrap_or(("network", "it"));
            let help = format!("the most is {most}; make {what_to_change} smaller");
            keys.error(path, format!("the network would have {what}"), help)
        }
    }
}

/// Reads one number or a list of them.
fn per_dimension<'de, D: Deserializer<'de>>(deserializer: D) -> Result<PerDimension, D::Error> {
    deserializer.deserialize_any(PerDimensionVisitor)
}

struct PerDimensionVisitor;

impl<'de> Visitor<'de> for PerDimensionVisitor {
    type Value = PerDimension;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a whole number such as 4, or a list with one per dimension such as [1, 4]")
    }

    fn visit_i64<E: Error>(self, number: i64) -> Result<PerDimension, E> {
        let wrong = |_| E::invalid_value(serde::de::Unexpected::Signed(number), &self);
        u32::try_from(number).map(PerDimension::All).map_err(wrong)
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<PerDimension, A::Error> {
        let mut widths = Vec::new();
        while let Some(width) = items.next_element()? {
            widths.push(width);
        }
        Ok(PerDimension::Each(widths))
    }
}
