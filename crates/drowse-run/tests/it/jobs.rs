//! Several jobs on one machine, judged by their meaning.

use std::fs::{self, File};

use drowse_core::model::units::Time;
use drowse_experiment::load_case;
use drowse_run::error::RunError;
use drowse_run::export;
use drowse_run::outcome::Outcome;
use drowse_run::request::{Outcomes, RunRequest};
use drowse_tables::schema::JOBS;
use drowse_tables::{Row, csv};
use tempfile::TempDir;

use crate::support::case;
use crate::trace::PING;

/// A mesh of two rows of two nodes; in dimension order the rows' traffic never meets.
const ROWS: &str = "
    [network]
    kind = \"mesh\"
    dims = [2, 2]
    routing = \"dimension-order\"
    [power]
    policy = { kind = \"stall-timer\", deep = \"1 us\" }
";

/// A folder with an experiment, the tiny trace, and the placements on the lower and the upper row.
fn folder(jobs: &str) -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    let files = [("ping.ti", PING), ("low", "0\n1\n"), ("up", "2\n3\n"), ("x.toml", &format!("{ROWS}{jobs}"))];
    for (name, text) in files {
        fs::write(folder.path().join(name), text).unwrap();
    }
    folder
}

fn run(jobs: &str) -> Outcome {
    let folder = folder(jobs);
    let case = load_case(&folder.path().join("x.toml"), &[]).unwrap_or_else(|error| panic!("{error}"));
    RunRequest::new(&case).run().unwrap_or_else(|error| panic!("{error}")).case
}

fn job(name: &str, more: &str) -> String {
    format!("[[job]]\nname = \"{name}\"\ntrace = \"ping.ti\"\n{more}\n")
}

fn nodes(outcome: &Outcome) -> Vec<u32> {
    outcome.record.ranks.iter().map(|rank| rank.node).collect()
}

/// Returns the row of a job without its start, which a comparison may leave aside.
fn figures<'a>(outcome: &'a Outcome, name: &str) -> Vec<(&'a str, String)> {
    let row = outcome.summary.jobs.iter().find(|row| row.get("job").unwrap().to_string() == name).unwrap();
    row.iter().filter(|(name, _)| *name != "start_s").map(|(name, value)| (name, value.to_string())).collect()
}

/// Jobs that never meet are as fast as alone, whatever their order. The later one starts on a clock edge, and links
/// that nobody has used yet sleep when it does as they do for the first.
#[test]
fn jobs_on_rows_of_their_own_run_as_if_alone() {
    let (low, up) = (job("low", "placement = \"low\""), job("up", "placement = \"up\"\nstart = \"16 us\""));
    let both = run(&format!("{low}{up}"));
    assert_eq!(figures(&both, "low"), figures(&run(&low), "low"));
    assert_eq!(figures(&both, "up"), figures(&run(&up), "up"));
    let swapped = run(&format!("{up}{low}"));
    assert_eq!(swapped.summary.figures, both.summary.figures);
    assert_eq!(figures(&swapped, "up"), figures(&both, "up"));
    let makespan = |name: &str| both.summary.jobs[usize::from(name == "up")].number("makespan_s").unwrap();
    let whole = both.summary.figures.number("makespan_s").unwrap();
    assert!((whole - (makespan("up") + 16e-6)).abs() < 1e-15, "the whole ends with the last job");
}

#[test]
fn placements_share_the_cores() {
    let outcome = run(&format!("{}{}", job("a", "placement = \"round-robin\""), job("b", "placement = \"linear\"")));
    assert_eq!(nodes(&outcome), [0, 1, 2, 3]);
    let random = |seed: u32| nodes(&run(&job("a", &format!("placement = \"random\"\nseed = {seed}\ncount = 2"))));
    let mut all = random(1);
    assert_eq!(all, random(1));
    all.sort_unstable();
    assert_eq!(all, [0, 1, 2, 3], "each core once");
    assert!((2..10).any(|seed| random(seed) != random(1)));
}

/// A job's ranks move their messages and bytes once in each run, and compute as long.
#[test]
fn repeated_jobs_do_everything_as_often() {
    let number = |outcome: &Outcome, name: &str| outcome.summary.jobs[0].number(name).unwrap();
    let (once, thrice) = (run(&job("a", "")), run(&job("a", "repeat = 3")));
    for figure in ["messages", "bytes"] {
        assert!((number(&thrice, figure) - 3.0 * number(&once, figure)).abs() < 0.5, "{figure}");
    }
    let running =
        |outcome: &Outcome| outcome.record.ranks.iter().map(|rank| rank.times.computing.0).collect::<Vec<_>>();
    assert_eq!(running(&thrice), running(&once).iter().map(|time| 3 * time).collect::<Vec<_>>());
    // Rank 0 computes 100 us before each message; nobody starts a run later than at the end of the one before.
    let [short, long] = [&once, &thrice].map(|outcome| number(outcome, "makespan_s"));
    assert!(long > 300e-6 && long < 3.0 * short + 3.0 * 1.6e-9, "{long} after {short}");
}

