//! Names of cases in a folder: short, different, and the same wherever they stand.

use std::collections::HashSet;
use std::fs;

use drowse_report::{Language, Results, Study, charts, text_table};

/// A sweep of timers whose baselines have none, and a name that is written.
const CASES: &str = "set.network,set.power.policy.deep,baseline,makespan_s,energy.network_j,relative.case_id,case_id
\"{ kind = \"\"hyperx\"\", dims = [8, 8] }\",,true,1.0,10.0,a,a
\"{ kind = \"\"hyperx\"\", dims = [8, 8] }\",10 us,,1.1,9.0,a,b
\"{ kind = \"\"hyperx\"\", dims = [8, 8] }\",1 ms,,1.0,9.5,a,c
\"{ name = \"\"fat tree\"\", kind = \"\"xgft\"\", children = [4] }\",,true,1.0,12.0,d,d
\"{ name = \"\"fat tree\"\", kind = \"\"xgft\"\", children = [4] }\",10 us,,1.2,8.0,d,e
";

#[test]
fn names_are_short_and_no_two_are_the_same() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("cases.csv"), CASES).unwrap();
    let manifest = r#"{ "version": "0.1.0", "cases": 3, "experiment": "[sweep]\nbaseline = \"always-on\"\n" }"#;
    fs::write(folder.path().join("manifest.json"), manifest).unwrap();
    let results = Results::read(folder.path()).unwrap();
    let study = Study::new(&results);
    let labels: Vec<&str> = study.cases.iter().map(|case| case.label.as_str()).collect();
    let expected = [
        "hyperx 8x8 · always on",
        "hyperx 8x8 · deep 10 us",
        "hyperx 8x8 · deep 1 ms",
        "fat tree · always on",
        "fat tree · deep 10 us",
    ];
    assert_eq!(labels, expected);
    assert_eq!(labels.iter().collect::<HashSet<_>>().len(), labels.len());
    let table = text_table(&results, &[], Language::Markdown).unwrap();
    let charts = charts::of(&results, &study);
    let energy = charts.iter().find(|chart| chart.kind == "energy").unwrap();
    for (label, row) in expected.iter().zip(&energy.rows) {
        assert!(table.contains(&format!("| {label} |")), "{table}");
        assert_eq!(row["case"], *label);
    }
    // Timers are numbers, and baselines have none.
    let swept = charts.iter().find(|chart| chart.kind == "swept").unwrap();
    assert_eq!(swept.rows[1]["set_power_policy_deep_us"], 10.0);
    assert!(swept.rows[0]["set_power_policy_deep_us"].is_null());
}
