//! `[network]`: which topology, and how packets are routed on it.

use std::fmt;
use std::sync::Arc;

use drowse_core::routing::RoutingKind;
use drowse_core::topology::{Ideal, Network, NetworkError, PerDimension, Racks, ThinTree, TopologySpec, Torus};
use drowse_core::units::{BitRate, Time};
use serde::Deserialize;
use serde::de::{Deserializer, Error, SeqAccess, Visitor};

use crate::experiment::diagnostic::Diagnostic;
use crate::experiment::keys::Keys;
use crate::experiment::node::Node;
use crate::experiment::quantity::Quantity;
use crate::memory;

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
    Tree,
    ThinTree,
    Racks,
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
}

#[derive(Default, Deserialize)]
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
struct RawRacks {
    racks: u32,
    nodes_per_rack: u32,
    uplinks: Option<u32>,
    routing: Option<TreeRouting>,
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
    let (topology, routing) = match node.require("kind", keys)?.read(keys)? {
        Kind::Torus => grid(node, keys, TopologySpec::Torus)?,
        Kind::Mesh => grid(node, keys, TopologySpec::Mesh)?,
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
        Kind::Racks => {
            let raw: RawRacks = node.read(keys)?;
            let (racks, nodes_per_rack, uplinks) = (raw.racks, raw.nodes_per_rack, raw.uplinks.unwrap_or(1));
            // The routes of paper 001 are static.
            let routing = raw.routing.map_or(RoutingKind::DModK, RoutingKind::from);
            (TopologySpec::Racks(Racks { racks, nodes_per_rack, uplinks }), routing)
        }
        Kind::Ideal => {
            let RawIdeal { nodes, latency, bandwidth } = node.read(keys)?;
            let latency = super::repeated(keys, "network.latency", latency.0)?;
            let ideal = Ideal { nodes, latency, bandwidth: super::bandwidth(keys, "network.bandwidth", bandwidth.0)? };
            // Nothing is routed.
            (TopologySpec::Ideal(ideal), RoutingKind::Adaptive)
        }
    };
    let ports = topology.ports().map_err(|error| describe(&error, keys))?;
    if let Some(lack) = memory::lack(memory::of_tables(ports), "the network") {
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
) -> Result<(TopologySpec, RoutingKind), Diagnostic> {
    let grid: Grid = node.read(keys)?;
    let torus = Torus { dims: grid.dims, trunk: grid.trunk, nodes: grid.nodes.unwrap_or(1) };
    let routing = match grid.routing {
        GridRouting::Adaptive => RoutingKind::Adaptive,
        GridRouting::DimensionOrder => RoutingKind::DimensionOrder,
    };
    Ok((kind(torus), routing))
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
        NetworkError::TooLarge { what, most } => {
            let sizes = [
                ("network.dims", "dims, trunk or nodes"),
                ("network.n", "k or n"),
                ("network.levels", "down, up or levels"),
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
