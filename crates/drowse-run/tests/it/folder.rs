//! Simulates a whole folder of traces on several networks; on request, since it takes minutes: in release mode, with
//! `--nocapture` for the table.
//!
//! `DROWSE_TRACES` names a folder of `*.tar.zst` with a `MANIFEST.tsv` whose columns are named `trace`, `ranks`,
//! `p2p_msgs`, `p2p_bytes`, `flops_total`, `caveat` and one that begins with `simgrid` and may hold a makespan. Traces
//! of up to 64 ranks run to the end, except those that are refused, with their reasons.

#![expect(clippy::print_stdout, reason = "the table is what it is for")]

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::time::Instant;

use drowse_core::measure::Record;
use drowse_run::error::RunError;
use drowse_run::request::{Outcomes, RunRequest};

use crate::support::case;

/// Networks of 64 nodes or more.
const NETWORKS: &[(&str, &str)] = &[("torus", TORUS), ("tree", TREE)];

/// Links as in the makespans of the manifest: 10 GB/s, some 50 ns a hop.
const TORUS: &str = "
    [network]
    kind = \"torus\"
    dims = [4, 4, 4]
    [switch]
    hop_latency = \"50 ns\"
    [link]
    bandwidth = \"10 GB/s\"
";

/// A 4-ary 3-tree of the same links.
const TREE: &str = "
    [network]
    kind = \"tree\"
    k = 4
    n = 3
    [switch]
    vcs = { any = 4 }
    hop_latency = \"50 ns\"
    [link]
    bandwidth = \"10 GB/s\"
";

/// Traces that cannot be simulated, with words of the reason.
const REFUSED: &[(&str, &[&str])] =
    &[("amg-p1-n6.64", &["`allgatherv` cannot be simulated and occurs 160 times", "smaller communicator"])];

#[test]
fn folder_runs_to_the_end() {
    let Some(folder) = std::env::var_os("DROWSE_TRACES").map(PathBuf::from) else {
        println!("skipped: DROWSE_TRACES is not set");
        return;
    };
    let manifest = std::fs::read_to_string(folder.join("MANIFEST.tsv")).unwrap();
    let mut lines = manifest.lines();
    let header: Vec<_> = lines.next().unwrap().split('\t').collect();
    println!("trace, network, makespan s, mean computing s, SimGrid's crossbar s, wall s, events, warnings");
    for line in lines {
        let row: BTreeMap<_, _> = header.iter().copied().zip(line.split('\t')).collect();
        if row["ranks"].parse::<u32>().unwrap() <= 64 {
            NETWORKS.iter().for_each(|(name, network)| run(&folder, &row, name, network));
        }
    }
}

/// Runs one trace on one network.
fn run(folder: &Path, row: &BTreeMap<&str, &str>, name: &str, network: &str) {
    let trace = row["trace"];
    let archive = folder.join(format!("{trace}.tar.zst"));
    // Time spent polling is in the trace as computing of whole multiples.
    let drop = row["caveat"].contains("exact multiples of 1e6");
    let compute = if drop { "compute = { drop_multiples = \"1 Mflop\" }" } else { "" };
    let case = case(&format!("{network}\n[[job]]\ntrace = '{}'\n{compute}\n", archive.display()));
    let start = Instant::now();
    let result = RunRequest::new(&case).run();
    let wall = start.elapsed().as_secs_f64();
    let reasons = REFUSED.iter().find(|(refused, _)| *refused == trace).map(|(_, reasons)| *reasons);
    match (result, reasons) {
        (Ok(Outcomes { case: outcome, .. }), None) => {
            let record = outcome.record;
            check(row, &record, drop);
            let running: u64 = record.ranks.iter().map(|rank| rank.times.computing.0).sum();
            let computing = running as f64 / 1e12 / record.ranks.len() as f64;
            let makespan = record.makespan.unwrap().seconds();
            let theirs = row.iter().find(|(column, _)| column.starts_with("simgrid")).map_or("", |(_, value)| value);
            let theirs = theirs.strip_prefix("ok ").unwrap_or("-");
            println!("{trace}, {name}, {makespan:.7}, {computing:.7}, {theirs}, {wall:.1}, {}", record.events);
            record.warnings.iter().for_each(|warning| println!("    {warning}"));
        }
        (Err(RunError::Input(refused)), Some(reasons)) => {
            let message = refused.to_string();
            assert!(reasons.iter().all(|reason| message.contains(reason)), "{trace}: {message}");
            println!("{trace}, {name}, refused: {message}");
        }
        (Ok(_), Some(_)) => panic!("{trace} on {name}: runs, though it should be refused"),
        (Err(error), _) => panic!("{trace} on {name}: {error}"),
    }
}

/// Checks a record against the manifest: all time is spent, all messages are sent and all packets delivered.
fn check(row: &BTreeMap<&str, &str>, record: &Record, drop: bool) {
    let trace = row["trace"];
    let number = |column: &str| row[column].parse::<f64>().unwrap();
    let sum = |value: fn(&drowse_core::measure::RankRecord) -> u64| record.ranks.iter().map(value).sum::<u64>() as f64;
    // The manifest gives six digits; operations take 100 ps each.
    let computed = sum(|rank| rank.times.computing.0) / 100.0;
    let stated = number("flops_total");
    assert!(drop && computed < stated || (computed / stated - 1.0).abs() < 1e-5, "{trace}: {computed} flop");
    assert!(
        sum(|rank| rank.messages) >= number("p2p_msgs") && sum(|rank| rank.bytes) >= number("p2p_bytes"),
        "{trace}"
    );
    assert_eq!(record.packets_injected, record.packets_delivered, "{trace}");
    assert!(record.ranks.iter().all(|rank| rank.times.computing <= rank.finish), "{trace}");
}
