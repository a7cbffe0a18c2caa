//! Draws an experiment from a seed.
//!
//! What a section may say depends on the sections before it: the classes of links on the network, the load on the
//! bandwidth. So the sections are drawn one after the other, and the schema says what has become of those before.

mod app;
mod balance;
mod edge;
mod flows;
mod graph_file;
mod hardware;
mod job;
mod link;
mod money;
mod network;
mod policy;
mod power;
mod scheduler;
mod state_list;
mod subnet;
mod switch;
mod text;
mod trace;
mod traffic;
mod transport;

use std::path::Path;

use drowse_experiment::System;
use toml::{Table, Value};

use crate::draw::Draw;
use crate::machine::Machine;

/// What runs on a machine; the sizes of flits and the times of windows follow from it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Work {
    /// Open-loop traffic.
    Traffic,
    /// Jobs whose messages are a few packets long.
    Jobs,
    /// An application of the NAS Parallel Benchmarks of this class, by its place in the list of classes.
    Npb(usize),
}

/// Draws the machine of a seed. Files that it names are written to a folder, which must be there.
pub fn machine(seed: u64, folder: &Path) -> Machine {
    machine_moved(seed, folder, |draw, machine| {
        if draw.chance(15) {
            flows::draw(draw, machine);
        }
    })
}

/// Draws the machine of a seed as one whose messages move as flows; most of what these refuse is left out.
pub fn machine_of_flows(seed: u64, folder: &Path) -> Machine {
    machine_moved(seed, folder, flows::draw_fitting)
}

/// Draws the machine of a seed; how its messages move, by what is given.
fn machine_moved(seed: u64, folder: &Path, moved: impl FnOnce(&mut Draw, &mut Machine)) -> Machine {
    let draw = &mut Draw::new(seed);
    let (mut machine, drawn) = hardware_and_power(draw, seed, folder, work);
    let Some((system, work)) = drawn else { return with_some_traffic(machine) };
    match work {
        Work::Traffic => traffic::draw(draw, &mut machine, &system),
        Work::Jobs | Work::Npb(_) => job::draw(draw, &mut machine, &system, work),
    }
    // Drawn last, so that without it a seed's machine stays what it was.
    if work == Work::Jobs && draw.chance(10) {
        traffic::draw_beside(draw, &mut machine, &system);
    }
    moved(draw, &mut machine);
    money::draw(draw, &mut machine, &system);
    balance::draw(draw, &mut machine, &system);
    transport::draw(draw, &mut machine, &system);
    machine
}

/// Draws a machine that the twin models, but for few: open-loop traffic, with policies that the twin has.
pub fn machine_of_twin(seed: u64, folder: &Path) -> Machine {
    let draw = &mut Draw::new(seed);
    let (mut machine, drawn) = hardware_and_power(draw, seed, folder, |_, _| Work::Traffic);
    let Some((system, _)) = drawn else { return with_some_traffic(machine) };
    traffic::draw(draw, &mut machine, &system);
    power::fit_twin(&mut machine.tables);
    balance::draw_for_twin(draw, &mut machine, &system);
    transport::draw_for_twin(draw, &mut machine, &system);
    machine
}

/// Draws a network with its switches, links and policies; `None` where the schema refuses it.
pub fn system_of(seed: u64, folder: &Path) -> Option<System> {
    let (_, drawn) = hardware_and_power(&mut Draw::new(seed), seed, folder, |_, _| Work::Jobs);
    drawn.map(|(system, _)| system)
}

/// Draws a network of a kind with a routing. Returns a machine that is as usual but for it; `None` where the schema refuses
/// it.
pub fn network_of_kind(kind: &str, routing: &str, seed: u64, folder: &Path) -> Option<System> {
    let mut machine = Machine::default();
    network::draw_kind(&mut Draw::new(seed), &mut machine, kind, routing);
    system(&machine, folder)
}

