//! Draws how nodes answer each other, when switches mark packets, and whether they drop them.

use drowse_experiment::System;
use toml::{Table, Value};

use super::{int, put};
use crate::draw::Draw;
use crate::machine::Machine;

/// Draws the section for some machines of packets, and what of `[switch]` belongs to it. Little of what contradicts it is
/// left.
pub fn draw(draw: &mut Draw, machine: &mut Machine, system: &System) {
    let flows = machine.word("simulation", "unit").is_some_and(|unit| unit == "flow");
    // A bubble needs padding, which leaves no short packets.
    let bubble = machine.word("switch", "escape") == Some("bubble");
    if draw.chance(if flows || bubble { 1 } else { 14 }) {
        put_drawn(draw, machine, system, &ALL);
    }
}

/// Draws the section for many machines of open-loop traffic, with the controls that the twin has.
pub fn draw_for_twin(draw: &mut Draw, machine: &mut Machine, system: &System) {
    if machine.word("switch", "escape") != Some("bubble") && draw.chance(40) {
        put_drawn(draw, machine, system, &OF_TWIN);
    }
}

/// The words for controls: of those that react to marks, with others; and of those that do not.
struct Controls {
    with_marks: &'static [&'static str],
    without: &'static [&'static str],
}

const ALL: Controls = Controls {
    with_marks: &["dcqcn", "nscc", "becn", "dcqcn", "nscc", "window", "credit"],
    without: &["none", "window", "credit"],
};

const OF_TWIN: Controls = Controls { with_marks: &["none", "window"], without: &["none", "window"] };

fn put_drawn(draw: &mut Draw, machine: &mut Machine, system: &System, controls: &Controls) {
    let packet = u64::from(system.config.switch.packet_flits) * system.config.switch.flit.0;
    let marks = marking(draw, machine, packet);
    let lossy = dropping(draw, machine);
    if let Some(Value::Table(switch)) = machine.tables.get_mut("switch")
        && draw.chance(95)
        && switch.get("escape").and_then(Value::as_str) != Some("bubble")
    {
        // Acknowledgements are short, and so are the last packets of messages.
        switch.remove("padding");
    }
    let mut keys = Table::new();
    if draw.chance(85) {
        let some_marked = marks || draw.chance(4);
        put(
            &mut keys,
            "control",
            control(draw, packet, if some_marked { controls.with_marks } else { controls.without }),
        );
    }
    if draw.chance(60) {
        put(&mut keys, "ack", format!("{} B", draw.within(1..=packet.min(128))));
    }
    if draw.chance(70) {
        put(&mut keys, "ack_every", format!("{} B", packet * draw.below(6)));
    }
    if draw.chance(30) {
        put(&mut keys, "grace", draw.chance(70));
    }
    if lossy || draw.chance(2) {
        if draw.chance(70) {
            put(&mut keys, "retransmit", draw.pick(&["selective", "selective", "selective", "selective", "go-back-n"]));
        }
        put(&mut keys, "timeout", draw.pick(&["20 us", "100 us", "1 ms"]));
    }
    machine.put("transport", keys);
}

/// Draws a control of some kinds; those that react to marks are refused without any.
fn control(draw: &mut Draw, packet: u64, kinds: &[&'static str]) -> Table {
    let mut keys = Table::new();
    let kind = draw.pick(kinds);
    put(&mut keys, "kind", kind);
    match kind {
        "window" => put(&mut keys, "size", format!("{} B", packet * draw.within(1..=20))),
        "nscc" if draw.chance(50) => put(&mut keys, "target", draw.pick(&["500 ns", "5 us", "50 us"])),
        "credit" if draw.chance(60) => {
            put(&mut keys, "packets", int(draw.within(1..=8)));
            put(&mut keys, "share", [0.5, 0.9, 0.99, 1.0][draw.below(4) as usize]);
        }
        "becn" if draw.chance(60) => {
            put(&mut keys, "increase", int(draw.within(1..=20)));
            put(&mut keys, "limit", int(draw.within(1..=200)));
            put(&mut keys, "fall_every", draw.pick(&["1 us", "10.24 us"]));
            put(&mut keys, "longest_gap", draw.pick(&["1 us", "8.3 us"]));
        }
        "dcqcn" if draw.chance(60) => {
            for key in ["notify_every", "cut_every", "alpha_every", "rise_every"] {
                put(&mut keys, key, draw.pick(&["1 us", "10 us", "55 us"]));
            }
            put(&mut keys, "gain_bits", int(draw.within(1..=16)));
            put(&mut keys, "rise_bytes", draw.pick(&["1 kB", "100 kB", "10 MB"]));
            put(&mut keys, "fast_recoveries", int(draw.within(1..=8)));
            for key in ["additive", "hyper", "least"] {
                put(&mut keys, key, draw.pick(&["10 Mb/s", "100 Mb/s", "1 Gb/s"]));
            }
        }
        _ => {}
    }
    keys
}

/// Lets switches mark packets, mostly; returns whether they do.
fn marking(draw: &mut Draw, machine: &mut Machine, packet: u64) -> bool {
    if !draw.chance(70) {
        return false;
    }
    let Some(Value::Table(switch)) = machine.tables.get_mut("switch") else { return false };
    if switch.get("queues").and_then(Value::as_str).is_none_or(|queues| queues == "input") && draw.chance(95) {
        put(switch, "queues", draw.pick(&["virtual-output", "output"]));
    }
    let kmin = packet * draw.below(6);
    let mut keys = Table::new();
    put(&mut keys, "kmin", format!("{kmin} B"));
    if draw.chance(60) {
        put(&mut keys, "kmax", format!("{} B", kmin + packet * draw.below(12)));
        put(&mut keys, "pmax", [0.0, 0.01, 0.2, 1.0][draw.below(4) as usize]);
    }
    let enqueue = draw.chance(50);
    put(&mut keys, "at", if enqueue { "enqueue" } else { "dequeue" });
    if draw.chance(40) {
        put(&mut keys, "waking", draw.chance(50));
    }
    if enqueue && draw.chance(50) {
        put(&mut keys, "victims", draw.chance(50));
    }
    put(switch, "marking", keys);
    true
}

/// Lets switches drop packets for some machines; returns whether they do.
fn dropping(draw: &mut Draw, machine: &mut Machine) -> bool {
    let Some(Value::Table(switch)) = machine.tables.get_mut("switch") else { return false };
    let bubble = switch.get("escape").and_then(Value::as_str) == Some("bubble");
    if bubble || !draw.chance(45) {
        return false;
    }
    for key in ["xoff", "xon"] {
        switch.remove(key);
    }
    put(switch, "flow_control", draw.pick(&["drop", "trim"]));
    true
}
