//! Draws `[network]`: a small network of any kind, any of its routings, and what has failed.

use std::path::Path;

use drowse_core::model::ids::ChannelId;
use drowse_core::topology::{End, Network};
use drowse_experiment::network_kinds;
use toml::{Table, Value};

use super::{edge, graph_file, int, list, put, system, table};
use crate::draw::Draw;
use crate::machine::Machine;

/// The most switches of a network whose size is free.
const MOST_SWITCHES: u64 = 36;

const GRIDS: &[&str] = &["adaptive", "dimension-order"];
const TREES: &[&str] = &["adaptive", "random", "d-mod-k"];
const GROUPS: &[&str] = &["minimal", "valiant", "ugal", "progressive", "direct", "indirect"];
const COORDINATES: &[&str] = &["minimal", "dimension-order", "valiant", "ugal", "progressive"];
const GRAPHS: &[&str] = &["minimal", "valiant", "ugal", "progressive", "up-down", "k-shortest"];

/// Draws the section, and the file of a graph.
pub fn draw(draw: &mut Draw, machine: &mut Machine, folder: &Path) {
    let kind = kind(draw);
    let mut keys = table([("kind", kind.into())]);
    shape(draw, kind, &mut keys, machine);
    let routings = if keys.contains_key("tables") { &[] } else { routings(kind) };
    if draw.chance(20) && !routings.is_empty() {
        machine.put("network", keys.clone());
        if let Some(whole) = system(machine, folder) {
            put(&mut keys, "failed", failed(draw, &whole.network, kind == "graph"));
            put_routing(draw, &mut keys, GRAPHS);
        }
    } else if (keys.contains_key("ties") || draw.chance(90)) && !routings.is_empty() {
        put_routing(draw, &mut keys, routings);
    }
    machine.put("network", keys);
}

/// Draws the section of a kind with a routing, and the file of a graph.
pub fn draw_kind(draw: &mut Draw, machine: &mut Machine, kind: &str, routing: &str) {
    let mut keys = table([("kind", kind.into())]);
    shape(draw, kind, &mut keys, machine);
    put_routing(draw, &mut keys, &[routing]);
    machine.put("network", keys);
}

/// Draws a kind; those of a machine are large, and rarer.
fn kind(draw: &mut Draw) -> &'static str {
    let kinds: Vec<&str> = network_kinds().collect();
    loop {
        let kind = draw.pick(&kinds);
        if !matches!(kind, "aries" | "percs") || draw.chance(30) {
            return kind;
        }
    }
}

/// Returns the routings of a kind of network.
fn routings(kind: &str) -> &'static [&'static str] {
    match kind {
        "torus" | "mesh" | "hypercube" => GRIDS,
        "tree" | "thin-tree" | "xgft" | "racks" => TREES,
        "dragonfly" | "dragonfly-plus" | "percs" | "aries" => GROUPS,
        "full" | "hyperx" => COORDINATES,
        "twisted-torus" | "slim-fly" | "polarfly" | "jellyfish" | "graph" => GRAPHS,
        _ => &[],
    }
}

fn put_routing(draw: &mut Draw, keys: &mut Table, routings: &[&str]) {
    let routing = draw.pick(routings);
    put(keys, "routing", routing);
    if routing != "dimension-order" {
        keys.remove("ties");
    }
    if routing == "k-shortest" && draw.chance(80) {
        put(keys, "paths", int(draw.within(1..=6)));
    }
}

/// Draws the keys of a kind beside its routing.
fn shape(draw: &mut Draw, kind: &str, keys: &mut Table, machine: &mut Machine) {
    let mut number = |draw: &mut Draw, key: &str, least, most| {
        put(keys, key, int(draw.within(least..=most)));
    };
    match kind {
        "torus" | "mesh" => grid(draw, keys, kind == "torus"),
        "twisted-torus" => {
            let dims = draw.pick(&[&[3, 6][..], &[6, 3], &[4, 8], &[3, 3, 6]]);
            per_dimension(draw, keys, "trunk", dims.len(), 3);
            put(keys, "dims", list(dims));
            maybe_nodes(draw, keys, 2);
        }
        "hypercube" => {
            number(draw, "dimension", 1, 5);
            maybe_nodes(draw, keys, 3);
        }
        "tree" => {
            number(draw, "k", 2, 4);
            number(draw, "n", 1, 3);
        }
        "thin-tree" => {
            number(draw, "down", 2, 4);
            number(draw, "up", 1, 4);
            number(draw, "levels", 1, 3);
        }
        "xgft" => xgft(draw, keys),
        "racks" => {
            let uplinks = draw.pick(&[1, 1, 2, 4]);
            number(draw, "racks", 1, 16 / uplinks);
            number(draw, "nodes_per_rack", 1, 4);
            put(keys, "uplinks", int(uplinks));
        }
        "dragonfly" => {
            let (a, h) = (draw.within(1..=4), draw.within(1..=2));
            number(draw, "p", 1, 3);
            groups(draw, keys, a * h + 1);
            put(keys, "a", int(a));
            put(keys, "h", int(h));
        }
        "dragonfly-plus" => {
            let (spines, h) = (draw.within(1..=3), draw.within(1..=2));
            number(draw, "nodes", 1, 3);
            number(draw, "leaves", 1, 3);
            groups(draw, keys, spines * h + 1);
            put(keys, "spines", int(spines));
            put(keys, "h", int(h));
        }
        "percs" => number(draw, "supernodes", 1, 2),
        "aries" => {
            put(keys, "groups", draw.pick(&[1, 1, 1, 2]));
            arrangement(draw, keys);
        }
        "full" => {
            number(draw, "switches", 2, 9);
            maybe_nodes(draw, keys, 3);
        }
        "hyperx" => {
            let dims = dims(draw, 3, 4);
            per_dimension(draw, keys, "widths", dims.len(), 2);
            put(keys, "dims", list(&dims));
            maybe_nodes(draw, keys, 3);
        }
        "slim-fly" => {
            put(keys, "q", draw.pick(&[3, 3, 4, 5]));
            maybe_nodes(draw, keys, 3);
        }
        "polarfly" => {
            put(keys, "q", draw.pick(&[2, 3, 4, 5]));
            maybe_nodes(draw, keys, 3);
        }
        "jellyfish" => {
            let degree = draw.within(2..=4);
            let switches = draw.within(degree + 1..=16);
            put(keys, "switches", int(switches + switches * degree % 2));
            put(keys, "degree", int(degree));
            maybe_nodes(draw, keys, 3);
            if draw.chance(80) {
                put(keys, "seed", int(draw.below(1000)));
            }
        }
        "graph" => graph_file::draw(draw, keys, machine),
        "ideal" => {
            number(draw, "nodes", 1, 32);
            put(keys, "latency", draw.time(0..=2_000_000));
            put(keys, "bandwidth", draw.bandwidth());
        }
        // A kind that is not known here has no keys, and is found missing.
        _ => {}
    }
}

