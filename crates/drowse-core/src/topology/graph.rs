//! Any graph of switches, with nodes on them: what has no coordinates is routed by tables.
//!
//! The ports of a switch: the links to each of its neighbours side by side, in the order in which the neighbours are
//! first named, then those of its nodes. Nodes are numbered switch by switch. The tables grow with the square of the
//! number of switches, which is limited.

use std::sync::Arc;

use super::builder::NetworkBuilder;
use super::error::{NetworkError, check_size};
use super::geometry::Geometry;
use super::geometry::graph::adjacency::{Adjacency, far_ends, first_ports, trunks_in_order};
use super::geometry::graph::distances::Distances;
use super::geometry::graph::forwarding::{Forwarding, ForwardingTables};
use super::geometry::graph::paths::Paths;
use super::geometry::graph::up_down::UpDown;
use super::geometry::graph::{Routes, TableKind, Tables, Trunk};
use super::member::{NodeLink, Topology};
use super::network::{End, Network};
use crate::model::ids::{ChannelId, PortId};

/// The most switches of a graph.
pub const MAX_SWITCHES: u32 = 1 << 14;
/// The most ports of a switch.
const MAX_PORTS: u64 = 4096;

/// A graph of switches, and which paths are found on it.
///
/// ```
/// use drowse_core::topology::{Graph, TopologySpec, Trunk, search};
///
/// // Five switches in a ring, with a node each.
/// let trunks = (0..5).map(|switch| Trunk { ends: [switch, (switch + 1) % 5], class: 0, links: 1 }).collect();
/// let classes = vec!["ring".to_owned()];
/// let ring = Graph { classes, nodes: vec![1; 5], trunks, ..Graph::default() };
/// let network = TopologySpec::Graph(ring).build()?;
/// assert_eq!((network.switch_links(), network.classes.join(" ")), (5, "node ring".to_owned()));
/// // Of the four other switches, two are next to each, and two are behind these.
/// let metrics = search(&network).expect("all are connected").metrics;
/// assert_eq!((metrics.diameter, metrics.mean_distance_distinct), (2, (1 + 1 + 2 + 2) as f64 / 4.0));
/// # Ok::<(), drowse_core::topology::NetworkError>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Graph {
    /// The names of the classes of links between switches.
    pub classes: Vec<String>,
    /// The compute nodes of each switch.
    pub nodes: Vec<u32>,
    /// What is said of each switch beside its number; empty where nothing is.
    pub names: Vec<String>,
    /// The links between switches.
    pub trunks: Vec<Trunk>,
    /// Which paths are put into tables.
    pub tables: TableKind,
    /// The names of compute nodes, by number; an empty text for one without a name; empty where none has one.
    pub node_names: Vec<String>,
    /// By switch and port, relative to its first: the number that the port has on the machine; empty where nothing is said.
    pub port_numbers: Vec<Vec<u16>>,
    /// The bandwidth and latency of the links of compute nodes, where the graph brings them along.
    pub node_link: NodeLink,
    /// The forwarding tables of its switches; for [`TableKind::Forwarding`].
    pub forwarding: Option<Arc<Forwarding>>,
}

impl Graph {
    /// Takes the links and nodes of a network, whatever its kind; `keep` tells which channels between switches, given
    /// by one end's port each, and which switches.
    pub fn of(network: &Network, tables: TableKind, keep: impl Fn(PortId) -> bool) -> Self {
        let mut trunks: Vec<Trunk> = Vec::new();
        let mut nodes = vec![0; network.switches() as usize];
        for port in (0..network.ports()).map(PortId) {
            let here = network.port_switch(port.index());
            let End::Port(peer) = network.target(ChannelId(port.0)) else {
                nodes[here as usize] += 1;
                continue;
            };
            if port < peer && keep(port) {
                let ends = [here, network.port_switch(peer.index())];
                let class = network.port_class[port.index()] - 1;
                match trunks.last_mut() {
                    Some(last) if (last.ends, last.class) == (ends, class) => last.links += 1,
                    _ => trunks.push(Trunk { ends, class, links: 1 }),
                }
            }
        }
        Graph { classes: network.classes[1..].to_vec(), nodes, trunks, tables, ..Graph::default() }
    }

