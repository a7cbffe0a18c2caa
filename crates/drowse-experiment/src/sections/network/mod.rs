//! `[network]`: which topology, and how packets are routed on it.
//!
//! Each kind has a file of its own with the struct of its keys, and a line in the list of kinds below.

mod aries;
mod arrangement;
mod dragonfly;
mod failed;
mod graph;
mod grid;
mod hypercube;
mod hyperx;
mod ideal;
mod jellyfish;
mod kind;
mod per_dimension;
mod percs;
mod polarfly;
mod racks;
mod routing;
mod slim_fly;
mod tables;
mod tree;
mod xgft;

use std::sync::Arc;

use drowse_core::model::config::VirtualChannels;
use drowse_core::routing::{NeededVcs, RoutingKind, needed_vcs};
use drowse_core::topology::{Graph, Network, NetworkError, TableKind, TopologySpec};
use schemars::JsonSchema;
use serde::Deserialize;

use crate::diagnostic::Diagnostic;
use crate::keys::Keys;
use crate::memory;
use crate::node::Node;

use failed::FailedKeys;
pub use failed::add_to_schema;
use kind::KindKeys;

/// The network, built.
#[derive(Clone)]
pub struct Resolved {
    pub topology: TopologySpec,
    pub network: Arc<Network>,
    pub routing: RoutingKind,
    /// What to know of it before using figures.
    pub notes: Vec<String>,
}

/// The keys of `[network]`, for the schema: parsing takes `kind` and `failed` out first.
#[derive(JsonSchema)]
#[schemars(rename = "Network", deny_unknown_fields)]
pub struct NetworkKeys {
    /// The kind of network, and its keys.
    #[serde(flatten)]
    pub kind: NetworkKind,
    /// Links and switches that do not work.
    pub failed: Option<FailedKeys>,
}

/// Makes the enum of the kinds and the list of their names, and reads and resolves their keys.
macro_rules! kinds {
    ($($name:literal => $Kind:ident($KeysOfKind:ty),)*) => {
        /// The names of all kinds of networks.
        pub const KINDS: &[&str] = &[$($name),*];

        #[derive(Deserialize)]
        enum Kind {
            $(#[serde(rename = $name)] $Kind,)*
        }

        /// A kind of network with its keys.
        #[derive(JsonSchema)]
        #[serde(tag = "kind")]
        pub enum NetworkKind {
            $(#[serde(rename = $name)] $Kind($KeysOfKind),)*
        }

        impl Kind {
            /// Reads the keys of this kind.
            fn read(self, node: Node<'_>, keys: &Keys) -> Result<NetworkKind, Diagnostic> {
                Ok(match self {
                    $(Kind::$Kind => NetworkKind::$Kind(node.read(keys)?),)*
                })
            }
        }

        impl NetworkKind {
            /// Returns the topology and the routing, or what is wrong with the keys; adds to the notes.
            fn resolve(
                self,
                keys: &Keys,
                notes: &mut Vec<String>,
            ) -> Result<(TopologySpec, RoutingKind), Diagnostic> {
                match self {
                    $(NetworkKind::$Kind(keys_of_kind) => keys_of_kind.resolve_noting(keys, notes),)*
                }
            }
        }
    };
}

kinds! {
    "torus" => Torus(grid::TorusKeys),
    "mesh" => Mesh(grid::MeshKeys),
    "hypercube" => Hypercube(hypercube::HypercubeKeys),
    "tree" => Tree(tree::TreeKeys),
    "thin-tree" => ThinTree(tree::ThinTreeKeys),
    "xgft" => Xgft(xgft::XgftKeys),
    "racks" => Racks(racks::RacksKeys),
    "dragonfly" => Dragonfly(dragonfly::DragonflyKeys),
    "dragonfly-plus" => DragonflyPlus(dragonfly::DragonflyPlusKeys),
    "percs" => Percs(percs::PercsKeys),
    "aries" => Aries(aries::AriesKeys),
    "full" => Full(hyperx::FullKeys),
    "hyperx" => HyperX(hyperx::HyperXKeys),
    "slim-fly" => SlimFly(slim_fly::SlimFlyKeys),
    "polarfly" => PolarFly(polarfly::PolarFlyKeys),
    "jellyfish" => Jellyfish(jellyfish::JellyfishKeys),
    "graph" => Graph(graph::GraphKeys),
    "ideal" => Ideal(ideal::IdealKeys),
}

/// Reads the section and builds the network.
pub fn resolve(node: Node<'_>, keys: &Keys) -> Result<Resolved, Diagnostic> {
    let mut notes = Vec::new();
    let (mut topology, mut routing) = read(node, keys, &mut notes)?;
    if let Some(lack) = memory::lack(bytes_of(&topology, keys)?, "the network") {
        let help = "make the network smaller, or use a larger machine";
        return Err(Diagnostic { machine: true, ..keys.error("network", lack, help) });
    }
    let build = |topology: &TopologySpec| topology.build().map_err(|error| describe(&error, keys));
    let mut network = build(&topology)?;
    if let Some((up_down, note)) = without_hops(&topology, &network, routing, keys) {
        (topology, routing) = (up_down, RoutingKind::UpDown);
        network = build(&topology)?;
        notes.push(note);
    }
    Ok(Resolved { topology, network: Arc::new(network), routing, notes })
}

/// Returns a graph routed up and down, and what to say of it, where no routing is written and paths are too long for
/// virtual channels of their own at each hop.
fn without_hops(
    topology: &TopologySpec,
    network: &Network,
    routing: RoutingKind,
    keys: &Keys,
) -> Option<(TopologySpec, String)> {
    let TopologySpec::Graph(graph) = topology else { return None };
    let NeededVcs::Hops(longest) = needed_vcs(network, routing) else { return None };
    let most = u32::from(VirtualChannels::MAX);
    if longest <= most || keys.contains("network.routing") {
        return None;
    }
    let note = format!(
        "routing is up-down: shortest paths have up to {longest} channels here, and a port has at most {most} virtual channels"
    );
    Some((TopologySpec::Graph(Graph { tables: TableKind::UpDown, ..graph.clone() }), note))
}

/// Estimates the bytes that building the network takes; it is not built.
pub fn bytes(node: Node<'_>, keys: &Keys) -> Result<u64, Diagnostic> {
    bytes_of(&read(node, keys, &mut Vec::new())?.0, keys)
}

fn bytes_of(topology: &TopologySpec, keys: &Keys) -> Result<u64, Diagnostic> {
    let ports = topology.ports().map_err(|error| describe(&error, keys))?;
    Ok(memory::of_tables(ports) + topology.routing_bytes(ports))
}

/// Reads the section; adds to the notes.
fn read(mut node: Node<'_>, keys: &Keys, notes: &mut Vec<String>) -> Result<(TopologySpec, RoutingKind), Diagnostic> {
    let kind = node.require("kind", keys)?;
    let failed = failed::take(&mut node, keys)?;
    let (topology, routing) = kind.read::<Kind>(keys)?.read(node, keys)?.resolve(keys, notes)?;
    match failed {
        Some(failed) => failed.apply(topology, routing, keys),
        None => Ok((topology, routing)),
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
