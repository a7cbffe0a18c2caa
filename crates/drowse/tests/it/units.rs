//! Packets and flows: one case by both, and searches by flows that packets verify.

use std::fs;

use serde_json::Value;
use tempfile::TempDir;

use crate::support::{PING, drowse, drowse_in, json_of, ping};

/// Eight ranks on a torus, and timers between 5 us and 1 ms: those of about 230 us save most at 1 % of run time.
const SEARCH: &str = "title = \"Timers\"
[network]
kind = \"torus\"
dims = [4, 2]
[switch]
queues = \"virtual-output\"
[power]
channels = \"all\"
policy = { kind = \"stall-timer\", deep = \"1 us\" }
[[job]]
app = { kind = \"stencil\", dims = [4, 2], bytes = \"32 KiB\", compute = \"1 ms\", jitter = 0.2, iterations = 10 }
[sweep]
baseline = \"always-on\"
\"power.policy.deep\" = { from = \"5 us\", to = \"1000 us\", step = \"25 us\" }
[search]
where = \"slowdown <= 1%\"
";

fn folder(text: &str) -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("x.toml"), text).unwrap();
    folder
}

/// A message alone takes the same time by both, to the picosecond (see the page on flows): 100 us of computing, a wake of
/// 4.48 us, and the rest of its way.
#[test]
fn one_message_alone_is_the_same_by_packets_and_by_flows() {
    let folder = ping();
    fs::write(folder.path().join("ping.ti"), PING.replace("0 barrier\n", "").replace("1 barrier\n", "")).unwrap();
    let json = json_of(&drowse_in(folder.path(), &["run", "ping.toml", "--compare-units", "--format", "json"]));
    let of = |subject: &str, figure: &str| -> Value {
        let named = |key: &str, name: &str, all: &Value| {
            all.as_array().unwrap().iter().find(|it| it[key].as_str().unwrap().starts_with(name)).unwrap().clone()
        };
        named("figure", figure, &named("subject", subject, &json["subjects"])["figures"])
    };
    for (subject, figure) in [("the run", "run time"), ("messages up to a buffer", "latency, mean")] {
        let found = of(subject, figure);
        assert_eq!(found["packets"], found["flows"], "{found}");
        assert_eq!(found["relative"], 0.0);
    }
    assert_eq!(of("messages up to a buffer", "messages")["packets"], 1.0);
    assert!(of("links of class dim-0", "energy")["packets"].as_f64().unwrap() > 0.0);
    let told = drowse_in(folder.path(), &["run", "ping.toml", "--compare-units"]);
    assert_eq!((told.code, told.stderr.as_str()), (Some(0), ""));
    let run_time = told.stdout.lines().find(|line| line.contains("run time")).unwrap();
    assert!(run_time.split_whitespace().filter(|word| *word == "104.7").count() == 2, "{}", told.stdout);
}

#[test]
fn what_flows_refuse_is_said_by_name() {
    let ended = drowse(&[
        "run",
        "examples/trunk-policies.toml",
        "--compare-units",
        "--set",
        "power.policy={ kind = \"coalescing\", frames = 10, timeout = \"12 us\" }",
        "--set",
        "switch.trunks=packed",
    ]);
    assert_eq!(ended.code, Some(2), "{}", ended.stdout);
    let message = ended.stderr.replace("\n    ", " ");
    assert!(message.contains("flows do not wait for several packets before a link wakes"), "{message}");
}

