//! Every key of every example, misspelt and given every kind of wrong value: an answer or one message at its place.
//!
//! What is not tested here is the wording, which the tests `wrong_*` show.

use std::fs;
use std::ops::Range;
use std::sync::Arc;

use drowse_core::engine::{self, SetupError, Simulation};
use drowse_core::workload::Workload;
use drowse_experiment::{Diagnostic, Location, Source, WorkloadSpec};
use toml::Spanned;
use toml::de::{DeTable, DeValue};

use crate::support::root;

/// Keys that the examples leave out.
const RARE: &str = r#"
title = "All that the examples leave out"
seed = 3
[network]
kind = "mesh"
dims = [3, 4]
trunk = [1, 2]
nodes = 2
[switch]
clock = "1.6 ns"
flit = "16 B"
packet = "128 B"
buffer = "16 KiB"
escape = "dateline"
vcs = { adaptive = 2, escape = 2 }
hop_latency = "50 ns"
input_speedup = 2
queues = "input"
forwarding = "cut-through"
trunks = "balanced"
balance = "flowlet"
flowlet_gap = "5 us"
flow = "message"
hash_seeds = "equal"
[[link]]
bandwidth = "10 GB/s"
latency = "10 ns"
[[link]]
class = "dim-0"
bandwidth = "20 Gb/s"
medium = "acc"
lanes = 2
hop_latency = "40 cycles"
[node]
cores = 2
memory = { latency = "300 ns", bandwidth = "10 GB/s" }
eager_limit = "64 KiB"
nic_latency = "10 ns"
injection = "first"
order = "in-sequence"
[power]
channels = "all"
policy = { kind = "stall-timer", shallow = "1 us", deep = "50 us" }
states = { deep = { power = 0.1, enter = "2.88 us", wake = "4.48 us" }, shallow = { power = 0.6, enter = "0 ns", wake = "250 ns" } }
watts = { device = "nexus-9336c-fx2", chassis = "share", counting = "published", unknown = "no-saving", on = 0.9, per_bit = 5e-12, per_packet = 2e-8, switch = 80.0, nic = { low = 10.0, high = 12.5 }, node = { preset = "archer2", busy = { low = 400.0, high = 420.0 }, wait = 300.0, idle = 150.0, free = 100.0, off = 10.0, accelerator = { per_node = 4, idle = 50.0, compute = 700.0, communicate = 300.0 } } }
wake_after = "1 us"
selection = "blind"
sleep_aware = false
directions = "both"
[power.model]
ports = 0.65
network = 0.15
idle_node = [0.0, 0.25]
reference = { switches = 64, ports = 7 }
[[power.class]]
class = "node"
policy = { kind = "always-on" }
watts = { on = 0.5, per_bit = 1e-12, per_packet = 1e-8 }
[cost]
system_power = "20 MW"
network = 0.12
links = 0.60
price = 0.114
carbon = 350
pue = 1.3
years = 4
[[cost.part]]
part = "cable"
model = "copper"
class = "node"
count = 12
price = 80.0
carbon = 2.5
"#;

const JOB: &str = r#"
[[job]]
name = "a"
trace = "a.tar.zst"
ranks = 4
placement = "linear"
start = "1 ms"
compute = { flops_per_second = "10 Gflop/s", scale = 1.0, drop_multiples = "1 Mflop", wait_multiples = "2 Mflop" }
[job.collectives]
barrier = "dissemination"
bcast = "split-binary"
reduce = "chain"
allreduce = "reduce-bcast"
gather = "linear"
scatter = "binomial"
allgather = "neighbour-exchange"
alltoall = "pairwise"
reduce_scatter = "recursive-halving"
segment = "64 KiB"
"#;

const TRAFFIC: &str = r#"
[traffic]
pattern = "uniform"
load = 0.3
packets = 2
include_self = true
count = "delivered"
warmup = "100 cycles"
measure = "1.6 us"
drain = false
"#;

