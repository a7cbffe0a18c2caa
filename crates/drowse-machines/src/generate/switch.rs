//! Draws `[switch]`: sizes, virtual channels, arbiters and times.

use drowse_core::model::config::VirtualChannels;
use drowse_core::routing::RoutingKind;
use drowse_core::topology::Geometry;
use drowse_experiment::System;
use toml::{Table, Value};

use super::{Work, int, put};
use crate::draw::Draw;
use crate::machine::Machine;

/// How much larger the messages of each class of the NAS Parallel Benchmarks are, roughly, than those of class S.
const SCALES: [u64; 7] = [16, 64, 512, 2_048, 8_192, 131_072, 1_048_576];

/// Draws the section for a network whose switches are as usual.
pub fn draw(draw: &mut Draw, machine: &mut Machine, bare: &System, work: Work) {
    let mut keys = Table::new();
    put(&mut keys, "clock", draw.pick(&["1.6 ns", "1 ns", "800 ps", "1601 ps", "2.5 ns"]));
    // Patterns of sleep do not depend on the size of a flit, but the time that a run takes does.
    let flit = match work {
        Work::Npb(class) => 16 * SCALES[class],
        Work::Traffic | Work::Jobs => draw.pick(&[4, 16, 16, 24, 32, 64, 128]),
    };
    let packet = draw.scaled(1..=16);
    put(&mut keys, "flit", format!("{flit} B"));
    put(&mut keys, "packet", format!("{} B", flit * packet));
    let bubble = draw.chance(if matches!(bare.network.geometry, Geometry::Grid(_)) { 30 } else { 3 });
    let vcs = vcs(draw, bare, bubble);
    if vcs != bare.config.switch.vcs || draw.chance(30) {
        put(&mut keys, "vcs", vcs_table(vcs, bare));
    }
    let total = u64::from(vcs.total());
    let least = if bubble { 2 } else { 1 };
    let each = packet * if draw.chance(40) { least } else { draw.within(least..=4) };
    let each = each + if draw.chance(60) { 0 } else { draw.below(6) };
    let pauses = !bubble && draw.chance(15);
    let each = if pauses { each + pause(draw, &mut keys, flit) } else { each };
    if !pauses && draw.chance(10) {
        put(&mut keys, "flow_control", "credits");
    }
    let unused = if draw.chance(20) { draw.below(total * flit) } else { 0 };
    put(&mut keys, "buffer", format!("{} B", each * total * flit + unused));
    if bubble || draw.chance(20) {
        put(&mut keys, "escape", if bubble { "bubble" } else { "dateline" });
    }
    if bubble || draw.chance(30) {
        put(&mut keys, "padding", bubble || draw.chance(50));
    }
    times(draw, &mut keys, work);
    if draw.chance(40) {
        put(&mut keys, "input_speedup", int(draw.within(1..=total)));
    }
    if draw.chance(50) {
        put(&mut keys, "trunks", draw.pick(&["balanced", "packed"]));
    }
    if draw.chance(60) {
        let kind = draw.pick(&["input", "virtual-output", "output", "output"]);
        put(&mut keys, "queues", kind);
        if kind == "output" && draw.chance(60) {
            put(&mut keys, "output_buffer", format!("{} B", packet * draw.within(least..=4) * total * flit));
            put(&mut keys, "speedup", int(draw.within(1..=4)));
        }
        if kind == "output" && draw.chance(50) {
            put(&mut keys, "output_speedup", int(draw.within(1..=total)));
        }
    }
    if draw.chance(20) {
        put(&mut keys, "forwarding", draw.pick(&["cut-through", "store-and-forward", "store-and-forward"]));
    }
    if draw.chance(20) && keys.get("queues").and_then(Value::as_str) != Some("output") {
        let allocator = keys.entry("allocator").or_insert_with(|| Value::Table(Table::new()));
        if let Value::Table(allocator) = allocator {
            put(allocator, "overlap", draw.chance(20));
        }
    }
    machine.put("switch", keys);
}

/// Lets senders pause when they are told to, and returns the flits of a virtual channel for what comes until they do. Long
/// links need more, and are refused.
fn pause(draw: &mut Draw, keys: &mut Table, flit: u64) -> u64 {
    put(keys, "flow_control", "pause");
    if draw.chance(40) {
        let xoff = draw.within(1..=8);
        put(keys, "xoff", format!("{} B", xoff * flit));
        if draw.chance(50) {
            put(keys, "xon", format!("{} B", draw.below(xoff) * flit));
        }
    }
    draw.within(100..=1_000)
}

/// Draws the allocator, and the time of a hop in either of its ways.
fn times(draw: &mut Draw, keys: &mut Table, work: Work) {
    let whole = draw.chance(30);
    if draw.chance(60) {
        let mut allocator = Table::new();
        put(&mut allocator, "kind", draw.pick(&["least-recently-served", "three-stage", "random", "age"]));
        // Who asks for a busy output asks at every clock edge, and large flits keep outputs busy for very many.
        if draw.chance(50) && matches!(work, Work::Traffic | Work::Jobs) {
            put(&mut allocator, "request_busy", draw.chance(70));
        }
        if draw.chance(50) && !whole {
            put(&mut allocator, "latency", int(draw.within(1..=8)));
        }
        put(keys, "allocator", allocator);
    }
    if whole {
        // No shorter than the longest wire that is drawn.
        put(keys, "hop_latency", draw.time(20_000..=100_000));
    } else if draw.chance(60) {
        put(keys, "pipeline", int(draw.within(0..=20)));
    }
}

/// Draws numbers of virtual channels of the purposes that the usual ones have.
fn vcs(draw: &mut Draw, bare: &System, bubble: bool) -> VirtualChannels {
    let usual = bare.config.switch.vcs;
    if matches!(bare.network.geometry, Geometry::Ideal(_)) {
        return usual;
    }
    if let Some(most) = VirtualChannels::MAX.checked_div(usual.hop) {
        let hop = usual.hop * draw.within(1..=u64::from(most)) as u8;
        let left = u64::from(VirtualChannels::MAX - hop);
        let any = if draw.chance(25) { draw.within(0..=left.min(2)) as u8 } else { 0 };
        return VirtualChannels { any, ..VirtualChannels::hop(hop) };
    }
    if usual.any > 0 {
        return VirtualChannels::any(draw.within(1..=4) as u8);
    }
    let rings = matches!(&bare.network.geometry, Geometry::Grid(grid) if grid.wraps.contains(&true));
    let escape = draw.within(1..=2) as u8;
    let escape = if rings && !bubble { 2 * escape } else { escape };
    let adaptive = if bare.config.routing == RoutingKind::Adaptive { draw.within(1..=4) as u8 } else { 0 };
    VirtualChannels::grid(adaptive, escape)
}

fn vcs_table(vcs: VirtualChannels, bare: &System) -> Table {
    let mut table = Table::new();
    let VirtualChannels { adaptive, escape, any, hop } = vcs;
    let grid = matches!(bare.network.geometry, Geometry::Grid(_)) && escape > 0;
    for (purpose, count) in [("adaptive", adaptive), ("escape", escape), ("any", any), ("hop", hop)] {
        if count > 0 || (grid && purpose == "adaptive") {
            put(&mut table, purpose, i64::from(count));
        }
    }
    table
}
