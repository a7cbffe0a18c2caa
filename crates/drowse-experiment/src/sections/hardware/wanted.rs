//! What an experiment says of the hardware, and what is wanted of a port.

use drowse_core::model::config::ClassModel;
use drowse_core::model::units::BitRate;
use drowse_core::topology::Network;

use super::keys::{ChassisRule, SwitchKeys, UnknownRule};
use crate::devices::{Catalogue, Counting, Medium, Module, catalogue};
use crate::keys::{Keys, join};

/// The switch that is taken where none is named.
pub const DEFAULT: &str = "slingshot-archer2";

/// What was written of the hardware, with the devices that it can name.
#[derive(Clone, Debug, Default)]
pub struct Hardware {
    pub device: Option<String>,
    /// Devices of the user's file, and those of the program; only the latter where no file is named.
    pub devices: Option<Catalogue>,
    pub chassis: Option<ChassisRule>,
    pub counting: Option<Counting>,
    pub unknown: UnknownRule,
    pub plugged: Option<u32>,
    pub enabled: Option<u32>,
    pub switches: Vec<SwitchKeys>,
}

impl Hardware {
    /// Returns the devices and modules that can be named.
    pub fn catalogue(&self) -> &Catalogue {
        self.devices.as_ref().unwrap_or_else(|| catalogue())
    }
}

/// What the links of a class are made of, as `[link]` writes it.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct LinkMedium {
    /// The medium; `None` where it was not written.
    pub medium: Option<Medium>,
    /// The module, if one was named.
    pub module_name: Option<String>,
    /// That module.
    pub module: Option<Module>,
    /// The table that says so, for errors.
    pub path: String,
    /// The key of the bandwidth, for errors.
    pub rate_path: String,
}

/// What the user has written in place of a device's numbers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct OwnNumbers {
    /// What a channel draws that is on.
    pub on: bool,
    /// Joules of a bit and of a packet, both.
    pub energies: bool,
    /// What a switch draws beside its links.
    pub switch: bool,
}

/// What is wanted of a port: a class of links, and the rules.
pub struct Wanted<'a> {
    pub keys: &'a Keys,
    pub catalogue: &'a Catalogue,
    pub name: &'a str,
    /// The number of the class.
    pub index: usize,
    pub class: &'a ClassModel,
    pub medium: &'a LinkMedium,
    pub counting: Option<Counting>,
    pub unknown: UnknownRule,
    /// What the user has written in place of the device's numbers.
    pub own: OwnNumbers,
    /// Bytes of a full packet.
    pub packet: u64,
    /// The links' share of the power of a switch that was measured as a whole.
    pub links: f64,
}

impl Wanted<'_> {
    /// Returns the path of a key of the class's links.
    pub fn path(&self, key: &str) -> String {
        join(&self.medium.path, key)
    }
}

/// What an experiment says beside the hardware.
pub struct Site<'a> {
    pub keys: &'a Keys,
    pub network: &'a Network,
    pub classes: &'a [ClassModel],
    pub media: &'a [LinkMedium],
    /// Bytes of a full packet.
    pub packet: u64,
    /// The links' share of the power of a switch that was measured as a whole.
    pub links: f64,
    /// What was written for the power of a switch.
    pub switch: Option<f64>,
}

/// Returns the rate of a lane of a class, each of which takes a port.
pub fn rate(class: &ClassModel) -> BitRate {
    BitRate(class.bandwidth.0 / u64::from(class.lanes))
}

/// Says a rate.
pub fn speed(rate: BitRate) -> String {
    format!("{} Gb/s", rate.0 as f64 / 1e9)
}
