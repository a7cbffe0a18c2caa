//! Job logs of all formats, from a file to jobs, and what is said of wrong ones.

use std::fs;
use std::sync::Arc;

use drowse_core::model::units::Time;
use drowse_experiment::{Case, Diagnostic, JobSpec, Program, Source, WorkloadSpec};

use crate::support::root;

const MACHINE: &str = "[network]\nkind = \"torus\"\ndims = [4]\n[node]\ncores = 8\n[scheduler]\n";

/// Resolves an experiment on four nodes of eight cores whose log has this text.
fn resolved(log: &str, rest: &str) -> Result<Case, Diagnostic> {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("jobs.log"), log).unwrap();
    let source = Source::new(&folder.path().join("x.toml"), format!("{MACHINE}{rest}"), &[]).unwrap();
    drowse_experiment::case(&Arc::new(source))
}

fn data(name: &str) -> String {
    fs::read_to_string(root(&format!("crates/drowse-experiment/tests/data/logs/{name}"))).unwrap()
}

fn jobs(case: &Case) -> &[JobSpec] {
    let WorkloadSpec::Jobs(jobs) = &case.workload else { panic!("jobs") };
    jobs
}

const fn seconds(seconds: u64) -> Time {
    Time(seconds * 1_000_000_000_000)
}

const EASY: &str = "kind = \"easy-backfilling\"\nlog = { file = \"jobs.log\" }\n";

/// Name, arrival, start, run time, limit and nodes of each job, by hand.
#[test]
fn all_formats_tell_the_same_jobs() {
    for name in ["swf.txt", "sacct.txt", "sacct.json", "batsim.json"] {
        let case = resolved(&data(name), EASY).unwrap_or_else(|error| panic!("{name}: {error}"));
        let told: Vec<_> = jobs(&case)
            .iter()
            .map(|job| {
                let log = job.log.as_ref().unwrap();
                (job.name.as_str(), job.start, log.start, log.run, log.limit, log.nodes)
            })
            .collect();
        let start = |at| if name == "batsim.json" { None } else { Some(seconds(at)) };
        let expected = [
            ("job-7", seconds(0), start(10), seconds(600), Some(seconds(900)), 2),
            ("job-9", seconds(30), start(610), seconds(120), Some(seconds(120)), 4),
            ("job-12", seconds(40), start(730), seconds(60), None, 1),
        ];
        assert_eq!(told, expected, "{name}");
        // Nothing says what they do, so they compute on all cores.
        let computed = |job: &JobSpec| match job.program {
            Program::Compute { ranks, time } => Some((ranks, time)),
            _ => None,
        };
        let cores: Vec<_> = jobs(&case).iter().map(computed).collect();
        assert_eq!(cores, [(16, 600), (32, 120), (8, 60)].map(|(ranks, time)| Some((ranks, seconds(time)))));
    }
}

/// What is left out or assumed is told, with its numbers.
#[test]
fn what_is_left_out_is_told() {
    // 2 x 600 s, 4 x 120 s and 60 s.
    let all = "3 of 3 jobs, 100.0 % of the node-seconds (0.483 node hours of the log), have no [[job]] that fits: they only \
               compute, and the network carries nothing for them";
    // The default node computes at 410 W, and what it draws without a job is not published.
    let idle = "nodes without a job count 410 W, as those that compute: what they draw then is not known; set \
                power.watts.node.idle";
    for (name, notes) in [
        (
            "swf.txt",
            vec![
                "the log has 1 job that never ran, left out",
                "the log counts processors: 8 are a node (MaxProcs / MaxNodes of the log), rounded up to whole nodes",
                all,
                idle,
            ],
        ),
        (
            "sacct.txt",
            vec![
                "the log has 1 job that never ran, left out",
                "the log has 2 steps or parts of jobs, left out",
                "1 job had not ended when the log was written: it runs as long as it had by then",
                "1 job was ended at its limit by the log: it runs until then here, too",
                "the log names nodes: only how many they are is used",
                all,
                idle,
            ],
        ),
        ("batsim.json", vec![all, idle]),
    ] {
        assert_eq!(resolved(&data(name), EASY).unwrap().system.notes, notes, "{name}");
    }
}

