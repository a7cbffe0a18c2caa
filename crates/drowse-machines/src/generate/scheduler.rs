//! Draws `[scheduler]`, and what its jobs say in place of where and when they run.

use std::fmt::Write;

use toml::{Table, Value};

use super::{int, put, table};
use crate::draw::Draw;
use crate::machine::Machine;

/// Draws the section, and the log of its jobs if they come from one.
pub fn draw(draw: &mut Draw, machine: &mut Machine) {
    let mut keys = Table::new();
    let kinds = ["first-come-first-served", "easy-backfilling", "random-selectable", "alone"];
    put(&mut keys, "kind", draw.pick(&kinds));
    if draw.chance(70) {
        // Few networks have groups.
        let allocations = ["linear", "round-robin", "random", "random-nodes", "contiguous", "switch"];
        put(&mut keys, "allocation", if draw.chance(5) { "group" } else { draw.pick(&allocations) });
    }
    if draw.chance(40) {
        put(&mut keys, "nodes", draw.pick(&["shared", "whole"]));
    }
    if draw.chance(40) {
        put(&mut keys, "delay", draw.time(100_000..=5_000_000));
    }
    if draw.chance(30) {
        put(&mut keys, "seed", int(draw.below(1_000)));
    }
    if draw.chance(30) {
        let mut log = Table::new();
        put(&mut log, "file", "jobs.swf");
        put(&mut log, "time_scale", 1e-6);
        if draw.chance(50) {
            put(&mut log, "jobs", int(draw.within(1..=3)));
        }
        if draw.chance(20) {
            put(&mut log, "days", vec![Value::from(0), Value::from(1)]);
            if draw.chance(40) {
                put(&mut log, "cut", draw.chance(80));
            }
        }
        if draw.chance(30) {
            put(&mut log, "processors_per_node", int(draw.within(1..=2)));
        }
        if draw.chance(40) {
            // Most networks have other numbers of nodes, which is refused.
            put(&mut log, "nodes", format!("n[1-{}]", draw.pick(&[2, 4, 6, 8, 9, 12, 16, 18, 24, 27, 32, 36])));
        }
        if draw.chance(30) {
            let mut unmapped = Table::new();
            if draw.chance(70) {
                put(&mut unmapped, "share", draw.pick(&[0.0, 0.01, 0.2, 1.0]));
            }
            if draw.chance(50) {
                put(&mut unmapped, "exchanges", int(draw.within(1..=20)));
            }
            put(&mut log, "unmapped", unmapped);
        }
        if draw.chance(30) {
            put(&mut keys, "kind", "replay");
            keys.remove("allocation");
        }
        keys.remove("nodes");
        put(&mut keys, "log", log);
        machine.add_file("jobs.swf", jobs(draw));
    }
    if draw.chance(15) {
        let after = draw.time(0..=20_000_000);
        put(&mut keys, "suspend", table([("after", after.into()), ("resume", draw.time(0..=5_000_000).into())]));
    }
    machine.put("scheduler", keys);
}

/// Draws a log of jobs of one processor each, so that every program is large enough for them.
fn jobs(draw: &mut Draw) -> String {
    let mut text = String::from("; Version: 2.2\n");
    let mut submitted = 0;
    for number in 1..=draw.within(1..=4) {
        submitted += draw.below(10);
        let (took, asked) = (draw.within(1..=20), draw.within(1..=30));
        let waited = if draw.chance(70) { draw.below(20) } else { 0 };
        let _ = writeln!(text, "{number} {submitted} {waited} {took} 1 -1 -1 1 {asked} -1 1 1 1 1 -1 -1 -1 -1");
    }
    text
}

/// Makes a job one that the scheduler starts.
pub fn queue(draw: &mut Draw, machine: &Machine, keys: &mut Table, ranks: u64) {
    keys.remove("placement");
    keys.remove("dimemas");
    keys.remove("start");
    if machine.files.iter().any(|file| file.name == "jobs.swf") {
        keys.remove("count");
        put(keys, "ranks", int(ranks));
        // All jobs of the log run executable 1.
        if draw.chance(30) {
            put(keys, "executables", vec![1]);
        }
        if draw.chance(10) {
            put(keys, "accounts", vec!["physics"]);
        }
        if draw.chance(10) {
            put(keys, "names", vec!["*"]);
        }
        return;
    }
    if draw.chance(50) {
        put(keys, "arrival", draw.time(0..=5_000_000));
    }
    if draw.chance(50) {
        put(keys, "interval", draw.time(0..=2_000_000));
    }
    put(keys, "estimate", draw.time(1_000..=20_000_000));
}
