//! What numbers of devices can be.

use super::amount::Amount;
use super::model::{Catalogue, Device, Module, PortPower};

/// What is wrong, where (a path such as `device.0.base`), and what to do.
pub struct Wrong {
    pub path: String,
    pub message: String,
    pub help: String,
}

/// The most watts of a chassis, and of a port or module; joules of a bit and of a packet.
const CHASSIS: f64 = 100e3;
const PORT: f64 = 1e3;
const BIT: f64 = 1e-6;
const PACKET: f64 = 1e-2;

/// Finds the first thing that is wrong.
pub fn first_wrong(catalogue: &Catalogue) -> Option<Wrong> {
    let devices = catalogue.device.iter().enumerate();
    let of_device = devices.clone().find_map(|(index, device)| device_wrong(device, &format!("device.{index}")));
    let modules = catalogue.module.iter().enumerate();
    let of_module = || modules.clone().find_map(|(index, module)| module_wrong(module, &format!("module.{index}")));
    let twice = || {
        let names = catalogue.device.iter().map(|device| &device.name);
        let device = names.clone().enumerate().find(|(index, name)| names.clone().take(*index).any(|one| one == *name));
        device.map(|(index, name)| Wrong {
            path: format!("device.{index}.name"),
            message: format!("there are two devices \"{name}\""),
            help: "give each device a name of its own".into(),
        })
    };
    of_device.or_else(of_module).or_else(twice)
}

fn device_wrong(device: &Device, path: &str) -> Option<Wrong> {
    let wrong = |key: &str, message: String, help: &str| {
        Some(Wrong { path: format!("{path}.{key}"), message, help: help.into() })
    };
    if device.ports.is_empty() {
        return wrong("ports", format!("\"{}\" has no ports", device.name), "write its cages: form, count and rates");
    }
    let chassis = [("base", device.base), ("whole", device.whole)];
    for (key, amount) in chassis {
        if !within(amount, 0.0, CHASSIS) {
            return wrong(key, format!("{amount} W for a chassis is out of range"), "write 0 to 100000 W");
        }
    }
    for (index, cages) in device.ports.iter().enumerate() {
        let counted = cages.count.0.is_none() || cages.count.whole().is_some_and(|count| (1..=4_096).contains(&count));
        if !counted || !(1..=64).contains(&cages.links) {
            let message = format!("{} cages of {} links are out of range", cages.count, cages.links);
            return wrong(&format!("ports.{index}"), message, "write 1 to 4096 cages, and 1 to 64 links of each");
        }
    }
    let ports = device.port.iter().enumerate();
    ports.clone().find_map(|(index, port)| {
        let text = port_wrong(port)?;
        wrong(&format!("port.{index}"), text, "write watts of a port, and joules of a bit and of a packet")
    })
}

/// Says what of a port cannot be: the sum of its powers may not be negative, although each may be, within noise.
fn port_wrong(port: &PortPower) -> Option<String> {
    let powers = [port.on, port.plugged, port.up];
    if let Some(amount) = powers.into_iter().find(|&amount| !within(amount, -PORT, PORT)) {
        return Some(format!("{amount} W for a port is out of range"));
    }
    let sum: f64 = powers.iter().filter_map(|amount| amount.0).sum();
    if sum < 0.0 {
        return Some(format!("the powers of a port sum to {sum} W"));
    }
    let published = port.published.unwrap_or_default();
    let bits = [port.per_bit, published.per_bit].into_iter().find(|&amount| !within(amount, 0.0, BIT));
    let packets = [port.per_packet, published.per_packet].into_iter().find(|&amount| !within(amount, -PACKET, PACKET));
    bits.or(packets).map(|amount| format!("{amount} J is out of range"))
}

fn module_wrong(module: &Module, path: &str) -> Option<Wrong> {
    let powers = [module.power.typical, module.power.max, module.low_power];
    let found = powers.into_iter().find(|&amount| !within(amount, 0.0, PORT));
    found.map(|amount| Wrong {
        path: format!("{path}.power"),
        message: format!("{amount} W for a module is out of range"),
        help: "write 0 to 1000 W".into(),
    })
}

fn within(amount: Amount, least: f64, most: f64) -> bool {
    amount.0.is_none_or(|number| (least..=most).contains(&number))
}
