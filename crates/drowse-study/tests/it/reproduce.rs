//! The papers' numbers come out.

use drowse_study::reproduce::Paper;
use drowse_tables::schema::REPRODUCTION;
use drowse_tables::{Row, json};

fn text(row: &Row, name: &str) -> String {
    row.get(name).unwrap().to_string()
}

#[test]
fn every_static_number_is_equal_at_its_printed_decimals() {
    for paper in Paper::REPRODUCED {
        for row in paper.reproduce().unwrap() {
            let verdict = text(&row, "verdict");
            assert_eq!(
                verdict,
                "equal",
                "{} {}: {:?}",
                text(&row, "place"),
                text(&row, "quantity"),
                row.number("ours")
            );
            let difference = (row.number("ours").unwrap() - row.number("theirs").unwrap()).abs();
            assert!(difference <= row.number("tolerance").unwrap());
        }
    }
}

#[test]
fn every_column_is_in_the_schema() {
    for paper in Paper::REPRODUCED {
        for row in paper.reproduce().unwrap() {
            assert_eq!(row.iter().count(), REPRODUCTION.columns.len());
            for (name, value) in row.iter() {
                assert_eq!(REPRODUCTION.column(name).map(|column| column.kind), Some(value.kind()), "{name}");
            }
        }
    }
}

#[test]
fn papers_without_numbers_have_no_rows() {
    assert_eq!(Paper::PerfBound.reproduce().unwrap(), []);
    assert_eq!(Paper::Runtime.reproduce().unwrap(), []);
}

#[test]
fn the_json_of_a_row() {
    let rows = Paper::Torus.reproduce().unwrap();
    let row = rows.iter().find(|row| text(row, "quantity") == "port ratio").unwrap();
    insta::assert_snapshot!(format!("{:#}", json::from_row(row)), @r#"
    {
      "paper": "torus",
      "place": "Table 2, 2D-4X",
      "quantity": "port ratio",
      "unit": "1",
      "theirs": 0.714,
      "ours": 0.7142857142857143,
      "tolerance": 0.001,
      "verdict": "equal",
      "reason": "ports of the built network over those of the reference; rounded to 3 decimals"
    }
    "#);
}