/// Values of every type and dimension, in and out of every range.
const VALUES: &[&str] = &[
    "true",
    "7",
    "0",
    "-1",
    "1.5",
    "-0.5",
    "1e300",
    "nan",
    "-inf",
    "4294967295",
    "4294967296",
    "9223372036854775807",
    "\"\"",
    "\"word\"",
    "\"5 ns\"",
    "\"5 B\"",
    "\"5 GB/s\"",
    "\"5 flop\"",
    "\"5 Gflop/s\"",
    "\"5 cycles\"",
    "\"5\"",
    "\"-5 ns\"",
    "\"-5 B\"",
    "\"0 ns\"",
    "\"0 B\"",
    "\"0 B/s\"",
    "\"18446744073709551615 B\"",
    "\"1e300 s\"",
    "\"1 ps\"",
    "\"999999 s\"",
    "\"999999999999 cycles\"",
    "\"18446744073709551615 cycles\"",
    "\"1 b/s\"",
    "\"18446744073 Gb/s\"",
    "\"\\u0000 é µs\"",
    "[]",
    "[1, 2, 3]",
    "[\"word\"]",
    "[[]]",
    "{}",
    "{ word = 1 }",
    "1979-05-27",
];

/// Keys that must fit each other: a wrong value of the first may be told at the second.
const TOGETHER: &[(&str, &str)] = &[
    ("network.children", "network.parents"),
    ("network.a", "network.groups"),
    ("network.h", "network.groups"),
    ("network.spines", "network.groups"),
    ("switch.flit", "switch.packet"),
    ("switch.flit", "switch.buffer"),
    ("switch.packet", "switch.buffer"),
    ("switch.clock", "switch.pipeline"),
    ("switch.clock", "switch.hop_latency"),
    ("switch.clock", "link.1.hop_latency"),
    ("switch.clock", "traffic.warmup"),
    ("switch.clock", "traffic.measure"),
    ("link.0.latency", "switch.hop_latency"),
    ("link.0.bandwidth", "traffic.load"),
    ("switch.flit", "traffic.load"),
    ("switch.clock", "traffic.load"),
    ("traffic.packets.short", "traffic.packets.long"),
    ("power.policy.deep", "power.policy.shallow"),
    ("job.0.app.layers", "job.0.app.pipeline"),
];

/// A key of an experiment: where it and its value stand.
struct Key {
    path: String,
    key: Range<usize>,
    value: Range<usize>,
}

fn experiments() -> Vec<(String, String)> {
    let mut all = vec![("rare".to_owned(), format!("{RARE}{JOB}")), ("traffic".to_owned(), format!("{RARE}{TRAFFIC}"))];
    for entry in fs::read_dir(root("examples")).unwrap() {
        let path = entry.unwrap().path();
        if path.extension().is_some_and(|extension| extension == "toml") {
            let text = fs::read_to_string(&path).unwrap();
            if text.contains("[sweep]") {
                continue;
            }
            let name = path.file_name().unwrap().to_string_lossy().into_owned();
            let runs = text.contains("[traffic]") || text.contains("[[job]]");
            all.push((name, if runs { text } else { format!("{text}{TRAFFIC}") }));
        }
    }
    all.sort();
    all
}

fn keys_of(text: &str) -> Vec<Key> {
    let mut keys = Vec::new();
    collect("", DeTable::parse(text).unwrap().get_ref(), &mut keys);
    keys
}

fn collect(path: &str, table: &DeTable<'_>, keys: &mut Vec<Key>) {
    for (name, value) in table {
        let path = if path.is_empty() { name.get_ref().to_string() } else { format!("{path}.{}", name.get_ref()) };
        keys.push(Key { path: path.clone(), key: name.span(), value: value.span() });
        collect_below(&path, value, keys);
    }
}

fn collect_below(path: &str, value: &Spanned<DeValue<'_>>, keys: &mut Vec<Key>) {
    match value.get_ref() {
        DeValue::Table(table) => collect(path, table, keys),
        DeValue::Array(items) => {
            items.iter().enumerate().for_each(|(i, item)| collect_below(&format!("{path}.{i}"), item, keys));
        }
        _ => {}
    }
}

