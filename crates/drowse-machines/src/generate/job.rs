//! Draws `[[job]]`: one or several jobs that fit the machine.

use std::fmt::Write;

use drowse_core::power::ClassPolicy;
use drowse_experiment::System;
use toml::{Table, Value};

use super::{Work, app, int, put, scheduler, text, trace};
use crate::draw::Draw;
use crate::machine::Machine;

/// The most ranks of a job.
const MOST_RANKS: u64 = 16;

/// Draws the section.
pub fn draw(draw: &mut Draw, machine: &mut Machine, system: &System, work: Work) {
    let mut free = u64::from(system.network.nodes) * u64::from(system.cores);
    let mut jobs: Vec<Value> = Vec::new();
    let wanted = draw.pick(&[1, 1, 2, 3]);
    let scheduled = work == Work::Jobs && !iterates(system) && draw.chance(20);
    if scheduled {
        scheduler::draw(draw, machine);
    }
    while jobs.len() < wanted && free > 0 {
        let (mut keys, ranks, taken) = job(draw, machine, system, work, free, jobs.len());
        if scheduled {
            // It waits for the ends of all.
            keys.retain(|_, value| value.as_str() != Some("until-others-end"));
            // All may use the whole machine, one after the other.
            scheduler::queue(draw, machine, &mut keys, ranks);
        } else {
            free -= taken;
        }
        jobs.push(keys.into());
    }
    // A single job may be written as a table.
    match jobs.pop() {
        Some(only) if jobs.is_empty() && draw.chance(30) => machine.put("job", only),
        last => {
            jobs.extend(last);
            machine.put("job", jobs);
        }
    }
}

/// Draws a job for some of the free cores, and returns its ranks and how many cores it takes.
fn job(
    draw: &mut Draw,
    machine: &mut Machine,
    system: &System,
    work: Work,
    free: u64,
    number: usize,
) -> (Table, u64, u64) {
    let mut keys = Table::new();
    let most = free.min(MOST_RANKS);
    let iterates = iterates(system);
    let (ranks, program) = if work == Work::Jobs && draw.chance(50) {
        let ranks = draw.within(1..=most);
        let (name, format, program) = if draw.chance(50) {
            (format!("trace-{number}.ti"), "simgrid-ti", trace::draw(draw, ranks, system))
        } else {
            (format!("trace-{number}.drowse"), "drowse", text::draw(draw, ranks, system))
        };
        machine.add_file(name.clone(), program);
        if draw.chance(20) {
            put(&mut keys, "format", format);
        }
        put(&mut keys, "trace", name);
        compute(draw, &mut keys);
        if draw.chance(15) {
            let (from, length) = (draw.scaled(0..=5_000_000), draw.scaled(1..=50_000_000));
            let times = [format!("{from} ps.."), format!("{from} ps..{} ps", from + length), format!("..{length} ps")];
            put(&mut keys, "time", times[draw.below(3) as usize].clone());
        }
        (ranks, "trace")
    } else {
        let (value, ranks) = app::draw(draw, work, most, system, iterates);
        put(&mut keys, "app", value);
        (ranks, "app")
    };
    if draw.chance(30) {
        put(&mut keys, "name", format!("{program} {number}"));
    }
    if draw.chance(30) {
        put(&mut keys, "ranks", int(ranks));
    }
    let copies = if 2 * ranks <= free && draw.chance(15) { draw.within(1..=2) } else { 0 };
    if copies > 0 {
        put(&mut keys, "count", int(copies));
    }
    if draw.chance(30) {
        put(&mut keys, "start", draw.time(0..=5_000_000));
    }
    if number > 0 && work == Work::Jobs && draw.chance(25) {
        // The first job ends by itself.
        put(&mut keys, "repeat", "until-others-end");
    } else if draw.chance(30) || (iterates && program == "trace") {
        put(&mut keys, "repeat", int(draw.within(1..=if iterates { 6 } else { 3 })));
    }
    if draw.chance(30) {
        put(&mut keys, "seed", int(draw.below(1000)));
    }
    collectives(draw, &mut keys);
    placement(draw, &mut keys, machine, system, ranks, number == 0 && copies == 0);
    (keys, ranks, ranks * copies.max(1))
}

/// Returns whether the runtime system waits for iterations.
fn iterates(system: &System) -> bool {
    system.policy.classes().iter().any(|class| matches!(class, ClassPolicy::Runtime(_)))
}

