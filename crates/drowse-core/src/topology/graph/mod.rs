//! Any graph of switches, with nodes on them: what has no coordinates is routed by tables.
//!
//! The ports of a switch: the links to each of its neighbours side by side, in the order in which the neighbours are first named,
//! then those of its nodes. Nodes are numbered switch by switch. The tables grow with the square of the number of switches,
//! which is limited.

pub mod adjacency;
pub mod distances;
pub mod paths;
pub mod up_down;

use super::network::{End, Geometry, Network, NetworkBuilder};
use super::{NetworkError, check_size};
use crate::model::ids::{ChannelId, PortId};
use crate::routing::RoutingKind;

use adjacency::{Adjacency, Run};
use distances::Distances;
use paths::Paths;
use up_down::UpDown;

/// The most switches of a graph.
pub const MAX_SWITCHES: u32 = 1 << 14;
/// The most ports of a switch.
const MAX_PORTS: u64 = 4096;

/// A graph of switches, and which ways are found on it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Graph {
    /// The names of the classes of links between switches.
    pub classes: Vec<String>,
    /// The compute nodes of each switch.
    pub nodes: Vec<u32>,
    /// What is said of each switch beside its number; empty where nothing is.
    pub names: Vec<String>,
    /// The links between switches.
    pub trunks: Vec<Trunk>,
    /// Which ways packets take.
    pub ways: Ways,
}

/// Parallel links between two switches.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Trunk {
    /// The switches.
    pub ends: [u32; 2],
    /// The class, by its place in [`Graph::classes`].
    pub class: u8,
    /// How many links.
    pub links: u32,
}

/// Which ways packets take through a graph: what tables are made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ways {
    /// All shortest ones.
    Shortest,
    /// Towards a root and away from it.
    UpDown,
    /// So many shortest ones without loops between every two switches.
    Paths(u32),
}

impl Ways {
    /// The most paths between two switches.
    pub const MAX_PATHS: u32 = 64;

    /// Returns the ways that a routing takes; `paths` are those between two switches where it needs a number.
    pub const fn of(kind: RoutingKind, paths: u32) -> Self {
        match kind {
            RoutingKind::UpDown => Ways::UpDown,
            RoutingKind::KShortest => Ways::Paths(paths),
            _ => Ways::Shortest,
        }
    }

    /// Returns the bytes of the tables of a graph of so many switches.
    pub fn bytes(self, switches: u64) -> u64 {
        let pairs = switches.saturating_mul(switches);
        match self {
            Ways::Shortest => pairs,
            Ways::UpDown => 2 * pairs,
            Ways::Paths(paths) => {
                pairs + pairs.saturating_mul(u64::from(paths)).min(Paths::MOST) * 2 * u64::from(Paths::MAX_HOPS)
            }
        }
    }
}

/// What routing needs of a graph.
#[derive(Clone, Debug)]
pub struct Tables {
    /// What is said of each switch beside its number; empty where nothing is.
    pub names: Vec<String>,
    /// The neighbours of each switch.
    pub adjacency: Adjacency,
    /// The ways.
    pub routes: Routes,
}

/// The tables of the ways.
#[derive(Clone, Debug)]
pub enum Routes {
    /// For all shortest ones.
    Shortest(Distances),
    /// Up and down.
    UpDown(UpDown),
    /// Paths that are drawn.
    Paths(Paths),
}

impl Graph {
    /// Takes the links and nodes of a network, whatever its kind; `keep` tells which channels between switches, given by one
    /// end's port each, and which switches.
    pub fn of(network: &Network, ways: Ways, keep: impl Fn(PortId) -> bool) -> Self {
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
        Graph { classes: network.classes[1..].to_vec(), nodes, names: Vec::new(), trunks, ways }
    }

    /// Returns the number of switches.
    pub fn switches(&self) -> u32 {
        self.nodes.len() as u32
    }

    /// Returns the number of ports, or what is wrong with the graph.
    pub fn ports(&self) -> Result<u64, NetworkError> {
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

    /// Returns the switches of each part that has no link to the others, the largest part first.
    pub fn parts(&self) -> Vec<Vec<u32>> {
        let adjacency = Adjacency::new(self);
        let mut found = vec![false; self.nodes.len()];
        let mut parts: Vec<Vec<u32>> = Vec::new();
        for switch in 0..self.switches() {
            if !found[switch as usize] {
                let mut part = vec![switch];
                found[switch as usize] = true;
                let mut next = 0;
                while let Some(&at) = part.get(next) {
                    next += 1;
                    for run in adjacency.of(at) {
                        if !std::mem::replace(&mut found[run.to as usize], true) {
                            part.push(run.to);
                        }
                    }
                }
                part.sort_unstable();
                parts.push(part);
            }
        }
        parts.sort_by_key(|part| std::cmp::Reverse(part.len()));
        parts
    }

    /// Compiles to tables.
    pub fn build(&self) -> Result<Network, NetworkError> {
        self.ports()?;
        if let [most, other, ..] = &self.parts()[..] {
            let what = format!("there is no way between {} and {}", some(most), some(other));
            let cure = "join them by a link".into();
            return Err(NetworkError::Refused { key: "network".into(), what, cure });
        }
        let adjacency = Adjacency::new(self);
        let routes = match self.ways {
            Ways::Shortest => Routes::Shortest(Distances::new(&adjacency, &self.nodes)),
            Ways::UpDown => Routes::UpDown(UpDown::new(&adjacency, &self.nodes)),
            Ways::Paths(paths) => Routes::Paths(Paths::new(&adjacency, &self.nodes, paths)?),
        };
        let tables = Tables { names: self.names.clone(), adjacency, routes };
        Ok(self.builder().build(self.all_classes(), Geometry::Graph(tables)))
    }

    fn all_classes(&self) -> Vec<String> {
        std::iter::once("node".into()).chain(self.classes.iter().cloned()).collect()
    }

    /// Adds ports and links.
    fn builder(&self) -> NetworkBuilder {
        let mut builder = NetworkBuilder::new();
        let mut first_port = vec![[PortId(0); 2]; self.trunks.len()];
        for (switch, trunks) in (0..).zip(adjacency::trunks_in_order(self)) {
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

impl Tables {
    /// Returns the runs of ports of a switch to each of its neighbours.
    #[inline]
    pub fn runs(&self, switch: u32) -> &[Run] {
        self.adjacency.of(switch)
    }

    /// Returns the switches' number.
    pub fn switches(&self) -> u32 {
        self.adjacency.switches()
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

/// Returns the ways of a network whose packets go up and down.
pub fn up_down(network: &Network) -> Option<&UpDown> {
    match &network.geometry {
        Geometry::Graph(Tables { routes: Routes::UpDown(ways), .. }) => Some(ways),
        _ => None,
    }
}
