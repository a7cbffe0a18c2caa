//! GOAL schedules on the ideal network with the overheads of LogGOPS, beside LogGOPSim.

use std::env;
use std::fs;
use std::path::{Path, PathBuf};

use drowse_core::model::units::Time;
use drowse_run::request::RunRequest;

use crate::support::{case, root};

/// L, o, g, G and O in nanoseconds.
type Parameters = [u64; 5];

/// What LogGOPSim takes if it is told nothing.
const DEFAULT: Parameters = [2_500, 1_500, 1_000, 6, 0];

/// Returns the run time of a schedule.
fn makespan(goal: &Path, ranks: u32, [latency, message, gap, gap_per_byte, byte]: Parameters) -> Time {
    let case = case(&format!(
        "
        [network]
        kind = \"ideal\"
        nodes = {ranks}
        latency = \"{latency} ns\"
        [node.overheads]
        message = \"{message} ns\"
        gap = \"{gap} ns\"
        gap_per_byte = \"{gap_per_byte} ns\"
        byte = \"{byte} ns\"
        [[job]]
        trace = '{}'
        ",
        goal.display()
    ));
    let record = RunRequest::new(&case).run().unwrap_or_else(|error| panic!("{error}")).case.record;
    record.makespan.unwrap()
}

/// Writes a schedule of 16 ranks: shifts and exchanges between calculations, each after the one before.
fn schedule() -> String {
    const RANKS: u32 = 16;
    let mut text = format!("num_ranks {RANKS}\n");
    for rank in 0..RANKS {
        let peer = |by: u32| (rank + by) % RANKS;
        let statements = [
            format!("calc {}", 1_000 * ((rank * 7) % RANKS) + 37),
            format!("send {}b to {} tag 1", 800 + rank, peer(1)),
            format!("recv {}b from {} tag 1", 800 + peer(RANKS - 1), peer(RANKS - 1)),
            "calc 5011".to_owned(),
            format!("send 2003b to {} tag 2", rank ^ 1),
            format!("recv 2003b from {} tag 2", rank ^ 1),
            "calc 401".to_owned(),
            format!("send 1b to {} tag 3", peer(3)),
            format!("send 1b to {} tag 4", peer(5)),
            format!("recv 1b from {} tag 3", peer(RANKS - 3)),
            format!("recv 1b from {} tag 4", peer(RANKS - 5)),
        ];
        let needs = [(2, 1), (3, 1), (4, 2), (4, 3), (5, 4), (6, 4), (7, 5), (7, 6), (8, 7), (9, 8), (10, 9), (11, 10)];
        let statements: Vec<String> =
            (1..).zip(statements).map(|(label, statement)| format!("l{label}: {statement}\n")).collect();
        let needs = needs.map(|(later, earlier)| format!("l{later} requires l{earlier}\n"));
        text.extend([format!("rank {rank} {{\n"), statements.concat(), needs.concat(), "}\n".to_owned()]);
    }
    text
}

/// What LogGOPSim (github.com/spcl/LogGOPSim) says of the same schedule, to the nanosecond.
#[test]
fn a_schedule_as_in_loggopsim() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("exchange.goal");
    fs::write(&path, schedule()).unwrap();
    for (parameters, nanoseconds) in [
        ([2_500, 0, 0, 0, 0], 27_949),
        ([2_500, 1_500, 0, 0, 0], 39_949),
        ([2_500, 0, 1_000, 0, 0], 28_949),
        ([2_500, 0, 0, 6, 0], 54_315),
        ([2_500, 1_500, 1_000, 6, 0], 69_315),
        ([2_500, 1_500, 1_000, 6, 2], 70_931),
        ([10, 3, 700, 1, 9], 71_764),
    ] {
        assert_eq!(makespan(&path, 16, parameters), Time::from_ns(nanoseconds), "{parameters:?}");
    }
}

/// A run of NAS IS. LogGOPSim starts statements that are ready at once in another order; see
/// `docs/reference/traces/goal.md`.
#[test]
fn is_near_loggopsim() {
    let is = root("crates/drowse-traces/tests/data/is_16.goal.gz");
    let ours = makespan(&is, 16, DEFAULT);
    let theirs = 734_787_078;
    assert!(ours.0.abs_diff(theirs * 1_000) < theirs / 4, "{ours}");
    // Without o, g and G, they are nearer to each other than to this.
    let without = makespan(&is, 16, [2_500, 0, 0, 0, 0]);
    assert!(without.0.abs_diff(theirs * 1_000) > theirs * 2, "{without}");
}

/// With `DROWSE_TRACE_COLLECTION`, the folder of a larger collection: LULESH among 27 and 64 ranks, whose statements
/// LogGOPSim was given in the order in which Drowse runs them, to the nanosecond.
#[test]
fn lulesh_as_in_loggopsim() {
    let Some(folder) = env::var_os("DROWSE_TRACE_COLLECTION").map(PathBuf::from) else { return };
    for (name, ranks, nanoseconds) in [("lulesh_27", 27, 157_709_572), ("lulesh_64", 64, 338_696_182)] {
        let goal = folder.join(format!("goal/generated/{name}.goal.gz"));
        assert_eq!(makespan(&goal, ranks, DEFAULT), Time::from_ns(nanoseconds), "{name}");
    }
}
