//! Draws how packets are spread over outputs, and in which order nodes take them.

use drowse_core::routing::RoutingKind;
use drowse_core::topology::Geometry;
use drowse_experiment::System;
use toml::{Table, Value};

use super::put;
use crate::draw::Draw;
use crate::machine::Machine;

/// Kinds that virtual output queues refuse: a choice depends on those before it.
const IN_ORDER: [&str; 2] = ["flowlet", "spray-round-robin"];

/// Draws both for some machines. Little of what contradicts them is left.
pub fn draw(draw: &mut Draw, machine: &mut Machine, system: &System) {
    let flows = machine.word("simulation", "unit").is_some_and(|unit| unit == "flow");
    if draw.chance(8) && !flows {
        add(machine, "node", "order", draw.pick(&["any", "counted", "in-sequence", "in-sequence"]));
    }
    if !draw.chance(25) || machine.word("switch", "trunks").is_some_and(|trunks| trunks == "packed") {
        return;
    }
    // Most of these leave packets no choice, and are refused.
    let fixed = matches!(system.network.geometry, Geometry::Groups(_))
        || !matches!(
            system.config.routing,
            RoutingKind::Adaptive
                | RoutingKind::Minimal
                | RoutingKind::Valiant
                | RoutingKind::Ugal
                | RoutingKind::UpDown
        );
    if fixed && !draw.chance(25) {
        return;
    }
    let by_output = machine.word("switch", "queues").is_some_and(|queues| queues == "virtual-output");
    let kind = draw.pick(&[
        "adaptive",
        "flow-hash",
        "flowlet",
        "spray-random",
        "spray-round-robin",
        "spray-queue",
        "flow-hash",
    ]);
    let refused = by_output && IN_ORDER.contains(&kind) || flows && kind == "flowlet";
    if refused && !draw.chance(5) {
        return;
    }
    add(machine, "switch", "balance", kind);
    if kind == "flowlet" && draw.chance(70) {
        add(machine, "switch", "flowlet_gap", draw.pick(&["0 ns", "100 ns", "2 us", "1 ms"]));
    }
    if matches!(kind, "flow-hash" | "flowlet") {
        if draw.chance(50) {
            add(machine, "switch", "flow", draw.pick(&["pair", "message"]));
        }
        if draw.chance(50) {
            add(machine, "switch", "hash_seeds", draw.pick(&["own", "equal"]));
        }
    }
}

/// Adds a key to a section, which may be a new one.
fn add(machine: &mut Machine, section: &str, key: &str, value: &str) {
    let mut keys = match machine.tables.remove(section) {
        Some(Value::Table(keys)) => keys,
        _ => Table::new(),
    };
    put(&mut keys, key, value);
    machine.put(section, keys);
}
