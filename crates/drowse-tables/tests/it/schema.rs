//! The schemas hold what every reader relies on.

use std::collections::HashSet;

use drowse_tables::schema::{ALL, CASES};
use drowse_tables::{Kind, Value};

#[test]
fn names_are_unique_and_every_column_says_what_it_means() {
    for schema in ALL {
        let names: HashSet<_> = schema.columns.iter().map(|column| column.name).collect();
        assert_eq!(names.len(), schema.columns.len(), "{} repeats a name", schema.file);
        for column in schema.columns {
            assert!(!column.meaning.is_empty(), "{} has no meaning", column.name);
            assert!(column.name.matches('*').count() <= 1, "{} has two stars", column.name);
            let version = |text: &str| -> Vec<u32> { text.split('.').map(|part| part.parse().unwrap()).collect() };
            let now = version(env!("CARGO_PKG_VERSION"));
            assert!(version(column.since) <= now, "{} is not there yet", column.name);
            let has_unit = matches!(column.kind, Kind::Integer | Kind::Float);
            assert!(has_unit || column.unit.is_empty(), "{} is text and has a unit", column.name);
        }
    }
}

#[test]
fn no_name_is_both_a_value_and_a_group() {
    for schema in ALL {
        for column in schema.columns {
            let group = format!("{}.", column.name);
            assert!(schema.columns.iter().all(|other| !other.name.starts_with(&group)), "{}", column.name);
        }
    }
}

#[test]
fn patterns_match_what_they_stand_for_and_nothing_else() {
    let column = |name| CASES.column(name).map(|column| column.name);
    assert_eq!(column("energy.w_cluster[0.25]"), Some("energy.w_cluster[*]"));
    assert_eq!(column("links.by_class.dim-0.deep_fraction"), Some("links.by_class.*.deep_fraction"));
    assert_eq!(column("links.by_class..deep_fraction"), None);
    assert_eq!(column("links.sleepy_fraction"), None);
}

#[test]
fn values_know_their_type() {
    for (value, text) in [
        (Value::from(3u64), "3"),
        (Value::from(0.1), "0.1"),
        (Value::from(2.0), "2.0"),
        (Value::from("a"), "a"),
        (Value::from(true), "true"),
    ] {
        assert_eq!(value.to_string(), text);
        assert_eq!(value.kind().parse(text), Some(value));
    }
}
