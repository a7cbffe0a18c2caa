//! `drowse states`.

use drowse_experiment::{LINK_STATES, SINGLE_STATES};

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
    for (index, state) in SINGLE_STATES.iter().enumerate() {
        let entry = list.split("\n\n").find(|entry| entry.lines().next() == Some(state.name));
        let one_line = entry.unwrap_or_default().split_whitespace().collect::<Vec<_>>().join(" ");
        assert!(one_line.contains(state.source) && one_line.contains(state.part), "{}: {one_line}", state.name);
        assert!(one_line.contains(state.mark.name()), "{one_line}");
        assert_eq!(one_line.contains("pays after"), state.published.known().is_some(), "{one_line}");
        assert_eq!(json[LINK_STATES.len() + index]["name"], state.name);
    }
    assert_eq!(json.as_array().map(Vec::len), Some(LINK_STATES.len() + SINGLE_STATES.len()));
}
