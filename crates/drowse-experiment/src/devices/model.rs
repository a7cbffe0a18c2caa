//! What a catalogue says of switches, modules and NICs.

use drowse_core::model::units::BitRate;
use serde::{Deserialize, Serialize};

use super::amount::Amount;
use super::cmis::Wake;
use super::form::{Form, Medium};

/// Devices, modules and NICs.
#[derive(Clone, Debug, Default, PartialEq, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Catalogue {
    /// Switches.
    #[serde(default)]
    pub device: Vec<Device>,
    /// Cables and modules.
    #[serde(default)]
    pub module: Vec<Module>,
    /// Network interfaces of nodes.
    #[serde(default)]
    pub nic: Vec<Nic>,
}

/// How well a number is known.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Mark {
    /// By a meter or counters, and published.
    Measured,
    /// In a manual or data sheet.
    Stated,
    /// By a vendor's talk or the press.
    Claimed,
    /// By nothing that was published.
    Assumed,
}

impl Mark {
    /// Returns its word.
    pub fn word(self) -> &'static str {
        match self {
            Mark::Measured => "measured",
            Mark::Stated => "stated",
            Mark::Claimed => "claimed",
            Mark::Assumed => "assumed",
        }
    }
}

/// A switch, by model.
#[derive(Clone, Debug, PartialEq, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Device {
    /// Its name in `power.watts.device`.
    pub name: String,
    /// What it is, for people.
    pub what: String,
    /// Power of the chassis with nothing plugged and all ports off, in watts.
    #[serde(default)]
    pub base: Amount,
    /// Power of the whole switch with all its links, in watts, where its parts are not known.
    #[serde(default)]
    pub whole: Amount,
    /// Its cages by form.
    pub ports: Vec<Cages>,
    /// Bytes that published energies add to the data of each packet.
    #[serde(default)]
    pub header: u32,
    /// The shortest packet that was measured, with its header, in bytes.
    #[serde(default)]
    pub shortest: u32,
    /// Which energies `per_bit` and `per_packet` of its ports are.
    #[serde(default)]
    pub counting: Counting,
    /// What a port had under `chassis = "share"` before the parts were told apart; otherwise it follows from these.
    pub share: Option<Share>,
    /// Where this was published.
    pub source: String,
    /// How well it is known.
    pub mark: Mark,
    /// What a port draws, by rate and medium.
    #[serde(default)]
    pub port: Vec<PortPower>,
}

/// Cages of one form.
#[derive(Clone, Debug, PartialEq, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Cages {
    /// Their form.
    pub form: Form,
    /// How many there are.
    #[serde(default)]
    pub count: Amount,
    /// Links of one cage.
    #[serde(default = "one")]
    pub links: u32,
    /// Data rates of a link.
    pub rates: Vec<BitRate>,
    /// The most that a module may draw, in watts.
    #[serde(default)]
    pub module_limit: Amount,
}

fn one() -> u32 {
    1
}

/// What energies per bit and per packet count.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, Serialize, schemars::JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Counting {
    /// Data rates of the measurement are those of the payload, and packets have their real length.
    #[default]
    Payload,
    /// As published: data rates are taken for those with headers. A packet with L bytes of data and h of header then
    /// takes L / (L + h) of the energy of its bits and of a packet.
    Published,
}

/// Energies of a crossing of a port, in joules.
#[derive(Clone, Copy, Debug, Default, PartialEq, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Energies {
    /// Of a bit.
    #[serde(default)]
    pub per_bit: Amount,
    /// Of a packet.
    #[serde(default)]
    pub per_packet: Amount,
}

/// What a port draws under `chassis = "share"`, beside its share of the chassis.
#[derive(Clone, Copy, Debug, PartialEq, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Share {
    /// Power of a port with its module when its link is on, in watts.
    pub link: f64,
    /// Energy of a bit at a port, in joules.
    pub per_bit: f64,
    /// Energy of a packet at a port, in joules.
    pub per_packet: f64,
}

