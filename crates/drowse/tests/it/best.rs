//! `drowse best`.

use std::fmt::Write;
use std::fs;

use tempfile::TempDir;

use crate::support::{drowse_in, json_of, ping};

/// A sweep of two trunks and two stall timers, with its baselines.
fn swept() -> TempDir {
    let folder = ping();
    let text = fs::read_to_string(folder.path().join("ping.toml")).unwrap();
    let sweep = "[sweep]\nbaseline = \"always-on\"\n\"network.trunk\" = [1, 2]\n\
                 \"power.policy.deep\" = [\"1 us\", \"500 us\"]\n";
    fs::write(folder.path().join("sweep.toml"), format!("{text}{sweep}")).unwrap();
    let ended = drowse_in(folder.path(), &["sweep", "sweep.toml", "--out", "out"]);
    assert_eq!(ended.code, Some(0), "{}", ended.stderr);
    assert!(ended.stdout.contains("4 cases and 2 baselines, 6 run now"), "{}", ended.stdout);
    folder
}

/// The ping takes 109.3 us with the short timer and 100.3 us with the long one, which never sleeps.
#[test]
fn a_sentence_and_a_table() {
    let folder = swept();
    let best = |condition: &[&str]| drowse_in(folder.path(), &[["best", "out"].as_slice(), condition].concat());
    let ended = best(&[]);
    assert_eq!((ended.code, ended.stderr.as_str()), (Some(0), ""));
    assert!(ended.stdout.starts_with("least energy: "), "{}", ended.stdout);
    let best_of = |condition: &[&str]| {
        let json = json_of(&best(&[condition, ["--format", "json"].as_slice()].concat()));
        let groups = json["groups"].as_array().unwrap();
        groups.iter().map(|group| group["best"]["label"].as_str().unwrap_or("none").to_owned()).collect::<Vec<_>>()
    };
    let short = best_of(&[]);
    assert!(short[0].contains("1 us") && short[0].contains("trunk 1"), "{short:?}");
    // That timer is as good as no timer: the baseline comes first.
    let long = best_of(&["--where", "slowdown <= 1%", "--by", "network.trunk"]);
    assert_eq!(long, ["trunk 1 · always on", "trunk 2 · always on"]);
    let told = best(&["--where", "slowdown <= 1%"]).stdout.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(told.contains("(6 cases, 4 of which keep slowdown <= 1%, 1 other is as good)"), "{told}");
    assert_eq!(best_of(&["--where", "slowdown < 0"]), ["none"]);
}

/// Cases of a front that are equal in both figures are one row of it.
#[test]
fn equal_cases_are_told_once() {
    let folder = tempfile::tempdir().unwrap();
    let cases = "set.network.trunk,makespan_s,energy.network_j,case_id\n1,1.0,5.0,a\n2,2.0,4.0,b\n3,1.0,5.0,c\n\
                 4,1.0,5.0,d\n5,2.0,9.0,e\n";
    fs::write(folder.path().join("cases.csv"), cases).unwrap();
    let ended = drowse_in(folder.path(), &["best", "."]);
    let front = "case                   energy     time\n\
                 trunk 1, and 2 equal  5.000 J  1.000 s\n\
                 trunk 2               4.000 J  2.000 s\n";
    assert!(ended.stdout.ends_with(front), "{}", ended.stdout);
    let json = json_of(&drowse_in(folder.path(), &["best", ".", "--format", "json"]));
    assert_eq!(json["groups"][0]["front"].as_array().unwrap().len(), 4);
    let ended = drowse_in(folder.path(), &["best", ".", "--minimize", "makespan_s"]);
    let told = "least makespan_s: trunk 1, with 1.000 s (5 cases, 2 others are as good).\n\n\
                case       makespan_s\n\
                trunk 1    1.000 s\n";
    assert_eq!(ended.stdout.split_whitespace().collect::<Vec<_>>(), told.split_whitespace().collect::<Vec<_>>());
}

#[test]
fn a_wrong_condition() {
    let ended = drowse_in(swept().path(), &["best", "out", "--where", "slowdwn <= 1%"]);
    assert_eq!((ended.code, ended.stdout.as_str()), (Some(2), ""));
    assert!(ended.stderr.starts_with("--where:1: error: no figure is named `slowdwn`\n"), "{}", ended.stderr);
    assert!(ended.stderr.contains("did you mean `slowdown`?"), "{}", ended.stderr);
}