/// A share of communication is assumed where that is asked for, and called so; a job on one node has nothing to send.
#[test]
fn a_share_of_communication_is_assumed() {
    let log = |unmapped: &str| EASY.replace(" }", &format!(", unmapped = {{ {unmapped} }} }}"));
    let case = resolved(&data("swf.txt"), &log("")).unwrap();
    let told: Vec<_> = jobs(&case)
        .iter()
        .map(|job| match job.program {
            Program::Assumed { nodes, cores, time, division } => {
                Some((nodes, cores, time, division.sending_ppm, division.exchanges))
            }
            _ => None,
        })
        .collect();
    assert_eq!(told, [Some((2, 8, seconds(600), 200_000, 10)), Some((4, 8, seconds(120), 200_000, 10)), None]);
    let note = "3 of 3 jobs, 100.0 % of the node-seconds (0.483 node hours of the log), have no [[job]] that fits: it is \
                assumed, not measured, that they communicate for 20 % of their time, in 10 exchanges or more each, where \
                they have several nodes; a sweep over scheduler.log.unmapped.share tells what hangs on it";
    assert!(case.system.notes.contains(&note.to_owned()), "{:?}", case.system.notes);
    let case = resolved(&data("swf.txt"), &log("share = 0")).unwrap();
    assert!(jobs(&case).iter().all(|job| matches!(job.program, Program::Compute { .. })));
    for (wrong, message) in [
        ("share = 1.5", "`scheduler.log.unmapped.share` = 1.5 is no share of a time"),
        ("share = -0.1", "`scheduler.log.unmapped.share` = -0.1 is no share of a time"),
        ("exchanges = 0", "`scheduler.log.unmapped.exchanges` = 0"),
    ] {
        let error = resolved(&data("swf.txt"), &log(wrong)).map(|_| ()).unwrap_err().to_string();
        assert!(error.contains(message), "{error}");
    }
}

/// Job 9 ran for 120 s from 03:10:10, so that it ended at 03:12:10; whatever else `End` says is told.
#[test]
fn times_that_disagree_are_told() {
    let notes = |end: &str| {
        let log = data("sacct.txt").replace("2026-01-02T03:12:10|120|", &format!("{end}|120|"));
        let case = resolved(&log, EASY).unwrap();
        assert_eq!(jobs(&case)[1].log.as_ref().unwrap().run, seconds(120), "the run time counts");
        case.system.notes.into_iter().filter(|note| note.contains("from start to end")).collect::<Vec<_>>()
    };
    let told = "1 job did not run from start to end by the log, as where clocks change or a job is suspended: its run \
                time counts";
    for end in ["2026-01-02T03:12:10", "2026-01-02T03:12:11", "Unknown"] {
        assert!(notes(end).is_empty(), "{end}");
    }
    for end in ["2026-01-02T03:10:00", "2026-01-02T04:12:10", "2026-01-02T03:13:10"] {
        assert_eq!(notes(end), [told], "{end}");
    }
}

/// A word that no job has is told, with what may have been meant: the log has accounts and names, and
/// no executables.
#[test]
fn words_that_no_job_has_are_told() {
    let app = "[[job]]\napp = { kind = \"stencil\", dims = [8], bytes = \"8 B\" }\n";
    let told = |selects: &str| {
        let mut notes = resolved(&data("sacct.txt"), &format!("{EASY}{app}{selects}\n")).unwrap().system.notes;
        notes.retain(|note| note.starts_with("no job"));
        notes
    };
    let meant = ["no job that is run has the account \"chemstry\"; did you mean `chemistry`?"];
    assert_eq!(told("accounts = [\"chemstry\"]"), meant);
    let meant = ["no job that is run has the name \"lammps-smal\"; did you mean `lammps-small`?"];
    assert_eq!(told("names = [\"lammps-smal\"]"), meant);
    assert_eq!(told("executables = [3]"), ["no job that is run has the executable 3"]);
    assert!(told("accounts = [\"chemistry\"]\nnames = [\"l*\"]").is_empty());
}

