//! `[network]`: which topology, and how packets are routed on it.
//!
//! Each kind reads its keys into the parameters of its topology.

mod failed;
mod forwarding;
mod graph;
mod kinds;
mod known;
mod make;
mod refuse;
mod routing;
mod schema;

use std::sync::Arc;

use drowse_core::model::config::{Config, SwitchModel, VirtualChannels};
use drowse_core::routing::dependencies::{self, Verdict};
use drowse_core::routing::{NeededVcs, RoutingKind, needed_vcs};
use drowse_core::topology::{Graph, Network, TableKind, TopologySpec};

use crate::diagnostic::Diagnostic;
use crate::keys::Keys;
use crate::memory;
use crate::node::Node;

use drowse_fabric::Fabric;

use failed::Failed;
pub use kinds::{KINDS, Kind};
pub use known::Known;
use make::Context;
use refuse::describe;
use routing::Written;
pub use schema::NetworkKeys;

/// The network, built.
#[derive(Clone)]
pub struct Resolved {
    pub topology: TopologySpec,
    pub network: Arc<Network>,
    pub routing: RoutingKind,
    /// What to know of it before using figures.
    pub notes: Vec<String>,
}

/// Returns the words of all kinds of networks.
pub fn network_kinds() -> impl Iterator<Item = &'static str> {
    KINDS.iter().map(|kind| kind.word)
}

/// Reads the section and builds the network.
pub fn resolve(node: Node<'_>, known: &Known, keys: &Keys) -> Result<Resolved, Diagnostic> {
    let mut notes = Vec::new();
    let (mut topology, mut routing) = read(node, known, keys, &mut notes)?;
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
    notes.extend(circle(&network, routing));
    Ok(Resolved { topology, network: Arc::new(network), routing, notes })
}

/// Says that packets can wait for each other in a circle, which given forwarding tables may let them do.
fn circle(network: &Network, routing: RoutingKind) -> Option<String> {
    if routing != RoutingKind::Table {
        return None;
    }
    let switch = SwitchModel::with(VirtualChannels::usual(network, routing));
    let config = Config { routing, switch, ..Config::new(network) };
    match dependencies::check(network, &config) {
        Ok(Verdict::Circle(circle)) => Some(format!(
            "these tables can deadlock: packets may wait for each other on {} channels in a circle (drowse network \
             --check shows it); a run in which they do ends with an error",
            circle.len()
        )),
        _ => None,
    }
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

/// Reads the section, and returns the network as it can be written in another format.
pub fn fabric(mut node: Node<'_>, known: &Known, keys: &Keys) -> Result<Fabric, Diagnostic> {
    if node.text_of("kind") == Some(graph::WORD) && !node.has("failed") {
        ["kind", "routing", "paths"].into_iter().for_each(|key| _ = node.take(key));
        return graph::fabric(node, &Context { keys, formats: &known.formats });
    }
    let Resolved { network, notes, .. } = resolve(node, known, keys)?;
    Ok(Fabric { graph: Graph::of(&network, TableKind::default(), |_| true), notes, ..Fabric::default() })
}

/// Estimates the bytes that building the network takes; it is not built.
pub fn bytes(node: Node<'_>, known: &Known, keys: &Keys) -> Result<u64, Diagnostic> {
    bytes_of(&read(node, known, keys, &mut Vec::new())?.0, keys)
}

fn bytes_of(topology: &TopologySpec, keys: &Keys) -> Result<u64, Diagnostic> {
    let ports = topology.ports().map_err(|error| describe(&error, keys))?;
    Ok(memory::of_tables(ports) + topology.routing_bytes(ports))
}

/// Reads the section; adds to the notes. All keys are read before anything is made of them, so that a misspelt one is told
/// before what it would have changed.
fn read(
    mut node: Node<'_>,
    known: &Known,
    keys: &Keys,
    notes: &mut Vec<String>,
) -> Result<(TopologySpec, RoutingKind), Diagnostic> {
    let kind = Kind::take(&mut node, &known.kinds, keys)?;
    let context = Context { keys, formats: &known.formats };
    let failed = node.take("failed");
    if let Some(routing) = known.take_routing(&mut node, kind) {
        let make = (kind.read)(node, keys)?;
        let whole = make(&context, TableKind::default(), notes)?;
        let topology = match failed {
            Some(failed) => Failed::read(failed, kind, keys)?.apply(whole, TableKind::default(), keys)?,
            None => whole,
        };
        return known::routed(topology, routing, keys);
    }
    let written = Written::take(&mut node, kind, failed.is_some());
    let make = (kind.read)(node, keys)?;
    if let Some(failed) = failed {
        let failed = Failed::read(failed, kind, keys)?;
        let (routing, tables) = written.around_faults(kind, keys)?;
        let whole = make(&context, TableKind::default(), notes)?;
        check_rings(&whole, routing, keys)?;
        return Ok((failed.apply(whole, tables, keys)?, routing));
    }
    let (routing, tables) = written.resolve(kind, keys)?;
    let topology = make(&context, tables, notes)?;
    check_rings(&topology, routing, keys)?;
    Ok((topology, routing))
}

/// Refuses ties where they mean nothing.
fn check_rings(topology: &TopologySpec, routing: RoutingKind, keys: &Keys) -> Result<(), Diagnostic> {
    let is_torus = matches!(topology, TopologySpec::Torus(_));
    if is_torus && routing != RoutingKind::DimensionOrder && keys.contains("network.ties") {
        let name = routing.name();
        let message = format!("`network.ties` is about dimension order; {name} routing takes either direction");
        return Err(keys.error("network.ties", message, "remove it, or write routing = \"dimension-order\""));
    }
    Ok(())
}