    /// Returns what the description of a network calls an end of a link: a node, or a switch and its port.
    pub fn called(&self, network: &Network, end: End) -> Option<String> {
        let port = match end {
            End::Node(node) => return self.node_names.get(node.index()).filter(|name| !name.is_empty()).cloned(),
            End::Port(port) => port,
        };
        let switch = network.port_switch(port.index()) as usize;
        let name = self.names.get(switch).filter(|name| !name.is_empty())?;
        let local = (port.0 - network.first_port[switch]) as usize;
        let number = self.port_numbers.get(switch).and_then(|ports| ports.get(local));
        Some(number.map_or_else(|| name.clone(), |number| format!("{name} [{number}]")))
    }

    /// Returns the number of switches.
    pub fn switches(&self) -> u32 {
        self.nodes.len() as u32
    }

    /// Returns the switches of each connected component, the largest first.
    pub fn components(&self) -> Vec<Vec<u32>> {
        let adjacency = Adjacency::new(self.nodes.len(), &self.trunks);
        let mut found = vec![false; self.nodes.len()];
        let mut components: Vec<Vec<u32>> = Vec::new();
        for switch in 0..self.switches() {
            if !found[switch as usize] {
                let mut component = vec![switch];
                found[switch as usize] = true;
                let mut next = 0;
                while let Some(&at) = component.get(next) {
                    next += 1;
                    for neighbour in adjacency.of(at) {
                        if !std::mem::replace(&mut found[neighbour.to as usize], true) {
                            component.push(neighbour.to);
                        }
                    }
                }
                component.sort_unstable();
                components.push(component);
            }
        }
        components.sort_by_key(|component| std::cmp::Reverse(component.len()));
        components
    }

    fn all_classes(&self) -> Vec<String> {
        std::iter::once("node".into()).chain(self.classes.iter().cloned()).collect()
    }

    /// Returns the first port of each trunk at both ends, relative to the first of the switch there. Parallel links have
    /// ports side by side; the ports of nodes follow those of all links.
    pub fn first_ports(&self) -> Vec<[u16; 2]> {
        first_ports(self.nodes.len(), &self.trunks)
    }

    /// Adds ports and links.
    fn builder(&self) -> NetworkBuilder {
        let mut builder = NetworkBuilder::new();
        let mut first_port = vec![[PortId(0); 2]; self.trunks.len()];
        for (switch, trunks) in (0..).zip(trunks_in_order(self.nodes.len(), &self.trunks)) {
            for (number, side) in trunks {
                let Trunk { class, links, .. } = self.trunks[number];
                first_port[number][side] = PortId(builder.ports());
                (0..links).for_each(|_| {
                    builder.add_port(class + 1);
                });
            }
            (0..self.nodes[switch]).for_each(|_| {
                builder.add_node();
            });
            builder.end_switch();
        }
        for (trunk, [a, b]) in self.trunks.iter().zip(first_port) {
            (0..trunk.links).for_each(|link| builder.link(PortId(a.0 + link), PortId(b.0 + link)));
        }
        builder
    }
}

