//! All kinds of this crate in experiments: by what can be computed by hand, and under the commands.

use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use drowse_core::model::units::Time;
use drowse_core::routing::RoutingKind;
use drowse_experiment::{Case, Source, WorkloadSpec};
use drowse_run::request::RunRequest;
use drowse_run::threads::Threads;
use drowse_tables::schema::cases;
use outside::{TwiceTheMean, kinds};

fn file(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join(name)
}

fn case(text: &str) -> Result<Case, String> {
    let source = Source::new(&file("test.toml"), text.to_owned(), &[]).map_err(|error| error.to_string())?;
    kinds().case(&Arc::new(source)).map_err(|error| error.to_string())
}

const STAR: &str = "network = { kind = \"star\", arms = 8 }\n";
const TOKEN: &str =
    "job = { app = { kind = \"token\", ranks = 8, bytes = \"64 KiB\", compute = \"50 us\", iterations = 10 } }\n";

/// Runs the command, and returns its exit code.
fn drowse(arguments: &[&str]) -> u8 {
    drowse::run_with(&kinds(), "outside".into(), arguments.iter().map(OsString::from))
}

/// Eight ranks that compute for 50 us one after the other take ten times 400 us, and the network some more.
#[test]
fn a_token_goes_around_a_star() {
    let case = case(&format!("{STAR}{TOKEN}")).unwrap();
    assert_eq!((case.system.network.switches(), case.system.network.nodes), (9, 8));
    let figures = RunRequest::new(&case).run().unwrap().case.figures();
    let makespan = figures.number(cases::MAKESPAN_S).unwrap();
    // 64 KiB at 10 GB/s take 6.6 us, 80 times, and four hops some tenths of a microsecond.
    assert!((4.5e-3..4.7e-3).contains(&makespan), "{makespan}");
}

/// A policy of an experiment is run as one that a program gives to the run, whatever the threads; where another class has
/// one of Drowse's own, too.
#[test]
fn a_policy_is_run_as_it_is_in_a_program() {
    let own = "{ kind = \"twice-the-mean\", least = \"20 us\" }";
    let named = case(&format!("{STAR}{TOKEN}power = {{ channels = \"all\", policy = {own} }}\n")).unwrap();
    let timer = "{ kind = \"stall-timer\", deep = \"20 us\" }";
    let given = case(&format!("{STAR}{TOKEN}power = {{ channels = \"all\", policy = {timer} }}\n")).unwrap();
    let figures = |outcome: drowse_run::outcome::Outcome| outcome.figures().number(cases::ENERGY_LINKS_ALL_J);
    let threads = Threads::exactly(2);
    let as_named = RunRequest { threads, ..RunRequest::new(&named) }.run().unwrap().case;
    let as_given = RunRequest::new(&given).run_under(&TwiceTheMean(Time::from_us(20))).unwrap();
    assert_eq!(as_named.record.ranks, as_given.record.ranks);
    assert_eq!(as_named.record.channels, as_given.record.channels);
    let mixed = format!(
        "{STAR}{TOKEN}power = {{ channels = \"all\", policy = {own}, class = [{{ class = \"node\", policy = {timer} }}] }}\n"
    );
    let mixed = figures(RunRequest::new(&case(&mixed).unwrap()).run().unwrap().case).unwrap();
    let timers = figures(RunRequest::new(&given).run().unwrap().case).unwrap();
    let all = figures(as_named).unwrap();
    // Idle periods are hundreds of microseconds: twice their mean keeps links on that the timer lets sleep.
    assert!(timers < mixed && mixed < all, "{timers} {mixed} {all}");
}

/// Each node sends across the middle, 0.2 of what its link carries: its arm carries so much in each direction.
#[test]
fn a_pattern_loads_the_arms() {
    let text = format!(
        "{STAR}traffic = {{ pattern = \"opposite\", load = 0.2, warmup = \"1000 cycles\", measure = \"100000 cycles\" }}\n"
    );
    let case = case(&text).unwrap();
    assert!(matches!(&case.workload, WorkloadSpec::Traffic(_)));
    let figures = RunRequest::new(&case).run().unwrap().case.figures();
    let accepted = figures.number(cases::LOAD_ACCEPTED).unwrap();
    assert!((0.19..0.21).contains(&accepted), "{accepted}");
}

/// Rank 0 takes 1 MiB from each of eleven ranks by its link, one after the other, and sends as much to each.
#[test]
fn a_sum_goes_to_the_root_and_back() {
    let case = kinds().load_case(&file("racks.toml"), &[]).unwrap();
    assert_eq!((case.system.network.switches(), case.system.network.nodes), (3, 12));
    assert_eq!(case.system.config.routing, RoutingKind::Table);
    let makespan = |case: &Case| RunRequest::new(case).run().unwrap().case.figures().number(cases::MAKESPAN_S).unwrap();
    // 1 MiB at 10 GB/s takes 104.9 us, 22 times, and each message waits for its ranks to agree, some microseconds.
    let own = makespan(&case);
    assert!((2.30e-3..2.40e-3).contains(&own), "{own}");
    let usual = kinds().load_case(&file("racks.toml"), &["job.collectives.allreduce=ring".to_owned()]).unwrap();
    assert!(makespan(&usual) < own / 4.0);
}

