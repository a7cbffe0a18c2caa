//! `drowse states`.

use drowse_experiment::LINK_STATES;

use crate::support::{drowse, json_of};

/// The list, the page and the JSON name every entry of the catalogue, and say what is not published.
#[test]
fn every_entry_is_listed() {
    let list = drowse(&["states"]).stdout;
    let json = json_of(&drowse(&["states", "--format", "json"]));
    for (index, named) in LINK_STATES.iter().enumerate() {
        let entry = list.split("\n\n").find(|entry| entry.lines().next() == Some(named.name));
        let entry = entry.unwrap_or_else(|| panic!("{} is not listed", named.name));
        let one_line = entry.split_whitespace().collect::<Vec<_>>().join(" ");
        assert!(one_line.contains(named.source) && one_line.contains(named.links), "{entry}");
        assert_eq!(entry.contains("not published"), named.known().is_none(), "{entry}");
        assert_eq!(json[index]["name"], named.name);
        assert_eq!(json[index]["deep"]["power"].is_null(), named.known().is_none());
    }
    assert_eq!(json.as_array().map(Vec::len), Some(LINK_STATES.len()));
}
