//! A run over several processes writes the tables of a run in one, byte by byte, and fails for the same reasons. Threads
//! stand for the processes here; `.ci/processes` starts real ones.

use std::fs;
use std::path::Path;

use drowse_core::measure::ProbeOptions;
use drowse_core::measure::series::IntervalLength;
use drowse_experiment::{Case, load_case};
use drowse_machines::process::in_each;
use drowse_run::error::RunError;
use drowse_run::export;
use drowse_run::outcome::Outcome;
use drowse_run::processes::{Peers, agree};
use drowse_run::request::RunRequest;

use crate::support::{case, root};

/// What is recorded over several processes, too.
const POWER: ProbeOptions = ProbeOptions {
    idle_periods: false,
    idle_pairs: false,
    timers: false,
    timeline: false,
    waiting: None,
    message_sizes: false,
    rank_operations: false,
    rank_waits: false,
    wakes: false,
    power: Some(IntervalLength::OfRun),
};

/// Runs a case over several processes, and returns what comes out of each.
fn run_in(count: usize, case: &Case) -> Vec<Result<Option<Outcome>, RunError>> {
    in_each(count, |mut process| {
        let outcomes = RunRequest { probes: POWER, ..RunRequest::new(case) }.run_in_processes(&mut process);
        outcomes.map(|outcomes| outcomes.map(|outcomes| outcomes.case))
    })
}

/// Returns the tables of an outcome that do not tell what the run cost.
fn tables(outcome: &Outcome) -> Vec<Vec<u8>> {
    let folder = tempfile::tempdir().unwrap();
    export::write(folder.path(), &[outcome]).unwrap();
    let names = ["cases.csv", "channels.csv", "jobs.csv", "ranks.csv", "power.csv", "manifest.json"];
    names.map(|name| fs::read(folder.path().join(name)).unwrap()).into()
}

/// Compares a case in one process with the same over several, of which the first alone has the result.
fn check(case: &Case) {
    let one =
        RunRequest { probes: POWER, ..RunRequest::new(case) }.run().unwrap_or_else(|error| panic!("{error}")).case;
    assert!(one.record.hops > 100, "the case has enough traffic");
    for count in [2, 3, 5] {
        let mut outcomes =
            run_in(count, case).into_iter().map(|outcome| outcome.unwrap_or_else(|error| panic!("{error}")));
        let first = outcomes.next().flatten().expect("the first process has the result");
        assert!(outcomes.all(|outcome| outcome.is_none()), "the others have none");
        assert!(tables(&first) == tables(&one), "{count} processes write other tables");
        assert_eq!(first.record.warnings, one.record.warnings);
    }
}

/// Returns an example, with keys replaced.
fn example(name: &str, overrides: &[&str]) -> Case {
    let overrides: Vec<String> = overrides.iter().map(|&text| text.to_owned()).collect();
    load_case(&root("examples").join(name), &overrides).unwrap_or_else(|error| panic!("{error}"))
}

#[test]
fn open_loop_traffic() {
    let short = ["traffic.warmup=\"200 cycles\"", "traffic.measure=\"1000 cycles\"", "network.dims=[4, 3, 3]"];
    check(&example("uniform-torus.toml", &short));
    // Given up, since it is never drained.
    check(&example("uniform-torus.toml", &[&short[..], &["traffic.load=0.95"]].concat()));
    let sleepy =
        ["power.directions=\"both\"", "power.policy={kind=\"stall-timer\", deep=\"200 ns\"}", "traffic.load=0.02"];
    check(&example("uniform-torus.toml", &[&short[..], &sleepy].concat()));
    check(&example("uniform-torus.toml", &[&short[..], &["switch.queues=\"output\""]].concat()));
}

#[test]
fn links_under_a_cap() {
    let short = ["traffic.warmup=\"200 cycles\"", "traffic.measure=\"2000 cycles\"", "network.dims=[4, 3]"];
    let cap =
        ["power.policy={kind=\"cap\", cap=0.9, window=\"400 ns\", reaction=\"80 ns\", lanes=4}", "traffic.load=0.3"];
    check(&example("uniform-torus.toml", &[&short[..], &cap].concat()));
}

#[test]
fn traces() {
    check(&example(
        "cg-torus.toml",
        &[&format!("job.0.trace='{}'", root("traces").join("stencil2d.16.tar.zst").display())],
    ));
}

#[test]
fn programs_beside_traffic() {
    check(&example("background.toml", &["job.0.app.iterations=2", "job.1.app.iterations=2"]));
}

#[test]
fn jobs_that_a_scheduler_starts() {
    check(&example("scheduler.toml", &["job.0.app.bytes=\"1 KiB\"", "job.1.app.bytes=\"1 KiB\"", "job.1.count=4"]));
}

