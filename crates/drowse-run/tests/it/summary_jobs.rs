//! The figures of jobs in a record made by hand, against arithmetic by hand.

use drowse_core::measure::{CriticalPath, JobRecord, RankRecord, RankTimes, Record};
use drowse_core::model::units::Time;
use drowse_run::cost::Cost;
use drowse_run::summary::{Summary, summarize};
use drowse_tables::Row;

use crate::support::system;

const SECOND: u64 = 1_000_000_000_000;

/// Four nodes, each joined with each; nothing sleeps.
const NODES: &str = "[network]\nkind = \"ideal\"\nnodes = 4\nlatency = \"1 us\"\n";

/// On four cores, a job of two ranks that arrives at 1 s, starts at 3 s and ends at 7 s, holding two cores; one of a rank
/// that starts as it arrives, at 2 s, and ends at 8 s, holding one; and one that takes no time, at 5 s.
fn record() -> Record {
    let job = |name: &str, ranks, times: [u64; 3]| {
        let [arrival, start, finish] = times.map(|time| Time(time * SECOND));
        let path = CriticalPath { computing: Time((finish - start).0 / 4), ..CriticalPath::default() };
        JobRecord {
            name: name.to_owned(),
            ranks,
            arrival,
            start,
            held: u64::from(ranks),
            path,
            finish,
            repetitions: 1,
            again: false,
        }
    };
    let rank = |node, computing, sent: [u64; 3]| RankRecord {
        node,
        times: RankTimes { computing: Time(computing * SECOND), ..RankTimes::default() },
        operations: sent[0],
        messages: sent[1],
        bytes: sent[2],
        ..RankRecord::default()
    };
    Record {
        makespan: Some(Time(8 * SECOND)),
        measured: Time(8 * SECOND),
        ranks: vec![rank(0, 1, [10, 2, 100]), rank(0, 2, [20, 3, 1_000]), rank(1, 5, [7, 1, 8]), rank(2, 0, [1, 0, 0])],
        jobs: vec![job("wide", 2, [1, 3, 7]), job("long", 1, [2, 2, 8]), job("short", 1, [4, 5, 5])],
        cores: Some(4),
        ..Record::default()
    }
}

fn summary(record: &Record) -> Summary {
    let cost = Cost { wall_s: 2.0, cpu_s: None, peak_rss_bytes: Some(5), exchanged: None };
    summarize(&system(NODES), "0123456789abcdef", record, &cost)
}

fn assert_row(row: &Row, expected: &[(&str, f64)]) {
    for (name, expected) in expected {
        let figure = row.number(name).unwrap_or_else(|| panic!("{name} is absent"));
        assert!((figure - expected).abs() < 1e-12, "{name} is {figure}, not {expected}");
    }
}

/// Of 4 cores times 8 s, jobs held 2 times 4 s and 1 times 6 s. Waits of 2, 0 and 1 s, run times of 4, 6 and 0 s. From
/// arrival to end 6 and 6 s, which are 1.5 and 1 times the run times; the third has none.
#[test]
fn a_schedule_by_hand() {
    let expected = [
        ("jobs.utilisation", 14.0 / 32.0),
        ("jobs.wait_mean_s", 1.0),
        ("jobs.wait_max_s", 2.0),
        ("jobs.run_mean_s", 10.0 / 3.0),
        ("jobs.slowdown_mean", 1.25),
        ("jobs.slowdown_max", 1.5),
    ];
    assert_row(&summary(&record()).figures, &expected);
}

#[test]
fn jobs_without_a_scheduler_have_no_schedule() {
    let summary = summary(&Record { cores: None, ..record() });
    for absent in ["jobs.utilisation", "jobs.wait_mean_s", "jobs.slowdown_max"] {
        assert_eq!(summary.figures.get(absent), None, "{absent}");
    }
    for absent in ["arrival_s", "wait_s", "slowdown", "energy_fraction"] {
        assert_eq!(summary.jobs[0].get(absent), None, "{absent}");
    }
    assert_row(&summary.jobs[0], &[("start_s", 3.0), ("makespan_s", 4.0)]);
}

/// No time has passed and no core was held: there are no shares of it.
#[test]
fn a_schedule_of_no_time_has_no_shares() {
    let mut record = record();
    (record.makespan, record.jobs, record.ranks) = (Some(Time::ZERO), vec![record.jobs[2].clone()], Vec::new());
    (record.jobs[0].ranks, record.jobs[0].arrival) = (0, record.jobs[0].start);
    let summary = summary(&record);
    assert_row(&summary.figures, &[("jobs.wait_mean_s", 0.0), ("jobs.run_mean_s", 0.0)]);
    for absent in ["jobs.utilisation", "jobs.slowdown_mean", "jobs.slowdown_max"] {
        assert_eq!(summary.figures.get(absent), None, "{absent}");
    }
    for absent in ["slowdown", "energy_fraction", "path.computing_fraction", "running_fraction"] {
        assert_eq!(summary.jobs[0].get(absent), None, "{absent}");
    }
}

/// Ranks of one node share it; the first job's ran 1 and 2 of 4 s each.
#[test]
fn each_job_by_hand() {
    let jobs = summary(&record()).jobs;
    let wide = [
        ("ranks", 2.0),
        ("nodes", 1.0),
        ("arrival_s", 1.0),
        ("wait_s", 2.0),
        ("slowdown", 1.5),
        ("start_s", 3.0),
        ("makespan_s", 4.0),
        ("running_fraction", 3.0 / 8.0),
        ("energy_fraction", 8.0 / 14.0),
        ("operations", 30.0),
        ("messages", 5.0),
        ("bytes", 1_100.0),
        ("path.computing_fraction", 0.25),
        ("path.waking_fraction", 0.0),
    ];
    assert_row(&jobs[0], &wide);
    let long = [("wait_s", 0.0), ("slowdown", 1.0), ("makespan_s", 6.0), ("energy_fraction", 6.0 / 14.0)];
    assert_row(&jobs[1], &long);
    assert_row(&jobs[2], &[("wait_s", 1.0), ("makespan_s", 0.0), ("energy_fraction", 0.0), ("operations", 1.0)]);
}

/// An ideal network has no channels: nothing sleeps, draws power or is waited for.
#[test]
fn a_network_without_channels_has_no_figures_of_links() {
    let figures = summary(&record()).figures;
    for (name, _) in figures.iter() {
        assert!(!name.starts_with("links.") && !name.starts_with("energy."), "{name}");
    }
    assert_eq!(figures.get("path.waking_fraction"), None);
    assert_row(&figures, &[("path.computing_fraction", 0.25), ("network.links", 0.0)]);
}

/// All parts have the case, and what the run cost the machine is apart from what it found.
#[test]
fn rows_name_their_case() {
    let summary = summary(&record());
    for row in [summary.case_row(), summary.engine_row(), summary.job_rows()[0].clone()] {
        assert_eq!(row.text("case_id"), "0123456789abcdef");
    }
    assert_row(&summary.engine_row(), &[("engine.wall_s", 2.0), ("engine.peak_rss_bytes", 5.0)]);
    assert_eq!(summary.engine_row().get("engine.hops_per_s"), None, "of no known CPU time");
    assert_eq!(summary.case_row().get("engine.wall_s"), None);
}
