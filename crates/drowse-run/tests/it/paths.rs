//! Critical paths in the tables of cases and jobs, by hand.

use std::fs;

use drowse_core::model::units::Time;
use drowse_experiment::load_case;
use drowse_run::request::RunRequest;
use drowse_tables::Row;

use crate::support::{case, root};

/// Rank 0 computes for 100 us at 10 Gflop/s, and sends 1,000 B to rank 1, which waits for them.
const TRACE: &str = "0 init\n0 compute 1000000\n0 send 1 0 1000\n0 finalize\n1 init\n1 recv 0 0 1000\n1 finalize\n";

/// The second job begins when the first has long ended.
const JOBS: &str = "
    [network]
    kind = \"ideal\"
    nodes = 4
    latency = \"2 us\"
    bandwidth = \"1 GB/s\"
    [[job]]
    name = \"first\"
    trace = \"ping.ti\"
    [[job]]
    name = \"second\"
    trace = \"ping.ti\"
    start = \"1 ms\"
    compute = { scale = 0.5 }
";

/// The message takes 2 us and 1 us for its bytes; so the first job lasts 103 us, the second 53 us.
#[test]
fn shares_of_a_job_are_of_its_own_time() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("ping.ti"), TRACE).unwrap();
    fs::write(folder.path().join("x.toml"), JOBS).unwrap();
    let case = load_case(&folder.path().join("x.toml"), &[]).unwrap_or_else(|error| panic!("{error}"));
    let outcome = RunRequest::new(&case).run().unwrap().case;
    let shares = |row: &Row| {
        ["computing", "overhead", "memory", "network", "waking"]
            .map(|part| row.number(format!("path.{part}_fraction")))
            .map(|share| share.map(|share| (share * 1e9).round()))
    };
    let by_hand = |computing: f64, all: f64| {
        let share = |of: f64| Some((of / all * 1e9).round());
        [share(computing), Some(0.0), Some(0.0), share(3.0)]
    };
    let jobs: Vec<_> = outcome.summary.jobs.iter().map(shares).collect();
    assert_eq!(jobs.len(), 2);
    assert_eq!(jobs[0][..4], by_hand(100.0, 103.0));
    assert_eq!(jobs[1][..4], by_hand(50.0, 53.0));
    // Of the case, that of the job which ends last. Nothing can wake, so nothing is said of it.
    assert_eq!(shares(&outcome.summary.figures)[..4], jobs[1][..4]);
    assert_eq!(outcome.summary.figures.number("path.waking_fraction"), None);
}

/// NAS CG on a torus with trunks and adaptive routing, whose links sleep after 20 us: if wakes take no time, it gains no
/// more than its critical path names, and more than two thirds of it.
#[test]
fn a_trace_gains_no_more_than_its_path_names() {
    for selection in ["awake", "least-delay"] {
        let run = |enter: &str, wake: &str| {
            let case = case(&format!(
                "
                [network]
                kind = \"torus\"
                dims = [2, 4]
                trunk = 2
                nodes = 2
                [power]
                policy = {{ kind = \"stall-timer\", deep = \"20 us\" }}
                states.deep = {{ power = 0.1, enter = \"{enter}\", wake = \"{wake}\" }}
                selection = \"{selection}\"
                [[job]]
                trace = '{}'
                ",
                root("traces/cg.A.16.tar.zst").display()
            ));
            RunRequest::new(&case).run().unwrap_or_else(|error| panic!("{error}")).case.record
        };
        let (record, free) = (run("2.88 us", "4.48 us"), run("0 ns", "0 ns"));
        let [makespan, awake] = [&record, &free].map(|record| record.makespan.unwrap());
        let (gain, path) = (makespan.saturating_sub(awake), record.jobs[0].path);
        assert_eq!(path.total(), makespan, "{selection}");
        assert!(gain <= path.waking, "{selection}: gains {gain}, the path names {}", path.waking);
        let much = Time(gain.0 * 3 / 2);
        assert!(path.waking <= much, "{selection}: gains {gain}, the path names {}", path.waking);
    }
}
