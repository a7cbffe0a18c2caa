//! Draws `[link]`, or `[[link]]` for classes.

use drowse_experiment::System;
use toml::{Table, Value};

use super::put;
use crate::draw::Draw;
use crate::machine::Machine;

/// Draws the section.
pub fn draw(draw: &mut Draw, machine: &mut Machine, bare: &System) {
    // The time of a hop is told as a whole or by its parts.
    let parts = machine.tables.get("switch").is_some_and(|switch| {
        switch.get("pipeline").is_some() || switch.get("allocator").is_some_and(|keys| keys.get("latency").is_some())
    });
    match draw.below(4) {
        0 => {}
        1 | 2 => machine.put("link", keys(draw, parts)),
        _ => {
            let mut tables: Vec<Value> = Vec::new();
            if draw.chance(70) {
                tables.push(keys(draw, parts).into());
            }
            for class in &bare.network.classes {
                if draw.chance(60) {
                    let mut keys = keys(draw, parts);
                    put(&mut keys, "class", class.as_str());
                    tables.push(keys.into());
                }
            }
            if !tables.is_empty() {
                machine.put("link", tables);
            }
        }
    }
}

fn keys(draw: &mut Draw, parts: bool) -> Table {
    let mut keys = Table::new();
    if draw.chance(60) {
        put(&mut keys, "bandwidth", draw.bandwidth());
    }
    if draw.chance(20) {
        put(&mut keys, "lanes", draw.pick(&[1, 2, 4]));
    }
    if draw.chance(60) {
        let written = if draw.chance(20) { format!("{} cycles", draw.below(8)) } else { draw.time(0..=20_000) };
        put(&mut keys, "latency", written);
    }
    if !parts && draw.chance(20) {
        put(&mut keys, "hop_latency", draw.time(20_000..=100_000));
    }
    keys
}