fn maybe_nodes(draw: &mut Draw, keys: &mut Table, most: u64) {
    if draw.chance(70) {
        put(keys, "nodes", int(draw.within(1..=most)));
    }
}

/// Draws sizes of dimensions whose product is small.
fn dims(draw: &mut Draw, count: u64, most: u64) -> Vec<u64> {
    let mut dims: Vec<u64> = (0..draw.within(1..=count)).map(|_| draw.within(2..=most)).collect();
    while dims.iter().product::<u64>() > MOST_SWITCHES {
        dims.pop();
    }
    dims
}

/// Draws a number, or one for each dimension.
fn per_dimension(draw: &mut Draw, keys: &mut Table, key: &str, dims: usize, most: u64) {
    match draw.below(3) {
        0 => {}
        1 => put(keys, key, int(draw.within(1..=most))),
        _ => put(keys, key, list(&(0..dims).map(|_| draw.within(1..=most)).collect::<Vec<_>>())),
    }
}

fn grid(draw: &mut Draw, keys: &mut Table, wraps: bool) {
    let dims = dims(draw, 4, 6);
    per_dimension(draw, keys, "trunk", dims.len(), 4);
    put(keys, "dims", list(&dims));
    maybe_nodes(draw, keys, 3);
    if wraps && draw.chance(40) {
        put(keys, "rings_of_two", draw.chance(60));
    }
    if wraps && draw.chance(40) {
        put(keys, "ties", draw.pick(&["alternate", "direct"]));
    }
}

fn xgft(draw: &mut Draw, keys: &mut Table) {
    let levels = draw.within(1..=3);
    let mut numbers = |count: u64, most: u64| list(&(0..count).map(|_| draw.within(1..=most)).collect::<Vec<_>>());
    put(keys, "children", numbers(levels, 4));
    put(keys, "parents", numbers(levels - 1, 3));
    let links = numbers(levels - 1, 3);
    if draw.chance(60) {
        put(keys, "links", links);
    }
}

/// Draws a number of groups, `most` at most, and the arrangement of their links.
fn groups(draw: &mut Draw, keys: &mut Table, most: u64) {
    put(keys, "groups", int(draw.within(1..=most)));
    arrangement(draw, keys);
}

fn arrangement(draw: &mut Draw, keys: &mut Table) {
    if draw.chance(80) {
        put(keys, "arrangement", draw.pick(&["absolute", "relative", "palmtree"]));
    }
}

/// Draws links and switches that have failed; what is left may be in pieces, which the schema refuses.
fn failed(draw: &mut Draw, whole: &Network, named: bool) -> Table {
    let mut failed = Table::new();
    let name = |draw: &mut Draw, switch: u32| -> Value {
        if named && draw.chance(50) { edge::name(u64::from(switch)).into() } else { i64::from(switch).into() }
    };
    if draw.chance(40) {
        put(&mut failed, "fraction", draw.pick(&[0.0, 0.02, 0.1, 0.2]));
    }
    if draw.chance(40) {
        put(&mut failed, "seed", int(draw.below(1000)));
    }
    let port = draw.below(u64::from(whole.ports().max(1))) as u32;
    if let Some(ends) = ends(whole, port).filter(|_| draw.chance(60)) {
        put(&mut failed, "links", vec![Value::from(ends.map(|end| name(draw, end)).to_vec())]);
    }
    if draw.chance(15) {
        let switch = draw.below(u64::from(whole.switches().max(1))) as u32;
        put(&mut failed, "switches", vec![name(draw, switch)]);
    }
    failed
}

/// Returns the switches that the link of a port joins, unless it is a node's.
fn ends(network: &Network, port: u32) -> Option<[u32; 2]> {
    match (port < network.ports()).then(|| network.target(ChannelId(port)))? {
        End::Port(to) => Some([network.port_switch(port as usize), network.port_switch(to.0 as usize)]),
        End::Node(_) => None,
    }
}