#[test]
fn links_that_a_runtime_system_switches() {
    check(&example("runtime.toml", &["job.0.app.iterations=8", "job.0.app.bytes=\"2 KiB\""]));
}

/// Governed trunks on which both ends decide, and more processes than switches.
#[test]
fn trunks_and_few_switches() {
    let trunks = "
        [network]
        kind = \"torus\"
        dims = [3]
        nodes = 3
        trunk = 4
        [power]
        policy = { kind = \"trunk\", window = \"2 us\" }
        [[job]]
        app = { kind = \"stencil\", dims = [3, 3], bytes = \"8 KiB\", compute = \"5 us\", iterations = 5 }
    ";
    check(&case(trunks));
    check(&case(
        &format!("{trunks}\n[[job]]\napp = {{ kind = \"stencil\", dims = [2], bytes = \"1 KiB\", iterations = 2 }}\n")
            .replace("nodes = 3", "nodes = 4"),
    ));
}

/// Returns a case of a program in SimGrid's format on a ring of four nodes.
fn program(folder: &Path, operations: &str) -> Case {
    fs::write(folder.join("x.ti"), operations).unwrap();
    fs::write(folder.join("x.toml"), "[network]\nkind = \"torus\"\ndims = [4]\n[[job]]\ntrace = \"x.ti\"\n").unwrap();
    load_case(&folder.join("x.toml"), &[]).unwrap_or_else(|error| panic!("{error}"))
}

/// Polls are counted where they are read: by the process of their rank.
#[test]
fn warnings_count_what_all_processes_have_read() {
    let folder = tempfile::tempdir().unwrap();
    let of = |rank: u32| {
        let (to, from) = ((rank + 1) % 4, (rank + 3) % 4);
        let poll = format!("{rank} test {from} {rank} 0\n").repeat(1 + rank as usize);
        let packets = format!("{rank} irecv {from} 0 8\n{poll}{rank} send {to} 0 8\n{rank} wait {from} {rank} 0\n");
        packets.repeat(20)
    };
    let case = program(folder.path(), &(0..4).map(of).collect::<String>());
    let one = RunRequest::new(&case).run().unwrap_or_else(|error| panic!("{error}")).case;
    assert!(
        one.record.warnings.iter().any(|warning| warning.to_string().starts_with("200 polls")),
        "{:?}",
        one.record.warnings
    );
    check(&case);
}

/// Returns the error of the first process; all have the same.
fn failure(count: usize, case: &Case) -> String {
    let errors: Vec<String> =
        run_in(count, case).into_iter().map(|outcome| outcome.map(|_| ()).expect_err("an error").to_string()).collect();
    assert!(errors.iter().all(|error| *error == errors[0]), "{errors:?}");
    errors[0].clone()
}

#[test]
fn failures() {
    let folder = tempfile::tempdir().unwrap();
    let stuck = program(folder.path(), "0 recv 3 0 8\n1 compute 10\n2 compute 10\n3 recv 0 0 8\n");
    for count in [2, 3, 4] {
        let error = failure(count, &stuck);
        assert!(error.starts_with("error: deadlock at "), "{error}");
        assert!(error.ends_with(": 0 packets and 2 ranks wait; a run in one process says for whom"), "{error}");
    }
    for operations in [
        "0 compute 1e30\n1 compute 1\n2 compute 1e29\n3 compute 1\n",
        "0 send 3 0 8\n1 compute 1\n2 compute 1\n3 recv 9 0 8\n",
    ] {
        let case = program(folder.path(), operations);
        let one = RunRequest::new(&case).run().map(|_| ()).expect_err("an error").to_string();
        for count in [2, 4] {
            assert_eq!(failure(count, &case), one);
        }
    }
}

/// Those that have read something else must not run together.
#[test]
fn processes_agree_before_they_begin() {
    let cases_of: Vec<Case> = [1, 1, 2].map(|seed| example("uniform-torus.toml", &[&format!("seed={seed}")])).into();
    let told = in_each(3, |mut process| {
        let case = &cases_of[process.number()];
        RunRequest::new(case).run_in_processes(&mut process).map(|_| ()).expect_err("an error").to_string()
    });
    let other =
        |theirs, ours| format!("error: process {theirs} has another experiment, trace or build than process {ours}");
    assert_eq!(told, [other(2, 0), other(2, 1), other(0, 2)]);
    let told = in_each(2, |mut process| {
        let mine = if process.number() == 1 { Err("no such file".to_owned()) } else { Ok(String::new()) };
        agree(&mut process, &mine).map_err(|error| error.to_string())
    });
    assert_eq!(told, [Err("error: process 1 cannot begin: no such file".into()), Ok(())]);
}
