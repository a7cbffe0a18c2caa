//! From the vertices of a file to the network: switches numbered, nodes put on them, links given classes.

use drowse_core::topology::graph::MAX_SWITCHES;
use drowse_core::topology::{Graph, TableKind, Trunk};

use super::fabric::{Address, Fabric};
use super::hosted::Hosted;
use super::left_out::LeftOut;
use super::node_links::NodeLinks;
use super::parts;
use super::vertices::{Edge, Vertex, Vertices};
use super::wrong::{Wrong, shown};

/// The class of links that have none.
const CLASS: &str = "link";
/// The most ports of a switch.
const MAX_PORTS: u32 = 4096;

/// A network that is being put together.
struct Build<'v> {
    all: &'v [Vertex],
    is_map: bool,
    /// The numbers of switches; none of compute nodes.
    number: Vec<Option<u32>>,
    /// Which compute nodes have a link.
    plugged: Vec<bool>,
    /// The ports that are used at each switch.
    used: Vec<u32>,
    graph: Graph,
    /// The compute nodes with names at each switch.
    hosted: Vec<Vec<Hosted>>,
    /// The ports of links between switches, by trunk.
    ports: Vec<Option<[u16; 2]>>,
    node_links: NodeLinks,
    left_out: LeftOut,
}

impl Vertices {
    /// Makes the network, and says what of the file is not in it; `nodes` are those of a switch of which the file says
    /// nothing.
    pub fn fabric(mut self, nodes: Option<u32>, tables: TableKind) -> Result<Fabric, Wrong> {
        self.read_types();
        if nodes.is_some() && self.all.iter().all(|vertex| vertex.is_node || vertex.nodes.is_some()) {
            self.note("network.nodes is not used: the file says how many each switch has");
        }
        let left_out = std::mem::take(&mut self.left_out);
        let mut build = Build::new(&self.all, self.is_map, nodes, tables, left_out)?;
        self.edges.iter().try_for_each(|edge| build.link(edge))?;
        build.check_plugged()?;
        build.join()?;
        let mut fabric = build.finish();
        fabric.shape = self.shape;
        fabric.graph.node_link.bandwidth = fabric.graph.node_link.bandwidth.or(self.speed);
        fabric.notes.extend(self.notes);
        Ok(fabric)
    }
}

impl<'v> Build<'v> {
    /// Numbers the switches.
    fn new(
        all: &'v [Vertex],
        is_map: bool,
        nodes: Option<u32>,
        tables: TableKind,
        mut left_out: LeftOut,
    ) -> Result<Self, Wrong> {
        let silent = all.iter().all(|vertex| !vertex.is_node && vertex.nodes.is_none());
        let nodes = nodes.unwrap_or(u32::from(silent));
        let switches: Vec<&Vertex> = all.iter().filter(|vertex| !vertex.is_node).collect();
        if let Some(first) = switches.get(MAX_SWITCHES as usize) {
            let message = format!("this file has {} switches", switches.len());
            let help = format!("routing by tables takes at most {MAX_SWITCHES}: use a smaller graph");
            return Err(Wrong::new(&first.span, message, help));
        }
        let mut numbers = 0..;
        let number = all.iter().map(|vertex| if vertex.is_node { None } else { numbers.next() }).collect();
        let counted = |vertex: &&Vertex| vertex.nodes.unwrap_or(if vertex.is_hyperedge { 0 } else { nodes });
        let graph = Graph {
            classes: Vec::new(),
            nodes: switches.iter().map(counted).collect(),
            names: switches.iter().map(|vertex| vertex.name.clone()).collect(),
            tables,
            ..Graph::default()
        };
        switches.iter().filter(|vertex| vertex.is_hyperedge).for_each(|_| left_out.hyperedge());
        Ok(Build {
            all,
            is_map,
            number,
            plugged: vec![false; all.len()],
            used: vec![0; graph.nodes.len()],
            hosted: graph.nodes.iter().map(|_| Vec::new()).collect(),
            graph,
            ports: Vec::new(),
            node_links: NodeLinks::default(),
            left_out,
        })
    }

    /// Adds the links of an edge.
    fn link(&mut self, edge: &Edge) -> Result<(), Wrong> {
        let name = |end: usize| shown(&self.all[end].name);
        let [a, b] = edge.ends;
        if a == b {
            if self.is_map {
                self.left_out.own();
                return Ok(());
            }
            let message = format!("`{}` is linked with itself", name(a));
            return Err(Wrong::new(&edge.span, message, "a link joins two different vertices: remove it"));
        }
        match edge.ends.map(|end| self.number[end]) {
            [Some(a), Some(b)] => self.link_switches([a, b], edge),
            [None, None] => {
                let message = format!("`{}` and `{}` are nodes, not switches", name(a), name(b));
                Err(Wrong::new(&edge.span, message, "nodes are linked with switches only"))
            }
            [Some(switch), None] => self.plug(b, switch, edge, edge.described.ports.map(|ports| ports[0])),
            [None, Some(switch)] => self.plug(a, switch, edge, edge.described.ports.map(|ports| ports[1])),
        }
    }

    fn link_switches(&mut self, ends: [u32; 2], edge: &Edge) -> Result<(), Wrong> {
        for end in ends {
            let used = &mut self.used[end as usize];
            *used += edge.described.links;
            if *used > MAX_PORTS {
                let name = shown(&self.graph.names[end as usize]);
                let message = format!("switch `{name}` has more than {MAX_PORTS} ports");
                return Err(Wrong::new(&edge.span, message, "a switch has fewer links"));
            }
        }
        self.left_out.link(&edge.described);
        let class = class(&mut self.graph.classes, edge)?;
        self.graph.trunks.push(Trunk { ends, class, links: edge.described.links });
        self.ports.push(edge.described.ports);
        Ok(())
    }