/// Operations whose algorithm may be named, and algorithms.
const ALGORITHMS: [(&str, &[&str]); 10] = [
    ("barrier", &["dissemination", "recursive-doubling", "folded-doubling", "linear", "tree", "hierarchical"]),
    (
        "bcast",
        &[
            "linear",
            "linear-nonblocking",
            "binomial",
            "knomial",
            "binary",
            "chain",
            "split-binary",
            "scatter-allgather",
            "scatter-allgather-ring",
            "hierarchical",
            "nccl-ring",
        ],
    ),
    (
        "reduce",
        &["linear", "binomial", "binary", "in-order-binary", "chain", "rabenseifner", "hierarchical", "nccl-ring"],
    ),
    (
        "allreduce",
        &[
            "recursive-doubling",
            "ring",
            "reduce-bcast",
            "linear",
            "rabenseifner",
            "rabenseifner-doubling",
            "hierarchical",
            "nccl-ring",
            "double-binary-tree",
        ],
    ),
    ("gather", &["linear", "linear-sync", "binomial"]),
    ("scatter", &["linear", "linear-nonblocking", "binomial", "binomial-largest-first"]),
    (
        "allgather",
        &["recursive-doubling", "bruck", "ring", "neighbour-exchange", "gather-bcast", "hierarchical", "nccl-ring"],
    ),
    ("alltoall", &["linear", "pairwise", "bruck"]),
    ("alltoallv", &["linear", "pairwise"]),
    ("reduce_scatter", &["recursive-halving", "ring", "butterfly", "reduce-scatterv", "hierarchical", "nccl-ring"]),
];

/// Draws the algorithms of some collective operations.
fn collectives(draw: &mut Draw, keys: &mut Table) {
    if draw.chance(20) {
        let mut named = Table::new();
        for (operation, algorithms) in ALGORITHMS {
            if draw.chance(40) {
                put(&mut named, operation, draw.pick(algorithms));
            }
        }
        if draw.chance(30) {
            put(&mut named, "rules", draw.pick(&["classic", "4.1"]));
        }
        if draw.chance(20) {
            put(&mut named, "channels", int(draw.within(1..=8)));
        }
        if draw.chance(30) {
            put(&mut named, "segment", format!("{} KiB", draw.within(4..=64)));
        }
        put(keys, "collectives", named);
    }
}

/// Draws how the computations of a trace become time.
fn compute(draw: &mut Draw, keys: &mut Table) {
    if draw.chance(40) {
        let mut compute = Table::new();
        if draw.chance(50) {
            put(&mut compute, "flops_per_second", format!("{} Gflop/s", draw.within(1..=100)));
        }
        if draw.chance(50) {
            put(&mut compute, "scale", draw.pick(&[0.0, 0.5, 1.0, 3.3]));
        }
        if draw.chance(50) {
            let key = draw.pick(&["drop_multiples", "wait_multiples"]);
            put(&mut compute, key, format!("{} flop", draw.scaled(1..=100_000)));
        }
        put(keys, "compute", compute);
    }
}

/// Draws where the ranks run; only a job that is alone so far knows which cores are free, and may name them.
fn placement(draw: &mut Draw, keys: &mut Table, machine: &mut Machine, system: &System, ranks: u64, alone: bool) {
    let word = draw.pick(&["linear", "round-robin", "random", "random-nodes", "file", "machine"]);
    match word {
        "file" if alone => {
            let cores = u64::from(system.cores);
            let mut text = String::from("# A node a line\n");
            for rank in 0..ranks {
                // The last cores come first, so that jobs before this one have others.
                let node = u64::from(system.network.nodes) - 1 - rank / cores;
                let _ = writeln!(text, "{node}");
            }
            put(keys, "placement", "nodes.txt");
            machine.add_file("nodes.txt", text);
        }
        "machine" if alone => {
            put(keys, "dimemas", "machine.cfg");
            machine.add_file("machine.cfg", machine_file(draw, system));
        }
        "file" | "machine" => {}
        word => put(keys, "placement", word),
    }
}

/// Draws a machine file of Dimemas for all nodes: two kinds, of different speeds, and perhaps a mapping.
fn machine_file(draw: &mut Draw, system: &System) -> String {
    let (nodes, cores) = (system.network.nodes, system.cores);
    let mut text = String::new();
    for count in [nodes / 2, nodes - nodes / 2].into_iter().filter(|&count| count > 0) {
        let speed = draw.pick(&["0.5", "1.0", "3.0"]);
        let fields = format!("0, {count}, \"\", {cores}, {speed}, 0.0, 0.0, 1, 1, 0, 0.0, 1, 1, 0.0");
        let _ = writeln!(text, "\"multi node information\" {{{fields}}};;");
    }
    if draw.chance(50) {
        let mapping = draw.pick(&["FILL_NODES", "INTERLEAVED"]);
        let _ = writeln!(text, "\"predefined mapping information\" {{\"{mapping}\"}};;");
    }
    text
}