/// Three networks under a timer and an oracle, written by hand: the HyperX with its links on needs least at 1 %.
fn three_networks() -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    let mut cases = "set.network,set.power.policy,makespan_s,energy.network_j,relative.case_id,relative.makespan,\
                     relative.network_j,case_id\n"
        .to_owned();
    let networks = [
        (
            "{ kind = \"\"xgft\"\", children = [16, 16, 4], parents = [4, 4], links = [2, 8] }",
            [(1.0, 903.0), (1.005, 830.7)],
        ),
        ("{ kind = \"\"dragonfly-plus\"\", nodes = 8, leaves = 8, spines = 8, h = 2 }", [(1.1, 990.0), (1.3, 900.0)]),
        ("{ kind = \"\"hyperx\"\", dims = [8, 8], nodes = 16, routing = \"\"ugal\"\" }", [(0.98, 825.3), (1.0, 810.0)]),
    ];
    let policies = ["{ kind = \"\"always-on\"\" }", "{ kind = \"\"stall-timer\"\", deep = \"\"200 us\"\" }"];
    for (number, (network, figures)) in networks.into_iter().enumerate() {
        let (base_time, base_energy) = figures[0];
        for (policy, (time, energy)) in policies.into_iter().zip(figures) {
            let (slower, rest) = (time / base_time, energy / base_energy);
            let id = format!("{number}{}", &policy[11..13]);
            writeln!(cases, "\"{network}\",\"{policy}\",{time},{energy},{number}al,{slower},{rest},{id}").unwrap();
        }
        let oracle = "{ kind = \"\"oracle\"\" }";
        let least = [700.0, 600.0, 780.0][number];
        let rest = least / base_energy;
        writeln!(cases, "\"{network}\",\"{oracle}\",{base_time},{least},{number}al,1.0,{rest},{number}or").unwrap();
    }
    fs::write(folder.path().join("cases.csv"), cases).unwrap();
    folder
}

/// 825.3 J are 5.81 % above the 780 J of the oracle on the same network.
#[test]
fn three_networks_in_the_terminal_and_in_json() {
    let folder = three_networks();
    let best = |question: &[&str]| drowse_in(folder.path(), &[&["best", "."], question].concat());
    let ended = best(&["--minimize", "energy", "--where", "slowdown <= 1%"]);
    let told = "least energy: hyperx 8x8 · always-on, with 825.3 J, 0.00 % energy saved,\n  \
                5.81 % above the oracle (6 cases, 4 of which keep slowdown <= 1%).\n\
                slowdown: run time against the same case with all links on\n";
    assert!(ended.stdout.starts_with(told), "{}", ended.stdout);
    let json = json_of(&best(&["--where", "slowdown <= 1%", "--format", "json"]));
    let group = &json["groups"][0];
    assert_eq!((&group["best"]["label"], &group["oracle"]), (&"hyperx 8x8 · always-on".into(), &780.0.into()));
    assert_eq!(json["compared"]["slowdown"], "run time against the same case with all links on");
    let json = json_of(&best(&["--where", "slowdown <= 1%", "--by", "network", "--format", "json"]));
    let labels: Vec<&str> =
        json["groups"].as_array().unwrap().iter().map(|group| group["best"]["label"].as_str().unwrap()).collect();
    assert_eq!(labels, ["xgft · stall-timer", "dragonfly-plus · always-on", "hyperx 8x8 · always-on"]);
    let ended = best(&["--where", "slowdown-of-fastest <= 0.5%"]);
    let told = ended.stdout.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(told.contains("1 of which keep slowdown-of-fastest <= 0.5%"), "{told}");
    assert!(ended.stdout.contains("\nslowdown-of-fastest: run time against the fastest case"), "{}", ended.stdout);
    let ended = drowse_in(folder.path(), &["report", ".", "--output", "page.html"]);
    assert_eq!(ended.code, Some(0), "{}", ended.stderr);
    let page = fs::read_to_string(folder.path().join("page.html")).unwrap();
    assert!(page.contains("<p class=\"answer\">“hyperx 8x8 · always-on” is the fastest case"));
}

/// The tree's timer is 0.50 % slower than the tree with its links on: 0.10 % beyond a bound of 0.4 %.
#[test]
fn the_nearest_miss_is_told() {
    let folder = three_networks();
    let question = ["best", ".", "--where", "slowdown <= 0.4% and saved >= 5%"];
    let ended = drowse_in(folder.path(), &question);
    let told: Vec<&str> = ended.stdout.split_whitespace().collect();
    let told = told.join(" ");
    let expected = "no case keeps slowdown <= 0.4% and saved >= 5% (6 cases); the nearest is xgft · stall-timer: slowdown is \
                    0.50 %, 0.10 % above the bound.";
    assert!(told.starts_with(expected), "{told}");
    let json = json_of(&drowse_in(folder.path(), &[question.as_slice(), &["--format", "json"]].concat()));
    let nearest = &json["groups"][0]["nearest"];
    assert_eq!(
        (&nearest["label"], &nearest["missed"][0]["figure"]),
        (&"xgft · stall-timer".into(), &"slowdown".into())
    );
    assert!((nearest["missed"][0]["by"].as_f64().unwrap() - 0.001).abs() < 1e-9);
}