/// The answer is the one of packets alone, and says how much of it hangs on what.
#[test]
fn a_search_by_flows_has_the_answer_of_packets() {
    let packets = folder(SEARCH);
    let alone = json_of(&drowse_in(packets.path(), &["search", "x.toml", "--out", "out", "--format", "json"]));
    let flows = folder(&format!("{SEARCH}unit = \"flow\"\nverify = \"packet\"\npairs = 4\n"));
    let search = ["search", "x.toml", "--out", "out", "--format", "json"];
    let both = json_of(&drowse_in(flows.path(), &search));
    let best = |json: &Value| json["groups"][0]["best"].clone();
    assert_eq!(best(&both["answer"]), best(&alone["answer"]), "ids, energies and slowdowns of packets");
    let verified = &both["verified"];
    let [pairs, cases] = ["pairs", "cases_by_flows"].map(|key| verified[key].as_u64().unwrap());
    assert!(verified["drawn"] == 4 && pairs >= 4 && pairs < cases, "{verified}");
    assert_eq!(verified["pending"], Value::Array(Vec::new()));
    assert!(verified["spread_95"]["energy"]["by"].as_f64().unwrap() < 0.05, "{verified}");
    // Nothing is left to run, and the same is said.
    let again = json_of(&drowse_in(flows.path(), &search));
    assert_eq!((&again["answer"], &again["verified"]), (&both["answer"], verified));
    assert_eq!(again["sweep"]["ran"], 0);
    let answer = json_of(&drowse_in(flows.path(), &["best", "out", "--where", "slowdown <= 1%", "--format", "json"]));
    assert_eq!(best(&answer), best(&alone["answer"]));
    // Another question may have an answer that packets have not run.
    let other = drowse_in(flows.path(), &["best", "out", "--minimize", "time"]);
    assert!(other.code == Some(0) && other.stdout.contains("by packets"), "{} {}", other.stdout, other.stderr);
}

/// A sweep runs all cases by flows, and its answer is that of a sweep by packets.
#[test]
fn a_sweep_by_flows_is_verified_by_packets() {
    let text = SEARCH.replace("step = \"25 us\"", "step = \"75 us\"");
    let packets = folder(&text);
    assert_eq!(drowse_in(packets.path(), &["sweep", "x.toml", "--out", "out"]).code, Some(0));
    let ask = ["best", "out", "--where", "slowdown <= 1%", "--format", "json"];
    let alone = json_of(&drowse_in(packets.path(), &ask));
    let flows = folder(&format!("{text}unit = \"flow\"\nverify = \"packet\"\npairs = 2\n"));
    let swept = drowse_in(flows.path(), &["sweep", "x.toml", "--out", "out"]);
    assert_eq!(swept.code, Some(0), "{}", swept.stderr);
    assert!(swept.stdout.contains("All figures above are by packets"), "{}", swept.stdout);
    let both = json_of(&drowse_in(flows.path(), &ask));
    assert_eq!(both["groups"][0]["best"], alone["groups"][0]["best"]);
    let count = |folder: &str| fs::read_to_string(flows.path().join(folder).join("cases.csv")).unwrap().lines().count();
    assert!(count("out/packets") < count("out"), "packets run a part");
}

/// Ten wrong questions.
#[test]
fn ten_wrong_verifications() {
    let wrong = [
        ("verify = \"flow\"", "search.verify"),
        ("verify = \"packet\"", "packets verify flows, but these cases are by packets"),
        ("unit = \"packet\"\nverify = \"packet\"", "packets verify flows, but these cases are by packets"),
        ("unit = \"flows\"", "search.unit"),
        ("unit = 5", "search.unit"),
        ("unit = \"flow\"\nverify = true", "search.verify"),
        ("unit = \"flow\"\npairs = 5", "`search.pairs` counts what packets verify, and nothing is"),
        ("unit = \"flow\"\nverify = \"packet\"\npairs = 0", "search.pairs"),
        ("unit = \"flow\"\nverify = \"packet\"\npairs = 2000", "search.pairs"),
        ("unit = \"flow\"\n[simulation]\nunit = \"packet\"", "`search.unit` and `simulation.unit` say that different"),
        (
            "unit = \"flow\"\nverify = \"packet\"\n[sweep.simulation]\nfairness = [\"port\"]",
            "packets cannot verify a sweep over",
        ),
    ];
    for (keys, told) in wrong {
        let folder = folder(&format!("{SEARCH}{keys}\n"));
        let ended = drowse_in(folder.path(), &["search", "x.toml", "--out", "out"]);
        assert_eq!((ended.code, ended.stdout.as_str()), (Some(2), ""), "{keys}: {}", ended.stderr);
        let message = ended.stderr.replace("\n    ", " ");
        assert!(message.contains(told) && message.starts_with("x.toml:"), "{keys}: {}", ended.stderr);
    }
}
