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
    if mostly_fixed(system) && !draw.chance(25) {
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

/// Sprays the packets of many machines whose routing leaves a choice.
pub fn draw_for_twin(draw: &mut Draw, machine: &mut Machine, system: &System) {
    let packed = machine.word("switch", "trunks").is_some_and(|trunks| trunks == "packed");
    if packed || mostly_fixed(system) || draw.chance(60) {
        return;
    }
    // The twin does not spray packets that avoid links which sleep.
    if let Some(Value::Table(power)) = machine.tables.get_mut("power")
        && !power.contains_key("sleep_aware")
    {
        put(power, "selection", "blind");
    }
    let by_output = machine.word("switch", "queues").is_some_and(|queues| queues == "virtual-output");
    let kinds = ["spray-random", "spray-queue", "spray-round-robin"];
    add(machine, "switch", "balance", draw.pick(if by_output { &kinds[..2] } else { &kinds }));
}

/// Returns whether most networks with such a routing leave packets no choice, which is refused.
fn mostly_fixed(system: &System) -> bool {
    use RoutingKind::{Adaptive, Minimal, Ugal, UpDown, Valiant};
    let choice = matches!(system.config.routing, Adaptive | Minimal | Valiant | Ugal | UpDown);
    matches!(system.network.geometry, Geometry::Groups(_)) || !choice
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
