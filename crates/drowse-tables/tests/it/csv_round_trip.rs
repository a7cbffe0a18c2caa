//! What is written is read back exactly.

use drowse_tables::schema::{CASES, RANKS, cases};
use drowse_tables::{Name, Row, Value, csv};
use proptest::prelude::*;

fn written(schema: &drowse_tables::schema::Schema, rows: &[Row]) -> String {
    let mut bytes = Vec::new();
    csv::write(schema, rows, &mut bytes).unwrap();
    String::from_utf8(bytes).unwrap()
}

fn row(makespan: f64, warning: Option<&str>) -> Row {
    let mut row = Row::new();
    row.push(cases::MAKESPAN_S, makespan);
    row.push(cases::NETWORK_NODES, 64u32);
    row.push(cases::SATURATED, false);
    row.push(cases::ENERGY_W_CLUSTER.of(0.25), 0.1 + 0.2);
    row.push_all(cases::WARNINGS, warning);
    row
}

#[test]
fn cases_are_one_line_each_and_absent_values_are_empty() {
    let rows = [row(1.0, None), row(2.5e-9, Some("a, \"b\""))];
    insta::assert_snapshot!(written(&CASES, &rows), @r#"
    makespan_s,network.nodes,saturated,energy.w_cluster[0.25],warnings[0]
    1.0,64,false,0.30000000000000004,
    2.5e-9,64,false,0.30000000000000004,"a, ""b"""
    "#);
}

/// Whatever the order of the rows and of their columns: a sweep's values first, the columns of a link class together.
#[test]
fn columns_come_in_the_schemas_order() {
    let with = |names: &[&str]| {
        let mut row = Row::new();
        for &name in names {
            let value = if name.starts_with("set.") { "1".into() } else { Value::from(0.5) };
            row.push(Name::read(name.into()), value);
        }
        row
    };
    let node = ["links.by_class.node.on_fraction", "links.by_class.node.deep_fraction"];
    let dim = ["links.by_class.dim-0.on_fraction", "links.by_class.dim-0.deep_fraction"];
    let rows = [
        with(&["set.seed", "energy.e_net", node[0], node[1], "set.network.trunk"]),
        with(&["set.seed", "makespan_s", dim[1], dim[0], "set.network.trunk"]),
    ];
    let header = ["set.seed", "set.network.trunk", "makespan_s", node[0], node[1], dim[0], dim[1], "energy.e_net"];
    let text = written(&CASES, &rows);
    assert_eq!(text.lines().next(), Some(header.join(",").as_str()));
    assert_eq!(text.lines().nth(1), Some("1,1,,0.5,0.5,,,0.5"));
}

#[test]
fn a_table_without_rows_has_a_header() {
    assert!(written(&RANKS, &[]).starts_with("case_id,job,rank,"));
}

#[test]
fn rows_read_back_equal() {
    let rows = [row(1.0 / 3.0, None), row(f64::MIN_POSITIVE, Some("line\nbreak"))];
    assert_eq!(csv::read(&CASES, written(&CASES, &rows).as_bytes()).unwrap(), rows);
}

proptest! {
    #[test]
    fn every_finite_float_reads_back_exactly(float in any::<f64>().prop_filter("finite", |f| f.is_finite())) {
        let rows = [row(float, None)];
        let read = csv::read(&CASES, written(&CASES, &rows).as_bytes()).unwrap();
        prop_assert_eq!(read[0].number("makespan_s").unwrap().to_bits(), float.to_bits());
    }
}

#[test]
fn an_unknown_column_is_named() {
    let error = csv::read(&CASES, "makespan_s,colour\n1.0,red\n".as_bytes()).unwrap_err();
    insta::assert_snapshot!(error, @"cases.csv: no column is named `colour`; was the file written by another version?");
}

#[test]
fn a_bad_cell_is_named_with_its_place() {
    let error = csv::read(&RANKS, "job,rank\nCG,0\nCG,-1\n".as_bytes()).unwrap_err();
    insta::assert_snapshot!(error, @"ranks.csv: row 2, column `rank`: `-1` is no whole number");
}

#[test]
#[should_panic(expected = "no column of ranks.csv")]
fn a_row_with_columns_of_another_table_is_a_defect() {
    written(&RANKS, &[row(1.0, None)]);
}
