//! Names become nested objects and lists.

use drowse_tables::schema::cases;
use drowse_tables::{Row, json};

#[test]
fn dots_nest_and_brackets_list() {
    let mut row = Row::new();
    row.push(cases::MAKESPAN_S, 1.5);
    row.push(cases::ENERGY_W_CLUSTER.of("0.0"), 0.5);
    row.push(cases::ENERGY_W_CLUSTER.of("0.25"), 0.75);
    row.push(cases::ENERGY_LINKS_ALL, 1.0);
    row.push_all(cases::WARNINGS, ["saturated"]);
    row.push(cases::SEED, 7u64);
    let text = serde_json::to_string(&json::from_row(&row)).unwrap();
    insta::assert_snapshot!(
        text,
        @r#"{"makespan_s":1.5,"energy":{"w_cluster":[0.5,0.75],"links":{"all":1.0}},"warnings":["saturated"],"seed":7}"#
    );
}

#[test]
fn lists_keep_what_stands_in_the_brackets() {
    let mut row = Row::new();
    row.push(cases::ENERGY_W_CLUSTER.of("0.25"), 0.5);
    row.push(cases::ENERGY_E_CLUSTER.of("0.5"), 0.75);
    assert_eq!(row.all(cases::ENERGY_W_CLUSTER).map(|(index, _)| index).collect::<Vec<_>>(), ["0.25"]);
}
