//! Tables I and II, and the cost functions of Table III.
//!
//! Table I gives formulas; they are evaluated for several trees and compared with what is counted in the built ones.
//! The printed formulas for a thin tree's switches have lost the prime of k': S_i is `k^(n-1-i) k'^i`, which Table II
//! confirms.

use drowse_experiment::Diagnostic;
use drowse_tables::schema::{Column, network as columns};
use drowse_tables::{Name, Row};

use super::tree::{Tree, tree};
use crate::comparison::Comparison;
use crate::trivial::Kind;

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
        comparisons.push(comparison.with_trivial(Kind::Cost));
    }
}

const COUNTED: &str = "counted in the built network";
const RADIX: &str = "ports of a switch of the built network, the unplugged up ports of the top level included";
const WITH_NODES: &str = "counted in the built network, the links of the nodes included";

fn number(network: &Row, key: impl Into<Name>) -> f64 {
    network.number(key.into()).unwrap_or(f64::NAN)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::thin_trees::test::ours;

    fn assert_near(ours: &[f64], expected: &[f64], what: &str) {
        let near = ours.iter().zip(expected).all(|(ours, expected)| (ours - expected).abs() < 1e-9);
        assert!(near && ours.len() == expected.len(), "{what}: {ours:?} are not {expected:?}");
    }

    /// A `k:k',n` tree has k^n nodes and, as the sum of a geometric series, (k^n - k'^n) / (k - k') switches; n k^(n-1)
    /// where both are the same. The lowest level has k^(n-1), each other one k'/k of the one below, and every switch has
    /// k links downward.
    #[test]
    fn sizes_of_thin_trees() {
        let rows = comparisons().unwrap();
        for (name, down, up, levels) in [
            ("4,3-tree", 4_u32, 4_u32, 3),
            ("2,6-tree", 2, 2, 6),
            ("4:2,3-thintree", 4, 2, 3),
            ("4:3,3-thintree", 4, 3, 3),
            ("8:5,3-thintree", 8, 5, 3),
            ("3:2,5-thintree", 3, 2, 5),
            ("4:1,3-thintree", 4, 1, 3),
        ] {
            let (nodes, top) = (down.pow(levels), up.pow(levels));
            let switches = if down == up { levels * nodes / down } else { (nodes - top) / (down - up) };
            let mut expected = vec![nodes, down + up, switches];
            let mut level = nodes / down;
            for _ in 0..levels {
                expected.push(level);
                level = level * up / down;
            }
            expected.push(switches * down);
            let expected: Vec<f64> = expected.into_iter().map(f64::from).collect();
            assert_near(&ours(&rows, &format!("Table I, {name}")), &expected, name);
        }
    }

    /// Ports of a switch, switches, links, nodes; then costs, over those of the 8,4-tree, by switches, ports and the
    /// squares of ports. All come out as they are printed.
    #[test]
    fn characteristics_and_costs() {
        let rows = comparisons().unwrap();
        for (name, switches, ports) in
            [("8,4-tree", 2048.0, 16.0), ("8:4,4-thintree", 960.0, 12.0), ("8:2,4-thintree", 680.0, 10.0)]
        {
            assert_near(&ours(&rows, &format!("Table II, {name}")), &[ports, switches, 8.0 * switches, 4096.0], name);
            let [fewer, narrower] = [switches / 2048.0, ports / 16.0];
            let costs = [fewer, fewer * narrower, fewer * narrower * narrower];
            let expected = if name == "8,4-tree" { &[] } else { &costs[..] };
            assert_near(&ours(&rows, &format!("Table III, {name}")), expected, name);
        }
        assert!(rows.iter().all(|row| !row.is_wrong() && !row.is_blind()));
    }
}
