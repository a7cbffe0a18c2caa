//! The tables of waits, against that of ranks.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use drowse_core::measure::ProbeOptions;
use drowse_run::export;
use drowse_run::request::RunRequest;

use crate::support::case;

/// Two jobs of four ranks on sixteen nodes.
const EXPERIMENT: &str = "
    title = \"waits\"
    [network]
    kind = \"torus\"
    dims = [4, 4]
    nodes = 1
    [power]
    policy = { kind = \"stall-timer\", deep = \"1 us\" }
    [[job]]
    name = \"one\"
    app = { kind = \"stencil\", dims = [2, 2], bytes = \"20 KiB\", compute = \"30 us\", iterations = 10 }
    [[job]]
    name = \"other\"
    app = { kind = \"stencil\", dims = [2, 2], bytes = \"1 KiB\", compute = \"10 us\", iterations = 30 }
";

/// The parts of waits in all three tables.
const PARTS: [&str; 5] =
    ["wait_partner_working_ps", "wait_partner_waiting_ps", "wait_network_ps", "wait_memory_ps", "wait_waking_ps"];

/// Returns the cells of each row by the names of their columns.
fn rows(folder: &Path, file: &str) -> Vec<BTreeMap<String, String>> {
    let text = fs::read_to_string(folder.join(file)).unwrap();
    let mut lines = text.lines().map(|line| line.split(',').map(str::to_owned).collect::<Vec<_>>());
    let header = lines.next().unwrap();
    lines.map(|cells| header.iter().cloned().zip(cells).collect()).collect()
}

fn parts(row: &BTreeMap<String, String>) -> [u64; 5] {
    PARTS.map(|part| row[part].parse().unwrap())
}

#[test]
fn waits_by_partner_sum_to_those_of_ranks() {
    let case = case(EXPERIMENT);
    let probes = ProbeOptions { rank_waits: true, ..ProbeOptions::default() };
    let outcome = RunRequest { probes, ..RunRequest::new(&case) }.run().unwrap_or_else(|error| panic!("{error}")).case;
    let folder = tempfile::tempdir().unwrap();
    export::write(folder.path(), &[&outcome]).unwrap();
    let mut sums: BTreeMap<(String, String), [u64; 5]> = BTreeMap::new();
    for row in rows(folder.path(), "wait_matrix.csv") {
        let waited: u64 = row["waited_ps"].parse().unwrap();
        assert_eq!(waited, parts(&row).iter().sum::<u64>());
        assert!(row["partner"].is_empty() || row["partner"].parse::<u32>().unwrap() < 4, "{row:?}");
        let sum = sums.entry((row["job"].clone(), row["rank"].clone())).or_default();
        sum.iter_mut().zip(parts(&row)).for_each(|(sum, part)| *sum += part);
    }
    let ranks = rows(folder.path(), "ranks.csv");
    let of_ranks = ranks.iter().map(|row| ((row["job"].clone(), row["rank"].clone()), parts(row)));
    assert_eq!(sums, of_ranks.collect());
    assert_eq!(sums.len(), 8);
    let longest = rows(folder.path(), "waits.csv");
    assert_eq!(longest.iter().filter(|row| row["job"] == "other").count(), 4 * 16, "it has more waits than are kept");
    for row in &longest {
        let [from, to, waited] = ["from_ps", "to_ps", "waited_ps"].map(|name| row[name].parse::<u64>().unwrap());
        assert_eq!((to - from, parts(row).iter().sum()), (waited, waited));
    }
}
