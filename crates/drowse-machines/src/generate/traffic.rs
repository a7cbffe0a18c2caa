//! Draws `[traffic]`: a pattern, lengths, and a load that nodes can offer; alone or beside jobs.

use drowse_experiment::System;
use toml::{Table, Value};

use super::{int, list, put, table};
use crate::draw::Draw;
use crate::machine::Machine;

const PATTERNS: [&str; 10] = [
    "uniform",
    "transpose",
    "complement",
    "bit-reversal",
    "shuffle",
    "bit-rotation",
    "tornado",
    "neighbour",
    "permutation",
    "hot-spot",
];

/// Cycles of a channel that is audited: about 10 ms of work.
const CHANNEL_CYCLES: u64 = 300_000;

/// Messages in a cycle beside most jobs.
const MESSAGES_PER_CYCLE: f64 = 0.01;

/// In picoseconds: the time between two messages of a node of a job beside which links sleep, far more than a wake.
const MILLISECOND: f64 = 1e9;

/// Draws the section of traffic that is alone.
pub fn draw(draw: &mut Draw, machine: &mut Machine, system: &System) {
    let (mut keys, load, rate) = sent(draw, system);
    put(&mut keys, "load", load);
    let wanted = (draw.scaled(20..=1_500) as f64 / (load * rate)).clamp(1.0, 20_000.0);
    let longest = (CHANNEL_CYCLES / u64::from(system.network.channels().max(1))).clamp(64, 20_000);
    let measure = whole_part(wanted).min(longest);
    put(&mut keys, "measure", cycles(draw, measure, system));
    let warmup = if draw.chance(30) { 0 } else { draw.below(measure / 2 + 1) };
    put(&mut keys, "warmup", cycles(draw, warmup, system));
    if draw.chance(40) {
        put(&mut keys, "count", draw.pick(&["generated", "delivered"]));
    }
    if draw.chance(30) {
        put(&mut keys, "drain", draw.chance(50));
    }
    machine.put("traffic", keys);
}

/// Draws the section of traffic beside jobs: so little that a long run is audited in time, or from nodes without a job all
/// that links carry. A job's message waits behind all that its node has made before: beyond saturation, the time of a
/// program grows by a factor with each message. Links that sleep saturate early, so there is less beside them.
pub fn draw_beside(draw: &mut Draw, machine: &mut Machine, system: &System) {
    let (mut keys, load, rate) = sent(draw, system);
    let sleeps = machine.tables.contains_key("power");
    let full = draw.chance(20) && !sleeps;
    let free = full || draw.chance(if sleeps { 70 } else { 30 });
    let cycles = MILLISECOND / system.config.switch.clock.0 as f64;
    let messages = match (full, sleeps && !free) {
        (true, _) => f64::INFINITY,
        (false, true) => f64::from(system.network.nodes) / cycles,
        (false, false) => MESSAGES_PER_CYCLE,
    };
    put(&mut keys, "load", if draw.chance(5) { 0.0 } else { load.min(messages / rate) });
    if free || draw.chance(50) {
        put(&mut keys, "nodes", if free { "free" } else { "all" });
    }
    machine.put("traffic", keys);
}

/// Draws what is the same alone and beside jobs. Returns it with a load, and the messages of all nodes in a cycle at a
/// load of 1.
fn sent(draw: &mut Draw, system: &System) -> (Table, f64, f64) {
    let mut keys = Table::new();
    let nodes = u64::from(system.network.nodes);
    if nodes == 1 || draw.chance(30) {
        put(&mut keys, "include_self", nodes == 1 || draw.chance(70));
    }
    if let Some(pattern) = pattern(draw, nodes) {
        put(&mut keys, "pattern", pattern);
    }
    let (packets, flits) = lengths(draw, system);
    if let Some(packets) = packets {
        put(&mut keys, "packets", packets);
    }
    // A node begins at most one message a cycle.
    let (switch, class) = (&system.config.switch, &system.config.classes[0]);
    let flits_per_cycle = class.bandwidth.0 as f64 / 8.0 * switch.clock.seconds() / switch.flit.0 as f64;
    let most = (0.999 * flits / flits_per_cycle).min(1.0);
    let load = most * if draw.chance(25) { 1.0 } else { draw.scaled(10..=1_000) as f64 / 1e3 };
    (keys, load, nodes as f64 * flits_per_cycle / flits)
}

/// Writes whole cycles as such or as a time.
fn cycles(draw: &mut Draw, cycles: u64, system: &System) -> String {
    let clock = system.config.switch.clock.0;
    if draw.chance(80) { format!("{cycles} cycles") } else { format!("{} ps", cycles * clock) }
}

/// Draws a pattern that the number of nodes permits, as a word or a table.
fn pattern(draw: &mut Draw, nodes: u64) -> Option<Value> {
    let fits = |kind: &str| match kind {
        "transpose" => nodes.is_power_of_two() && nodes.ilog2().is_multiple_of(2),
        "bit-reversal" | "bit-rotation" | "shuffle" => nodes.is_power_of_two(),
        _ => true,
    };
    let kind = draw.pick(&PATTERNS);
    match kind {
        _ if nodes == 1 || !fits(kind) => None,
        "hot-spot" => {
            let mut hot: Vec<u64> = (0..draw.within(1..=3)).map(|_| draw.below(nodes)).collect();
            hot.sort_unstable();
            hot.dedup();
            Some(table([("kind", kind.into()), ("nodes", list(&hot)), ("share", draw.share().into())]).into())
        }
        _ if draw.chance(50) => Some(kind.into()),
        _ => Some(table([("kind", kind.into())]).into()),
    }
}

/// Draws lengths of messages, and returns their mean in flits.
fn lengths(draw: &mut Draw, system: &System) -> (Option<Value>, f64) {
    match draw.below(4) {
        0 => (None, f64::from(system.config.switch.packet_flits)),
        1 | 2 => {
            let (value, flits) = length(draw, system, 4);
            (Some(value), flits as f64)
        }
        _ => {
            let (short, short_flits) = length(draw, system, 2);
            // Longer than any that is short.
            let (long, long_flits) = whole(draw.within(3..=6), system);
            let share = draw.share();
            let two = [("short", short), ("long", long), ("share", share.into())];
            let mean = (1.0 - share) * short_flits as f64 + share * long_flits as f64;
            (Some(table(two).into()), mean)
        }
    }
}

/// Draws a length of at most so many packets, and returns its flits.
fn length(draw: &mut Draw, system: &System, most: u64) -> (Value, u64) {
    let switch = &system.config.switch;
    if draw.chance(50) {
        return whole(draw.within(1..=most), system);
    }
    let bytes = draw.within(1..=most * u64::from(switch.packet_flits) * switch.flit.0);
    (format!("{bytes} B").into(), switch.message_flits(bytes))
}

/// Returns a length of whole packets, and its flits.
fn whole(packets: u64, system: &System) -> (Value, u64) {
    (int(packets), packets * u64::from(system.config.switch.packet_flits))
}

#[expect(clippy::cast_sign_loss, reason = "a number of cycles is not negative")]
fn whole_part(number: f64) -> u64 {
    number as u64
}