/// A program is that of the job's name, account or executable, and the largest that fits.
#[test]
fn jobs_are_mapped_to_programs() {
    let app = |name: &str, ranks: u32, selects: &str| {
        format!(
            "[[job]]\nname = \"{name}\"\napp = {{ kind = \"stencil\", dims = [{ranks}], bytes = \"8 B\" }}\n{selects}\n"
        )
    };
    let names = |log: &str, programs: &[String]| -> Vec<String> {
        let case = resolved(&data(log), &format!("{EASY}{}", programs.concat())).unwrap();
        jobs(&case).iter().map(|job| job.name.clone()).collect()
    };
    let by_name = [app("md", 16, "names = [\"lammps*\", \"md *\"]"), app("rest", 8, "")];
    assert_eq!(names("sacct.txt", &by_name), ["md-7", "md-9", "rest-12"]);
    let by_account = [app("small", 8, "accounts = [\"chemistry\"]"), app("large", 32, "accounts = [\"chemistry\"]")];
    assert_eq!(names("sacct.json", &by_account), ["job-7", "large-9", "small-12"]);
    let by_number = [app("three", 16, "executables = [3]"), app("four", 33, "executables = [4]"), app("rest", 16, "")];
    // Nothing for executable 4 fits four nodes of eight cores, and 16 ranks fit no single node.
    assert_eq!(names("swf.txt", &by_number), ["three-7", "job-9", "job-12"]);
}

/// The second day of a log: job 1 has ended before, 2 runs since before, 3 has waited since before, 4 came and ended
/// before, and 5 comes after it.
#[test]
fn a_part_of_a_log() {
    let line = |id: u32, submit: u64, wait: u64, run: u64| {
        format!("{id} {submit} {wait} {run} 8 -1 -1 8 200000 -1 1 1 1 1 -1 -1 -1 -1\n")
    };
    let day = 86_400;
    let log = line(1, 1_000, 0, 100)
        + &line(2, 1_100, 0, day)
        + &line(3, 1_200, day, 50)
        + &line(4, day + 10, 5, 60)
        + &line(5, 2 * day + 1_100, 0, 60);
    let rest = "kind = \"replay\"\nlog = { file = \"jobs.log\", days = [1, 2] }\n";
    let case = resolved(&log, rest).unwrap();
    let told: Vec<_> = jobs(&case)
        .iter()
        .map(|job| {
            let log = job.log.as_ref().unwrap();
            (job.name.as_str(), job.start, log.start.unwrap(), log.run, log.limit.unwrap())
        })
        .collect();
    // The first job came at 1,000 s, where the first day begins.
    let gone = day - 100;
    let expected = [
        ("job-2", seconds(0), seconds(0), seconds(day - gone), seconds(200_000 - gone)),
        ("job-3", seconds(0), seconds(200), seconds(50), seconds(200_000)),
    ];
    assert_eq!(told, expected);
}

/// Replayed on the very nodes.
#[test]
fn nodes_have_names() {
    let rest = "kind = \"replay\"\nlog = { file = \"jobs.log\", nodes = \"n[01-04]\" }\n";
    let case = resolved(&data("sacct.txt"), rest).unwrap();
    let nodes = |job: &JobSpec| job.log.as_ref().unwrap().named.as_ref().unwrap().iter().map(|node| node.0).collect();
    let nodes: Vec<Vec<u32>> = jobs(&case).iter().map(nodes).collect();
    assert_eq!(nodes, [vec![0, 2], vec![0, 1, 2, 3], vec![1]]);
}

#[test]
fn a_packed_log_with_a_byte_order_mark() {
    use std::io::Write as _;
    let folder = tempfile::tempdir().unwrap();
    let mut packed = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    packed.write_all(format!("\u{feff}{}", data("sacct.txt")).as_bytes()).unwrap();
    fs::write(folder.path().join("jobs.log"), packed.finish().unwrap()).unwrap();
    let source = Source::new(&folder.path().join("x.toml"), format!("{MACHINE}{EASY}"), &[]).unwrap();
    assert_eq!(jobs(&drowse_experiment::case(&Arc::new(source)).unwrap()).len(), 3);
}

