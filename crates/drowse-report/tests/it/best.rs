//! The best case of a folder, by hand and by trying all.

use std::fmt::Write;
use std::fs;

use drowse_report::best::{Answer, Question, best};
use drowse_report::{Results, Study};

/// Two networks; three policies that can be built, and the oracle.
const CASES: &str =
    "set.network.trunk,set.power.policy,makespan_s,energy.network_j,relative.makespan,relative.network_j,case_id
1,\"{ kind = \"\"always-on\"\" }\",1.0,10.0,1.0,1.0,a
1,\"{ kind = \"\"stall-timer\"\", deep = \"\"10 us\"\" }\",1.05,6.0,1.05,0.6,b
1,\"{ kind = \"\"stall-timer\"\", deep = \"\"1 ms\"\" }\",1.01,8.0,1.01,0.8,c
1,\"{ kind = \"\"oracle\"\" }\",1.0,4.0,1.0,0.4,d
2,\"{ kind = \"\"always-on\"\" }\",0.9,20.0,1.0,1.0,e
2,\"{ kind = \"\"stall-timer\"\", deep = \"\"10 us\"\" }\",0.99,9.0,1.1,0.45,f
2,\"{ kind = \"\"stall-timer\"\", deep = \"\"1 ms\"\" }\",0.9,21.0,1.0,1.05,g
2,\"{ kind = \"\"oracle\"\" }\",0.9,5.0,1.0,0.25,h
";

/// Asks a question about a table.
fn ask(table: &str, minimize: &str, condition: &str, by: &[&str]) -> Result<Answer, String> {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("cases.csv"), table).unwrap();
    let results = Results::read(folder.path()).unwrap();
    let by: Vec<String> = by.iter().map(|&name| name.to_owned()).collect();
    let condition = (!condition.is_empty()).then_some(condition);
    best(&results, &Study::new(&results), &Question { minimize, condition, by: &by }).map_err(|error| error.to_string())
}

/// Returns the best case of each group.
fn found(minimize: &str, condition: &str, by: &[&str]) -> Vec<Option<usize>> {
    ask(CASES, minimize, condition, by).unwrap().groups.iter().map(|group| group.best).collect()
}

#[test]
fn the_best_case_keeps_its_condition_and_can_be_built() {
    assert_eq!(found("energy", "", &[]), [Some(1)]);
    assert_eq!(found("energy", "slowdown <= 1.1%", &[]), [Some(2)]);
    assert_eq!(found("energy", "slowdown < 0.5%", &["network"]), [Some(0), Some(4)]);
    assert_eq!(found("energy", "slowdown <= 20% and network.trunk = 2", &[]), [Some(5)]);
    assert_eq!(found("time", "", &["trunk"]), [Some(0), Some(4)]);
    assert_eq!(found("energy", "saved > 90%", &["network.trunk"]), [None, None]);
}

#[test]
fn the_front_and_the_oracle() {
    let answer = ask(CASES, "energy", "", &["network"]).unwrap();
    assert_eq!((answer.groups[0].front.as_slice(), answer.groups[0].oracle), ([0, 2, 1].as_slice(), Some(4.0)));
    assert_eq!((answer.groups[1].front.as_slice(), answer.groups[1].oracle), ([4, 5].as_slice(), Some(5.0)));
    assert_eq!((answer.groups[0].cases, answer.groups[0].values.as_slice()), (3, ["1".to_owned()].as_slice()));
}

/// The front of many cases, against a comparison of all pairs.
#[test]
fn no_case_betters_one_of_the_front() {
    let mut table = "set.network.trunk,makespan_s,energy.network_j,case_id\n".to_owned();
    let mut state = 1_u64;
    let mut points = Vec::new();
    for case in 0..200_u64 {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        let point = ((state >> 40) % 30, (state >> 50) % 30);
        points.push(point);
        writeln!(table, "{case},{},{},{case}", point.0 + 1, point.1 + 1).unwrap();
    }
    let mut front = ask(&table, "energy", "", &[]).unwrap().groups.remove(0).front;
    front.sort_unstable();
    let bettered = |a: &(u64, u64)| points.iter().any(|b| b.0 <= a.0 && b.1 <= a.1 && b != a);
    let expected: Vec<usize> = (0..points.len()).filter(|&case| !bettered(&points[case])).collect();
    assert_eq!(front, expected);
    assert!(front.len() > 1);
}

#[test]
fn questions_that_cannot_be_answered() {
    let told = |minimize, condition, by: &[&str]| ask(CASES, minimize, condition, by).unwrap_err();
    let short = "short names: energy, slowdown, slowdown-of-fastest, job-slowdown, saved, edp, time, latency, power, cost; \
                 all others are columns of cases.csv";
    assert_eq!(
        told("energi", "", &[]),
        format!("--minimize: error: no figure is named `energi`\nhelp: did you mean `energy`? {short}")
    );
    assert_eq!(
        told("energy", "energy > 1 and slowdwn <= 1%", &[]),
        format!(
            "--where:16: error: no figure is named `slowdwn`\n  energy > 1 and slowdwn <= 1%\n{}^\n\
             help: did you mean `slowdown`? {short}",
            " ".repeat(17)
        )
    );
    let help = "help: write conditions such as slowdown <= 1% and links.wakes < 1000";
    for (condition, column, message) in [
        ("slowdown 1%", 10, "one of <=, <, >=, >, = and != is wanted here"),
        ("<= 1%", 1, "the name of a figure is wanted here"),
        ("slowdown <= 1% or energy < 2", 16, "`and` or the end is wanted here"),
        ("slowdown <= 1% and", 19, "the name of a figure is wanted here"),
    ] {
        let error = told("energy", condition, &[]);
        assert!(error.starts_with(&format!("--where:{column}: error: {message}\n")), "{error}");
        assert!(error.ends_with(help), "{error}");
    }
    assert!(told("energy", "slowdown <= soon", &[]).starts_with("--where:13: error: a number is wanted here\n"));
    let no_policy = "did you mean `network.trunk`? keys of this sweep: network.trunk, power.policy";
    assert_eq!(
        told("energy", "", &["network.trnk"]),
        format!("--by: error: no key of the sweep is named `network.trnk`\nhelp: {no_policy}")
    );
    let bare = "set.seed,makespan_s,energy.network_j,case_id\n1,1.0,2.0,a\n2,1.0,3.0,b\n";
    let error = ask(bare, "energy", "slowdown <= 1%", &[]).unwrap_err();
    assert!(error.starts_with("--where:1: error: `slowdown` needs a baseline, and these cases have none\n"), "{error}");
    let traffic = "set.network.trunk,power.network_w,relative.network_w,case_id\n1,1.0,0.5,a\n2,2.0,0.6,b\n";
    let error = ask(traffic, "power", "slowdown <= 1%", &[]).unwrap_err();
    assert!(error.starts_with("--where:1: error: `slowdown` compares run times, and these cases have none"), "{error}");
}
