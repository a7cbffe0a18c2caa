//! The catalogue of link states.

use drowse_experiment::LINK_STATES;

use crate::support::{case, wrong_section};

/// Every entry is read by its name, or refused because of what is not published of it.
#[test]
fn every_entry_parses_or_is_refused() {
    let mut refused = 0;
    for named in LINK_STATES {
        let power = |states: &str| {
            format!("[power]\npolicy = {{ kind = \"stall-timer\", deep = \"1 us\" }}\nstates = {states}\n")
        };
        let by_name = power(&format!("\"{}\"", named.name));
        if let Some(known) = named.known() {
            let case = case(&format!("[network]\nkind = \"torus\"\ndims = [2]\n{by_name}{TRAFFIC}"));
            assert_eq!(case.system.config.classes[1].states, Some(known), "{}", named.name);
        } else {
            refused += 1;
            let message = wrong_section(&by_name);
            assert!(message.contains("are published") && message.contains(named.name), "{message}");
            // With what is not published, it can be used.
            let state = "{ power = 0.5, enter = \"1 us\", wake = \"2 us\" }";
            let whole = power(&format!("{{ preset = \"{}\", shallow = {state}, deep = {state} }}", named.name));
            let case = case(&format!("[network]\nkind = \"torus\"\ndims = [2]\n{whole}{TRAFFIC}"));
            assert_eq!(case.system.config.classes[1].states.map(|states| states.deep.power), Some(0.5));
        }
        assert!(!named.source.is_empty() && !named.links.is_empty(), "{}", named.name);
        assert_eq!(
            LINK_STATES.iter().filter(|other| other.name == named.name).count(),
            1,
            "{} is there twice",
            named.name
        );
    }
    assert!(refused > 0 && refused < LINK_STATES.len());
}

const TRAFFIC: &str = "[traffic]\nload = 0.1\nwarmup = \"1 us\"\nmeasure = \"1 us\"\n";

/// A part alone is not enough.
#[test]
fn what_is_not_published_has_to_be_written() {
    let states =
        "[power]\nstates = { preset = \"pcie-aspm\", deep = { power = 0.1, enter = \"1 us\", wake = \"64 us\" } }";
    insta::assert_snapshot!(wrong_section(states), @r#"
    x.toml:5:21: error: not all powers and times of the states "pcie-aspm" are published
     5 | states = { preset = "pcie-aspm", deep = { power = 0.1, enter = "1 us", w...
       |                     ^^^^^^^^^^^
    help: write what you know: states = { preset = "pcie-aspm", shallow = { power = ..., enter = ..., wake = ... }, deep = { ... } }; `drowse states` lists what is published
    "#);
}
