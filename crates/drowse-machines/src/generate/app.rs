//! Draws `job.app`: programs of few ranks.

use drowse_experiment::System;
use toml::{Table, Value};

use super::{Work, int, list, put, table};
use crate::draw::Draw;

/// Programs in phases.
const PHASED: [&str; 5] = ["stencil", "milc", "all-to-all", "random", "permutation"];
/// Permutations of any number of ranks, of powers of two, and of powers of four.
const PATTERNS: [&str; 8] =
    ["shift", "tornado", "complement", "bisection", "random", "bit-reversal", "shuffle", "transpose"];
/// Programs in their own order. Those that send before they receive wait for nobody only if their sends do not.
const ORDERED: [(&str, &[&str]); 23] = [
    ("all-to-all", UNASKED),
    ("binary-tree", MODES),
    ("butterfly", UNASKED),
    ("stencil", UNASKED),
    ("wavefront", MODES),
    ("random-waves", UNASKED),
    ("one-to-all", MODES),
    ("all-to-one", MODES),
    ("n-bodies", UNASKED),
    ("ping-pong", MODES),
    ("transformer", UNASKED),
    ("inference", UNASKED),
    ("graph500", MODES),
    ("gromacs", MODES),
    ("hpcg", MODES),
    ("isam", MODES),
    ("linpack", UNASKED),
    ("lulesh", MODES),
    ("mapreduce", UNASKED),
    ("namd", UNASKED),
    ("pencil-fft", UNASKED),
    ("random-access", UNASKED),
    ("sweep3d", MODES),
];
const MODES: &[&str] = &["standard", "synchronous", "buffered", "ready"];
const UNASKED: &[&str] = &["buffered", "ready"];
const NPB: [&str; 8] = ["cg", "mg", "lu", "bt", "sp", "ft", "is", "ep"];
const CLASSES: [&str; 7] = ["S", "W", "A", "B", "C", "D", "E"];

/// Draws an application of at most so many ranks, or several of the same ranks in a row; returns their number.
pub fn draw(draw: &mut Draw, work: Work, most: u64, system: &System, iterates: bool) -> (Value, u64) {
    let (mut first, ranks) = match work {
        Work::Npb(class) => npb(draw, class, most),
        Work::Traffic | Work::Jobs if draw.chance(40) => ordered(draw, most, system),
        Work::Traffic | Work::Jobs => plain(draw, most, system),
    };
    repeated(draw, &mut first, iterates);
    if !draw.chance(20) {
        return (first.into(), ranks);
    }
    let mut second = table([("kind", "all-to-all".into()), ("ranks", int(ranks))]);
    put(&mut second, "bytes", bytes(draw, system));
    repeated(draw, &mut second, iterates);
    (vec![Value::from(first), second.into()].into(), ranks)
}

/// Draws the keys that all applications have.
fn repeated(draw: &mut Draw, app: &mut Table, iterates: bool) {
    if iterates || draw.chance(40) {
        put(app, "iterations", int(if iterates { draw.within(3..=8) } else { draw.within(1..=3) }));
    }
    if draw.chance(60) {
        if !app.contains_key("flops_per_second") {
            put(app, "compute", draw.time(0..=20_000_000));
        }
        for share in ["imbalance", "jitter"] {
            if draw.chance(30) {
                put(app, share, draw.pick(&[0.0, 0.01, 0.5, 1.0]));
            }
        }
        if draw.chance(30) {
            put(app, "distribution", draw.pick(&["uniform", "normal"]));
        }
    }
}

