//! Whole runs, judged by their meaning.

use std::fs;
use std::path::Path;

use drowse_experiment::{Case, load_case};
use drowse_run::error::RunError;
use drowse_run::outcome::Outcome;
use drowse_run::request::{Outcomes, RunRequest};
use drowse_run::threads::Threads;
use drowse_tables::csv;
use drowse_tables::schema::CASES;
use tempfile::TempDir;

use crate::support::{NETWORK, TRAFFIC, case};
use crate::trace::PING;

/// Four nodes whose links between switches sleep soon, and the tiny trace.
const SLEEPY: &str = "
    [network]
    kind = \"torus\"
    dims = [4]
    [power]
    policy = { kind = \"stall-timer\", deep = \"1 us\" }
    [[job]]
    trace = \"ping.ti\"
";

/// Writes an experiment and the tiny trace into a folder, with more lines for the job.
fn folder(experiment: &str) -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("ping.ti"), PING).unwrap();
    fs::write(folder.path().join("x.toml"), experiment).unwrap();
    folder
}

fn load(folder: &Path) -> Case {
    load_case(&folder.join("x.toml"), &[]).unwrap_or_else(|error| panic!("{error}"))
}

fn run(case: &Case, baseline: Option<&Case>, threads: usize) -> Result<(Outcome, Option<Outcome>), RunError> {
    RunRequest { baseline, threads: Threads::exactly(threads), ..RunRequest::new(case) }
        .run()
        .map(|Outcomes { case, baseline }| (case, baseline))
}

fn message(experiment: &str) -> String {
    let folder = folder(experiment);
    let error = run(&load(folder.path()), None, 1).map(|_| ()).expect_err("an error").to_string();
    error.replace(&folder.path().display().to_string(), "")
}

#[test]
fn sleeping_links_cost_time_and_save_energy() {
    let folder = folder(SLEEPY);
    let case = load(folder.path());
    let (outcome, baseline) = run(&case, Some(&case.always_on()), 2).unwrap();
    let number = |name: &str| outcome.case_row().number(name).unwrap_or_else(|| panic!("{name} is absent"));
    assert!(number("links.wakes") > 0.0 && number("links.delayed_messages") > 0.0);
    assert!(number("relative.makespan") > 1.0, "waking delays the message");
    assert!(number("relative.e_net") < 1.0 && number("relative.links") < 1.0);
    assert!(number("links.deep_fraction") > 0.5);
    let reference = baseline.unwrap().summary.figures;
    assert_eq!(reference.number("energy.w_ports"), Some(1.0));
    assert_eq!(reference.number("links.on_fraction"), Some(1.0));
}

/// `E_net` is a share of the reference network's: it is compared only between networks that have the same one.
#[test]
fn energies_relative_to_different_networks_are_not_compared() {
    let reference = "[power.model]\nreference = { switches = 4, ports = 3 }\n";
    let with = |dims: &str, more: &str| {
        let folder = folder(&format!("{}{more}", SLEEPY.replace("dims = [4]", dims)));
        (load(folder.path()), folder)
    };
    let compared = |more: &str, other_dims: &str, others: &str| {
        let ((case, _kept), (other, _kept_too)) = (with("dims = [4]", more), with(other_dims, others));
        let (outcome, _) = run(&case, Some(&other), 1).unwrap();
        outcome.case_row().number("relative.e_net").is_some()
    };
    assert!(compared("", "dims = [4]", ""));
    assert!(!compared("", "dims = [5]", ""), "of five switches and of four");
    assert!(compared(reference, "dims = [5]", reference));
    assert!(!compared(reference, "dims = [4]", ""), "of a given network and of its own");
    assert!(!compared(reference, "dims = [4]", &reference.replace('3', "4")));
}

/// Energy x delay is compared as what it is; so is the cost, by the rule of Saravanan and Carpenter 2018, section 7. A
/// program on one switch, so that the way to the other does not matter: four links of a trunk and one of four lanes
/// draw the same, asleep or always on.
#[test]
fn a_wide_link_draws_what_a_trunk_draws() {
    for policy in ["", "[power]\npolicy = { kind = \"stall-timer\", deep = \"1 us\" }\n"] {
        let figures = |network: &str| {
            let job = "[[job]]\ntrace = \"ping.ti\"\n";
            let folder =
                folder(&format!("[network]\nkind = \"torus\"\ndims = [2]\nnodes = 4\n{network}\n{policy}{job}"));
            run(&load(folder.path()), None, 1).unwrap().0.summary.figures
        };
        let (trunk, wide) = (figures("trunk = 4"), figures("[[link]]\nclass = \"dim-0\"\nlanes = 4"));
        for name in
            ["makespan_s", "network.ports", "energy.w_net", "energy.e_net", "energy.links.switch", "energy.links.all"]
        {
            let [trunk, wide] = [&trunk, &wide].map(|figures| figures.number(name).unwrap());
            assert!((trunk - wide).abs() <= 1e-12 * trunk, "{name} is {wide} with one link, {trunk} with four");
        }
        assert_eq!(wide.number("energy.w_net").unwrap() < 1.0, !policy.is_empty());
    }
}

