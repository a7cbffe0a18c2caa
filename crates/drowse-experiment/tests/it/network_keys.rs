//! The schema of `[network]`: every kind is there with its own keys, and every key says what it is.

use drowse_experiment::{Kinds, network_kinds};

#[test]
fn every_kind_has_its_keys() {
    let kinds = Kinds::default();
    let schema = &kinds.schema()["properties"]["network"];
    let kinds = schema.get("oneOf").and_then(|kinds| kinds.as_array()).expect("one schema for each kind");
    let mut names = Vec::new();
    for kind in kinds {
        assert!(kind["description"].is_string(), "{kind}");
        let keys = kind["properties"].as_object().expect("keys");
        for (key, what) in keys {
            match what.get("const").and_then(|name| name.as_str()) {
                Some(name) => names.push(name),
                None => assert!(what["description"].is_string(), "{key} of {kind} says nothing"),
            }
        }
    }
    assert_eq!(names, network_kinds().collect::<Vec<_>>());
    assert_eq!(schema.get("unevaluatedProperties"), Some(&false.into()));
    assert!(schema.get("properties").is_some_and(|keys| keys.get("failed").is_some()));
}