/// Draws a program in its own order.
fn ordered(draw: &mut Draw, most: u64, system: &System) -> (Table, u64) {
    let (kind, modes) = draw.pick(&ORDERED);
    let mut keys = table([("kind", kind.into())]);
    if draw.chance(50) {
        put(&mut keys, "mode", draw.pick(modes));
    }
    if matches!(kind, "all-to-all" | "stencil") {
        put(&mut keys, "order", "program");
    }
    let ranks = match kind {
        "transformer" => Some(transformer(draw, &mut keys, most)),
        "inference" if most < 3 => {
            put(&mut keys, "kind", "isam");
            put(&mut keys, "ranks", int(most));
            Some(most)
        }
        "inference" => Some(inference(draw, &mut keys, most)),
        "graph500" | "gromacs" | "isam" | "linpack" | "namd" | "random-access" => {
            Some(code(draw, kind, &mut keys, most))
        }
        "hpcg" => Some(hpcg(draw, &mut keys, most)),
        "lulesh" => Some(lulesh(draw, &mut keys, most)),
        "mapreduce" => Some(mapreduce(draw, &mut keys, most, system)),
        "sweep3d" => Some(sweep3d(draw, &mut keys, most)),
        "pencil-fft" => Some(pencil_fft(draw, &mut keys, most)),
        _ => None,
    };
    if let Some(ranks) = ranks {
        return (keys, ranks);
    }
    put(&mut keys, "bytes", bytes(draw, system));
    let power_of_two = 1 << draw.within(0..=u64::from(most.ilog2()));
    let ranks = match kind {
        "stencil" | "wavefront" => {
            let dims = dims(draw, 3, 4, most);
            put(&mut keys, "dims", list(&dims));
            if kind == "stencil" {
                let is_periodic = draw.chance(50) && draw.chance(50);
                put(&mut keys, "periodic", is_periodic);
            }
            return (keys, dims.iter().product());
        }
        "binary-tree" | "butterfly" => power_of_two,
        "random-waves" | "n-bodies" | "ping-pong" if most < 2 => {
            return (table([("kind", "wavefront".into()), ("dims", list(&[1])), ("bytes", "1 B".into())]), 1);
        }
        "random-waves" | "n-bodies" => draw.within(2..=most),
        "ping-pong" => 2 * draw.within(1..=most / 2),
        _ => draw.within(1..=most),
    };
    put(&mut keys, "ranks", int(ranks));
    match kind {
        "butterfly" if draw.chance(50) => put(&mut keys, "growing", draw.chance(50)),
        "all-to-all" => {
            if draw.chance(50) {
                put(&mut keys, "groups", groups(draw, ranks));
            }
            if draw.chance(60) {
                put(&mut keys, "destinations", draw.pick(&["from-next", "from-zero"]));
            }
        }
        "one-to-all" | "all-to-one" if draw.chance(50) => put(&mut keys, "root", int(draw.below(ranks))),
        "random-waves" => {
            put(&mut keys, "messages", int(draw.within(1..=60)));
            put(&mut keys, "wave", int(draw.within(1..=70)));
        }
        _ => {}
    }
    (keys, ranks)
}

/// Draws the keys of a benchmark or a code, and returns its ranks.
fn code(draw: &mut Draw, kind: &str, keys: &mut Table, most: u64) -> u64 {
    let ranks = draw.within(most.min(2)..=most);
    match kind {
        "linpack" => {
            let rows = 1 << draw.within(0..=u64::from(most.ilog2()));
            let columns = draw.within(1..=most / rows);
            put(keys, "grid", list(&[rows, columns]));
            put(keys, "size", int(draw.within(1..=20)));
            if draw.chance(80) {
                put(keys, "block", int(draw.within(1..=8)));
            }
            return rows * columns;
        }
        // One rank has nobody to send to.
        "random-access" if ranks > 1 => {
            put(keys, "updates", int(ranks * draw.within(1..=4)));
            if draw.chance(50) {
                put(keys, "ahead", int(draw.within(1..=20)));
            }
        }
        "gromacs" => {
            let mut cells = dims(draw, 3, 4, most);
            cells.resize(3, 1);
            put(keys, "dims", list(&cells));
            // Less than half of the side, so that two cells do not reach themselves.
            for (key, value) in [("side", Value::from(4.0)), ("cutoff", draw.pick(&[0.5, 1.0, 1.5]).into())] {
                put(keys, key, value);
            }
            for (key, most) in [("atoms", 999), ("search", 3), ("energies", 99)] {
                if draw.chance(80) {
                    put(keys, key, int(draw.within(1..=most)));
                }
            }
            return cells.iter().product();
        }
        "namd" => {
            put(keys, "patches", list(&[ranks, draw.within(1..=3), draw.within(1..=3)]));
            put(keys, "grid", list(&[draw.within(1..=9), draw.within(1..=9), draw.within(1..=9)]));
            put(keys, "atoms", int(draw.within(1..=999)));
            if draw.chance(30) {
                put(keys, "system", draw.pick(&["stmv", "apoa1"]));
            }
            if draw.chance(70) {
                put(keys, "pme", int(draw.below(3)));
            }
        }
        "graph500" => {
            for (key, least, most) in [("scale", 1, 12), ("levels", 1, 4), ("edge_factor", 1, 16)] {
                if draw.chance(90) {
                    put(keys, key, int(draw.within(least..=most)));
                }
            }
            for key in ["setup", "validation"] {
                if draw.chance(30) {
                    put(keys, key, draw.chance(80));
                }
            }
        }
        _ => put(keys, "kind", "isam"),
    }
    put(keys, "ranks", int(ranks));
    ranks
}