/// One message for each, with its place and what to do.
#[test]
fn wrong_logs() {
    let (swf, text, json, batsim) = (data("swf.txt"), data("sacct.txt"), data("sacct.json"), data("batsim.json"));
    let mut untold = Vec::new();
    let replay = "kind = \"replay\"\nlog = { file = \"jobs.log\" }\n";
    let named = "kind = \"replay\"\nlog = { file = \"jobs.log\", nodes = \"n[01-04]\" }\n";
    for (log, rest, place, message, help) in [
        (String::new(), EASY, "jobs.log:1:1", "this log is empty", "another file"),
        ("hello world\n".into(), EASY, "jobs.log:1:1", "no log of jobs that is known", "text of sacct"),
        ("{\"graph\": []}\n".into(), EASY, "jobs.log:1:1", "no log of jobs that is known", "nb_res"),
        (json[..300].into(), EASY, "jobs.log:6:", "this is no JSON", "cut off"),
        (json.replace("\"job_id\": 9", "\"job_id\": \"nine\""), EASY, "jobs.log:11:", "invalid type", "correct it"),
        (text.replace("State|", "Shape|"), EASY, "jobs.log:1:1", "this log has no column State", "sacct -a -X"),
        (text.replace("md run", "md|run"), EASY, "jobs.log:6:1", "13 columns, and the first 12", "without that column"),
        (text.replace("T03:12:10|U", "T3 h|U"), EASY, "jobs.log:7:40", "the Start time", "SLURM_TIME_FORMAT"),
        (text.replace("COMPLETED", "DONE"), EASY, "jobs.log:2:86", "`DONE` is no state of a job", "COMPLETED"),
        (text.replace("n[01,03]|lammps", "n[03,09]|lammps"), named, "jobs.log:2:96", "`n09` is none", "nodes"),
        (
            text.replace("n[01,03]|lammps", "n[03-01]|lammps"),
            named,
            "jobs.log:2:96",
            "the range `03-01` ends before it begins",
            "correct",
        ),
        (swf.replace(" 27 ", " 33 "), EASY, "jobs.log:8:18", "job 9 had 5 nodes, and this network has 4", "larger"),
        (swf.replace("  10  600", "  -1  600"), replay, "jobs.log:6:18", "when job 7 started", "easy-backfilling"),
        (swf.replace("9   30", "7   30"), EASY, "jobs.log:8:1", "job 7 stands here twice", "of its own"),
        (
            swf.replace("12  40", "12  99999999"),
            EASY,
            "jobs.log:9:",
            "lasts 1157.4 days",
            "days = [0, 180], or jobs = 2",
        ),
        (batsim.clone(), replay, "jobs.log:4:5", "does not say when job 7 started", "easy-backfilling"),
        (
            batsim.replace("\"delay\", \"delay\": 600", "\"parallel\", \"cpu\": 1"),
            EASY,
            "jobs.log:9:21",
            "type parallel",
            "delay",
        ),
        (
            batsim.replace("\"profile\": \"test\"", "\"profile\": \"tset\""),
            EASY,
            "jobs.log:6:5",
            "profile `tset`",
            "add it",
        ),
    ] {
        let error = resolved(&log, rest).expect_err(message).to_string();
        let error = error.rsplit_once("/jobs.log").map_or(error.clone(), |(_, rest)| format!("jobs.log{rest}"));
        let (first, last) = (error.lines().next().unwrap_or_default(), error.lines().next_back().unwrap_or_default());
        let is_told = first.starts_with(place) && first.contains(message) && last.contains(help);
        if !(is_told && last.starts_with("help: ")) {
            untold.push(format!("{place} {message} {help}: {first} {last}"));
        }
    }
    assert!(untold.is_empty(), "{}", untold.join("\n"));
}

/// Keys that do not fit a log, or each other.
#[test]
fn wrong_keys() {
    for (rest, message, help) in [
        ("kind = \"alone\"\nswf = { file = \"jobs.log\" }\n", "`scheduler.swf` is `scheduler.log` now", "write log ="),
        (
            "kind = \"replay\"\n[[job]]\napp = { kind = \"stencil\", dims = [4], bytes = \"8 B\" }\n",
            "there is none",
            "add log",
        ),
        ("kind = \"alone\"\nnodes = \"shared\"\nlog = { file = \"jobs.log\" }\n", "whole nodes", "leave it out"),
        ("kind = \"alone\"\nlog = { file = \"jobs.log\", days = [3, 1] }\n", "is no part of a log", "[0, 30]"),
        (
            "kind = \"alone\"\nlog = { file = \"jobs.log\", nodes = \"n[1-3]\" }\n",
            "3 names, and this network has 4",
            "once",
        ),
        (
            "kind = \"alone\"\nlog = { file = \"jobs.log\", nodes = \"n[1-\" }\n",
            "this bracket is not closed",
            "n[01-96]",
        ),
        ("kind = \"alone\"\nlog = { file = \"jobs.log\", processors_per_node = 0 }\n", "= 0 is out of range", "65536"),
    ] {
        let error = resolved(&data("swf.txt"), rest).expect_err(message).to_string();
        assert!(error.contains(message) && error.contains(help), "{error}: {message}, {help}");
    }
}
