//! Draws a power policy of a kind, with parameters.

use std::fmt::Write;

use drowse_experiment::System;
use toml::Table;

use super::{Work, int, put, table};
use crate::draw::{self, Draw};
use crate::machine::Machine;

/// The kinds of policy; the last two need programs.
const KINDS: [&str; 17] = [
    "always-on",
    "immediate",
    "stall-timer",
    "nvlink",
    "coalescing",
    "oracle",
    "table",
    "perfbound",
    "dynamic-fastwake",
    "predictive",
    "random-timer",
    "trunk",
    "standby",
    "width",
    "cap",
    "bounded",
    "runtime",
];

/// The longest idle time of a timer in picoseconds; runs take some microseconds.
const LONGEST: u64 = 1_000_000;

/// Returns the kinds of policy that may command channels while something runs.
pub fn kinds(work: Work) -> &'static [&'static str] {
    if work == Work::Traffic { &KINDS[..KINDS.len() - 2] } else { &KINDS }
}

/// Draws a policy of a kind.
pub fn policy(draw: &mut Draw, kind: &str, machine: &mut Machine, bare: &System, work: Work) -> Table {
    let mut keys = table([("kind", kind.into())]);
    match kind {
        "immediate" if draw.chance(80) => put(&mut keys, "sleep", draw.pick(&["shallow", "deep"])),
        "stall-timer" => stall_timer(draw, &mut keys),
        "nvlink" => {
            let hundreds = draw.chance(50);
            put(&mut keys, "threshold", int(draw.within(1..=if hundreds { 8_191 } else { 1_023 })));
            if hundreds || draw.chance(30) {
                put(&mut keys, "unit", if hundreds { "100 us" } else { "50 us" });
            }
        }
        "coalescing" => {
            put(&mut keys, "frames", int(draw.within(1..=8)));
            put(&mut keys, "timeout", draw.time(0..=LONGEST));
        }
        "table" => {
            let file = format!("timers-{}.csv", machine.files.len());
            put(&mut keys, "file", file.clone());
            machine.add_file(file, timers(draw, bare));
        }
        "perfbound" | "dynamic-fastwake" => bounded(draw, &mut keys),
        "predictive" => {
            if draw.chance(70) {
                put(&mut keys, "weight", draw.share());
            }
            if draw.chance(70) {
                put(&mut keys, "watchdog", draw.time(0..=LONGEST));
            }
        }
        "random-timer" if draw.chance(70) => put(&mut keys, "seed", int(draw.below(1000))),
        "trunk" => {
            thresholds(draw, &mut keys, work);
            if draw.chance(30) {
                keys.remove("off");
                put(&mut keys, "alpha", draw.below(1000) as f64 / 1e3);
            }
            if draw.chance(40) {
                put(&mut keys, "steps", int(draw.scaled(1..=16)));
            }
        }
        "width" => {
            thresholds(draw, &mut keys, work);
            if draw.chance(70) {
                put(&mut keys, "lanes", draw.pick(&[2, 4, 8, 16]));
            }
        }
        "standby" => standby(draw, &mut keys),
        "cap" => cap(draw, &mut keys, work),
        "bounded" => {
            put(&mut keys, "bound", draw.share());
            if draw.chance(70) {
                put(&mut keys, "reaction", draw.time(100_000..=10 * LONGEST));
            }
        }
        "runtime" => runtime(draw, &mut keys),
        _ => {}
    }
    keys
}

fn stall_timer(draw: &mut Draw, keys: &mut Table) {
    if draw.chance(40) {
        // Timers of a list of states: as many as there may be; what there is not is taken away later.
        let mut idle = 0;
        let timers = (0..draw.within(1..=6)).map(|_| {
            idle += draw.scaled(1..=LONGEST);
            draw::time(idle).into()
        });
        put(keys, "timers", timers.collect::<Vec<toml::Value>>());
        return;
    }
    let shallow = draw.scaled(0..=LONGEST);
    let deep = shallow + draw.scaled(1..=LONGEST);
    let which = draw.below(4);
    if which != 0 {
        put(keys, "shallow", draw::time(shallow));
    }
    if which != 1 {
        put(keys, "deep", draw::time(deep));
    }
}

fn bounded(draw: &mut Draw, keys: &mut Table) {
    put(keys, "bound", if draw.chance(40) { draw.pick(&[0.01, 0.05]) } else { draw.share() });
    if draw.chance(60) {
        put(keys, "split", draw.pick(&["ratio", "equal", "local"]));
    }
    if draw.chance(40) {
        put(keys, "correction", draw.chance(50));
    }
    if draw.chance(40) {
        put(keys, "compares", draw.pick(&["all-wakes", "deep-wakes"]));
    }
    if draw.chance(70) {
        put(keys, "refresh", int(draw.scaled(1..=100)));
    }
}

