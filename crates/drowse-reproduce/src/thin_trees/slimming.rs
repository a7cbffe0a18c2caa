//! What the paper left out: all degrees of slimming, from the whole tree with 8 ports up to that with a single one, and
//! the most cost-effective under each cost function.

use drowse_experiment::Diagnostic;

use super::effectiveness::{
    self, COSTS, Judged, both_rules, by_rule, most_effective, on_nodes, phi, place, relative, told,
};
use super::performance::all;
use super::runs::{Case, Runs};
use super::tree::{Tree, tree};
use super::weights::Weights;
use crate::comparison::Comparison;

/// Ports down of all trees, and up of the whole one.
const DOWN: u64 = 8;

/// Returns the runs of all workloads on trees of so many levels, with one seed.
pub fn cases(levels: u32) -> Vec<Case> {
    trees(levels).into_iter().flat_map(|tree| both_rules(tree, all(levels))).collect()
}

/// Returns phi and its quotients for all trees, and names the best; with BU by either rule for busy outputs.
pub fn comparisons(levels: u32, runs: &Runs, weights: &Weights) -> Result<Vec<Comparison>, Diagnostic> {
    let (mut comparisons, trees) = (Vec::new(), trees(levels));
    let (whole, costs) = (trees[0], effectiveness::costs(&trees)?);
    for busy in [false, true] {
        let judge = |(&tree, &costs)| {
            let cases = by_rule(tree, all(levels), busy);
            Judged { tree, phi: phi(cases, weights, |case| relative(case, whole, runs)), costs }
        };
        let judged: Vec<Judged> = trees.iter().zip(&costs).map(judge).collect();
        for tree in &judged[1..] {
            effectiveness_of(&mut comparisons, tree, busy);
        }
        let place = on_nodes("Slimming", whole);
        comparisons.extend((0..COSTS.len()).map(|cost| most_effective(&place, &judged, cost, busy)));
    }
    Ok(comparisons)
}

fn trees(levels: u32) -> Vec<Tree> {
    (1..=DOWN).rev().map(|up| tree(DOWN, up, levels)).collect()
}

fn effectiveness_of(comparisons: &mut Vec<Comparison>, judged: &Judged, busy: bool) {
    let place = place("Slimming", judged.tree);
    let mut push = |quantity: String, ours, how| {
        comparisons.push(Comparison::own(&*place, told(quantity, busy), "1", ours, how));
    };
    push(
        "performance phi".into(),
        judged.phi,
        "the sum of the weights over that of the weighted relative times; one seed",
    );
    for (cost, (symbol, ..)) in COSTS.into_iter().enumerate() {
        let how = "phi over the cost of the built network, whole tree = 1";
        push(format!("effectiveness phi / {symbol}"), judged.quotient(cost), how);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::thin_trees::test::ours_of;

    /// Of 64 nodes, all trees have 8 leaf switches and as many others as ports up, of 8 + k' ports. With made-up times of
    /// 8 / k', phi is k' / 8, and phi / c_C = k' / 8 over (8 + k') / 16; c_L and c_Q have more factors of (8 + k') / 16.
    #[test]
    fn quotients_of_made_up_times() {
        let runs = Runs::made_up(cases(2), |case| 840.0 * 8.0 / case.tree.up as f64);
        let rows = comparisons(2, &runs, &Weights::default()).unwrap();
        for up in 1..8_u32 {
            let place = format!("Slimming on 64 nodes, 8:{up},2-thintree");
            let (phi, left) = (f64::from(up) / 8.0, f64::from(8 + up) / 16.0);
            assert!((ours_of(&rows, &place, "performance phi") - phi).abs() < 1e-12);
            for ((symbol, ..), power) in COSTS.into_iter().zip(1..) {
                let ours = ours_of(&rows, &place, &format!("effectiveness phi / {symbol}"));
                assert!((ours - phi / left.powi(power)).abs() < 1e-12, "{up}, {symbol}: {ours}");
            }
        }
        let best = |symbol: &str| {
            let quantity = format!("largest phi / {symbol}");
            rows.iter().find(|row| row.place == "Slimming on 64 nodes" && row.quantity == quantity).unwrap()
        };
        // k' / 8 over ((8 + k') / 16)^3 is largest where 3 k' = 8 + k'.
        assert!(best("c_C").how.contains("the 8,2-tree is the most cost-effective"), "{}", best("c_C").how);
        assert!(best("c_Q").how.contains("the 8:4,2-thintree is the most cost-effective"), "{}", best("c_Q").how);
    }
}