#[test]
fn ratios_and_costs_fit_each_other() {
    let watts = SLEEPY.replace("[power]", "[power]\n    watts = { on = 0.9 }");
    let folder = folder(&format!("{watts}[cost]\nsystem_power = \"20 MW\"\nprice = 0.1\nyears = 4\n"));
    let case = load(folder.path());
    let (outcome, baseline) = run(&case, Some(&case.always_on()), 1).unwrap();
    let row = outcome.case_row();
    let number = |name: &str| row.number(name).unwrap_or_else(|| panic!("{name} is absent"));
    let near = |a: f64, b: f64| assert!((a - b).abs() <= 1e-12 * b.abs(), "{a} is not {b}");
    near(number("relative.edp"), number("relative.links") * number("relative.makespan"));
    let links = 0.12 * 0.60;
    let saved = links * (1.0 - number("relative.links")) - (1.0 - links) * (number("relative.makespan") - 1.0);
    near(number("cost.saved_fraction"), saved);
    near(number("cost.saved"), saved * number("cost.lifetime"));
    let mut written = Vec::new();
    csv::write(&CASES, std::slice::from_ref(&row), &mut written).unwrap();
    assert_eq!(csv::read(&CASES, written.as_slice()).unwrap(), std::slice::from_ref(&row));
    near(number("cost.saved") + number("cost.total"), number("cost.lifetime"));
    assert_eq!(baseline.unwrap().case_row().get("cost.total"), None);
    // Another network has other links, whose share of the system's energy nobody knows.
    let wide = load_case(&folder.path().join("x.toml"), &["network.trunk=2".into()]).unwrap();
    let (outcome, _) = run(&case, Some(&wide), 1).unwrap();
    assert!(outcome.relative.figures.number("relative.edp").is_some());
    assert_eq!(outcome.case_row().get("cost.saved"), None);
}

#[test]
fn states_sum_to_one_and_keys_are_in_the_schema() {
    let (outcome, _) = run(&load(folder(SLEEPY).path()), None, 1).unwrap();
    let row = outcome.case_row();
    for prefix in ["links", "links.by_class.node", "links.by_class.dim-0"] {
        let share = |state| row.number(format!("{prefix}.{state}_fraction")).unwrap();
        let sum: f64 = ["on", "entering", "shallow", "deep", "waking"].map(share).iter().sum();
        assert!((sum - 1.0).abs() < 1e-12, "{prefix}: {sum}");
    }
    assert!(row.iter().all(|(name, _)| CASES.column(name).is_some()));
}

#[test]
fn results_do_not_depend_on_threads() {
    let folder = folder(SLEEPY);
    let case = load(folder.path());
    let rows = |threads| {
        let (outcome, baseline) = run(&case, Some(&case.always_on()), threads).unwrap();
        (outcome.case_row(), baseline.unwrap().case_row())
    };
    assert_eq!(rows(1), rows(2));
}

#[test]
fn a_case_keeps_its_name_when_it_is_written_differently() {
    let id = |text: &str| {
        let (outcome, _) = run(&case(text), None, 1).unwrap();
        outcome.summary.identity.get("case_id").unwrap().to_string()
    };
    let plain = format!("{NETWORK}{TRAFFIC}");
    let explicit = format!("title = \"the same\"\n{NETWORK}trunk = 1\n[switch]\nclock = \"1600 ps\"\n{TRAFFIC}");
    assert_eq!(id(&plain), id(&explicit));
    assert_ne!(id(&plain), id(&format!("seed = 2\n{plain}")));
}

#[test]
fn uniform_traffic_is_accepted_at_low_load() {
    let (outcome, _) = run(&case(&format!("{NETWORK}{TRAFFIC}")), None, 1).unwrap();
    let number = |name: &str| outcome.summary.figures.number(name).unwrap();
    assert!((number("load.offered") - 0.3).abs() < 0.03);
    assert!((number("load.accepted") - number("load.offered")).abs() < 0.03);
    assert!(number("latency.packet.mean_ns") > 50.0);
    assert_eq!(outcome.summary.figures.get("makespan_s"), None);
}

