//! Traces of several formats, run on an ideal network: times are computed by hand.
//!
//! A message of 1000 bytes takes a latency of 500 ns and 1000 ns at 1 GB/s.

use std::fs;
use std::path::Path;

use drowse_core::model::units::Time;
use drowse_experiment::load_case;
use drowse_run::outcome::Outcome;
use drowse_run::request::RunRequest;

use crate::support::root;

const IDEAL: &str = "[network]\nkind = \"ideal\"\nnodes = 16\nlatency = \"500 ns\"\nbandwidth = \"1 GB/s\"\n";

/// Runs a trace.
pub fn run(network: &str, trace: &Path, compute: &str) -> Outcome {
    let folder = tempfile::tempdir().unwrap();
    let job = format!("[[job]]\ntrace = {:?}\n{compute}\n", trace.display().to_string());
    let path = folder.path().join("x.toml");
    fs::write(&path, format!("{network}{job}")).unwrap();
    let case = load_case(&path, &[]).unwrap_or_else(|error| panic!("{error}"));
    RunRequest::new(&case).run().unwrap_or_else(|error| panic!("{error}")).case
}

/// Runs a text on the ideal network; returns when each rank ends, in nanoseconds.
fn ends(text: &str, compute: &str) -> Vec<u64> {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("trace");
    fs::write(&path, text).unwrap();
    run(IDEAL, &path, compute).record.ranks.iter().map(|rank| rank.finish.0 / Time::from_ns(1).0).collect()
}

/// The smallest time of independent records is the start: a message is sent at 0 and at 4 us.
#[test]
fn vef_independent_records() {
    let text = "VEF3 3 2 0 0 0 TRUE\n0 0 2 1000 0 7000 -1\n1 1 2 1000 0 11000 -1\n";
    assert_eq!(ends(text, ""), [0, 4_000, 5_500]);
}

/// The second message is sent 2 us after the first, the third 0.5 us after that; on this network, messages do not meet.
#[test]
fn vef_records_after_sends() {
    let text = "VEF3 2 3 0 0 0 TRUE\n0 0 1 1000 0 0 -1\n1 0 1 1000 1 2000 0\n2 0 1 1000 1 500 1\n";
    assert_eq!(ends(text, ""), [2_500, 2_500 + 1_500]);
    assert_eq!(ends(text, "compute = { scale = 10.0 }"), [25_000, 26_500]);
}

/// To and fro: 1500 ns, 200 ns later back, 300 ns later again.
#[test]
fn vef_records_after_receipts() {
    let text = "VEF 2 3 0 0 0 FALSE\n0 0 1 1000 0 0 -1\n1 1 0 1000 2 200 0\n2 0 1 1000 2 300 1\n";
    assert_eq!(ends(text, ""), [3_500, 5_000]);
}

/// Two records that depend on the same receipt, one 100 and one 900 ns later, and a third after the first of them.
#[test]
fn vef_records_after_one_receipt() {
    let text = "VEF2 3 4 0 0 0 FALSE\n0 0 1 1000 0 0 -1\n1 1 2 0 2 100 0\n2 1 2 0 2 900 0\n3 1 0 0 1 50 2\n";
    assert_eq!(ends(text, ""), [2_950, 2_450, 2_900]);
}

/// A barrier: task 0 enters at 0, task 1 at 1 us. It takes one message each way, so task 1 leaves at once and task 0
/// one latency later; 250 ns after that it sends.
#[test]
fn vef_records_after_collectives() {
    let text = "VEF3 2 1 1 1 2 TRUE\nC0 0 1\nG0 0 6 0 0 0 0 0 -1\nG0 0 6 1 0 0 0 1000 -1\n0 0 1 1000 3 250 G0\n";
    assert_eq!(ends(text, ""), [1_750, 3_250]);
}

