//! Draws an InfiniBand subnet: what ibnetdiscover prints of it, tables whose routes follow a tree, and lanes.

use std::fmt::Write;

use toml::Table;

use super::edge::{Edge, name};
use super::put;
use crate::draw::Draw;
use crate::machine::Machine;

/// Ports of a switch in the order of their numbers, from 1 on: where the cable of each leads.
struct Subnet {
    ports: Vec<Vec<End>>,
    /// The parent of each switch in the tree of the routes; the first has none.
    parent: Vec<usize>,
    /// The switch of each node.
    homes: Vec<usize>,
}

/// Where a cable leads.
#[derive(Clone, Copy)]
enum End {
    Switch { switch: usize, port: usize },
    Node(usize),
}

/// Draws the files of a subnet, and the keys that name them. The first edges, one for each switch but the first, are a
/// tree: along it, packets cannot wait in a circle, whatever their lanes.
pub fn draw(draw: &mut Draw, keys: &mut Table, machine: &mut Machine, nodes: &[u64], edges: &[Edge]) {
    let subnet = Subnet::new(nodes, edges);
    put(keys, "file", "fabric.topo");
    machine.add_file("fabric.topo", subnet.topology());
    if !draw.chance(80) {
        return;
    }
    put(keys, "tables", "fabric.lft");
    put(keys, "routing", "table");
    machine.add_file("fabric.lft", subnet.tables());
    if draw.chance(50) {
        put(keys, "service_levels", "fabric.sl");
        put(keys, "lane_maps", "fabric.sl2vl");
        machine.add_file("fabric.sl", subnet.levels(draw));
        machine.add_file("fabric.sl2vl", subnet.lanes(draw));
    }
}

impl Subnet {
    fn new(nodes: &[u64], edges: &[Edge]) -> Self {
        let mut subnet = Subnet {
            ports: nodes.iter().map(|_| Vec::new()).collect(),
            parent: vec![0; nodes.len()],
            homes: Vec::new(),
        };
        for (place, edge) in edges.iter().enumerate() {
            let [a, b] = edge.ends.map(|end| end as usize);
            if place + 1 < nodes.len() {
                subnet.parent[b] = a;
            }
            for _ in 0..edge.links {
                let ports = [a, b].map(|switch| subnet.ports[switch].len() + 1);
                subnet.ports[a].push(End::Switch { switch: b, port: ports[1] });
                subnet.ports[b].push(End::Switch { switch: a, port: ports[0] });
            }
        }
        for (switch, &count) in nodes.iter().enumerate() {
            for _ in 0..count {
                subnet.ports[switch].push(End::Node(subnet.homes.len()));
                subnet.homes.push(switch);
            }
        }
        subnet
    }

    fn topology(&self) -> String {
        let mut text = String::from("# Topology file: generated on a drawn machine\n");
        for (switch, ports) in self.ports.iter().enumerate() {
            let (guid, lid) = (switch_guid(switch), switch_lid(switch));
            let _ = writeln!(text, "\nvendid=0x0\ndevid=0x0\nsysimgguid=0x{guid:x}\nswitchguid=0x{guid:x}({guid:x})");
            let called = name(switch as u64);
            let _ = writeln!(
                text,
                "Switch\t{} \"S-{guid:016x}\"\t\t# \"{called}\" base port 0 lid {lid} lmc 0",
                ports.len()
            );
            for (end, number) in ports.iter().zip(1..) {
                let _ = match *end {
                    End::Switch { switch, port } => {
                        let (guid, lid, called) = (switch_guid(switch), switch_lid(switch), name(switch as u64));
                        writeln!(text, "[{number}]\t\"S-{guid:016x}\"[{port}]\t\t# \"{called}\" lid {lid} 4xEDR")
                    }
                    End::Node(node) => {
                        let (guid, lid) = (node_guid(node), node_lid(node));
                        writeln!(
                            text,
                            "[{number}]\t\"H-{guid:016x}\"[1]({:x})\t\t# \"n{node}\" lid {lid} 4xEDR",
                            guid + 1
                        )
                    }
                };
            }
        }
        for (node, &home) in self.homes.iter().enumerate() {
            let (guid, lid) = (node_guid(node), node_lid(node));
            let _ = writeln!(text, "\nvendid=0x0\ndevid=0x0\nsysimgguid=0x{guid:x}\ncaguid=0x{guid:x}");
            let _ = writeln!(text, "Ca\t1 \"H-{guid:016x}\"\t\t# \"n{node}\"");
            let (switch, lid_there, called) = (switch_guid(home), switch_lid(home), name(home as u64));
            let port = self.port_to(home, |end| matches!(end, End::Node(there) if *there == node));
            let _ = writeln!(
                text,
                "[1]({:x})\t\"S-{switch:016x}\"[{port}]\t\t# lid {lid} lmc 0 \"{called}\" lid {lid_there} 4xEDR",
                guid + 1
            );
        }
        text
    }