/// Draws the keys of HPCG with small boxes, and returns its ranks.
fn hpcg(draw: &mut Draw, keys: &mut Table, most: u64) -> u64 {
    let mut ranks = dims(draw, 3, 4, most);
    ranks.resize(3, 1);
    put(keys, "dims", list(&ranks));
    put(keys, "local", list(&[8, draw.pick(&[8, 16]), 8]));
    // A set has many iterations.
    put(keys, "iterations", int(1));
    ranks.iter().product()
}

/// Draws the keys of LULESH with small cubes, and returns its ranks.
fn lulesh(draw: &mut Draw, keys: &mut Table, most: u64) -> u64 {
    let ranks = draw.within(1..=3).pow(3);
    let ranks = if ranks > most { 1 } else { ranks };
    put(keys, "ranks", int(ranks));
    put(keys, "side", int(draw.within(1..=20)));
    ranks
}

/// Draws the keys of Sweep3D with few cells, and returns its ranks.
fn sweep3d(draw: &mut Draw, keys: &mut Table, most: u64) -> u64 {
    let mut grid = dims(draw, 2, 4, most);
    grid.resize(2, 1);
    let batch = draw.within(1..=3);
    put(keys, "grid", list(&grid));
    put(keys, "cells", list(&[grid[0] + draw.below(4), grid[1] + draw.below(4), draw.within(1..=4)]));
    put(keys, "angles", int(batch * draw.within(1..=2)));
    put(keys, "batch", int(batch));
    put(keys, "planes", int(draw.within(1..=4)));
    grid.iter().product()
}

/// Draws the keys of an FFT of few points, and returns its ranks.
fn pencil_fft(draw: &mut Draw, keys: &mut Table, most: u64) -> u64 {
    let mut grid = dims(draw, 2, 4, most);
    grid.resize(2, 1);
    let [row, column] = [grid[0], grid[1]];
    let mut sides = [row, row * column, column].map(|parts| parts * draw.within(1..=3));
    put(keys, "grid", list(&grid));
    if draw.chance(30) {
        sides[2] = column;
        put(keys, "element", "8 B");
    }
    put(keys, "points", list(&sides));
    row * column
}

/// Draws the keys of small jobs of MapReduce, and returns their ranks.
fn mapreduce(draw: &mut Draw, keys: &mut Table, most: u64, system: &System) -> u64 {
    let ranks = draw.within(1..=most);
    let mappers = draw.within(1..=ranks);
    put(keys, "ranks", int(ranks));
    put(keys, "bytes", format!("{} B", 1 + size(draw, system)));
    if draw.chance(50) {
        put(keys, "mappers", int(mappers));
        put(keys, "reducers", int(draw.within((ranks - mappers).max(1)..=ranks)));
    }
    for (key, most) in [("tasks", 3), ("keys", 99), ("replicas", ranks.min(3))] {
        if draw.chance(50) {
            put(keys, key, int(draw.within(1..=most)));
        }
    }
    if draw.chance(50) {
        put(keys, "popularity", draw.pick(&["equal", "zipf"]));
    }
    ranks
}

/// Draws the keys of the training of a small transformer, and returns its ranks.
fn transformer(draw: &mut Draw, keys: &mut Table, most: u64) -> u64 {
    let mut shares = dims(draw, 4, 4, most);
    shares.resize(4, 1);
    for (key, share) in ["tensor", "pipeline", "data", "context"].into_iter().zip(&shares) {
        if *share > 1 || draw.chance(30) {
            put(keys, key, int(*share));
        }
    }
    let [_, pipeline, data, context] = shares[..] else { return 1 };
    let chunks = if pipeline > 1 && draw.chance(40) { 2 } else { 1 };
    if chunks > 1 {
        put(keys, "virtual_stages", int(chunks));
        put(keys, "micro_batches", int(pipeline * draw.within(1..=2)));
    } else if draw.chance(50) {
        put(keys, "micro_batches", int(draw.within(1..=3)));
    }
    model(draw, keys, pipeline * chunks);
    put(keys, "sequence", int(context * draw.within(1..=9)));
    for (key, most) in [("micro_batch", 3), ("element", 4), ("gradient", 4)] {
        if draw.chance(50) {
            put(keys, key, int(draw.within(1..=most)));
        }
    }
    if experts(draw, keys, data) && draw.chance(70) {
        put(keys, "expert", int(data));
    }
    if draw.chance(50) {
        put(keys, "sums", draw.pick(&["rings", "collectives"]));
        put(keys, "overlap", keys["sums"].as_str() == Some("collectives") && draw.chance(50));
    }
    if draw.chance(40) {
        put(keys, "data_sharding", draw.pick(&["none", "optimizer", "full"]));
    }
    if draw.chance(30) {
        put(keys, "sequence_parallel", draw.chance(50));
    }
    if draw.chance(30) {
        put(keys, "flops_per_second", draw.pick(&["100 Mflop/s", "1 Tflop/s"]));
        put(keys, "efficiency", draw.pick(&[0.3, 1.0]));
        if draw.chance(40) {
            put(keys, "tensor_bandwidth", "1 GB/s");
        }
    }
    shares.iter().product()
}