/// Lines of 80 columns at most, whatever cases are called.
#[test]
fn answers_fit_a_terminal() {
    let folder = three_networks();
    let long = "x".repeat(130);
    let name = format!("{{ name = \"\"a very long name that somebody has written for this network {long}\"\", kind");
    let cases = fs::read_to_string(folder.path().join("cases.csv")).unwrap().replace("{ kind", &name);
    fs::write(folder.path().join("long.csv"), &cases).unwrap();
    for table in [fs::read_to_string(folder.path().join("cases.csv")).unwrap(), cases] {
        fs::write(folder.path().join("cases.csv"), table).unwrap();
        for question in [
            &["--by", "network"][..],
            &["--where", "slowdown < 0"],
            &["--by", "power.policy", "--minimize", "time"],
            &[],
        ] {
            let ended = drowse_in(folder.path(), &[&["best", "."], question].concat());
            let wide = ended.stdout.lines().find(|line| line.chars().count() > 80);
            assert_eq!(wide, None, "{question:?}");
        }
    }
}

#[test]
fn ten_wrong_questions() {
    let folder = three_networks();
    fs::create_dir(folder.path().join("empty")).unwrap();
    fs::create_dir(folder.path().join("none")).unwrap();
    fs::write(folder.path().join("none/cases.csv"), "set.network,makespan_s,case_id\n").unwrap();
    for (question, told) in [
        (
            &["best", ".", "--minimize", "energi"][..],
            "--minimize: error: no figure is named `energi`\nhelp: did you mean `energy`?",
        ),
        (
            &["best", ".", "--minimize", "edp"],
            "--minimize: error: these cases have no `edp`: there is no column `energy.edp`\nhelp: ",
        ),
        (
            &["best", ".", "--by", "netwrk"],
            "--by: error: no key of the sweep is named `netwrk`\nhelp: did you mean `network`?",
        ),
        (&["best", ".", "--where", "slowdown <= 10 us"], "--where:16: error: numbers have no unit here\n"),
        (&["best", ".", "--where", "energy <= 800J"], "--where:11: error: numbers have no unit here\n"),
        (&["best", ".", "--where", "slowdown 1%"], "--where:10: error: one of <=, <, >=, >, = and != is wanted here\n"),
        (&["best", ".", "--where", "slowdown <= little"], "--where:13: error: a number is wanted here\n"),
        (
            &["best", ".", "--where", "latency <= 1000"],
            "--where:1: error: these cases have no `latency`: there is no column",
        ),
        (&["best", ".", "--where", ""], "--where:1: error: the name of a figure is wanted here\n"),
        (
            &["best", ".", "--where", "slowdown <= 1% or energy < 9"],
            "--where:16: error: `and` or the end is wanted here\n",
        ),
        (&["best", ".", "--minimize", "network"], "--minimize: error: `network` is no number in any case\n"),
        (&["best", "empty"], "empty: holds no cases.csv; give a folder that"),
        (&["best", "none"], "none: cases.csv has no rows; give a folder that"),
        (&["best", "nowhere"], "nowhere: no such folder; give a folder that"),
    ] {
        let ended = drowse_in(folder.path(), question);
        assert_eq!((ended.code, ended.stdout.as_str()), (Some(2), ""), "{question:?}: {}", ended.stderr);
        let message = ended.stderr.split_whitespace().collect::<Vec<_>>().join(" ");
        assert!(message.contains(told.replace('\n', " ").trim_end()), "{question:?}: {}", ended.stderr);
        assert_eq!(ended.stderr.matches("error").count().max(1), 1, "one message: {}", ended.stderr);
    }
}

/// Wrong questions in `[search]`, which asks before anything has run.
#[test]
fn ten_wrong_searches() {
    let folder = ping();
    let text = fs::read_to_string(folder.path().join("ping.toml")).unwrap();
    let sweep = "[sweep]\n\"network.trunk\" = [1, 2]\n";
    for (search, told) in [
        ("minimize = \"energi\"", "no figure is named `energi`"),
        ("minimize = 5", "search.minimize"),
        ("minimize = \"version\"", "no figure is named `version`"),
        ("where = \"slowdown <= 1%\"", "`slowdown` needs a baseline"),
        ("where = \"time <= 10 us\"", "numbers have no unit here"),
        ("where = \"time 1\"", "one of <=, <, >=, >, = and != is wanted here"),
        ("where = \"time <= soon\"", "a number is wanted here"),
        ("where = \"<= 1\"", "the name of a figure is wanted here"),
        ("by = [\"netwrk\"]", "no key of the sweep is named `netwrk`"),
        ("margin = -1", "search.margin"),
        ("goal = \"energy\"", "unknown key `search.goal`"),
    ] {
        fs::write(folder.path().join("x.toml"), format!("{text}{sweep}[search]\n{search}\n")).unwrap();
        let ended = drowse_in(folder.path(), &["search", "x.toml", "--out", "out"]);
        assert_eq!((ended.code, ended.stdout.as_str()), (Some(2), ""), "{search}: {}", ended.stderr);
        let message = ended.stderr.split_whitespace().collect::<Vec<_>>().join(" ");
        assert!(message.contains(told) && message.starts_with("x.toml:"), "{search}: {}", ended.stderr);
    }
    fs::write(folder.path().join("x.toml"), format!("{text}{sweep}")).unwrap();
    let ended = drowse_in(folder.path(), &["search", "x.toml", "--out", "out"]);
    assert!(ended.code == Some(2) && ended.stderr.contains("this file has no [search]"), "{}", ended.stderr);
}
