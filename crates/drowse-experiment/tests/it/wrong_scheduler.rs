//! Errors of `[scheduler]`, of the jobs that it starts, and of logs: one message at its place.

use std::fs;
use std::sync::Arc;

use drowse_experiment::{Source, case};

use crate::support::{NETWORK, TRAFFIC, wrong};

const SCHEDULER: &str = "[scheduler]\nkind = \"first-come-first-served\"\n";
const APP: &str = "app = { kind = \"stencil\", dims = [4, 2], bytes = \"8 B\" }\n";

/// Returns what an error says, and where: its first line, and the help.
fn told(message: &str) -> [String; 2] {
    let mut lines = message.lines();
    let first = lines.next().unwrap_or_default().to_owned();
    [first, lines.next_back().unwrap_or_default().to_owned()]
}

#[test]
fn keys_that_do_not_fit_each_other() {
    for (text, place, message, help) in [
        ("[scheduler]\n[[job]]\nAPP".to_owned(), "4:1", "`scheduler.kind` is missing", "write kind ="),
        ("[scheduler]\nkind = \"fifo\"\n[[job]]\nAPP".to_owned(), "5:8", "fifo", "easy-backfilling"),
        (format!("{SCHEDULER}allocation = \"block\"\n[[job]]\nAPP"), "6:14", "block", "contiguous"),
        (format!("{SCHEDULER}nodes = \"half\"\n[[job]]\nAPP"), "6:9", "half", "whole"),
        (
            format!("{SCHEDULER}allocation = \"group\"\n[[job]]\nAPP"),
            "6:14",
            "this network has no groups",
            "write \"switch\"",
        ),
        (
            format!("{SCHEDULER}delay = \"1 ns\"\n[[job]]\nAPP"),
            "6:9",
            "`scheduler.delay` = 1 ns is shorter than a clock cycle of 1.6 ns",
            "write \"1.6 ns\" or more",
        ),
        (
            format!("{SCHEDULER}delay = \"-1 us\"\n[[job]]\nAPP"),
            "6:9",
            "`-1 us` is not a number with a unit",
            "write it like",
        ),
        (format!("{SCHEDULER}delay = \"2 s\"\n[[job]]\nAPP"), "6:9", "`scheduler.delay` = 2 s is too long", "1 s"),
        (format!("{SCHEDULER}{TRAFFIC}"), "4:1", "there are no jobs to schedule", "add [[job]]"),
        (
            format!("{SCHEDULER}[[job]]\nAPPstart = \"1 ms\"\n"),
            "8:9",
            "`job.0.start` is for jobs without a scheduler",
            "write arrival = ...",
        ),
        (
            format!("{SCHEDULER}[[job]]\nAPPplacement = \"linear\"\n"),
            "8:13",
            "`job.0.placement` is for jobs without a scheduler",
            "write scheduler.allocation = ...",
        ),
        (
            "[[job]]\nAPParrival = \"1 ms\"\n".to_owned(),
            "6:11",
            "`job.0.arrival` is for jobs that a scheduler starts",
            "add [scheduler] with a kind",
        ),
        (
            format!("{SCHEDULER}[[job]]\nAPParrival = \"-1 ms\"\n"),
            "8:11",
            "`-1 ms` is not a number with a unit",
            "write it like",
        ),
        (
            format!("{SCHEDULER}[[job]]\nAPPcount = 20\ninterval = \"1_000_000 s\"\n"),
            "9:12",
            "copy 19 of this job arrives after the end of simulated time, 17280000 s",
            "write a shorter interval",
        ),
        (
            "[scheduler]\nkind = \"easy-backfilling\"\n[[job]]\nAPP".to_owned(),
            "6:1",
            "`job.0` has no estimate of its run time, and backfilling goes by them",
            "add estimate",
        ),
        (
            format!("{SCHEDULER}[[job]]\nAPPexecutables = [1]\n"),
            "8:15",
            "`job.0.executables` is for jobs of a log",
            "add scheduler.log",
        ),
    ] {
        let text = format!("{NETWORK}{}", text.replace("APP", APP));
        let told = wrong(&text);
        let first = told.lines().next().unwrap_or_default();
        assert!(first.starts_with(&format!("x.toml:{place}: error: ")), "{first}\n{text}");
        assert!(first.contains(message), "{first}: {message}");
        assert!(told.contains(help), "{told}: {help}");
    }
}

/// Returns what is told of a log and an experiment that names it.
fn wrong_log(log: &str, scheduler: &str, jobs: &str) -> [String; 2] {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("log.swf"), log).unwrap();
    let text = format!("{NETWORK}[scheduler]\n{scheduler}{}", jobs.replace("APP", APP));
    let source = Source::new(&folder.path().join("x.toml"), text, &[]).unwrap();
    let message = case(&Arc::new(source)).expect_err("an error").to_string();
    told(&message.replace(&format!("{}/", folder.path().display()), ""))
}

