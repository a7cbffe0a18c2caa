//! An InfiniBand subnet: switches, adapters, and the cables between them.

use std::ops::Range;

use drowse_core::model::units::BitRate;

use super::rate::{Rate, Speed};

/// What to take of a subnet, and what to put for what a file does not know.
#[derive(Clone, Debug, Default)]
pub struct Options {
    /// The speed of links of which the tool did not know it (`???`).
    pub speed: Option<Speed>,
    /// The lanes of links of which the tool did not know them (`??`).
    pub lanes: Option<u8>,
    /// Bandwidths are rates of signalling, not of data.
    pub signalling: bool,
    /// Adapters are of one host if they have the same system image GUID; else, if the first words of their
    /// descriptions are the same.
    pub host_by_system: bool,
    /// Hosts that are left out, by their names; `*` stands for any text.
    pub leave_out: Vec<String>,
}

/// What a device is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// It forwards packets.
    Switch,
    /// A channel adapter of a host.
    Adapter,
}

/// A switch or an adapter.
#[derive(Clone, Debug)]
pub struct Device {
    /// Whether it is a switch.
    pub kind: Kind,
    /// Its node GUID, by which it is known; none where the file has no number there.
    pub guid: Option<u64>,
    /// What its administrator called it, word by word.
    pub description: String,
    /// Its name in results: no other device has it.
    pub name: String,
    /// The host of an adapter; the name of a switch.
    pub host: String,
    /// The ports that it has, with a cable or without.
    pub port_count: u16,
    /// Port 0 of a switch; the ports of an adapter that have cables.
    pub ports: Vec<Port>,
    /// Where it stands in the file.
    pub span: Range<usize>,
}

/// A port that packets can be sent to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Port {
    /// Its number; 0 of a switch itself.
    pub number: u16,
    /// Its GUID, if the file has it.
    pub guid: Option<u64>,
    /// Its local identifier, if the subnet manager has given one.
    pub lid: Option<u16>,
    /// It has 2 to the power of this number of LIDs, of which `lid` is the first.
    pub lmc: u8,
    /// Its name in results, which is that of the compute node that the port is simulated as.
    pub name: String,
}

impl Port {
    /// Returns how many LIDs it has.
    pub fn lids(&self) -> u32 {
        1 << self.lmc.min(7)
    }
}

/// An end of a cable.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct End {
    /// The place of the device in `devices`.
    pub device: u32,
    /// Its port.
    pub port: u16,
}

/// A cable.
#[derive(Clone, Debug)]
pub struct Cable {
    /// Its ends, that of the device whose record comes first in front.
    pub ends: [End; 2],
    /// Lanes and speed; none where the file says nothing of them, as files of ibsim may.
    pub rate: Option<Rate>,
    /// Where it stands in the file.
    pub span: Range<usize>,
}

/// What a file holds that is no part of the network that is simulated.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct LeftOut {
    /// Routers to other subnets.
    pub routers: usize,
    /// Aggregation nodes: adapters within switches that reduce messages (SHARP).
    pub aggregation_nodes: usize,
    /// Adapters of hosts that the user left out.
    pub by_name: usize,
    /// Adapters without a cable.
    pub unlinked: usize,
    /// Cables of a switch to itself.
    pub loops: usize,
}

/// An InfiniBand subnet.
#[derive(Clone, Debug, Default)]
pub struct Subnet {
    /// Switches and adapters in the order of their records in the file.
    pub devices: Vec<Device>,
    /// The cables, by their first ends.
    pub cables: Vec<Cable>,
    /// What is left out.
    pub left_out: LeftOut,
    /// Cables whose ends do not agree on width or speed, in words; the lower value holds.
    pub disagreeing: Vec<String>,
    /// What else is to be said of the file.
    pub notes: Vec<String>,
    /// Bandwidths are rates of signalling, not of data.
    pub signalling: bool,
}

impl Subnet {
    /// Returns the bandwidth of one direction of a cable, if it is known.
    pub fn bandwidth(&self, cable: &Cable) -> Option<BitRate> {
        cable.rate.map(|rate| if self.signalling { rate.signalling() } else { rate.data() })
    }

    /// Returns the device at an end of a cable.
    pub fn device(&self, end: End) -> &Device {
        &self.devices[end.device as usize]
    }

    /// Returns the number of switches.
    pub fn switches(&self) -> usize {
        self.devices.iter().filter(|device| device.kind == Kind::Switch).count()
    }

    /// Returns the number of ports of adapters that have cables, which are the compute nodes.
    pub fn nodes(&self) -> usize {
        self.devices.iter().filter(|device| device.kind == Kind::Adapter).map(|device| device.ports.len()).sum()
    }

    /// Returns how messages call an end of a cable.
    pub fn end_name(&self, end: End) -> String {
        format!("{} [{}]", self.device(end).name, end.port)
    }

    /// Returns how messages call a cable.
    pub fn cable_name(&self, cable: &Cable) -> String {
        format!("{} - {}", self.end_name(cable.ends[0]), self.end_name(cable.ends[1]))
    }
}
