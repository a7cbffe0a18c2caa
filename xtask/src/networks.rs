//! Small networks of every kind under every routing, which soak and shares load.

use crate::failure::Outcome;

/// A network with one of its routings.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Pair {
    pub routing: &'static str,
    /// The lines of `[network]`.
    pub keys: &'static [&'static str],
}

impl Pair {
    /// The table of an experiment that it is.
    pub fn table(&self) -> String {
        format!("[network]\nrouting = \"{}\"\n{}\n", self.routing, self.keys.join("\n"))
    }
}

const GRIDS: &[&str] = &["adaptive", "dimension-order"];
const TREES: &[&str] = &["adaptive", "random", "d-mod-k"];
const GROUPS: &[&str] = &["minimal", "valiant", "ugal", "progressive"];
const HYPERX: &[&str] = &["dimension-order", "minimal", "valiant", "ugal", "progressive"];
const GRAPHS: &[&str] = &["minimal", "valiant", "ugal", "progressive", "up-down", "k-shortest"];

/// Each network: its routings and its keys.
const NETWORKS: &[(&[&str], &[&str])] = &[
    (GRIDS, &["kind = \"torus\"", "dims = [5]", "trunk = 2"]),
    (GRIDS, &["kind = \"torus\"", "dims = [4, 4]", "nodes = 2"]),
    (GRIDS, &["kind = \"torus\"", "dims = [2, 3, 2]", "rings_of_two = true"]),
    (GRIDS, &["kind = \"mesh\"", "dims = [4, 3]", "trunk = [2, 1]"]),
    (GRAPHS, &["kind = \"twisted-torus\"", "dims = [3, 6]", "trunk = [1, 2]"]),
    (GRIDS, &["kind = \"hypercube\"", "dimension = 5"]),
    (TREES, &["kind = \"tree\"", "k = 4", "n = 3"]),
    (TREES, &["kind = \"thin-tree\"", "down = 4", "up = 2", "levels = 3"]),
    (TREES, &["kind = \"xgft\"", "children = [3, 4, 2]", "parents = [2, 3]", "links = [1, 2]"]),
    (TREES, &["kind = \"racks\"", "racks = 8", "nodes_per_rack = 4"]),
    (GROUPS, &["kind = \"dragonfly\"", "p = 2", "a = 4", "h = 2", "groups = 9"]),
    (GROUPS, &["kind = \"dragonfly\"", "p = 1", "a = 4", "h = 2", "groups = 5", "arrangement = \"relative\""]),
    (GROUPS, &["kind = \"dragonfly\"", "p = 2", "a = 3", "h = 1", "groups = 4", "arrangement = \"absolute\""]),
    (GROUPS, &["kind = \"dragonfly-plus\"", "nodes = 2", "leaves = 3", "spines = 2", "h = 2", "groups = 5"]),
    (GROUPS, &["kind = \"dragonfly-plus\"", "nodes = 2", "leaves = 2", "spines = 2", "h = 2", "groups = 3"]),
    (&["direct", "indirect", "ugal", "progressive"], &["kind = \"percs\"", "supernodes = 3"]),
    (&["minimal", "valiant", "ugal"], &["kind = \"aries\"", "groups = 3"]),
    (GROUPS, &["kind = \"full\"", "switches = 9", "nodes = 4"]),
    (HYPERX, &["kind = \"hyperx\"", "dims = [4, 3]", "widths = 2", "nodes = 2"]),
    (HYPERX, &["kind = \"hyperx\"", "dims = [3, 3, 2]", "nodes = 2"]),
    (GRAPHS, &["kind = \"slim-fly\"", "q = 4"]),
    (GRAPHS, &["kind = \"slim-fly\"", "q = 3"]),
    (GRAPHS, &["kind = \"polarfly\"", "q = 3"]),
    (GRAPHS, &["kind = \"jellyfish\"", "switches = 16", "degree = 4", "nodes = 2"]),
    (&["up-down"], &["kind = \"torus\"", "dims = [4, 4]", "failed = { fraction = 0.1, seed = 1 }"]),
    (
        &["minimal", "valiant", "ugal", "up-down"],
        &["kind = \"dragonfly\"", "p = 1", "a = 4", "h = 2", "groups = 9", "failed = { fraction = 0.1, seed = 1 }"],
    ),
    (GRAPHS, &["kind = \"full\"", "switches = 9", "nodes = 2", "failed = { fraction = 0.2, seed = 1 }"]),
];

/// Returns every network under each of its routings.
pub fn pairs() -> Vec<Pair> {
    let pairs = NETWORKS.iter().flat_map(|(routings, keys)| routings.iter().map(|routing| Pair { routing, keys }));
    pairs.collect()
}

/// Prints all pairs, one to a line: the routing, then the keys, with semicolons between them.
pub fn run(_: &[String]) -> Outcome {
    for pair in pairs() {
        println!("{};{}", pair.routing, pair.keys.join(";"));
    }
    Ok(())
}