    fn tables(&self) -> String {
        let mut text = String::new();
        for switch in 0..self.ports.len() {
            let (guid, lid) = (switch_guid(switch), switch_lid(switch));
            let last = node_lid(self.homes.len() - 1);
            let _ = writeln!(
                text,
                "Unicast lids [0x0-0x{last:x}] of switch Lid {lid} guid 0x{guid:016x} ({}):\n  Lid  Out   Destination\n       \
                 Port     Info",
                name(switch as u64)
            );
            for (node, &home) in self.homes.iter().enumerate() {
                let port = if home == switch {
                    self.port_to(switch, |end| matches!(end, End::Node(there) if *there == node))
                } else {
                    let next = self.towards(switch, home);
                    self.port_to(switch, |end| matches!(end, End::Switch { switch, .. } if *switch == next))
                };
                let _ =
                    writeln!(text, "0x{:04x} {port:03} : (Channel Adapter portguid 0x0: 'n{node}')", node_lid(node));
            }
            let _ = writeln!(text, "{} valid lids dumped", self.homes.len());
        }
        text
    }

    /// Returns the switch that follows one on the way to another along the tree.
    fn towards(&self, at: usize, to: usize) -> usize {
        let mut below = to;
        while below != 0 {
            if self.parent[below] == at {
                return below;
            }
            below = self.parent[below];
        }
        self.parent[at]
    }

    fn port_to(&self, switch: usize, is: impl Fn(&End) -> bool) -> usize {
        self.ports[switch].iter().position(is).map_or(0, |place| place + 1)
    }

    /// Draws a service level of 0 or 1 for each pair.
    fn levels(&self, draw: &mut Draw) -> String {
        let lids: Vec<u64> = (0..self.homes.len()).map(node_lid).collect();
        let mut text = String::new();
        for (from, to) in lids.iter().flat_map(|from| lids.iter().map(move |to| (from, to))).filter(|(a, b)| a != b) {
            let _ = writeln!(text, "{from} {to} {}", draw.below(2));
        }
        text
    }

    /// Draws a lane of 0 to 2 for each input, output and level.
    fn lanes(&self, draw: &mut Draw) -> String {
        let mut text = String::new();
        for (switch, ports) in self.ports.iter().enumerate() {
            let (guid, lid) = (switch_guid(switch), switch_lid(switch));
            let _ = writeln!(text, "Switch 0x{guid:016x}, base LID {lid}, \"{}\"", name(switch as u64));
            for (output, input) in
                (1..=ports.len()).flat_map(|output| (0..=ports.len()).map(move |input| (output, input)))
            {
                let lanes: Vec<String> = (0..16).map(|_| draw.below(3).to_string()).collect();
                let _ = writeln!(text, "{input} {output} : {}", lanes.join(" "));
            }
        }
        text
    }
}

fn switch_guid(switch: usize) -> u64 {
    0x20_0000 + switch as u64
}

fn node_guid(node: usize) -> u64 {
    0x10_0000 + 2 * node as u64
}

fn switch_lid(switch: usize) -> u64 {
    switch as u64 + 1
}

fn node_lid(node: usize) -> u64 {
    65 + node as u64
}