/// Draws a small model with a multiple of so many layers.
fn model(draw: &mut Draw, keys: &mut Table, layers: u64) {
    if draw.chance(40) {
        put(keys, "model", draw.pick(&["llama-3-8b", "llama-3-70b", "llama-3-405b", "gpt-3-175b", "mixtral-8x7b"]));
    }
    put(keys, "layers", int(layers * draw.within(1..=2)));
    put(keys, "hidden", int(draw.within(1..=8)));
    // A published model is too large for a small machine.
    let is_published = keys.contains_key("model");
    if is_published || draw.chance(30) {
        let groups = draw.within(1..=3);
        put(keys, "kv_heads", int(groups));
        put(keys, "heads", int(groups * draw.within(1..=3)));
        put(keys, "head_size", int(draw.within(1..=4)));
    }
    if is_published || draw.chance(30) {
        put(keys, "feed_forward", int(draw.within(1..=9)));
        put(keys, "gated", draw.chance(50));
        put(keys, "vocabulary", int(draw.below(9)));
    }
}

/// Draws a multiple of so many experts, or none; returns whether there are some.
fn experts(draw: &mut Draw, keys: &mut Table, of: u64) -> bool {
    let has_experts = draw.chance(30) || keys.contains_key("model");
    if has_experts {
        let experts = of * draw.within(1..=2);
        put(keys, "experts", int(experts));
        put(keys, "experts_per_token", int(draw.within(1..=experts.min(2))));
    }
    has_experts
}

/// Draws the keys of the serving of a small transformer, and returns its ranks: at most so many, at least three.
fn inference(draw: &mut Draw, keys: &mut Table, most: u64) -> u64 {
    let mut ranks = 1;
    for (pool, most) in [("prefill", (most - 1) / 2), ("decode", most / 2)] {
        let tensor = draw.within(1..=most.min(3));
        let groups = draw.within(1..=(most / tensor).min(2));
        for (key, number) in [("tensor", tensor), ("groups", groups)] {
            if number > 1 || draw.chance(30) {
                put(keys, &format!("{pool}_{key}"), int(number));
            }
        }
        ranks += tensor * groups;
    }
    model(draw, keys, 1);
    experts(draw, keys, 1);
    put(keys, "requests", int(draw.within(2..=9)));
    put(keys, "requests_per_second", draw.pick(&[1e4, 1e5, 1e6]));
    put(keys, "prompt", int(draw.within(1..=20)));
    put(keys, "output", int(draw.within(1..=6)));
    if draw.chance(60) {
        put(keys, "lengths", draw.pick(&["fixed", "uniform", "exponential"]));
    }
    for (key, most) in [("batch", 4), ("element", 4)] {
        if draw.chance(50) {
            put(keys, key, int(draw.within(1..=most)));
        }
    }
    put(keys, "flops_per_second", draw.pick(&["100 Mflop/s", "1 Tflop/s"]));
    if draw.chance(50) {
        put(keys, "efficiency", draw.pick(&[0.3, 1.0]));
    }
    put(keys, "memory_bandwidth", draw.pick(&["1 GB/s", "3350 GB/s"]));
    ranks
}

