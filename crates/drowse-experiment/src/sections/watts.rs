//! `watts`: what links, switches, NICs and nodes draw, so that results have joules.

use drowse_core::power::watts::{ClassWatts, Watts};
use schemars::JsonSchema;
use serde::Deserialize;

use super::band::{Amount, End};
use super::device::NIC;
use super::hardware::keys::{ChassisRule, SwitchKeys, UnknownRule};
use super::hardware::{self, Hardware, LeftOut, LinkMedium, Site, Whose};
use super::node_watts::NodeKeys;
use super::watts_bounds::{check, check_band};
use crate::devices::{self, Counting};
use crate::diagnostic::Diagnostic;
use crate::keys::{Keys, join};
use crate::node::Node;

/// What links, switches, NICs and nodes draw, in watts and joules. What is left out is that of a published device.
#[derive(Clone, Debug, Default, PartialEq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct WattsKeys {
    /// The model of the switches, from which the other keys differ; `drowse devices` lists all.
    #[schemars(extend("default" = hardware::DEFAULT))]
    device: Option<String>,
    /// TOML file with devices and modules of your own; relative to the experiment file. Default: none.
    #[schemars(extend("examples" = ["devices.toml"]))]
    devices: Option<String>,
    /// How much of a chassis a switch draws. Default: `whole`, or `share` for a device whose parts are not known.
    chassis: Option<ChassisRule>,
    /// What joules per bit and packet count. Default: `payload` where that is known of the device, else `published`.
    counting: Option<Counting>,
    /// What becomes of a power or energy that nobody has published.
    #[schemars(extend("default" = "refuse"))]
    unknown: Option<UnknownRule>,
    /// Modules that are plugged in each chassis; those without a link are like those of its first class of links.
    /// Default: one in each port that has a link.
    #[schemars(extend("examples" = [32]), range(min = 1, max = 262_144))]
    plugged: Option<u32>,
    /// Ports that are enabled in each chassis. Default: those that have a link.
    #[schemars(extend("examples" = [8]), range(min = 1, max = 262_144))]
    enabled: Option<u32>,
    /// Switches that differ, one table `[[power.watts.switches]]` each, such as a level of a tree. Default: none.
    switches: Option<Vec<SwitchKeys>>,
    /// Power of each lane of a channel that is on, in watts: what sleeps with the link. Default: that of the device; a
    /// link between switches has a port at both ends for its two channels, the link of a node has one.
    #[schemars(extend("examples" = [0.9]), range(min = 0, max = 10_000))]
    on: Option<f64>,
    /// Energy of each bit that is sent over a channel, in joules. Default: that of the device.
    #[schemars(extend("examples" = [5e-12]), range(min = 0, max = 1e-6))]
    per_bit: Option<f64>,
    /// Energy of each packet that is sent over a channel, in joules. Default: that of the device.
    #[schemars(extend("examples" = [2e-8]), range(min = 0, max = 0.01))]
    per_packet: Option<f64>,
    /// Power of a switch without its links, in watts; of a chassis, where `chassis` is `whole` or `one`. Default: that
    /// of the device.
    #[schemars(extend("examples" = [80.0]), range(min = 0, max = 100_000))]
    switch: Option<f64>,
    /// Power of a NIC, in watts; it may be a band, such as `{ low = 13, high = 19 }`.
    #[schemars(extend("default" = NIC), range(min = 0, max = 10_000))]
    nic: Option<Amount>,
    /// Power of a node without its NIC.
    node: Option<NodeKeys>,
}

/// What the channels of one class draw.
#[derive(Clone, Copy, Debug, Default, PartialEq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ClassKeys {
    /// Power of each lane of a channel that is on, in watts. Default: that of `[power.watts]`.
    #[schemars(extend("examples" = [0.9]), range(min = 0, max = 10_000))]
    on: Option<f64>,
    /// Energy of each bit that is sent over a channel, in joules. Default: that of `[power.watts]`.
    #[schemars(extend("examples" = [5e-12]), range(min = 0, max = 1e-6))]
    per_bit: Option<f64>,
    /// Energy of each packet that is sent over a channel, in joules. Default: that of `[power.watts]`.
    #[schemars(extend("examples" = [2e-8]), range(min = 0, max = 0.01))]
    per_packet: Option<f64>,
}

/// The section, checked.
#[derive(Clone, Debug)]
pub struct Written {
    keys: WattsKeys,
    hardware: Hardware,
    path: String,
    own: Vec<Own>,
}

/// A value that was written.
#[derive(Clone, Debug, PartialEq)]
pub struct Own {
    /// Its key below `power.watts`, or below `power` with a class of links or states.
    pub key: String,
    /// The number; none where it is more than one.
    pub value: Option<f64>,
}

/// What the parts of a system draw, and whose figures these are.
#[derive(Clone, Debug, PartialEq)]
pub struct Drawn {
    /// What they draw; where only limits are known, the middle between these.
    pub watts: Watts,
    /// What they draw at the lower and at the higher limits, where these differ.
    pub band: Option<Box<[Watts; 2]>>,
    /// The switches whose figures stand for what was not written, one for each model.
    pub whose: Vec<Whose>,
    /// What was written instead.
    pub own: Vec<Own>,
    /// A published node is named.
    pub names_node: bool,
    /// Some ranks are accelerators: those of training and of inference.
    pub accelerators: bool,
    /// What to know before using the watts: what is assumed, of another rate or medium, or left out.
    pub notes: Vec<String>,
    /// What the watts lack, because nobody has published it.
    pub left_out: LeftOut,
}

impl Drawn {
    /// Returns whether the user has set a value.
    pub fn is_own(&self, key: &str) -> bool {
        self.own.iter().any(|own| own.key == key)
    }
}