/// Resolves an experiment, and sets up its simulation where no file has to be opened.
fn resolve(text: String) -> Result<(), Diagnostic> {
    // Beside the examples, whose other files are found there.
    let source = Arc::new(Source::new(&root("examples/x.toml"), text, &[])?);
    let case = drowse_experiment::case(&source)?;
    if let WorkloadSpec::Traffic(traffic) = &case.workload {
        let (system, workload) = (&case.system, Workload::OpenLoop(traffic.clone()));
        let checked = engine::check(&system.network, &system.config, &system.policy, &workload);
        let set_up = Simulation::new(&system.network, &system.config, &system.policy, workload).map(|_| ());
        assert_eq!(checked, set_up, "the check, which a sweep begins with, refuses the same in the same words");
        if let Err(SetupError { key, reason }) = set_up {
            return Err(system.keys.error(key, reason, ""));
        }
    }
    Ok(())
}

/// Returns the byte of a text that a message points to; `None` where it concerns the whole file.
fn place(text: &str, error: &Diagnostic) -> Option<usize> {
    let Location::Position { line, column, .. } = &error.location else { return None };
    let start: usize = text.split_inclusive('\n').take(line - 1).map(str::len).sum();
    Some(start + text[start..].chars().take(column - 1).map(char::len_utf8).sum::<usize>())
}

/// Returns whether a message points into the log of jobs.
fn is_in_log(error: &Diagnostic) -> bool {
    matches!(&error.location, Location::Position { file, .. } if file.ends_with("log.swf"))
}

#[test]
fn misspelt_keys_are_told_with_the_right_one() {
    for (name, text) in experiments() {
        for key in keys_of(&text) {
            let wrong = format!("{}x{}", &text[..key.key.end], &text[key.key.end..]);
            let right = &text[key.key.clone()];
            let error = resolve(wrong.clone()).expect_err(right);
            assert!(error.message.contains(&format!("{right}x`")), "{name}: {}: {error}", key.path);
            assert!(error.help.contains(&format!("did you mean `{right}`?")), "{name}: {}: {error}", key.path);
            assert_eq!(place(&wrong, &error), Some(key.key.start), "{name}: {}: {error}", key.path);
        }
    }
}

#[test]
fn wrong_values_are_told_at_their_place() {
    let mut misplaced = Vec::new();
    for (name, text) in experiments() {
        let keys = keys_of(&text);
        // A table with a header of its own, or of dotted keys, has no value that could be replaced.
        for key in keys.iter().filter(|key| key.value.start >= key.key.end && !text[key.key.end..].starts_with('.')) {
            for value in VALUES {
                let wrong = format!("{}{value}{}", &text[..key.value.start], &text[key.value.end..]);
                let Err(error) = resolve(wrong.clone()) else { continue };
                let Some(at) = place(&wrong, &error) else {
                    misplaced.push(format!("{name}: {} = {value}: {error}", key.path));
                    continue;
                };
                // A job of a log that no program fits is told in the log.
                if is_in_log(&error) {
                    continue;
                }
                let here = (key.key.start..key.value.start + value.len()).contains(&at);
                let told = |other: &&Key| other.key.start == at || other.value.start == at;
                let around = |other: &Key| key.path.strip_prefix(&other.path).is_some_and(|rest| rest.starts_with('.'));
                let related = |other: &Key| TOGETHER.contains(&(key.path.as_str(), other.path.as_str()));
                // What follows the value has been moved.
                let moved = |at: usize| (at + key.value.len()).saturating_sub(value.len());
                let after = |other: &&Key| other.key.start == moved(at) || other.value.start == moved(at);
                let elsewhere = keys.iter().filter(told).any(|other| around(other) || related(other))
                    || keys.iter().filter(after).any(related);
                if !here && !elsewhere {
                    misplaced.push(format!("{name}: {} = {value}: {error}", key.path));
                }
            }
        }
    }
    assert!(misplaced.is_empty(), "{}", misplaced.join("\n\n"));
}