    /// Puts a node on a switch.
    fn plug(&mut self, node: usize, switch: u32, edge: &Edge, port: Option<u16>) -> Result<(), Wrong> {
        let Vertex { name, address, .. } = &self.all[node];
        if std::mem::replace(&mut self.plugged[node], true) || edge.described.links != 1 {
            let message = format!("node `{}` has more than one link", shown(name));
            return Err(Wrong::new(&edge.span, message, "a node has one link to one switch"));
        }
        self.node_links.add(edge.described.of_node);
        self.hosted[switch as usize].push(Hosted { name: name.clone(), port, address: *address });
        Ok(())
    }

    fn check_plugged(&self) -> Result<(), Wrong> {
        let loose = self.all.iter().zip(&self.plugged).find(|(vertex, plugged)| vertex.is_node && !**plugged);
        loose.map_or(Ok(()), |(vertex, _)| {
            let message = format!("node `{}` has no link", shown(&vertex.name));
            Err(Wrong::new(&vertex.span, message, "link it with a switch"))
        })
    }

    /// Keeps the largest part of a map in parts, and refuses another network in parts.
    fn join(&mut self) -> Result<(), Wrong> {
        if self.is_map {
            self.left_out.part = parts::keep_largest(&mut self.graph, &mut self.hosted);
            return Ok(());
        }
        let [most, other, ..] = &self.graph.components()[..] else { return Ok(()) };
        let [name, main] = [other, most].map(|part| shown(&self.graph.names[part[0] as usize]));
        let with = match other.len() {
            1 => String::new(),
            2 => format!(", like `{}`,", shown(&self.graph.names[other[1] as usize])),
            more => format!(", like `{}` and {} more,", shown(&self.graph.names[other[1] as usize]), more - 2),
        };
        let message = format!("there is no way from switch `{name}`{with} to `{main}`");
        let loose = self.all.iter().zip(&self.number).find(|(_, number)| **number == Some(other[0]));
        let span = loose.map_or(0..0, |(vertex, _)| vertex.span.clone());
        Err(Wrong::new(&span, message, "join the parts by a link, or remove what is not of the network"))
    }

    fn finish(self) -> Fabric {
        let Build { all, mut graph, hosted, ports, node_links, left_out, is_map, .. } = self;
        let numbered = hosted.iter().flatten().all(|node| node.port.is_some()) && ports.iter().all(Option::is_some);
        let (mut node_names, mut node_addresses) = (Vec::new(), Vec::new());
        for (counted, named) in graph.nodes.iter_mut().zip(&hosted) {
            node_names.extend(named.iter().map(|node| node.name.clone()));
            node_names.resize(node_names.len() + *counted as usize, String::new());
            node_addresses.extend(named.iter().map(|node| node.address));
            node_addresses.resize(node_names.len(), Address::default());
            *counted += named.len() as u32;
        }
        graph.port_numbers = if numbered { port_numbers(&graph, &ports, &hosted) } else { Vec::new() };
        let mut notes = left_out.notes(is_map);
        let node_link = node_links.usual(&mut notes);
        // Where the file only counts nodes, nothing is said of them.
        graph.node_names = if node_names.iter().all(String::is_empty) { Vec::new() } else { node_names };
        graph.node_link = node_link;
        // Parts of a map are taken out, and its switches have no addresses.
        let switches = all.iter().filter(|vertex| !vertex.is_node && !is_map);
        let switch_addresses = said(switches.map(|vertex| vertex.address).collect());
        let node_addresses = said(node_addresses);
        Fabric { graph, switch_addresses, node_addresses, shape: None, notes }
    }
}

/// Returns addresses, if there is one among them.
fn said(addresses: Vec<Address>) -> Vec<Address> {
    if addresses.iter().any(|address| *address != Address::default()) { addresses } else { Vec::new() }
}

/// Returns the number of an edge's class.
fn class(classes: &mut Vec<String>, edge: &Edge) -> Result<u8, Wrong> {
    let (name, span) = edge.described.class.as_ref().map_or((CLASS, &edge.span), |(name, span)| (name.as_str(), span));
    if let Some(known) = classes.iter().position(|class| class == name) {
        return Ok(known as u8);
    }
    if name == "node" || name.is_empty() {
        let message = format!("`{name}` is no class of links between switches");
        return Err(Wrong::new(span, message, "links to nodes have the class node: write another name"));
    }
    if classes.len() == usize::from(u8::MAX) {
        return Err(Wrong::new(span, "there are more than 255 classes of links", "use fewer"));
    }
    classes.push(name.to_owned());
    Ok(classes.len() as u8 - 1)
}

/// Returns the numbers of all ports, by switch, in the order that they have in the graph.
fn port_numbers(graph: &Graph, ports: &[Option<[u16; 2]>], hosted: &[Vec<Hosted>]) -> Vec<Vec<u16>> {
    let mut numbers: Vec<Vec<u16>> = vec![Vec::new(); graph.nodes.len()];
    for ((trunk, first), links) in graph.trunks.iter().zip(graph.first_ports()).zip(ports) {
        for ((end, place), number) in trunk.ends.into_iter().zip(first).zip(links.unwrap_or_default()) {
            let of_switch = &mut numbers[end as usize];
            of_switch.resize(of_switch.len().max(usize::from(place) + 1), 0);
            of_switch[usize::from(place)] = number;
        }
    }
    for (of_switch, nodes) in numbers.iter_mut().zip(hosted) {
        of_switch.extend(nodes.iter().filter_map(|node| node.port));
    }
    numbers
}