/// Draws all sections but those of what runs. Returns them with the system that they make, and what is to run; `None`
/// where the schema refuses them.
fn hardware_and_power(
    draw: &mut Draw,
    seed: u64,
    folder: &Path,
    work: impl FnOnce(&mut Draw, &System) -> Work,
) -> (Machine, Option<(System, Work)>) {
    let mut machine = Machine::default();
    head(draw, &mut machine);
    network::draw(draw, &mut machine, folder);
    let Some(bare) = system(&machine, folder) else { return (machine, None) };
    // Presets of papers are of trees but for one.
    let of_trees = bare.config.switch.vcs.any > 0;
    if draw.chance(if of_trees { 15 } else { 4 }) {
        let any = ["andujar-2019", "slingshot", "infiniband-ndr", "ethernet-51t", "tofu-d", "bxi"];
        let trees = ["navaridas-2010", "insee", "saravanan-2018"];
        let presets: &[&str] = if of_trees && draw.chance(60) { &trees } else { &any };
        machine.put("preset", draw.pick(presets));
    }
    let work = work(draw, &bare);
    switch::draw(draw, &mut machine, &bare, work);
    link::draw(draw, &mut machine, &bare);
    node(draw, &mut machine);
    power::draw(draw, &mut machine, &bare, work);
    cost(draw, &mut machine);
    hardware::draw(seed, &mut machine, folder);
    let drawn = system(&machine, folder).map(|system| (system, work));
    (machine, drawn)
}

/// Returns what the sections that are drawn so far make, unless they are refused.
fn system(machine: &Machine, folder: &Path) -> Option<System> {
    // A file that cannot be written is missed where it is read.
    machine.write_files(folder).ok()?;
    drowse_experiment::system(&machine.source(folder).ok()?).ok()
}

/// Adds what is missing to a machine that the schema refuses.
fn with_some_traffic(mut machine: Machine) -> Machine {
    let traffic = [("load", Value::from(0.1)), ("warmup", "10 cycles".into()), ("measure", "100 cycles".into())];
    machine.put("traffic", table(traffic));
    machine
}

/// Makes a table.
fn table<const N: usize>(keys: [(&str, Value); N]) -> Table {
    keys.into_iter().map(|(key, value)| (key.to_owned(), value)).collect()
}

/// Puts a key into a table.
fn put(table: &mut Table, key: &str, value: impl Into<Value>) {
    table.insert(key.to_owned(), value.into());
}

/// Makes a number.
fn int(number: u64) -> Value {
    Value::Integer(i64::try_from(number).unwrap_or(i64::MAX))
}

/// Makes a list of numbers.
fn list(numbers: &[u64]) -> Value {
    Value::Array(numbers.iter().copied().map(int).collect())
}

fn head(draw: &mut Draw, machine: &mut Machine) {
    if draw.chance(20) {
        machine.put("title", "A random machine");
    }
    if draw.chance(60) {
        machine.put("seed", int(draw.below(1000)));
    }
}

fn work(draw: &mut Draw, system: &System) -> Work {
    if draw.chance(50) {
        return Work::Traffic;
    }
    // A long run of a large network takes long to audit.
    if draw.chance(70) || system.network.channels() > 1_000 {
        return Work::Jobs;
    }
    let larger = draw.within(1..=6) as usize;
    Work::Npb(if draw.chance(50) { 0 } else { larger })
}

fn node(draw: &mut Draw, machine: &mut Machine) {
    let mut node = Table::new();
    if draw.chance(40) {
        put(&mut node, "cores", int(draw.within(1..=4)));
    }
    if draw.chance(30) {
        let memory = [("latency", draw.time(0..=300_000).into()), ("bandwidth", draw.bandwidth().into())];
        put(&mut node, "memory", table(memory));
    }
    if draw.chance(60) {
        put(&mut node, "eager_limit", format!("{} B", draw.scaled(0..=8_192)));
    }
    if draw.chance(40) {
        put(&mut node, "nic_latency", draw.time(0..=100_000));
    }
    if draw.chance(30) {
        put(&mut node, "injection", draw.pick(&["round-robin", "first"]));
    }
    if draw.chance(30) {
        put(&mut node, "receive_overhead", draw.time(0..=100_000));
    }
    if draw.chance(15) {
        let mut overheads = Table::new();
        for key in ["message", "gap", "byte", "gap_per_byte"] {
            if draw.chance(60) {
                put(&mut overheads, key, draw.time(0..=if key.ends_with("byte") { 100 } else { 300_000 }));
            }
        }
        put(&mut node, "overheads", overheads);
    }
    machine.put("node", node);
}

fn cost(draw: &mut Draw, machine: &mut Machine) {
    if draw.chance(10) {
        let mut cost = table([
            ("system_power", format!("{} MW", draw.within(1..=30)).into()),
            ("price", Value::from(0.1)),
            ("years", Value::from(4.0)),
        ]);
        if draw.chance(50) {
            put(&mut cost, "network", draw.share());
            put(&mut cost, "links", draw.share());
        }
        if draw.chance(50) {
            put(&mut cost, "carbon", Value::from(350.0));
        }
        machine.put("cost", cost);
    }
}
