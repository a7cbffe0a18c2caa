//! Jobs that a scheduler starts, from the experiment to the tables.

use std::fs;

use drowse_experiment::{Case, load_case};
use drowse_run::error::RunError;
use drowse_run::export;
use drowse_run::outcome::Outcome;
use drowse_run::request::RunRequest;
use drowse_run::threads::Threads;
use drowse_tables::Row;

use crate::support::case;

const MACHINE: &str = "
    [network]
    kind = \"torus\"
    dims = [4, 4]
    routing = \"adaptive\"
    [node]
    cores = 2
    [power]
    policy = { kind = \"stall-timer\", deep = \"5 us\" }
";
const JOBS: &str = "
    [[job]]
    name = \"wide\"
    app = { kind = \"stencil\", dims = [4, 5], bytes = \"16 KiB\", compute = \"20 us\", iterations = 3 }
    [[job]]
    name = \"small\"
    app = { kind = \"all-to-all\", ranks = 6, bytes = \"2 KiB\", compute = \"9 us\", iterations = 4 }
    count = 2
";

fn run(case: &Case, baseline: Option<&Case>) -> (Outcome, Option<Outcome>) {
    let outcomes = RunRequest { baseline, ..RunRequest::new(case) }.run().unwrap_or_else(|error| panic!("{error}"));
    (outcomes.case, outcomes.baseline)
}

fn number(row: &Row, name: &str) -> f64 {
    row.number(name).unwrap_or_else(|| panic!("{name} is absent"))
}

fn close(a: f64, b: f64) -> bool {
    (a - b).abs() <= 1e-12 * a.abs().max(b.abs())
}

/// Where all jobs fit at once, none waits, and a scheduler that keeps their order does what linear placement does.
#[test]
fn a_machine_with_room_needs_no_scheduler() {
    let plain = run(&case(&format!("{MACHINE}{JOBS}")), None).0;
    for kind in ["first-come-first-served", "random-selectable"] {
        let scheduled = case(&format!("{MACHINE}{JOBS}[scheduler]\nkind = \"{kind}\"\n"));
        let scheduled = run(&scheduled, None).0;
        assert!(scheduled.record.jobs.iter().all(|job| job.start.0 == 0), "{kind}");
        assert_ne!(scheduled.case_id(), plain.case_id());
        if kind == "first-come-first-served" {
            assert_eq!(scheduled.record.makespan, plain.record.makespan);
            assert_eq!(scheduled.record.ranks, plain.record.ranks);
            assert_eq!(scheduled.record.channels, plain.record.channels);
            assert_eq!(scheduled.record.packet_latency, plain.record.packet_latency);
        }
    }
}

/// 20 and twice 6 ranks on 32 cores, three rounds of them, arriving 1 us apart: every figure from its definition.
#[test]
fn figures_follow_from_their_definitions() {
    let text = format!(
        "{MACHINE}{}[scheduler]\nkind = \"first-come-first-served\"\nnodes = \"whole\"\n",
        JOBS.replace("count = 2", "count = 5\narrival = \"3 us\"\ninterval = \"1 us\"")
    )
    .replace("dims = [4, 5]", "dims = [3, 5]");
    let (outcome, alone) = {
        let case = case(&text);
        let alone = case.alone().unwrap();
        run(&case, Some(&alone))
    };
    let (figures, jobs) = (&outcome.summary.figures, &outcome.summary.jobs);
    let makespan = number(figures, "makespan_s");
    let mut held = 0.0;
    for (place, job) in jobs.iter().enumerate() {
        let (arrival, start, time) = (number(job, "arrival_s"), number(job, "start_s"), number(job, "makespan_s"));
        let expected = place.checked_sub(1).map_or(0.0, |copy| 3e-6 + copy as f64 * 1e-6);
        assert!(close(arrival, expected), "{arrival}");
        assert!(close(number(job, "wait_s") + arrival, start));
        assert!(close(number(job, "slowdown"), (start - arrival + time) / time));
        // Whole nodes of two cores: 15 ranks hold 16.
        assert!(close(number(job, "nodes"), if place == 0 { 8.0 } else { 3.0 }));
        held += number(job, "nodes") * 2.0 * time;
    }
    assert!(jobs.iter().any(|job| number(job, "wait_s") > 1e-5), "some job waits");
    assert!(close(number(figures, "jobs.utilisation"), held / (32.0 * makespan)));
    for job in jobs {
        let share = number(job, "nodes") * 2.0 * number(job, "makespan_s") / held;
        assert!(close(number(job, "energy_fraction"), share));
    }
    // Run_task counts all cores: those without a rank do nothing.
    let computed: f64 =
        jobs.iter().map(|job| number(job, "running_fraction") * number(job, "ranks") * number(job, "makespan_s")).sum();
    assert!(close(number(figures, "ranks.running_fraction"), computed / (32.0 * makespan)));
    let mean = |name| jobs.iter().map(|job| number(job, name)).sum::<f64>() / jobs.len() as f64;
    let most = |name| jobs.iter().map(|job| number(job, name)).fold(0.0, f64::max);
    for (figure, expected) in [
        ("jobs.wait_mean_s", mean("wait_s")),
        ("jobs.wait_max_s", most("wait_s")),
        ("jobs.run_mean_s", mean("makespan_s")),
        ("jobs.slowdown_mean", mean("slowdown")),
        ("jobs.slowdown_max", most("slowdown")),
    ] {
        assert!(close(number(figures, figure), expected), "{figure}");
    }
    // Alone, jobs follow each other. No job was quicker beside others, on the same nodes or more distant ones.
    let alone = alone.unwrap();
    let ends: Vec<(f64, f64)> =
        alone.summary.jobs.iter().map(|job| (number(job, "start_s"), number(job, "makespan_s"))).collect();
    assert!(ends.windows(2).all(|pair| close(pair[0].0 + pair[0].1 + 1e-6, pair[1].0)), "{ends:?}");
    assert!(outcome.jobs().iter().all(|job| number(job, "relative.makespan") > 0.9));
}

#[test]
fn a_job_that_can_never_fit_is_refused() {
    for (nodes, ranks) in [("shared", 33), ("whole", 33)] {
        let app = format!("app = {{ kind = \"all-to-all\", ranks = {ranks}, bytes = \"8 B\" }}");
        let text =
            format!("{MACHINE}[scheduler]\nkind = \"alone\"\nnodes = \"{nodes}\"\n[[job]]\nname = \"vast\"\n{app}\n");
        let error = RunRequest::new(&case(&text)).run().err().unwrap();
        assert!(matches!(error, RunError::Input(_)));
        let error = error.to_string();
        assert!(error.contains("the 33 ranks of `vast` never fit, not even the empty machine"), "{error}");
        assert!(error.contains("node.cores = 2 on 16 nodes make 32"), "{error}");
    }
}

#[test]
fn a_runtime_system_needs_placements() {
    let policy = "policy = { kind = \"runtime\" }";
    let text = format!("{MACHINE}{JOBS}[scheduler]\nkind = \"alone\"\n")
        .replace("policy = { kind = \"stall-timer\", deep = \"5 us\" }", policy);
    let error = RunRequest::new(&case(&text)).run().err().unwrap().to_string();
    assert!(error.contains("a runtime system must know the nodes of jobs before"), "{error}");
}

/// Traces with wildcards and probes, several jobs and a scheduler: the same tables, byte by byte, for any number of
/// threads.
#[test]
fn threads_change_nothing() {
    const TRACE: &str = "drowse-trace 1\nranks 5\nrank 0\n\
        recv any\ncompute 3 us\nprobe any tag any\nrecv any tag any\nrecv any\nprobe any\nrecv any\nbcast 0 70000\n\
        rank 1-4\ncompute 1 us\nsend 0 9000\nbcast 0 70000\nbarrier\nrank 0\nbarrier\n";
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("any.drowse"), TRACE).unwrap();
    let jobs =
        "[[job]]\nname = \"any\"\ntrace = \"any.drowse\"\ncount = 9\ninterval = \"2 us\"\nestimate = \"30 us\"\n";
    for (kind, allocation) in
        [("first-come-first-served", "round-robin"), ("easy-backfilling", "random"), ("random-selectable", "switch")]
    {
        let text = format!(
            "{MACHINE}{}{jobs}[scheduler]\nkind = \"{kind}\"\nallocation = \"{allocation}\"\ndelay = \"50 ns\"\n",
            JOBS.replace("count = 2", "count = 3\narrival = \"10 us\"\nestimate = \"60 us\"")
                .replace("name = \"wide\"", "name = \"wide\"\nestimate = \"200 us\"")
        );
        fs::write(folder.path().join("x.toml"), text).unwrap();
        let case = load_case(&folder.path().join("x.toml"), &[]).unwrap_or_else(|error| panic!("{error}"));
        let tables = |threads: usize| -> Vec<Vec<u8>> {
            let outcome =
                RunRequest { threads: Threads::exactly(threads), ..RunRequest::new(&case) }.run().unwrap().case;
            assert!(outcome.summary.jobs.iter().any(|job| number(job, "wait_s") > 0.0), "some job waits");
            let folder = tempfile::tempdir().unwrap();
            export::write(folder.path(), &[&outcome]).unwrap();
            let read = |name| fs::read(folder.path().join(name)).unwrap();
            ["cases.csv", "jobs.csv", "ranks.csv", "channels.csv"].map(read).to_vec()
        };
        let one = tables(1);
        for threads in [2, 3, 8] {
            assert!(tables(threads) == one, "{kind}, {threads} threads");
        }
    }
}