#[test]
fn ranks_are_placed_as_the_file_says() {
    let folder = folder(&format!("{SLEEPY}placement = \"nodes.txt\"\n"));
    fs::write(folder.path().join("nodes.txt"), "# rank 0, then rank 1\n3\n\n1\n").unwrap();
    let (outcome, _) = run(&load(folder.path()), None, 1).unwrap();
    assert_eq!(outcome.record.ranks.iter().map(|rank| rank.node).collect::<Vec<_>>(), [3, 1]);
}

#[test]
fn jobs_take_the_cores_that_are_left() {
    let (outcome, _) = run(&load(folder(&format!("{SLEEPY}[[job]]\ntrace = \"ping.ti\"\n")).path()), None, 1).unwrap();
    assert_eq!(outcome.record.ranks.iter().map(|rank| rank.node).collect::<Vec<_>>(), [0, 1, 2, 3]);
}

#[test]
fn ranks_that_do_not_fit() {
    let text = format!("{SLEEPY}[[job]]\ntrace = \"ping.ti\"\n[[job]]\nname = \"third\"\ntrace = \"ping.ti\"\n");
    insta::assert_snapshot!(message(&text), @r#"
    /x.toml:13:9: error: the 2 ranks of `third` do not fit: 0 cores are free
     13 | trace = "ping.ti"
        |         ^^^^^^^^^
    help: node.cores = 1 on 4 nodes make 4; raise it or make [network] larger
    "#);
}

#[test]
fn ranks_that_the_trace_does_not_have() {
    insta::assert_snapshot!(message(&format!("{SLEEPY}    ranks = 64\n")), @r#"
    /x.toml:9:13: error: the trace has 2 ranks, not 64
     9 |     ranks = 64
       |             ^^
    help: write ranks = 2, or leave it out
    "#);
}

#[test]
fn a_trace_that_is_not_there() {
    insta::assert_snapshot!(message(&SLEEPY.replace("ping.ti", "pong.ti")), @r#"
    /x.toml:8:13: error: /pong.ti: cannot be read: No such file or directory (os error 2); check that the path exists, may be read and is complete
     8 |     trace = "pong.ti"
       |             ^^^^^^^^^
    "#);
}

#[test]
fn a_placement_that_is_no_file() {
    insta::assert_snapshot!(message(&format!("{SLEEPY}    placement = \"randon\"\n")), @r#"
    /x.toml:9:17: error: the placement file /randon cannot be read: No such file or directory (os error 2)
     9 |     placement = "randon"
       |                 ^^^^^^^^
    help: did you mean `random`? write "linear", "random", "random-nodes", "round-robin", or the name of a file with one node number per line
    "#);
}

#[test]
fn a_placement_on_a_node_that_does_not_exist() {
    let folder = folder(&format!("{SLEEPY}    placement = \"nodes.txt\"\n"));
    fs::write(folder.path().join("nodes.txt"), "0\n  9 # too far\n").unwrap();
    let error = run(&load(folder.path()), None, 1).map(|_| ()).expect_err("an error").to_string();
    insta::assert_snapshot!(error.replace(&folder.path().display().to_string(), ""), @r#"
    /nodes.txt:2:3: error: `9` is no node
     2 |   9 # too far
       |   ^
    help: write a number from 0 to 3
    "#);
}

#[test]
fn a_receive_that_nobody_sends_to() {
    let folder = folder(SLEEPY);
    fs::write(folder.path().join("ping.ti"), "0 init\n0 recv 1 0 8\n0 finalize\n1 init\n1 finalize\n").unwrap();
    let error = run(&load(folder.path()), None, 1).map(|_| ()).expect_err("an error");
    assert!(matches!(error, RunError::Stuck(_)), "{error}");
}

/// 1,000 bytes take 62.5 ms at 128 kb/s, and the barrier behind them a few. What is left out of the map is a warning.
#[test]
fn a_slow_link_of_a_map() {
    let folder = folder("network = { kind = \"graph\", file = \"map.graphml\" }\n[[job]]\ntrace = \"ping.ti\"\n");
    let map = "<graphml><key id=\"k\" for=\"edge\" attr.name=\"LinkLabel\"/><graph>\
        <node id=\"a\"/><node id=\"b\"/><node id=\"apart\"/>\
        <edge source=\"a\" target=\"b\"><data key=\"k\">128 Kbps</data></edge></graph></graphml>";
    fs::write(folder.path().join("map.graphml"), map).unwrap();
    let (outcome, _) = run(&load(folder.path()), None, 1).unwrap();
    let makespan = outcome.case_row().number("makespan_s").unwrap();
    assert!((0.0625..0.08).contains(&makespan), "{makespan}");
    let warnings: Vec<String> = outcome.summary.warnings().map(ToString::to_string).collect();
    assert!(warnings.iter().any(|warning| warning.contains("2 of 3 switches, without `apart`")), "{warnings:?}");
}