#[test]
fn figures_of_jobs_by_hand() {
    let outcome = run(&job("a", "count = 2\ncompute = { scale = 2.0 }"));
    let names: Vec<_> = outcome.summary.jobs.iter().map(|row| row.get("job").unwrap().to_string()).collect();
    assert_eq!(names, ["a-1", "a-2"]);
    for (index, row) in outcome.summary.jobs.iter().enumerate() {
        let number = |name: &str| row.number(name).unwrap();
        assert_eq!(["ranks", "nodes", "start_s"].map(number), [2.0, 2.0, 0.0]);
        // One rank of two computes, 200 us.
        assert!((number("running_fraction") - 200e-6 / (2.0 * number("makespan_s"))).abs() < 1e-12);
        let ranks = &outcome.record.ranks[2 * index..][..2];
        assert!((number("bytes") - ranks.iter().map(|rank| rank.bytes as f64).sum::<f64>()).abs() < 0.5);
    }
}

#[test]
fn jobs_are_in_their_table_and_in_json() {
    let folder = folder(&format!("{}{}", job("a", ""), job("b", "start = \"1 ms\"")));
    let case = load_case(&folder.path().join("x.toml"), &[]).unwrap();
    let Outcomes { case: outcome, baseline } =
        RunRequest { baseline: Some(&case.always_on()), ..RunRequest::new(&case) }.run().unwrap();
    let out = folder.path().join("out");
    fs::create_dir(&out).unwrap();
    let baseline = baseline.unwrap();
    export::write(&out, &[&outcome, &baseline]).unwrap();
    let table = csv::read(&JOBS, File::open(out.join("jobs.csv")).unwrap()).unwrap();
    let rows: Vec<Row> = [&outcome, &baseline].iter().flat_map(|outcome| outcome.job_rows()).collect();
    assert_eq!(table.len(), 4);
    for (written, row) in table.iter().zip(&rows) {
        assert!(row.iter().all(|(name, value)| written.get(name) == Some(value)), "{written:?} {row:?}");
    }
    let json = outcome.to_json();
    assert_eq!((json["jobs"][1]["job"].as_str(), json["jobs"][1]["start_s"].as_f64()), (Some("b"), Some(0.001)));
    for job in 0..2 {
        assert!(json["jobs"][job]["relative"]["makespan"].as_f64().unwrap() > 1.0, "waking delays the message");
    }
    assert_eq!(baseline.to_json()["jobs"][0].get("relative"), None);
}

/// An ideal network, and jobs on it.
fn ideal(jobs: &str) -> Result<Outcome, RunError> {
    let network = "[network]\nkind = \"ideal\"\nnodes = 4\nlatency = \"2 us\"\nbandwidth = \"1 GB/s\"\n";
    RunRequest::new(&case(&format!("{network}{jobs}"))).run().map(|outcomes| outcomes.case)
}

/// An iteration computes, and then takes the latency and the bytes over the bandwidth.
#[test]
fn applications_are_run() {
    let ring = |more: &str| format!("{{ kind = \"stencil\", dims = [4], bytes = \"4 kB\"{more} }}");
    let makespan = |app: &str, more: &str| {
        let outcome = ideal(&format!("[[job]]\napp = {app}\n{more}\n")).unwrap_or_else(|error| panic!("{error}"));
        (outcome.record.makespan.unwrap(), outcome.summary.identity.get("case_id").unwrap().to_string())
    };
    let runs = [
        (makespan(&ring(""), ""), 2 + 4),
        (makespan(&ring(", iterations = 3"), ""), 3 * (2 + 4)),
        (makespan(&ring(", compute = \"10 us\", iterations = 3"), ""), 3 * (10 + 2 + 4)),
        (makespan(&ring(", compute = \"10 us\", iterations = 3"), "repeat = 2"), 6 * (10 + 2 + 4)),
        (makespan(&format!("[{}, {}]", ring(""), ring(", compute = \"50 us\"")), ""), 2 * (2 + 4) + 50),
    ];
    for ((makespan, _), us) in &runs {
        assert_eq!(*makespan, Time::from_us(*us));
    }
    let mut ids: Vec<_> = runs.iter().map(|((_, id), _)| id).collect();
    ids.sort();
    ids.dedup();
    assert_eq!(ids.len(), runs.len(), "each has a name of its own");
}

#[test]
fn an_application_that_is_too_large_to_be_run() {
    let network = "[network]\nkind = \"ideal\"\nnodes = 6000\nlatency = \"2 us\"\nbandwidth = \"1 GB/s\"\n";
    let large = "{ kind = \"all-to-all\", ranks = 6000, bytes = \"1 B\" }";
    let small = "{ kind = \"stencil\", dims = [6000], bytes = \"1 B\" }";
    let error = |app: &str| {
        let case = case(&format!("{network}[[job]]\napp = {app}\n"));
        RunRequest::new(&case).run().map(|_| ()).unwrap_err()
    };
    insta::assert_snapshot!(error(large), @r#"
    x.toml:7:7: error: 35994000 messages in one iteration are too many to be simulated: the most is 33554432
     7 | app = { kind = "all-to-all", ranks = 6000, bytes = "1 B" }
       |       ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
    help: make it smaller, or count what it sends by `drowse usage FILE`
    "#);
    insta::assert_snapshot!(error(&format!("[{small}, {large}]")), @r#"
    x.toml:7:60: error: 35994000 messages in one iteration are too many to be simulated: the most is 33554432
     7 | ...1 B" }, { kind = "all-to-all", ranks = 6000, bytes = "1 B" }]
       |            ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
    help: make it smaller, or count what it sends by `drowse usage FILE`
    "#);
}
