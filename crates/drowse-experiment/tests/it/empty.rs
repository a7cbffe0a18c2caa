//! An experiment that says nothing beside its network has the parameters of `Config::new`.

use drowse_core::model::config::Config;
use drowse_core::routing::RoutingKind;
use drowse_experiment::network_kinds;

use crate::support::system;

/// A small network of each kind, but of graphs, whose files bring links along.
const NETWORKS: [&str; 18] = [
    "kind = \"torus\", dims = [4, 4]",
    "kind = \"mesh\", dims = [4, 4]",
    "kind = \"twisted-torus\", dims = [3, 6]",
    "kind = \"hypercube\", dimension = 3",
    "kind = \"tree\", k = 4, n = 2",
    "kind = \"thin-tree\", down = 4, up = 2, levels = 2",
    "kind = \"xgft\", children = [4, 4], parents = [2]",
    "kind = \"racks\", racks = 4, nodes_per_rack = 4, uplinks = 1",
    "kind = \"dragonfly\", p = 2, a = 4, h = 2, groups = 9",
    "kind = \"dragonfly-plus\", nodes = 2, leaves = 2, spines = 2, h = 1, groups = 3",
    "kind = \"percs\", supernodes = 1",
    "kind = \"aries\", groups = 1",
    "kind = \"full\", switches = 4",
    "kind = \"hyperx\", dims = [3, 3]",
    "kind = \"slim-fly\", q = 5",
    "kind = \"polarfly\", q = 3",
    "kind = \"jellyfish\", switches = 10, degree = 3",
    "kind = \"ideal\", nodes = 4, latency = \"1 us\", bandwidth = \"10 GB/s\"",
];

/// What machines have as they were built, and no other network: the speeds of their links.
const MACHINES: [&str; 2] = ["percs", "aries"];

/// What a network does not tell: racks are trees whose routes are static in experiments, as in their paper.
const STATIC: &str = "racks";

#[test]
fn an_empty_experiment_has_the_usual_parameters() {
    let mut differing = Vec::new();
    for (keys, kind) in NETWORKS.iter().zip(network_kinds().filter(|kind| *kind != "graph")) {
        assert!(keys.contains(&format!("kind = \"{kind}\"")), "{kind} is missing");
        let system = system(&format!("network = {{ {keys} }}\n"));
        let mut usual = Config::new(&system.network);
        if MACHINES.contains(&kind) {
            usual.classes.clone_from(&system.config.classes);
        }
        if kind == STATIC {
            usual.routing = RoutingKind::DModK;
        }
        let texts = [&system.config, &usual].map(|config| format!("{config:#?}"));
        if texts[0] != texts[1] {
            let lines = texts[0].lines().zip(texts[1].lines()).filter(|(ours, usual)| ours != usual);
            differing.push(format!("{kind}: {:?}", lines.collect::<Vec<_>>()));
        }
    }
    assert!(differing.is_empty(), "{}", differing.join("\n"));
}
