//! The cables of a subnet as routes use them: channels of switches, numbered, and what each leads to.
//!
//! A channel is one direction of a cable. It has the number of the port that sends on it: the first channel of its
//! switch, and the port less one.

use std::collections::HashSet;

use crate::infiniband::subnet::{Device, End, Kind, Port, Subnet};

/// What a channel of a switch leads to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Target {
    /// The port has no cable, or one to what is left out.
    Nothing,
    /// A switch, by its number, and the port at which the cable ends.
    Switch(u32, u16),
    /// A host, by its number.
    Host(u32),
}

/// What a LID belongs to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Owner {
    Switch(u32),
    Host(u32),
}

/// A port of an adapter that is linked with a switch.
#[derive(Clone, Copy, Debug)]
pub(super) struct Host {
    pub end: End,
    pub lid: Option<u16>,
    /// The switch and its port.
    pub switch: u32,
    pub switch_port: u16,
}

/// A LID to which packets are sent.
#[derive(Clone, Copy, Debug)]
pub(super) struct Destination {
    pub lid: u16,
    pub owner: Owner,
    /// It is the first LID of its port, which traffic takes.
    pub is_base: bool,
}

/// The wiring of a subnet.
#[derive(Debug)]
pub(super) struct Wiring<'s> {
    pub subnet: &'s Subnet,
    /// The device of each switch.
    pub switches: Vec<u32>,
    /// The first channel of each switch, and one more entry.
    pub first: Vec<u32>,
    pub targets: Vec<Target>,
    pub hosts: Vec<Host>,
    /// All LIDs, in their order.
    pub destinations: Vec<Destination>,
    /// LIDs that two ports have.
    pub twice: Vec<u16>,
}

impl<'s> Wiring<'s> {
    pub fn new(subnet: &'s Subnet) -> Self {
        let is_switch = |device: &Device| device.kind == Kind::Switch;
        let switches: Vec<u32> =
            (0..).zip(&subnet.devices).filter(|(_, device)| is_switch(device)).map(|(at, _)| at).collect();
        let mut number = vec![None; subnet.devices.len()];
        (0..).zip(&switches).for_each(|(new, &device)| number[device as usize] = Some(new));
        let mut first = vec![0];
        for &device in &switches {
            let ports = u32::from(subnet.devices[device as usize].port_count);
            first.push(first.last().copied().unwrap_or_default() + ports);
        }
        let targets = vec![Target::Nothing; first.last().copied().unwrap_or_default() as usize];
        let (hosts, destinations, twice) = (Vec::new(), Vec::new(), Vec::new());
        let mut wiring = Wiring { subnet, switches, first, targets, hosts, destinations, twice };
        wiring.plug(&number);
        wiring.address();
        wiring
    }

    /// Takes the cables.
    fn plug(&mut self, number: &[Option<u32>]) {
        let mut hosts: Vec<Host> = Vec::new();
        for cable in &self.subnet.cables {
            let [a, b] = cable.ends;
            for (own, peer) in [(a, b), (b, a)] {
                let Some(switch) = number[own.device as usize] else { continue };
                let channel = self.channel(switch, own.port) as usize;
                if let Some(other) = number[peer.device as usize] {
                    self.targets[channel] = Target::Switch(other, peer.port);
                    continue;
                }
                let lid = self.port(peer).and_then(|port| port.lid);
                hosts.push(Host { end: peer, lid, switch, switch_port: own.port });
            }
        }
        hosts.sort_by_key(|host| (host.switch, host.switch_port));
        for (at, host) in (0..).zip(&hosts) {
            let channel = self.channel(host.switch, host.switch_port) as usize;
            self.targets[channel] = Target::Host(at);
        }
        self.hosts = hosts;
    }

    /// Finds out which LID belongs to what.
    fn address(&mut self) {
        let mut owners = HashSet::new();
        let switch_ports = self.switches.iter().map(|&device| self.subnet.devices[device as usize].ports.first());
        let of_switches = (0..).zip(switch_ports).filter_map(|(at, port)| Some((Owner::Switch(at), port?)));
        let host_ports = self.hosts.iter().map(|host| self.port(host.end));
        let of_hosts = (0..).zip(host_ports).filter_map(|(at, port)| Some((Owner::Host(at), port?)));
        let (mut destinations, mut twice) = (Vec::new(), Vec::new());
        for (owner, port) in of_switches.chain(of_hosts) {
            let Some(base) = port.lid else { continue };
            for lid in (u32::from(base)..u32::from(base) + port.lids()).filter_map(|lid| u16::try_from(lid).ok()) {
                if owners.insert(lid) {
                    destinations.push(Destination { lid, owner, is_base: lid == base });
                } else {
                    twice.push(lid);
                }
            }
        }
        destinations.sort_by_key(|destination| destination.lid);
        (self.destinations, self.twice) = (destinations, twice);
    }

    fn port(&self, end: End) -> Option<&'s Port> {
        self.subnet.devices[end.device as usize].ports.iter().find(|port| port.number == end.port)
    }

    /// Returns the channel of a switch's port, from 1 on.
    pub fn channel(&self, switch: u32, port: u16) -> u32 {
        self.first[switch as usize] + u32::from(port) - 1
    }

    /// Returns the switch that sends on a channel, and its port.
    pub fn sender(&self, channel: u32) -> (u32, u16) {
        let switch = self.first.partition_point(|&first| first <= channel) - 1;
        (switch as u32, (channel - self.first[switch]) as u16 + 1)
    }

    /// Returns the number of ports of a switch.
    pub fn ports(&self, switch: u32) -> u32 {
        self.first[switch as usize + 1] - self.first[switch as usize]
    }

    /// Returns the channels of a switch and what they lead to.
    pub fn outputs(&self, switch: u32) -> impl Iterator<Item = (u32, Target)> + '_ {
        let range = self.first[switch as usize]..self.first[switch as usize + 1];
        range.map(|channel| (channel, self.targets[channel as usize]))
    }

    /// Returns the name of a switch.
    pub fn switch_name(&self, switch: u32) -> &'s str {
        &self.subnet.devices[self.switches[switch as usize] as usize].name
    }

    /// Returns the GUID of a switch, if the file has it.
    pub fn guid(&self, switch: u32) -> Option<u64> {
        self.subnet.devices[self.switches[switch as usize] as usize].guid
    }

    /// Returns the LID of a switch, if it has one.
    pub fn switch_lid(&self, switch: u32) -> Option<u16> {
        self.subnet.devices[self.switches[switch as usize] as usize].ports.first().and_then(|port| port.lid)
    }

    /// Returns the name of a host's port.
    pub fn host_name(&self, host: u32) -> &'s str {
        self.port(self.hosts[host as usize].end).map_or("", |port| &port.name)
    }

    /// Returns the name of what has a LID.
    pub fn owner_name(&self, owner: Owner) -> &'s str {
        match owner {
            Owner::Switch(switch) => self.switch_name(switch),
            Owner::Host(host) => self.host_name(host),
        }
    }
}
