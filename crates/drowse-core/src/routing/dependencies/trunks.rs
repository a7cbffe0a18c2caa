//! The channels between switches, parallel links taken as one.

use std::ops::Range;

use crate::model::ids::{ChannelId, PortId};
use crate::routing::port_group::PortGroup;
use crate::routing::{NO_RING, crossing, ring};
use crate::topology::graph::forwarding;
use crate::topology::{End, Network};

/// Stands for the trunk of a node's port.
const NODE: u32 = u32::MAX;

/// The trunks of a network: consecutive ports of a switch whose channels lead to the same neighbour, on rings in the
/// same direction.
///
/// Routing offers whole trunks only and does not look at the link that a packet has come by, so that channels of a
/// trunk wait for the same and are waited for by the same: links wait in a circle if and only if trunks do. Where forwarding
/// tables route, each link is a trunk of its own.
#[derive(Debug)]
pub struct Trunks {
    /// The first port of each trunk.
    pub first_port: Vec<u32>,
    /// The switch that each trunk leads to.
    pub leads_to: Vec<u32>,
    /// The dimension bit of a trunk that crosses a dateline.
    pub crosses: Vec<u16>,
    /// The ring of each trunk, as [`ring`] numbers those of a switch.
    ring: Vec<u8>,
    /// The trunk in the opposite direction.
    pub opposite: Vec<u32>,
    /// The first trunk of each switch, and one more entry.
    first_of_switch: Vec<u32>,
    /// The trunk of each port.
    of_port: Vec<u32>,
}

impl Trunks {
    /// Finds the trunks of a network.
    pub fn new(network: &Network) -> Self {
        let mut trunks = Trunks {
            first_port: Vec::new(),
            leads_to: Vec::new(),
            crosses: Vec::new(),
            ring: Vec::new(),
            opposite: Vec::new(),
            first_of_switch: vec![0],
            of_port: vec![NODE; network.ports() as usize],
        };
        // Forwarding tables tell the links of a trunk apart.
        let by_port = forwarding(network).is_some();
        for ports in network.first_port.windows(2) {
            let mut before = None;
            for port in ports[0]..ports[1] {
                // The two trunks of a ring of two switches lead to the same neighbour.
                let leads = match network.target(ChannelId(port)) {
                    End::Port(peer) => Some((network.port_switch(peer.index()), ring(network, PortId(port)))),
                    End::Node(_) => None,
                };
                if let Some((neighbour, ring)) = leads {
                    if before != leads || by_port {
                        trunks.first_port.push(port);
                        trunks.leads_to.push(neighbour);
                        trunks.crosses.push(crossing(network, PortId(port)));
                        trunks.ring.push(ring);
                    }
                    trunks.of_port[port as usize] = trunks.count() - 1;
                }
                before = leads;
            }
            trunks.first_of_switch.push(trunks.count());
        }
        let opposite = |&port: &u32| trunks.of_port[network.peer[port as usize] as usize];
        trunks.opposite = trunks.first_port.iter().map(opposite).collect();
        trunks
    }

    /// Returns the number of trunks.
    pub fn count(&self) -> u32 {
        self.first_port.len() as u32
    }

    /// Returns the trunks that leave a switch.
    pub fn of_switch(&self, switch: u32) -> Range<u32> {
        self.first_of_switch[switch as usize]..self.first_of_switch[switch as usize + 1]
    }

    /// Returns the first trunk of the ring that each trunk is part of; `None` for those that are part of none.
    pub fn rings(&self) -> Vec<Option<u32>> {
        let mut rings = vec![None; self.first_port.len()];
        for first in (0..self.count()).filter(|&trunk| self.ring[trunk as usize] != NO_RING) {
            let mut next = Some(first);
            while let Some(trunk) = next.filter(|&trunk| rings[trunk as usize].is_none()) {
                rings[trunk as usize] = Some(first);
                let next_hop = |&other: &u32| self.ring[other as usize] == self.ring[trunk as usize];
                next = self.of_switch(self.leads_to[trunk as usize]).find(next_hop);
            }
        }
        rings
    }

    /// Returns how many sets of crossed datelines there may be.
    pub fn memories(&self) -> usize {
        let crossed = self.crosses.iter().fold(0, |all, bits| all | bits);
        (usize::from(crossed) + 1).next_power_of_two()
    }

    /// Returns the largest number of trunks that leave a switch.
    pub fn most_of_a_switch(&self) -> u32 {
        self.first_of_switch.windows(2).map(|of| of[1] - of[0]).max().unwrap_or(0)
    }

    /// Returns the trunk of a channel; `None` where it leads from or to a node.
    pub fn of_channel(&self, channel: ChannelId) -> Option<u32> {
        self.of_port.get(channel.index()).copied().filter(|&trunk| trunk != NODE)
    }

    /// Returns the trunks of a port group of a switch whose first port is given.
    pub fn of_outputs(&self, first_port: u32, outputs: PortGroup) -> Range<u32> {
        let first = (first_port + u32::from(outputs.first)) as usize;
        let ports = &self.of_port[first..first + usize::from(outputs.count)];
        match (ports.first(), ports.last()) {
            (Some(&first), Some(&last)) => first..last + 1,
            _ => 0..0,
        }
    }
}