/// Eight ranks gather 1 MiB of each in four exchanges: of one block, and of two each. Only the next ranks talk, so that no
/// link of a star carries two messages at a time.
#[test]
fn neighbours_exchange_blocks() {
    let gather = |name: &str| {
        let job = format!("job = {{ trace = \"gather.ti\", collectives = {{ allgather = \"{name}\" }} }}\n");
        let case = case(&format!("{STAR}{job}")).unwrap();
        RunRequest::new(&case).run().unwrap().case.figures().number(cases::MAKESPAN_S).unwrap()
    };
    // 1 MiB at 10 GB/s takes 104.9 us: seven times in all, and each step some microseconds.
    let (own, ring) = (gather("neighbours"), gather("ring"));
    assert!((0.734e-3..0.76e-3).contains(&own), "{own}");
    // A ring has seven steps instead of four.
    assert!(own < ring && ring < own * 1.05, "{own} {ring}");
}

/// A routing of one's own routes any network, here a tree, by tables that are proven.
#[test]
fn a_routing_takes_the_first_link() {
    let text = "network = { kind = \"tree\", k = 4, n = 2, routing = \"first-link\" }\n";
    let case = case(&format!("{text}{TOKEN}")).unwrap();
    assert_eq!((case.system.network.nodes, case.system.config.routing), (16, RoutingKind::Table));
    assert!(case.system.notes.is_empty(), "{:?}", case.system.notes);
    assert!(RunRequest::new(&case).run().is_ok());
}

/// Wrong keys are told as those of Drowse's own kinds are: with their place, and what to write.
#[test]
fn wrong_keys_are_told() {
    let said = |text: &str| case(text).unwrap_err();
    let has = |text: &str, parts: &[&str]| {
        let said = said(text);
        assert!(parts.iter().all(|part| said.contains(part)), "{said}");
    };
    has(&format!("network = {{ kind = \"star\", arm = 8 }}\n{TOKEN}"), &["test.toml:1:", "`arms`"]);
    has(&format!("network = {{ kind = \"star\", arms = 1 }}\n{TOKEN}"), &["`network.arms` = 1", "write 2 to 1000"]);
    has(&format!("network = {{ kind = \"sta\", arms = 8 }}\n{TOKEN}"), &["did you mean `star`?"]);
    has(
        &format!("{STAR}job = {{ app = {{ kind = \"token\", ranks = 1, bytes = \"1 B\" }} }}\n"),
        &["`job.app.ranks` = 1"],
    );
    has(
        &format!("{STAR}{TOKEN}power.policy = {{ kind = \"twice-the-mean\" }}\n"),
        &["`power.policy.least` is missing", "20 us"],
    );
    has(
        &format!("{STAR}{TOKEN}power.policy = {{ kind = \"twice-the-mean\", least = \"0 s\" }}\n"),
        &["`least` is zero"],
    );
    has(&format!("network = {{ kind = \"star\", arms = 8, routing = \"last-link\" }}\n{TOKEN}"), &["network.routing"]);
    let graph = |keys: &str| format!("network = {{ kind = \"graph\", {keys} }}\n{TOKEN}");
    has(&graph("file = \"racks.txt\", uplinks = 2"), &["racks.txt:1:1", "how many there are", "remove `uplinks`"]);
    let odd = "network = { kind = \"star\", arms = 9 }\ntraffic = { pattern = \"opposite\", load = 0.2, warmup = \"1000 cycles\", measure = \"1000 cycles\" }\n";
    has(odd, &["9 nodes have no halves", "an even number"]);
}

/// All commands know them: what is written is one experiment of all kinds.
#[test]
fn commands_know_them() {
    let out = tempfile::tempdir().unwrap();
    let at = |name: &str| out.path().join(name).display().to_string();
    let [star, traffic] = ["star.toml", "traffic.toml"].map(|name| file(name).display().to_string());
    assert_eq!(drowse(&["network", &star, "--check", "--format", "json"]), 0);
    let racks = file("racks.toml").display().to_string();
    assert_eq!(drowse(&["network", &racks, "--check", "--format", "json"]), 0);
    assert_eq!(drowse(&["run", &racks, "--out", &at("racks")]), 0);
    assert_eq!(drowse(&["rerun", &at("racks")]), 0);
    assert_eq!(drowse(&["run", &traffic, "--out", &at("traffic"), "--baseline", "always-on"]), 0);
    assert_eq!(drowse(&["sweep", &star, "--out", &at("sweep")]), 0);
    assert_eq!(drowse(&["report", &at("sweep"), "--output", &at("page.html")]), 0);
    assert_eq!(drowse(&["rerun", &at("sweep")]), 0);
    let table = fs::read_to_string(out.path().join("sweep/cases.csv")).unwrap();
    assert_eq!(table.lines().count(), 1 + 4 + 2, "a head, four cases and two baselines");
    assert!(fs::metadata(out.path().join("page.html")).unwrap().len() > 10_000);
    assert_eq!(drowse(&["run", &star]), 2, "a sweep is no single case");
}
