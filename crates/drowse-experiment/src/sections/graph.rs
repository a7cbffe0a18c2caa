//! `[network]` of graphs: any from a file, Slim Fly; and which ways packets take where there are no coordinates.

use drowse_core::routing::RoutingKind;
use drowse_core::topology::{SlimFly, TopologySpec, Ways};
use serde::Deserialize;

use crate::diagnostic::Diagnostic;
use crate::graph_file;
use crate::keys::Keys;
use crate::node::Node;

/// Paths between two switches where no number is written.
const PATHS: u32 = 4;

#[derive(Clone, Copy, Default, Deserialize)]
#[serde(rename_all = "kebab-case")]
enum Routing {
    #[default]
    Minimal,
    Valiant,
    Ugal,
    Progressive,
    UpDown,
    KShortest,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RawGraph {
    file: String,
    nodes: Option<u32>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RawSlimFly {
    q: u32,
    nodes: Option<u32>,
}

/// Reads a graph from the file that the experiment names.
pub fn graph(mut node: Node<'_>, keys: &Keys) -> Result<(TopologySpec, RoutingKind), Diagnostic> {
    let (routing, paths) = routing(&mut node, keys)?;
    let raw: RawGraph = node.read(keys)?;
    let ways = ways(keys, routing, paths)?;
    if raw.nodes.is_some_and(|nodes| nodes > 4096) {
        let message = format!("`network.nodes` = {} is out of range", raw.nodes.unwrap_or_default());
        return Err(keys.error("network.nodes", message, "a switch has 0 to 4096 nodes"));
    }
    let graph = graph_file::read(&keys.source().resolve(&raw.file), keys, raw.nodes, ways)?;
    Ok((TopologySpec::Graph(graph), routing))
}

/// Reads a Slim Fly.
pub fn slim_fly(mut node: Node<'_>, keys: &Keys) -> Result<(TopologySpec, RoutingKind), Diagnostic> {
    let (routing, paths) = routing(&mut node, keys)?;
    let RawSlimFly { q, nodes } = node.read(keys)?;
    Ok((TopologySpec::SlimFly(SlimFly { q, nodes, ways: ways(keys, routing, paths)? }), routing))
}

/// Reads how packets are routed on a graph, and the number of paths if one is written.
fn routing(node: &mut Node<'_>, keys: &Keys) -> Result<(RoutingKind, Option<u32>), Diagnostic> {
    let routing: Routing = node.take("routing").map(|routing| routing.read(keys)).transpose()?.unwrap_or_default();
    Ok((routing.into(), paths(node, keys)?))
}

/// Reads how many paths there are between two switches, if it is written.
pub fn paths(node: &mut Node<'_>, keys: &Keys) -> Result<Option<u32>, Diagnostic> {
    node.take("paths").map(|paths| paths.read(keys)).transpose()
}

/// Returns the ways that a routing takes; a number of paths is for that alone which draws one.
pub fn ways(keys: &Keys, kind: RoutingKind, paths: Option<u32>) -> Result<Ways, Diagnostic> {
    match paths {
        Some(_) if kind != RoutingKind::KShortest => {
            let message = format!("{} routing draws no paths", kind.name());
            Err(keys.error("network.paths", message, "leave paths out, or write routing = \"k-shortest\""))
        }
        Some(paths) if !(1..=Ways::MAX_PATHS).contains(&paths) => {
            let message = format!("`network.paths` = {paths} is out of range");
            Err(keys.error("network.paths", message, format!("write 1 to {} paths", Ways::MAX_PATHS)))
        }
        paths => Ok(Ways::of(kind, paths.unwrap_or(PATHS))),
    }
}

impl From<Routing> for RoutingKind {
    fn from(routing: Routing) -> Self {
        match routing {
            Routing::Minimal => RoutingKind::Minimal,
            Routing::Valiant => RoutingKind::Valiant,
            Routing::Ugal => RoutingKind::Ugal,
            Routing::Progressive => RoutingKind::Progressive,
            Routing::UpDown => RoutingKind::UpDown,
            Routing::KShortest => RoutingKind::KShortest,
        }
    }
}
