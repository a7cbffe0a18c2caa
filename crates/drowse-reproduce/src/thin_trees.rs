//! Navaridas et al. 2010: Tables I and II, and the cost functions of Table III.
//!
//! Table I gives formulas; they are evaluated for several trees and compared with what is counted in the built ones.
//! The printed formulas for a thin tree's switches have lost the prime of k': S_i is `k^(n-1-i) k'^i`, which Table II
//! confirms. Left out: the performance phi of Table III, which has to be simulated; Fig. 1 is in [`crate::levels`].

use drowse_experiment::Diagnostic;
use drowse_tables::schema::{Column, network as columns};
use drowse_tables::{Name, Row};

use crate::comparison::Comparison;
use crate::described::network;
use crate::trivial::Trivial;

/// The experiment file; each tree sets its own network in it.
const EXPERIMENT: &str = include_str!("thin_trees.toml");

/// A `k:k',n` thin tree; a `k,n` tree where `up` equals `down`.
#[derive(Clone, Copy)]
struct Tree {
    down: u64,
    up: u64,
    levels: u32,
}

/// The trees of Tables II and III, the reference first.
const STUDIED: [Tree; 3] = [tree(8, 8, 4), tree(8, 4, 4), tree(8, 2, 4)];

/// The trees for which Table I is evaluated; k' divides k in some, and not in others.
const EVALUATED: [Tree; 7] =
    [tree(4, 4, 3), tree(2, 2, 6), tree(4, 2, 3), tree(4, 3, 3), tree(8, 5, 3), tree(3, 2, 5), tree(4, 1, 3)];

/// Table II: radix, switches, links, nodes.
const TABLE_2: [[&str; 4]; 3] =
    [["16", "2048", "16384", "4096"], ["12", "960", "7680", "4096"], ["10", "680", "5440", "4096"]];

/// Table III: the costs c_C, c_L and c_Q.
const TABLE_3: [[&str; 3]; 3] = [["1.00", "1.00", "1.00"], ["0.47", "0.35", "0.26"], ["0.33", "0.21", "0.13"]];

const fn tree(down: u64, up: u64, levels: u32) -> Tree {
    Tree { down, up, levels }
}

/// Compares the three tables.
pub fn comparisons() -> Result<Vec<Comparison>, Diagnostic> {
    let mut comparisons = Vec::new();
    for tree in EVALUATED {
        compare_formulas(&mut comparisons, tree, &tree.build()?);
    }
    let studied: Vec<Row> = STUDIED.iter().map(|tree| tree.build()).collect::<Result<_, _>>()?;
    for ((tree, network), printed) in STUDIED.iter().zip(&studied).zip(TABLE_2) {
        compare_characteristics(&mut comparisons, &tree.name(), network, printed);
    }
    // The costs of the reference over its own are 1 whatever they are.
    for ((tree, network), printed) in STUDIED.iter().zip(&studied).zip(TABLE_3).skip(1) {
        compare_costs(&mut comparisons, &tree.name(), [network, &studied[0]], printed);
    }
    Ok(comparisons)
}

impl Tree {
    fn is_thin(self) -> bool {
        self.up != self.down
    }

    /// Returns the paper's name of the tree.
    fn name(self) -> String {
        let Tree { down, up, levels } = self;
        if self.is_thin() { format!("{down}:{up},{levels}-thintree") } else { format!("{down},{levels}-tree") }
    }

    fn build(self) -> Result<Row, Diagnostic> {
        let Tree { down, up, levels } = self;
        let section = if self.is_thin() {
            format!("{{ kind = \"thin-tree\", down = {down}, up = {up}, levels = {levels} }}")
        } else {
            format!("{{ kind = \"tree\", k = {down}, n = {levels} }}")
        };
        network("thin_trees.toml", EXPERIMENT, &[format!("network={section}")])
    }

    /// Returns S_i, the switches of a level counted from the leaves, by Table I.
    fn switches_of_level(self, level: u32) -> u64 {
        self.down.pow(self.levels - 1 - level) * self.up.pow(level)
    }
}

/// Compares Table I, evaluated for one tree.
fn compare_formulas(comparisons: &mut Vec<Comparison>, tree: Tree, network: &Row) {
    let mut compare = |quantity: String, unit, theirs: u64, ours, how| {
        let place = format!("Table I, {}", tree.name());
        comparisons.push(Comparison::printed(place, quantity, unit, theirs.to_string(), ours, how));
    };
    let switches = (0..tree.levels).map(|level| tree.switches_of_level(level)).sum();
    compare("nodes N".into(), "nodes", tree.down.pow(tree.levels), number(network, columns::NODES), COUNTED);
    compare("radix R".into(), "ports", tree.down + tree.up, number(network, columns::SWITCH_PORTS), RADIX);
    compare("switches S".into(), "switches", switches, number(network, columns::SWITCHES), COUNTED);
    for level in 0..tree.levels {
        let ours = number(network, columns::LEVELS_SWITCHES.of(level));
        let theirs = tree.switches_of_level(level);
        compare(format!("switches of level {level}, S_{level}"), "switches", theirs, ours, COUNTED);
    }
    compare("links L".into(), "links", switches * tree.down, number(network, columns::LINKS_ALL), WITH_NODES);
}

/// Compares a column of Table II.
fn compare_characteristics(comparisons: &mut Vec<Comparison>, name: &str, network: &Row, printed: [&str; 4]) {
    let [radix, switches, links, nodes] = printed;
    let mut compare = |quantity: &str, unit, theirs: &str, key: Column, how| {
        let (place, ours) = (format!("Table II, {name}"), number(network, key));
        comparisons.push(Comparison::printed(place, quantity, unit, theirs, ours, how));
    };
    compare("radix", "ports", radix, columns::SWITCH_PORTS, RADIX);
    compare("switches", "switches", switches, columns::SWITCHES, COUNTED);
    compare("links", "links", links, columns::LINKS_ALL, WITH_NODES);
    compare("nodes", "nodes", nodes, columns::NODES, COUNTED);
}

/// Compares the costs of a column of Table III.
fn compare_costs(comparisons: &mut Vec<Comparison>, name: &str, networks: [&Row; 2], printed: [&str; 3]) {
    let costs = [("c_C", columns::COST_CONSTANT), ("c_L", columns::COST_LINEAR), ("c_Q", columns::COST_QUADRATIC)];
    for ((symbol, key), theirs) in costs.into_iter().zip(printed) {
        let comparison = Comparison::printed(
            format!("Table III, {name}"),
            format!("cost {symbol}, 8,4-tree = 1"),
            "1",
            theirs,
            number(networks[0], key) / number(networks[1], key),
            "cost of the built network over that of the built 8,4-tree; unplugged up ports of the top level cost too",
        );
        comparisons.push(comparison.with_trivial(Trivial::answer(1.0, "every tree costs as much")));
    }
}

const COUNTED: &str = "counted in the built network";
const RADIX: &str = "ports of a switch of the built network, the unplugged up ports of the top level included";
const WITH_NODES: &str = "counted in the built network, the links of the nodes included";

fn number(network: &Row, key: impl Into<Name>) -> f64 {
    network.number(key.into()).unwrap_or(f64::NAN)
}