fn plain(draw: &mut Draw, most: u64, system: &System) -> (Table, u64) {
    let kind = draw.pick(&PHASED);
    let mut keys = table([("kind", kind.into())]);
    if draw.chance(20) {
        put(&mut keys, "mode", draw.pick(MODES));
    }
    let ranks = match kind {
        "stencil" => {
            let dims = dims(draw, 3, 4, most);
            put(&mut keys, "dims", list(&dims));
            put(&mut keys, "bytes", bytes(draw, system));
            if draw.chance(50) {
                put(&mut keys, "periodic", draw.chance(50));
            }
            if draw.chance(20) {
                put(&mut keys, "order", "phases");
            }
            dims.iter().product()
        }
        "milc" => {
            let mut dims = dims(draw, 4, 2, most);
            dims.resize(4, 1);
            put(&mut keys, "dims", list(&dims));
            if draw.chance(70) {
                put(&mut keys, "local", list(&[4, 4, 4, draw.pick(&[4, 6])]));
            }
            if draw.chance(50) {
                put(&mut keys, "sums", int(draw.below(3)));
            }
            dims.iter().product()
        }
        "all-to-all" => {
            let ranks = draw.within(1..=most);
            put(&mut keys, "ranks", int(ranks));
            put(&mut keys, "bytes", bytes(draw, system));
            if draw.chance(30) {
                put(&mut keys, "groups", groups(draw, ranks));
                put(&mut keys, "order", "phases");
            }
            ranks
        }
        "permutation" => permutation(draw, &mut keys, most, system),
        _ if most < 2 => {
            keys = table([("kind", "stencil".into()), ("dims", list(&[1])), ("bytes", "1 B".into())]);
            1
        }
        _ => {
            let ranks = draw.within(2..=most);
            put(&mut keys, "ranks", int(ranks));
            put(&mut keys, "degree", int(draw.within(1..=4)));
            if draw.chance(30) {
                let share = draw.pick(&[0.0, 0.25, 1.0]).into();
                put(&mut keys, "region", table([("ranks", int(draw.within(2..=ranks))), ("share", share)]));
            }
            put(&mut keys, "bytes", bytes(draw, system));
            ranks
        }
    };
    (keys, ranks)
}

/// Draws a number of groups that divides some ranks.
fn groups(draw: &mut Draw, ranks: u64) -> Value {
    let divisors: Vec<u64> = (1..=ranks).filter(|groups| ranks.is_multiple_of(*groups)).collect();
    int(draw.pick(&divisors))
}

/// Draws the keys of a permutation, and returns its ranks.
fn permutation(draw: &mut Draw, keys: &mut Table, most: u64, system: &System) -> u64 {
    let pattern = draw.pick(&PATTERNS);
    let bits = draw.within(0..=u64::from(most.ilog2()));
    let ranks = match pattern {
        "bit-reversal" | "shuffle" => 1 << bits,
        "transpose" => 1 << (bits / 2 * 2),
        _ => draw.within(1..=most),
    };
    put(keys, "pattern", pattern);
    put(keys, "ranks", int(ranks));
    put(keys, "bytes", bytes(draw, system));
    if draw.chance(40) {
        put(keys, "messages", int(draw.within(1..=4)));
    }
    if pattern == "shift" && draw.chance(60) {
        put(keys, "by", int(draw.below(ranks)));
    }
    ranks
}

/// Draws a program of the NAS Parallel Benchmarks with as many ranks as it permits.
fn npb(draw: &mut Draw, class: usize, most: u64) -> (Table, u64) {
    let kind = draw.pick(&NPB);
    let power_of_two = 1 << draw.within(0..=u64::from(most.ilog2()));
    let ranks = match kind {
        "bt" | "sp" => draw.within(1..=most.isqrt()).pow(2),
        // Class S has twelve points in each dimension, four for each rank.
        "lu" if class == 0 => power_of_two.min(4),
        _ => power_of_two,
    };
    // IS has no class E.
    let class = if kind == "is" { class.min(5) } else { class };
    let mut keys = table([("kind", kind.into()), ("ranks", int(ranks))]);
    if kind != "ep" {
        put(&mut keys, "class", CLASSES[class]);
        // Programs of larger classes take long, and so do all iterations of one.
        if class < 2 && draw.chance(50) {
            let order = draw.pick(&["phases", "program"]);
            put(&mut keys, "order", order);
            if order == "program" {
                put(&mut keys, "iterations", int(draw.within(1..=2)));
            }
        }
    }
    (keys, ranks)
}

/// Draws sizes of dimensions whose product is at most `most`.
fn dims(draw: &mut Draw, count: u64, longest: u64, most: u64) -> Vec<u64> {
    let mut dims: Vec<u64> = (0..draw.within(1..=count)).map(|_| draw.within(1..=longest)).collect();
    while dims.iter().product::<u64>() > most {
        dims.pop();
        if dims.is_empty() {
            dims.push(1);
        }
    }
    dims
}

/// Draws the size of a message: up to some packets.
pub fn bytes(draw: &mut Draw, system: &System) -> String {
    format!("{} B", size(draw, system))
}

/// Draws a number of bytes of up to some packets.
pub fn size(draw: &mut Draw, system: &System) -> u64 {
    let switch = &system.config.switch;
    let packet = u64::from(switch.packet_flits) * switch.flit.0;
    match draw.below(6) {
        0 => draw.below(2),
        1 => packet,
        2 => draw.below(8 * packet),
        _ => draw.below(2 * packet),
    }
}