/// Reads the section.
pub fn read(node: Option<Node<'_>>, keys: &Keys) -> Result<Written, Diagnostic> {
    let Some(node) = node else {
        let path = "power.watts".to_owned();
        return Ok(Written { keys: WattsKeys::default(), hardware: Hardware::default(), path, own: Vec::new() });
    };
    let path = node.path.clone();
    let mut written: WattsKeys = node.read(keys)?;
    let file = written.devices.as_ref().map(|file| keys.source().resolve(file));
    let hardware = Hardware {
        device: written.device.take(),
        devices: file.map(|file| devices::read(&file, &join(&path, "devices"), keys)).transpose()?,
        chassis: written.chassis,
        counting: written.counting,
        unknown: written.unknown.unwrap_or_default(),
        plugged: written.plugged,
        enabled: written.enabled,
        switches: written.switches.take().unwrap_or_default(),
    };
    let amounts = [
        ("on", written.on),
        ("per_bit", written.per_bit),
        ("per_packet", written.per_packet),
        ("switch", written.switch),
    ];
    check(keys, &path, &amounts)?;
    let mut own = owned("", &amounts);
    let node = written.node.clone().unwrap_or_default();
    node.check(keys, &path)?;
    let of_nic = written.nic.map(|nic| ("nic", nic));
    for (key, amount) in of_nic.into_iter().chain(node.amounts()) {
        check_band(keys, &path, key, amount)?;
        own.push(Own { key: key.into(), value: (!amount.is_band()).then_some(amount.at(End::Middle)) });
    }
    own.extend(node.preset().map(|named| Own { key: format!("node {}", named.name), value: None }));
    Ok(Written { keys: written, hardware, path, own })
}

/// Reads what one class of channels draws; what is left out is as before.
pub fn read_class(node: Node<'_>, keys: &Keys, before: ClassKeys) -> Result<ClassKeys, Diagnostic> {
    let path = node.path.clone();
    let ClassKeys { on, per_bit, per_packet } = node.read(keys)?;
    check(keys, &path, &[("on", on), ("per_bit", per_bit), ("per_packet", per_packet)])?;
    Ok(ClassKeys {
        on: on.or(before.on),
        per_bit: per_bit.or(before.per_bit),
        per_packet: per_packet.or(before.per_packet),
    })
}

/// Names the values that were written.
fn owned(before: &str, amounts: &[(&str, Option<f64>)]) -> Vec<Own> {
    let own = |&(key, value): &(&str, Option<f64>)| Some(Own { key: format!("{before}{key}"), value: Some(value?) });
    amounts.iter().filter_map(own).collect()
}

impl ClassKeys {
    /// Names the values that were written for a class.
    pub fn own(&self, class: &str) -> Vec<Own> {
        let ClassKeys { on, per_bit, per_packet } = *self;
        owned(&format!("{class}."), &[("on", on), ("per_bit", per_bit), ("per_packet", per_packet)])
    }
}

impl Written {
    /// Adds values that were written elsewhere: `states`, `model.ports`, and those of classes of links.
    pub fn also(&mut self, own: impl IntoIterator<Item = Own>) {
        self.own.extend(own);
    }

    /// Finds the modules that links name.
    pub fn with_modules(&self, media: &[LinkMedium], keys: &Keys) -> Result<Vec<LinkMedium>, Diagnostic> {
        hardware::with_modules(&self.hardware, media, keys)
    }

    /// Returns what was written for the power of a switch.
    pub fn switch(&self) -> Option<f64> {
        self.keys.switch
    }

    /// Returns what all parts of a system draw; `of_class` is what was written for each class. Class 0 is that of the
    /// nodes.
    pub fn resolve(self, site: &Site<'_>, of_class: &[ClassKeys]) -> Result<Drawn, Diagnostic> {
        let Written { keys, hardware, path, own } = self;
        let written = |class: &ClassKeys| ClassKeys {
            on: class.on.or(keys.on),
            per_bit: class.per_bit.or(keys.per_bit),
            per_packet: class.per_packet.or(keys.per_packet),
        };
        let of_class: Vec<ClassKeys> = of_class.iter().map(written).collect();
        let of_channel = |class: usize| {
            let ClassKeys { on, per_bit, per_packet } = of_class[class];
            hardware::OwnNumbers {
                on: on.is_some(),
                energies: per_bit.is_some() && per_packet.is_some(),
                switch: false,
            }
        };
        let mut drawn = hardware::resolve(&hardware, (&path, site), of_channel)?;
        for (place, watts) in drawn.classes.iter_mut().enumerate() {
            let own = &of_class[place % of_class.len()];
            *watts = ClassWatts {
                on: own.on.unwrap_or(watts.on),
                per_bit: own.per_bit.unwrap_or(watts.per_bit),
                per_packet: own.per_packet.unwrap_or(watts.per_packet),
                port: watts.port,
            };
        }
        let (nic, node) = (keys.nic.unwrap_or(Amount::One(NIC)), keys.node.unwrap_or_default());
        let watts = Watts {
            classes: drawn.classes,
            switch: drawn.switch,
            switches: drawn.switches,
            models: drawn.models,
            nic: nic.at(End::Middle),
            node: node.resolve(End::Middle),
        };
        let at = |end| Watts { nic: nic.at(end), node: node.resolve(end), ..watts.clone() };
        let band = (nic.is_band() || node.has_band()).then(|| Box::new([End::Low, End::High].map(at)));
        let names_node = node.preset().is_some();
        let hardware::Resolved { whose, mut notes, left_out, .. } = drawn;
        notes.extend(node.notes());
        Ok(Drawn { watts, band, whose, own, names_node, accelerators: false, notes, left_out })
    }
}