/// Returns the shortest window: each takes time to simulate, so that longer runs have longer ones.
fn least_window(work: Work) -> u64 {
    match work {
        Work::Traffic => 100_000,
        Work::Jobs => 1_000_000,
        Work::Npb(class) => 1_000_000 << (3 * class).min(18),
    }
}

/// Draws the thresholds of trunks and lanes.
fn thresholds(draw: &mut Draw, keys: &mut Table, work: Work) {
    let least = least_window(work);
    if draw.chance(80) || work != Work::Traffic {
        put(keys, "window", draw.time(least..=(20 * least).min(1_000_000_000_000)));
    }
    if draw.chance(60) {
        let on = draw.within(100..=1000);
        put(keys, "on", on as f64 / 1e3);
        put(keys, "off", draw.below(on / 2) as f64 / 1e3);
    }
    if draw.chance(50) {
        put(keys, "backlog", draw.time(0..=5_000_000));
    }
}

/// Draws a cap, which may be below the floor of a network whose links save little.
fn cap(draw: &mut Draw, keys: &mut Table, work: Work) {
    let cap: toml::Value = match draw.below(8) {
        0 => draw.pick(&["1 MW", "20 kW"]).into(),
        1 => 1.0.into(),
        _ => (draw.within(850..=999) as f64 / 1e3).into(),
    };
    put(keys, "cap", cap);
    let least = least_window(work);
    let window = draw.within(least..=(20 * least).min(1_000_000_000_000));
    put(keys, "window", draw::time(window));
    if draw.chance(60) {
        put(keys, "reaction", draw.time(100_000..=window));
    }
    if draw.chance(50) {
        put(keys, "on", draw.within(1..=1000) as f64 / 1e3);
    }
    if draw.chance(60) {
        put(keys, "lanes", draw.pick(&[2, 4, 8, 16]));
    }
}

/// Draws which spare links stand by; the state is the last of those that there are.
fn standby(draw: &mut Draw, keys: &mut Table) {
    if draw.chance(80) {
        put(keys, "every", draw.time(10_000_000..=1_000_000_000));
    }
    if draw.chance(60) {
        put(keys, "budget", draw.share());
    }
    if draw.chance(40) {
        put(keys, "paths", int(draw.within(1..=4)));
    }
    if draw.chance(50) {
        let on = draw.within(2..=1000);
        put(keys, "on", on as f64 / 1e3);
        put(keys, "off", draw.within(1..=on - 1) as f64 / 1e3);
    }
}

fn runtime(draw: &mut Draw, keys: &mut Table) {
    if draw.chance(80) {
        put(keys, "mode", draw.pick(&["basic", "scheduled", "scheduled"]));
    }
    if draw.chance(70) {
        put(keys, "learn", int(draw.within(1..=3)));
    }
    if draw.chance(80) {
        put(keys, "margin", draw.time(0..=LONGEST));
    }
    if draw.chance(80) {
        put(keys, "overhead", draw.time(0..=LONGEST));
    }
    if draw.chance(60) {
        put(keys, "slowdown", draw.share());
    }
    if draw.chance(50) {
        put(keys, "notification", format!("{} B", draw.scaled(0..=10_000)));
        if draw.chance(50) {
            put(keys, "detection", draw.pick(&["free", "tree"]));
        }
    }
    if draw.chance(30) {
        put(keys, "balancing", int(draw.within(1..=8)));
    }
}

/// Draws a table of timers: some classes, and some channels of their own.
fn timers(draw: &mut Draw, bare: &System) -> String {
    let mut text = String::from("class,channel,shallow,deep\n");
    let mut line = |draw: &mut Draw, class: &str, channel: &str| {
        let shallow = draw.scaled(0..=LONGEST);
        let deep = shallow + draw.scaled(1..=LONGEST);
        let [shallow, deep] =
            [shallow, deep].map(|timer| if draw.chance(80) { draw::time(timer) } else { String::new() });
        let _ = writeln!(text, "{class},{channel},{shallow},{deep}");
    };
    for class in &bare.network.classes {
        if draw.chance(80) {
            line(draw, class, "");
        }
    }
    let channels = u64::from(bare.network.channels());
    for _ in 0..draw.below(10).min(channels) {
        let channel = draw.below(channels);
        line(draw, "", &channel.to_string());
    }
    text
}