#[test]
fn logs() {
    let job = |number: u32, submit: i64, processors: i64, executable: i64| {
        format!("{number} {submit} -1 10 {processors} -1 -1 -1 20 -1 1 1 1 {executable} -1 -1 -1 -1\n")
    };
    let good = "; Version: 2.2\n".to_owned() + &job(1, 0, 8, 1);
    let fcfs = "kind = \"first-come-first-served\"\nlog = { file = \"log.swf\" }\n";
    let easy = "kind = \"easy-backfilling\"\nlog = { file = \"log.swf\" }\n";
    let one = "[[job]]\nAPP";
    for (log, scheduler, jobs, place, message, help) in [
        (
            good.clone() + &job(2, 5, 300, 1),
            fcfs,
            one,
            "log.swf:3:11",
            "job 2 had 300 nodes, and this network has 16",
            "make [network] larger",
        ),
        (
            good.clone() + &job(2, -5, 8, 1),
            fcfs,
            one,
            "log.swf:3:3",
            "the submit time `-5` is out of range",
            "0 or more",
        ),
        (good.clone() + "2 3\n", fcfs, one, "log.swf:3:1", "has 18 fields, and this line 2", "write -1"),
        (
            good.replace(" 10 8", " -1 8").replace(" 20 ", " -1 "),
            easy,
            one,
            "x.toml:6:7",
            "no job of this log has run",
            "another log",
        ),
        (
            good.clone() + &job(2, 20_000_000, 8, 1),
            fcfs,
            one,
            "log.swf:3:18",
            "job 2 is after the end of simulated time",
            "days = [0, 180], or jobs = 1",
        ),
        ("; nothing\n".to_owned(), fcfs, one, "x.toml:6:7", "no job of this log has run", "another log"),
        (
            good.clone(),
            "kind = \"alone\"\nlog = { file = \"log.swf\", days = [5, 9] }\n",
            one,
            "x.toml:6:34",
            "lies outside the log, which lasts 0.00 days",
            "leave `days` out",
        ),
        (
            good.clone(),
            "kind = \"alone\"\nlog = { file = \"lag.swf\" }\n",
            one,
            "x.toml:6:16",
            "the log lag.swf cannot be read",
            "Standard Workload Format",
        ),
        (
            good.clone(),
            "kind = \"alone\"\nlog = { file = \"log.swf\", time_scale = -1.0 }\n",
            one,
            "x.toml:6:40",
            "`scheduler.log.time_scale` = -1 is out of range",
            "0.0 or more",
        ),
        (
            good.clone(),
            "kind = \"alone\"\nlog = { file = \"log.swf\", jobs = 0 }\n",
            one,
            "x.toml:6:34",
            "`scheduler.log.jobs` = 0 is out of range",
            "65536",
        ),
        (
            good.clone(),
            fcfs,
            "[[job]]\nAPPcount = 2\n",
            "x.toml:9:9",
            "`job.0.count` is none of a program of `scheduler.log`",
            "remove it",
        ),
        (
            good.clone(),
            fcfs,
            "[[job]]\ntrace = \"a.tar\"\n",
            "x.toml:7:1",
            "`job.0` does not say how many ranks its trace has",
            "add ranks = 64",
        ),
    ] {
        let [first, last] = wrong_log(&log, scheduler, jobs);
        assert!(first.starts_with(&format!("{place}: error: ")), "{first}, not at {place}");
        assert!(first.contains(message), "{first}: {message}");
        assert!(last.starts_with("help: ") && last.contains(help), "{last}: {help}");
    }
}

/// The jobs of examples/job-log.toml, by hand: arrivals and requested times in microseconds, programs by executable and
/// size. Job 5 was cancelled; no program fits the three nodes of job 4, and none of its executable the sixteen of job 7.
#[test]
fn the_jobs_of_a_log() {
    let case = drowse_experiment::load_case(&crate::support::root("examples/job-log.toml"), &[]).unwrap();
    let drowse_experiment::WorkloadSpec::Jobs(jobs) = &case.workload else { panic!("jobs") };
    let told: Vec<(&str, u64, u64)> = jobs
        .iter()
        .map(|job| (job.name.as_str(), job.start.0 / 1_000_000, job.estimate.unwrap().0 / 1_000_000))
        .collect();
    let expected = [
        ("solver-1", 0, 1_200),
        ("solver-2", 60, 1_200),
        ("small-3", 120, 300),
        ("job-4", 180, 300),
        ("small-6", 300, 600),
        ("job-7", 360, 1_200),
        ("small-8", 420, 300),
    ];
    assert_eq!(told, expected);
    let limited = drowse_experiment::load_case(
        &crate::support::root("examples/job-log.toml"),
        &["scheduler.log.jobs=2".into(), "scheduler.log.time_scale=2e-6".into()],
    );
    let drowse_experiment::WorkloadSpec::Jobs(jobs) = &limited.unwrap().workload else { panic!("jobs") };
    assert_eq!((jobs.len(), jobs[1].start.0), (2, 120_000_000));
}
