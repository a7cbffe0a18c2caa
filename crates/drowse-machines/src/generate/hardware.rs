//! Draws the hardware of switches and links: models, media, modules, chassis, in a file of devices or from the program.
//!
//! Rates of links must be those of ports, so that a drawn bandwidth gives way. What is refused leaves no trace.

use std::path::Path;

use drowse_experiment::System;
use drowse_experiment::devices::Medium;
use toml::{Table, Value};

use super::{int, put, system};
use crate::draw::Draw;
use crate::machine::Machine;

/// A device of one's own with cages of all forms, and a module for it.
const FILE: &str = r#"
[[device]]
name = "own"
what = "a switch of one's own"
base = 120.5
ports = [
    { form = "QSFP28", count = 4096, rates = ["100 Gb/s"] },
    { form = "RJ45", count = 4096, rates = ["100 Gb/s"] },
    { form = "co-packaged", count = 4096, rates = ["100 Gb/s"] },
    { form = "backplane", count = 4096, rates = ["100 Gb/s"] },
]
source = "drawn"
mark = "assumed"

[[device.port]]
rate = "100 Gb/s"
medium = "dac"
on = 1.25
plugged = 0.5
up = -0.125
per_bit = 4e-12
per_packet = 1e-9

[[module]]
name = "own-module"
form = "QSFP28"
rate = "100 Gb/s"
medium = "sr"
power = { typical = 1.5, max = 2.0 }
source = "drawn"
mark = "assumed"
"#;

/// Draws the hardware for a machine of a seed. It has random numbers of its own, so that a seed's machine stays what
/// it was in all else.
pub fn draw(seed: u64, machine: &mut Machine, folder: &Path) {
    let mut draw = Draw::new(seed ^ 0x4841_5244);
    if !draw.chance(35) {
        return;
    }
    let Some(bare) = system(machine, folder) else { return };
    let before = machine.clone();
    hardware(&mut draw, machine, &bare);
    if system(machine, folder).is_none() {
        *machine = before;
    }
}

fn hardware(draw: &mut Draw, machine: &mut Machine, bare: &System) {
    let own = draw.chance(60);
    let device = if own { "own" } else { draw.pick(&["nexus-9336c-fx2", "cisco-8201-32fh", "ncs-55a1-24h"]) };
    let mut watts = machine.tables.get("power").and_then(|power| power.get("watts")).and_then(Value::as_table).cloned();
    let watts = watts.get_or_insert_default();
    ["chassis", "switch"].iter().for_each(|key| _ = watts.remove(*key));
    put(watts, "device", device);
    if own {
        put(watts, "devices", "devices.toml");
        machine.add_file("devices.toml", FILE.to_owned());
    }
    let rules = draw.pick(&["whole", "whole", "one", "share"]);
    put(watts, "chassis", rules);
    let medium = draw.pick(&Medium::ALL).1;
    if own && draw.chance(70) {
        put(watts, "unknown", draw.pick(&["no-saving", "no-saving", "refuse"]));
    }
    if draw.chance(50) {
        put(watts, "counting", draw.pick(&["payload", "published"]));
    }
    if rules != "share" {
        counts(draw, watts, bare, rules == "one");
    }
    if draw.chance(40) {
        put(watts, "switches", vec![Value::from(differing(draw, bare, device))]);
    }
    let mut power = machine.tables.get("power").and_then(Value::as_table).cloned().unwrap_or_default();
    put(&mut power, "watts", watts.clone());
    machine.put("power", power);
    links(draw, machine, own.then_some(medium));
}

/// Counts modules and enabled ports: at least those with links.
fn counts(draw: &mut Draw, keys: &mut Table, bare: &System, one: bool) {
    let most = bare.switch_ports().max().unwrap_or_default();
    let used = if one { bare.ports() } else { most };
    for key in ["plugged", "enabled"] {
        if draw.chance(40) {
            put(keys, key, int(used + draw.below(4)));
        }
    }
}

/// Draws switches that differ.
fn differing(draw: &mut Draw, bare: &System, device: &str) -> Table {
    let mut keys = Table::new();
    if draw.chance(50) {
        put(&mut keys, "level", int(draw.below(2)));
    } else {
        put(&mut keys, "of", vec![Value::from(0)]);
    }
    if draw.chance(70) {
        put(&mut keys, "device", draw.pick(&[device, device, "slingshot-archer2", "nexus-9336c-fx2"]));
    }
    if draw.chance(50) {
        put(&mut keys, "chassis", draw.pick(&["whole", "one", "share"]));
    }
    if draw.chance(60) {
        counts(draw, &mut keys, bare, true);
    }
    keys
}

/// Sets all links to the rate of the ports, and a medium or a module.
fn links(draw: &mut Draw, machine: &mut Machine, medium: Option<&str>) {
    let mut tables = match machine.tables.remove("link") {
        None => vec![Value::from(Table::new())],
        Some(Value::Array(tables)) => tables,
        Some(table) => vec![table],
    };
    for table in tables.iter_mut().filter_map(Value::as_table_mut) {
        put(table, "bandwidth", "100 Gb/s");
        match medium {
            Some(_) if draw.chance(20) => put(table, "module", "own-module"),
            Some(medium) => put(table, "medium", medium),
            None if draw.chance(50) => put(table, "medium", draw.pick(&["dac", "lr"])),
            None => {}
        }
    }
    machine.put("link", tables);
}
