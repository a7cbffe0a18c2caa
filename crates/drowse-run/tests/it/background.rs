//! Open-loop traffic beside jobs, from the experiment to the tables.

use std::fs;

use drowse_run::export;
use drowse_run::outcome::Outcome;
use drowse_run::request::{Outcomes, RunRequest};
use drowse_run::threads::Threads;

use crate::support::case;

const JOBS: &str = "
    [network]
    kind = \"torus\"
    dims = [4, 4]
    routing = \"adaptive\"
    [power]
    policy = { kind = \"stall-timer\", deep = \"5 us\" }
    [[job]]
    name = \"stencil\"
    app = { kind = \"stencil\", dims = [4, 2], bytes = \"16 KiB\", compute = \"20 us\", iterations = 3 }
    [[job]]
    name = \"exchange\"
    app = { kind = \"all-to-all\", ranks = 4, bytes = \"2 KiB\", compute = \"9 us\", iterations = 4 }
";

fn run(text: &str, threads: usize) -> Outcome {
    let case = case(text);
    RunRequest { threads: Threads::exactly(threads), ..RunRequest::new(&case) }
        .run()
        .unwrap_or_else(|error| panic!("{error}"))
        .case
}

/// Returns the tables that do not tell what the run cost.
fn tables(outcome: &Outcome) -> Vec<Vec<u8>> {
    let folder = tempfile::tempdir().unwrap();
    export::write(folder.path(), &[outcome]).unwrap();
    let names = ["cases.csv", "channels.csv", "jobs.csv", "ranks.csv"];
    names.map(|name| fs::read(folder.path().join(name)).unwrap()).into()
}

/// A load of 0 is no traffic: the same name, record and tables. Any other is another case.
#[test]
fn no_load_is_no_traffic() {
    let without = run(JOBS, 1);
    let none = run(&format!("{JOBS}[traffic]\nload = 0.0\npattern = \"tornado\"\n"), 1);
    assert_eq!(none.record, without.record);
    assert_eq!(none.case_id(), without.case_id());
    assert_eq!(tables(&none), tables(&without));
    let id = |traffic: &str| run(&format!("{JOBS}[traffic]\n{traffic}"), 1).case_id();
    let texts = ["load = 0.1", "load = 0.2", "load = 0.1\nnodes = \"free\"", "load = 0.1\npackets = 2"];
    let mut ids: Vec<String> = texts.iter().map(|text| id(text).to_string()).collect();
    ids.push(without.case_id().to_string());
    ids.sort_unstable();
    ids.dedup();
    assert_eq!(ids.len(), 5);
    assert_eq!(id("load = 0.1"), id("load = 0.1\nnodes = \"all\"\npattern = { kind = \"uniform\" }"));
}

/// The more traffic, the later the jobs end, where links are always on: it would keep some awake. Figures of jobs and of
/// traffic stand side by side.
#[test]
fn traffic_slows_jobs_down() {
    let on = JOBS.replace("{ kind = \"stall-timer\", deep = \"5 us\" }", "{ kind = \"always-on\" }");
    let slow = format!("{on}[[link]]\nbandwidth = \"1 GB/s\"\n");
    let mut last = 0.0;
    for load in ["0.0", "0.1", "0.3", "0.6"] {
        let outcome = run(&format!("{slow}[traffic]\nload = {load}\n"), 1);
        let figure = |name: &str| outcome.summary.figures.number(name);
        let makespan = figure("makespan_s").unwrap();
        assert!(makespan > last, "load {load}: {makespan} s after {last} s");
        last = makespan;
        assert_eq!(outcome.summary.jobs.len(), 2);
        assert_eq!(figure("load.offered"), None);
        if load == "0.0" {
            assert_eq!(figure("background.load.offered"), None);
            continue;
        }
        let offered = figure("background.load.offered").unwrap();
        let wanted: f64 = load.parse().unwrap();
        assert!((offered / wanted - 1.0).abs() < 0.1, "{offered}, not {wanted}");
        let accepted = figure("background.load.accepted").unwrap();
        assert!(accepted <= offered && accepted > 0.4 * offered, "{accepted} of {offered}");
        let [made, delivered] =
            ["generated", "delivered"].map(|name| figure(&format!("background.packets.{name}")).unwrap());
        assert!(made >= delivered && delivered > 100.0);
        assert!(figure("background.latency.packet.mean_ns").unwrap() > 100.0);
        let energies = ["energy.links.all_j", "energy.network_j"].map(|name| figure(name).is_some());
        assert_eq!(energies, [true, true]);
    }
}

/// Tables are the same bytes on any number of threads, beside a scheduler, too.
#[test]
fn the_same_tables_on_any_number_of_threads() {
    let traffic = "[traffic]\nload = 0.1\npattern = \"complement\"\npackets = { short = 1, long = 5, share = 0.3 }\n";
    let scheduled = format!("{JOBS}count = 3\n{traffic}[scheduler]\nkind = \"random-selectable\"\n");
    for text in [format!("{JOBS}{traffic}"), scheduled] {
        let whole = tables(&run(&text, 1));
        for threads in [2, 3, 8] {
            assert_eq!(tables(&run(&text, threads)), whole, "{threads} threads");
        }
    }
}

/// Probes and a baseline see traffic beside jobs as they see jobs.
#[test]
fn a_baseline_has_the_same_traffic() {
    let case = case(&format!("{JOBS}[traffic]\nload = 0.05\n"));
    let on = case.always_on();
    let Outcomes { case: outcome, baseline } =
        RunRequest { baseline: Some(&on), ..RunRequest::new(&case) }.run().unwrap();
    let (ours, theirs) = (outcome.record.background.unwrap(), baseline.unwrap().record.background.unwrap());
    // The same nodes make the same messages at the same times; a run that is longer makes more.
    assert!(ours.packets_generated >= theirs.packets_generated && theirs.packets_generated > 0);
}