impl Topology for Graph {
    fn kind(&self) -> &'static str {
        "graph"
    }

    fn ports(&self) -> Result<u64, NetworkError> {
        let refuse =
            |what: String, cure: &str| Err(NetworkError::Refused { key: "network".into(), what, cure: cure.into() });
        if self.switches() > MAX_SWITCHES {
            let what = format!("{} switches without coordinates", self.switches());
            return Err(NetworkError::TooLarge { what, most: u64::from(MAX_SWITCHES) });
        }
        if self.nodes.iter().all(|&nodes| nodes == 0) {
            return refuse("no switch has a node".into(), "give some switches nodes");
        }
        if self.classes.len() > usize::from(u8::MAX) {
            return refuse(format!("{} classes of links", self.classes.len()), "give at most 255");
        }
        let mut ports: Vec<u64> = self.nodes.iter().map(|&nodes| u64::from(nodes)).collect();
        for &Trunk { ends: [a, b], class, links } in &self.trunks {
            if a == b || a.max(b) >= self.switches() || usize::from(class) >= self.classes.len() || links == 0 {
                let what = format!("{links} links of class {class} from switch {a} to {b}");
                return refuse(what, "links join two different switches, and have a class");
            }
            [a, b].into_iter().for_each(|end| ports[end as usize] += u64::from(links));
        }
        if let Some((switch, ports)) = ports.iter().enumerate().find(|(_, ports)| **ports > MAX_PORTS) {
            return refuse(format!("switch {switch} has {ports} ports"), "the most is 4096");
        }
        check_size(1, ports.iter().sum())
    }

    fn build(&self) -> Result<Network, NetworkError> {
        self.ports()?;
        if let [most, other, ..] = &self.components()[..] {
            let what = format!("there is no path between {} and {}", some(most), some(other));
            let cure = "join them by a link".into();
            return Err(NetworkError::Refused { key: "network".into(), what, cure });
        }
        let adjacency = Adjacency::new(self.nodes.len(), &self.trunks);
        let routes = match self.tables {
            TableKind::Shortest => Routes::Shortest(Distances::new(&adjacency, &self.nodes)),
            TableKind::UpDown => Routes::UpDown(UpDown::new(&adjacency, &self.nodes)),
            TableKind::Paths(paths) => Routes::Paths(Paths::new(&adjacency, &self.nodes, paths)?),
            TableKind::Forwarding => {
                let refuse = || {
                    let (what, cure) = ("this graph has no forwarding tables".into(), "write another routing".into());
                    NetworkError::Refused { key: "network.routing".into(), what, cure }
                };
                let given = self.forwarding.as_ref().ok_or_else(refuse)?;
                let ends = far_ends(self.nodes.len(), &self.trunks);
                Routes::Forwarding(ForwardingTables::new(given, &adjacency, &self.nodes, &ends)?)
            }
        };
        let tables = Tables { names: self.names.clone(), adjacency, routes };
        Ok(self.builder().build(self.all_classes(), Geometry::Graph(tables)))
    }

    fn routing_bytes(&self, _ports: u64) -> u64 {
        let switches = u64::from(self.switches());
        match self.tables {
            TableKind::Forwarding => {
                let nodes: u64 = self.nodes.iter().map(|&nodes| u64::from(nodes)).sum();
                nodes.saturating_mul(switches * TableKind::FORWARDING_BYTES)
            }
            computed => computed.bytes(switches),
        }
    }

    fn node_link(&self) -> NodeLink {
        self.node_link
    }
}

/// Names some switches, the first few of them by number.
pub fn some(switches: &[u32]) -> String {
    const NAMED: usize = 8;
    let named: Vec<String> = switches.iter().take(NAMED).map(u32::to_string).collect();
    let more = match switches.len().saturating_sub(NAMED) {
        0 => String::new(),
        more => format!(" and {more} more"),
    };
    format!("switch{} {}{more}", if switches.len() == 1 { "" } else { "es" }, named.join(", "))
}

/// Returns the paths of a network whose packets take drawn ones.
pub fn paths(network: &Network) -> Option<&Paths> {
    match &network.geometry {
        Geometry::Graph(Tables { routes: Routes::Paths(paths), .. }) => Some(paths),
        _ => None,
    }
}

/// Returns the tables of a network whose packets go by given ones.
pub fn forwarding(network: &Network) -> Option<&ForwardingTables> {
    match &network.geometry {
        Geometry::Graph(Tables { routes: Routes::Forwarding(tables), .. }) => Some(tables),
        _ => None,
    }
}

/// Returns the tables of a network whose packets go up and down.
pub fn up_down(network: &Network) -> Option<&UpDown> {
    match &network.geometry {
        Geometry::Graph(Tables { routes: Routes::UpDown(tables), .. }) => Some(tables),
        _ => None,
    }
}
