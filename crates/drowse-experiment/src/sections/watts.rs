//! `watts`: what links, switches, NICs and nodes draw, so that results have joules.

use drowse_core::model::config::ClassModel;
use drowse_core::model::units::BitRate;
use drowse_core::power::watts::{ClassWatts, Watts};
use schemars::JsonSchema;
use serde::Deserialize;

use super::device::{DEVICES, Device, NIC};
use super::node_watts::NodeKeys;
use super::watts_bounds::check;
use crate::diagnostic::Diagnostic;
use crate::keys::{Keys, join};
use crate::node::Node;
use crate::wording;

/// What links, switches, NICs and nodes draw, in watts and joules. What is left out is that of a published device.
#[derive(Clone, Debug, Default, PartialEq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct WattsKeys {
    /// A published switch from which the other keys differ.
    #[schemars(extend("default" = DEVICES[0].name), extend("enum" = DEVICES.map(|device| device.name)))]
    device: Option<String>,
    /// Power of each lane of a channel that is on, in watts. Default: that of the device; a link between switches has a
    /// port at both ends for its two channels, the link of a node has one.
    #[schemars(extend("examples" = [0.9]), range(min = 0, max = 10_000))]
    on: Option<f64>,
    /// Energy of each bit that is sent over a channel, in joules. Default: that of the device.
    #[schemars(extend("examples" = [5e-12]), range(min = 0, max = 1e-6))]
    per_bit: Option<f64>,
    /// Energy of each packet that is sent over a channel, in joules. Default: that of the device.
    #[schemars(extend("examples" = [2e-8]), range(min = 0, max = 0.01))]
    per_packet: Option<f64>,
    /// Power of a switch without its links, in watts. Default: that of the device for each port that has a link.
    #[schemars(extend("examples" = [80.0]), range(min = 0, max = 100_000))]
    switch: Option<f64>,
    /// Power of a NIC, in watts.
    #[schemars(extend("default" = NIC), range(min = 0, max = 10_000))]
    nic: Option<f64>,
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
    device: &'static Device,
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
    /// What they draw.
    pub watts: Watts,
    /// The switch whose figures stand for what was not written.
    pub device: &'static Device,
    /// What was written instead.
    pub own: Vec<Own>,
    /// Some ranks are accelerators: those of training and of inference.
    pub accelerators: bool,
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
        return Ok(Written { keys: WattsKeys::default(), device: &DEVICES[0], own: Vec::new() });
    };
    let path = node.path.clone();
    let written: WattsKeys = node.read(keys)?;
    let device = match &written.device {
        None => &DEVICES[0],
        Some(name) => DEVICES.iter().find(|device| device.name == name).ok_or_else(|| {
            let known = DEVICES.map(|device| device.name);
            wording::unknown_word(keys, &join(&path, "device"), name, &known)
        })?,
    };
    let of_node = written.node.unwrap_or_default().amounts();
    let amounts = [
        ("on", written.on),
        ("per_bit", written.per_bit),
        ("per_packet", written.per_packet),
        ("switch", written.switch),
        ("nic", written.nic),
    ];
    let amounts: Vec<_> = amounts.into_iter().chain(of_node).collect();
    check(keys, &path, &amounts)?;
    let own = owned("", &amounts);
    Ok(Written { keys: written, device, own })
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

    /// Returns what all parts of a system draw. `links` is the links' share of the power of a switch, `of_class` what
    /// was written for each class; class 0 is that of the nodes.
    pub fn resolve(self, links: f64, classes: &[ClassModel], of_class: &[ClassKeys]) -> Drawn {
        let Written { keys, device, own } = self;
        let (link, rest) = device.port_watts(links);
        let class = |(index, (class, own)): (usize, (&ClassModel, &ClassKeys))| {
            // Half a port at each end that is a switch.
            let ends = if index == 0 { 1.0 } else { 2.0 };
            let ports = device.ports_of(BitRate(class.bandwidth.0 / u64::from(class.lanes))) as f64;
            ClassWatts {
                on: own.on.or(keys.on).unwrap_or(link * ports * ends / 2.0),
                per_bit: own.per_bit.or(keys.per_bit).unwrap_or(device.per_bit * ends),
                per_packet: own.per_packet.or(keys.per_packet).unwrap_or(device.per_packet * ends),
                port: if keys.switch.is_some() { 0.0 } else { rest * ports },
            }
        };
        let watts = Watts {
            classes: classes.iter().zip(of_class).enumerate().map(class).collect(),
            switch: keys.switch.unwrap_or(0.0),
            nic: keys.nic.unwrap_or(NIC),
            node: keys.node.unwrap_or_default().resolve(),
        };
        Drawn { watts, device, own, accelerators: false }
    }
}
