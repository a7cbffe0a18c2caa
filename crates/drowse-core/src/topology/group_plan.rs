//! What networks of groups share: from their cables to the built network.

use super::builder::NetworkBuilder;
use super::error::{NetworkError, check_size};
use super::geometry::Geometry;
use super::geometry::groups::{Gateway, Groups, Local};
use super::network::Network;
use crate::model::ids::PortId;

/// One end of a link between groups.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CableEnd {
    /// The group.
    pub group: u32,
    /// The switch within it.
    pub switch: u32,
    /// Orders the global ports of the switch.
    pub slot: u32,
}

/// A link between groups.
pub type Cable = [CableEnd; 2];

/// A network of groups before it is built.
pub struct Plan<'a> {
    /// Number of groups.
    pub count: u32,
    /// How the switches of a group are joined.
    pub local: Local,
    /// The names of the classes; `node` comes first, the last is that of global links.
    pub classes: Vec<String>,
    /// The class of a local port: by dimension of the lattice, the switch, and the coordinate that it leads to.
    pub class: &'a dyn Fn(usize, u32, u32) -> u8,
    /// The nodes of each switch of a group, beside those of spines, which have none.
    pub nodes: u32,
}

impl Plan<'_> {
    /// Returns the number of ports; refuses what does not fit the tables.
    pub fn ports(&self, cables: u64) -> Result<u64, NetworkError> {
        let size = self.local.switches();
        let of_group: u64 = (0..size)
            .map(|s| u64::from(self.local.ports(s)) + u64::from(if self.local.has_nodes(s) { self.nodes } else { 0 }))
            .sum();
        let local = u128::from(self.count) * u128::from(of_group);
        check_size(1, u64::try_from(local + 2 * u128::from(cables)).unwrap_or(u64::MAX))
    }

    /// Compiles to tables.
    pub fn build(self, cables: &[Cable]) -> Network {
        let size = self.local.switches();
        let (ports, global) = self.plug(cables);
        let mut builder = NetworkBuilder::new();
        let mut first_port = Vec::with_capacity(global.len());
        for (switch, &global) in (0..).zip(&global) {
            first_port.push(builder.ports());
            self.add_switch(&mut builder, switch % size, global);
        }
        for group in first_port.chunks(size as usize) {
            self.link_group(&mut builder, group);
        }
        let mut gateways: Vec<(u32, Gateway)> = Vec::with_capacity(2 * cables.len());
        for (&[a, b], &ports) in cables.iter().zip(&ports) {
            let id = |end: CableEnd, port| PortId(first_port[(end.group * size + end.switch) as usize] + port);
            builder.link(id(a, ports[0]), id(b, ports[1]));
            for (from, to, port) in [(a, b, ports[0]), (b, a, ports[1])] {
                let gateway = Gateway { switch: from.switch, port: port as u16, links: 1, far: to.switch };
                gateways.push((from.group * self.count + to.group, gateway));
            }
        }
        let geometry = Groups::new(self.count, self.local, gateways);
        builder.build(self.classes, Geometry::Groups(geometry))
    }

    /// Returns the ports of both ends of each cable, relative to their switches' first, and the number of cables of
    /// each switch.
    fn plug(&self, cables: &[Cable]) -> (Vec<[u32; 2]>, Vec<u32>) {
        let size = self.local.switches();
        let mut ends: Vec<(u32, u32, usize, usize)> = Vec::with_capacity(2 * cables.len());
        for (number, cable) in cables.iter().enumerate() {
            let end = |side: usize| (cable[side].group * size + cable[side].switch, cable[side].slot, number, side);
            ends.extend([end(0), end(1)]);
        }
        ends.sort_unstable();
        let (mut ports, mut count) = (vec![[0; 2]; cables.len()], vec![0; (self.count * size) as usize]);
        for (switch, _, number, side) in ends {
            ports[number][side] = self.local.ports(switch % size) + count[switch as usize];
            count[switch as usize] += 1;
        }
        (ports, count)
    }

    fn add_switch(&self, builder: &mut NetworkBuilder, switch: u32, global: u32) {
        match &self.local {
            Local::Lattice(lattice) => lattice.add_ports(builder, |d, other| {
                (self.class)(d, switch, other + u32::from(other >= lattice.coordinate(switch, d)))
            }),
            Local::LeafSpine { .. } => (0..self.local.ports(switch)).for_each(|other| {
                builder.add_port((self.class)(0, switch, other));
            }),
        }
        let class = self.classes.len() as u8 - 1;
        (0..global).for_each(|_| {
            builder.add_port(class);
        });
        (0..if self.local.has_nodes(switch) { self.nodes } else { 0 }).for_each(|_| {
            builder.add_node();
        });
        builder.end_switch();
    }

    fn link_group(&self, builder: &mut NetworkBuilder, first_port: &[u32]) {
        match &self.local {
            Local::Lattice(lattice) => lattice.link(builder, first_port),
            Local::LeafSpine { leaves, spines } => {
                for (leaf, spine) in (0..*leaves).flat_map(|leaf| (0..*spines).map(move |spine| (leaf, spine))) {
                    let port = |switch: u32, port: u32| PortId(first_port[switch as usize] + port);
                    builder.link(port(leaf, spine), port(leaves + spine, leaf));
                }
            }
        }
    }
}