/// Task 0 lists a message that waits for task 1 before the one for which task 1 waits: the file's order would never
/// end. By the dependencies, message 2 is sent at 400, 1 at 2000, and 0 at 3600.
#[test]
fn vef_records_that_cannot_run_in_order() {
    let text = "VEF3 2 3 0 0 0 FALSE\n0 0 1 1000 2 100 1\n1 1 0 1000 2 100 2\n2 0 1 1000 1 400 3\n";
    let text = text.replacen(" 3 0 0 0 ", " 4 0 0 0 ", 1) + "3 0 1 0 0 0 -1\n";
    assert_eq!(ends(&text, ""), [3_600, 5_100]);
}

/// Within a collective that goes on beside the program, a task sends what another waits for before it joins.
#[test]
fn vef_collectives_beside_the_program() {
    let text = "VEF3 2 2 1 1 2 FALSE\nC0 0 1\nG0 0 6 0 0 0 0 0 -1\n0 0 1 1000 0 100 -1\nG0 0 6 1 0 0 2 300 0\n\
                1 0 1 0 3 50 G0\n";
    // Task 1 joins at 100 + 1500 + 300, task 0 learns of it 500 later and sends 50 after that.
    assert_eq!(ends(text, ""), [2_450, 2_950]);
}

/// Task 0 computes 2 us, then sends to task 1, which computes 1 us, waits, and computes 3 us: all at half the time.
#[test]
fn dimemas_bursts_and_messages() {
    let text = "#DIMEMAS:\"a.dim\":0:2(1,1),1,0,0\nd:1:1:2:0:1\n1:0:0:0.000002000\n2:0:0:1:-1:1000:5:1:0\n\
                20:1:0:50000001:2\n3:1:0:0:-1:1000:5:1:1\n1:1:0:0.000001\n3:1:0:0:-1:1000:5:1:2\n1:1:0:0.000003\n";
    assert_eq!(ends(text, ""), [2_000, 6_500]);
    assert_eq!(ends(text, "compute = { scale = 0.5 }"), [1_000, 4_000]);
}

/// A synchronous send ends when the receive is posted, 4 us later, and has answered; an immediate one is forgotten.
#[test]
fn dimemas_modes() {
    let text = "#DIMEMAS:a.dim:0:2(1,1),0\n2:0:0:1:1000:5:0:2\n2:0:0:1:1000:6:0:1\n\
                1:1:0:0.000004\n3:1:0:0:1000:6:0:0\n3:1:0:0:1000:5:0:0\n";
    let ends = ends(text, "");
    // At 4 us the receiver answers (500), then 1000 bytes come (1500).
    assert_eq!(ends[1], 6_000);
    assert!((5_500..=6_000).contains(&ends[0]), "{ends:?}");
}

/// An immediate barrier goes on while task 0 computes 2 us; task 1 joins after 1 us.
#[test]
fn dimemas_immediate_collectives() {
    let text = "#DIMEMAS:\"a\":0:2(1,1),1,0,0\nd:1:9:2:0:1\n10:0:0:16:9:0:0:0:0:0\n1:0:0:0.000002\n10:0:0:16:9:0:0:0:0:2\n\
                1:1:0:0.000001\n10:1:0:0:9:0:0:0:0:1\n";
    let blocking = text.replace("10:0:0:16:9:0:0:0:0:0", "10:0:0:0:9:0:0:0:0:1").replace("10:0:0:16:9:0:0:0:0:2\n", "");
    assert_eq!(ends(&blocking, ""), [3_500, 1_000]);
    let beside = text.replace("10:1:0:0:9:0:0:0:0:1", "10:1:0:16:9:0:0:0:0:0\n10:1:0:16:9:0:0:0:0:2");
    assert_eq!(ends(&beside, ""), [2_000, 1_000]);
}

/// Real traces run to their end, on an ideal network and on a torus.
#[test]
fn real_traces_run_to_their_end() {
    let torus = "[network]\nkind = \"torus\"\ndims = [4, 4]\n";
    for name in ["is_16.dim.gz", "is_16.vef.gz"] {
        for network in [IDEAL, torus] {
            let outcome = run(network, &root("crates/drowse-traces/tests/data").join(name), "");
            assert_eq!(outcome.record.ranks.len(), 16);
            assert!(outcome.record.ranks.iter().all(|rank| rank.finish > Time::ZERO), "{name}");
        }
    }
}