/// What a port draws at one rate with one medium.
#[derive(Clone, Debug, PartialEq, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct PortPower {
    /// Data rate of the link.
    pub rate: BitRate,
    /// What its module or cable is.
    pub medium: Medium,
    /// Form of the cages that were measured; all of the device that have the rate where it is left out.
    pub form: Option<Form>,
    /// Power of a port that is enabled, in watts.
    #[serde(default)]
    pub on: Amount,
    /// Power of a module that is plugged, whatever its port does, in watts.
    #[serde(default)]
    pub plugged: Amount,
    /// What a link adds that is up, in watts; below 0 within the noise of a measurement.
    #[serde(default)]
    pub up: Amount,
    /// Energy of a bit, in joules, as the device counts.
    #[serde(default)]
    pub per_bit: Amount,
    /// Energy of a packet, in joules, as the device counts.
    #[serde(default)]
    pub per_packet: Amount,
    /// The energies as published.
    pub published: Option<Energies>,
}

/// A cable or module, one end.
#[derive(Clone, Debug, PartialEq, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Module {
    /// Its name in `link.module`.
    pub name: String,
    /// Its form.
    pub form: Form,
    /// Data rate of a link.
    pub rate: BitRate,
    /// What it is.
    pub medium: Medium,
    /// Links that it has.
    #[serde(default = "one")]
    pub links: u32,
    /// Lanes of a link.
    pub lanes: Option<u32>,
    /// What it draws, in watts.
    pub power: ModulePower,
    /// What it draws in its low-power mode, in watts.
    #[serde(default)]
    pub low_power: Amount,
    /// How it leaves that.
    #[serde(default)]
    pub wake: Wake,
    /// Where this was published.
    pub source: String,
    /// How well it is known.
    pub mark: Mark,
}

/// What a module or NIC draws, in watts.
#[derive(Clone, Copy, Debug, PartialEq, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct ModulePower {
    /// Typically.
    #[serde(default)]
    pub typical: Amount,
    /// At most.
    #[serde(default)]
    pub max: Amount,
}

impl ModulePower {
    /// Returns what it draws: typically where that is known, otherwise at most.
    pub fn usual(self) -> Amount {
        if self.typical.0.is_some() { self.typical } else { self.max }
    }

    /// Returns what it may draw at most, as far as that is known.
    pub fn most(self) -> Amount {
        if self.max.0.is_some() { self.max } else { self.typical }
    }
}

/// A network interface of a node.
#[derive(Clone, Debug, PartialEq, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Nic {
    /// Its name.
    pub name: String,
    /// What it is, for people.
    pub what: String,
    /// Data rate of all its links.
    pub rate: BitRate,
    /// What it draws, in watts.
    pub power: ModulePower,
    /// What it draws in standby, in watts.
    #[serde(default)]
    pub standby: Amount,
    /// Where this was published.
    pub source: String,
    /// How well it is known.
    pub mark: Mark,
}

impl Device {
    /// Returns whether its parts are known apart.
    pub fn has_parts(&self) -> bool {
        self.whole.0.is_none()
    }

    /// Returns how many links its cages have; `None` where that is unknown.
    pub fn links(&self) -> Option<u32> {
        self.ports.iter().map(Cages::capacity).sum()
    }

    /// Returns the fastest of its rates.
    pub fn rate(&self) -> Option<BitRate> {
        self.ports.iter().flat_map(|cages| cages.rates.iter().copied()).max()
    }
}

impl Cages {
    /// Returns how many links they have; `None` where that is unknown.
    pub fn capacity(&self) -> Option<u32> {
        Some(self.count.whole()? * self.links)
    }
}

impl PortPower {
    /// Returns the energies by a counting, if there are any.
    pub fn energies(&self, own: Counting, counting: Counting) -> Option<Energies> {
        let as_written = Energies { per_bit: self.per_bit, per_packet: self.per_packet };
        let known = |energies: &Energies| energies.per_bit.0.is_some() && energies.per_packet.0.is_some();
        let written = Some(as_written).filter(|_| own == counting);
        let published = self.published.filter(|_| counting == Counting::Published);
        written.into_iter().chain(published).find(known)
    }
}
