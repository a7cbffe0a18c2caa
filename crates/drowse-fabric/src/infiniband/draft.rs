//! What readers of subnets fill, whatever the format: devices by key, and each cable twice, once from each end.

use std::collections::HashMap;
use std::ops::Range;

use super::rate::Written;
use crate::model::wrong::{Wrong, shown};

/// What a device is in a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Sort {
    Switch,
    Adapter,
    Router,
}

/// A device of a file.
#[derive(Clone, Debug)]
pub(super) struct Drafted {
    pub sort: Sort,
    pub guid: Option<u64>,
    /// The system image GUID.
    pub system: Option<u64>,
    pub description: String,
    pub port_count: u16,
    /// LIDs by port, and the GUIDs of ports.
    pub addresses: Vec<Address>,
    pub span: Range<usize>,
}

/// What a file says of a port of its own, not of a cable.
#[derive(Clone, Debug)]
pub(super) struct Address {
    pub port: u16,
    pub guid: Option<u64>,
    pub lid: Option<u16>,
    pub lmc: u8,
}

/// A cable as one of its ends has it.
#[derive(Clone, Debug)]
pub(super) struct Half {
    pub device: usize,
    pub port: u16,
    /// The key of the device at the other end, and its port.
    pub peer: (usize, u16),
    pub written: Written,
    pub span: Range<usize>,
}

/// What a file says.
#[derive(Debug, Default)]
pub(super) struct Draft {
    /// Devices by the number of their key; none of which only others speak.
    pub devices: Vec<Option<Drafted>>,
    keys: HashMap<String, usize>,
    /// The keys by number, and where each is named first.
    pub names: Vec<(String, Range<usize>)>,
    pub halves: Vec<Half>,
    /// A cable may stand at one end only.
    pub one_sided: bool,
    pub notes: Vec<String>,
}

impl Draft {
    /// Returns the number of a key.
    pub fn key(&mut self, key: &str, span: &Range<usize>) -> usize {
        if let Some(&known) = self.keys.get(key) {
            return known;
        }
        let new = self.devices.len();
        self.keys.insert(key.to_owned(), new);
        self.names.push((key.to_owned(), span.clone()));
        self.devices.push(None);
        new
    }

    /// Adds a device; a key has one.
    pub fn define(&mut self, key: usize, device: Drafted) -> Result<(), Wrong> {
        if self.devices[key].is_some() {
            let message = format!("`{}` has a record before this one", shown(&self.names[key].0));
            let help = "devices are told apart by their GUIDs: give each record one of its own, where they were \
                        removed, too";
            return Err(Wrong::new(&device.span, message, help));
        }
        self.devices[key] = Some(device);
        Ok(())
    }

    /// Takes what one of several lines says of a device.
    pub fn merge(&mut self, key: usize, line: Drafted) {
        let Some(device) = &mut self.devices[key] else {
            self.devices[key] = Some(line);
            return;
        };
        device.port_count = device.port_count.max(line.port_count);
        for address in line.addresses {
            if device.addresses.iter().all(|known| known.port != address.port) {
                device.addresses.push(address);
            }
        }
    }

    /// Returns how messages call a device: its description, else its key.
    pub fn shown(&self, key: usize) -> String {
        match &self.devices[key] {
            Some(device) if !device.description.is_empty() => {
                format!("`{}` ({})", shown(&device.description), shown(&self.names[key].0))
            }
            _ => format!("`{}`", shown(&self.names[key].0)),
        }
    }

    /// Returns how messages call a port.
    pub fn shown_port(&self, (key, port): (usize, u16)) -> String {
        format!("port {port} of {}", self.shown(key))
    }
}
