//! A collection of real traces that is too large for this repository, run to the end; on request, in release mode.
//! `DROWSE_TRACE_COLLECTION` names its folder, whose MANIFEST.tsv has a line for each trace: file, format, ranks.

#![expect(clippy::print_stdout, reason = "the table is what it is for")]

use std::path::{Path, PathBuf};

use drowse_run::request::RunRequest;
use drowse_traces::Trace;

use crate::support::case;

const IDEAL: &str = "kind = \"ideal\"\nnodes = 128\nlatency = \"500 ns\"\nbandwidth = \"10 GB/s\"";
const TORUS: &str = "kind = \"torus\"\ndims = [8, 4, 4]";
const DRAGONFLY: &str = "kind = \"dragonfly\"\np = 4\na = 8\nh = 4\ngroups = 33";

/// What is sent at most. Two traces of 32 GB take minutes on each network.
const MOST_BYTES: u64 = 10_000_000_000;

#[test]
fn all_traces_of_several_ranks_run_to_their_end() {
    let Some(folder) = std::env::var_os("DROWSE_TRACE_COLLECTION").map(PathBuf::from) else { return };
    let manifest = std::fs::read_to_string(folder.join("MANIFEST.tsv")).unwrap();
    for line in manifest.lines().skip(1) {
        let fields: Vec<&str> = line.split('\t').collect();
        let name = fields[0].trim_end_matches(" (+pcf)");
        // Not run: a folder of small traces, files of one rank, and a text of LogGOPSim 2.
        let is_run = fields[2].parse::<u32>().is_ok_and(|ranks| ranks > 1) && !name.contains("testsim_test");
        if is_run {
            run(&folder.join(name));
        } else {
            println!("{name}: not run");
        }
    }
}

/// Runs a trace on all networks.
fn run(path: &Path) {
    // The index of one folder has a name of its own.
    let index = path.join("smpi_replay.txt");
    let path = if index.is_file() { &index } else { path };
    let trace = Trace::open(path).unwrap_or_else(|error| panic!("{error}"));
    let info = trace.info().unwrap();
    if info.messages.bytes > MOST_BYTES {
        println!("{}: not run, {} bytes", path.display(), info.messages.bytes);
        return;
    }
    for (name, network) in [("ideal", IDEAL), ("torus", TORUS), ("dragonfly", DRAGONFLY)] {
        let case = case(&format!("[network]\n{network}\n[[job]]\ntrace = '{}'\n", path.display()));
        let outcome = RunRequest::new(&case).run();
        let record = outcome.unwrap_or_else(|error| panic!("{} on {name}: {error}", path.display())).case.record;
        assert_eq!(record.ranks.len(), info.ranks as usize, "{} on {name}", path.display());
        let end = record.ranks.iter().map(|rank| rank.finish).max();
        println!("{} on {name}: {}", path.display(), end.unwrap());
    }
}
