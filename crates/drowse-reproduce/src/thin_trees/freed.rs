//! What the paper left out: switches of equal radix, whose freed ports up are used as ports down.
//!
//! Of 16 ports, a switch that has k' up has 16 - k' down, so that a tree of as many levels has more nodes. It runs as many
//! jobs of the workload as it has room for, each on as many nodes as the whole tree has, side by side; the time is that of
//! the last. Costs are those of the network for each node that computes.

use drowse_experiment::Diagnostic;

use super::effectiveness::{self, COSTS, Judged, most_effective, on_nodes, phi, relative};
use super::performance::all;
use super::runs::{Case, Runs};
use super::tree::{Tree, tree};
use super::weights::Weights;
use crate::comparison::Comparison;

/// Ports of a switch of the whole tree, half of them up.
const RADIX: u64 = 16;
/// Ports up of the others.
const UP: [u64; 2] = [4, 2];

/// Returns the runs of all workloads, with one seed.
pub fn cases(levels: u32) -> Vec<Case> {
    trees(levels).into_iter().flat_map(|tree| of_tree(tree, levels)).collect()
}

/// Returns phi and its quotients, beside those of trees that leave the ports out, and names the best.
pub fn comparisons(levels: u32, runs: &Runs, weights: &Weights) -> Result<Vec<Comparison>, Diagnostic> {
    let (mut comparisons, trees) = (Vec::new(), trees(levels));
    let whole = trees[0];
    let judge = |(&tree, costs): (&Tree, [f64; COSTS.len()])| {
        let phi = phi(of_tree(tree, levels), weights, |case| relative(case, whole, runs));
        let jobs = tree.nodes() / whole.nodes();
        Judged { tree, phi, costs: costs.map(|cost| cost / jobs as f64) }
    };
    let judged: Vec<Judged> = trees.iter().zip(effectiveness::costs(&trees)?).map(judge).collect();
    for judged in &judged[1..] {
        let place = place_of(judged.tree, whole);
        let how = format!(
            "{} jobs of {} ranks on {} nodes; the last one's time over that of one job on the {}; one seed",
            judged.tree.nodes() / whole.nodes(),
            whole.nodes(),
            judged.tree.nodes(),
            whole.name()
        );
        comparisons.push(Comparison::own(&*place, "performance phi", "1", judged.phi, how));
        for (cost, (symbol, ..)) in COSTS.into_iter().enumerate() {
            let quantity = format!("effectiveness phi / {symbol}");
            let how = "phi over the cost of the built network for each node that computes, whole tree = 1";
            comparisons.push(Comparison::own(&*place, quantity, "1", judged.quotient(cost), how));
        }
    }
    let place = on_nodes("Freed ports", whole);
    comparisons.extend((0..COSTS.len()).map(|cost| most_effective(&place, &judged, cost, false)));
    Ok(comparisons)
}

/// Returns the whole tree, those with fewer ports up, and those that use these ports downward.
fn trees(levels: u32) -> Vec<Tree> {
    let half = RADIX / 2;
    let whole = tree(half, half, levels);
    let pairs = UP.into_iter().flat_map(|up| [tree(half, up, levels), tree(RADIX - up, up, levels)]);
    [whole].into_iter().chain(pairs).collect()
}

/// Returns the runs of a tree that is full of jobs, each as large as the whole tree of so many levels.
fn of_tree(tree: Tree, levels: u32) -> impl Iterator<Item = Case> {
    let jobs = tree.nodes() / (RADIX / 2).pow(levels);
    all(levels).map(move |workload| Case { jobs, ..Case::new(tree, workload, 1) })
}

fn place_of(tree: Tree, whole: Tree) -> String {
    format!("{}, {}", on_nodes("Freed ports", whole), tree.name())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::thin_trees::test::ours_of;

    /// 144 nodes of the 12:4,2-tree have room for two jobs of 64, on 12 + 4 switches; the whole tree has 8 + 8. Where both
    /// take as long, phi is 1, and two jobs share the cost: all radices are equal, so c_C = c_L = c_Q. The 14:2,2-tree has
    /// three jobs on 14 + 2 switches.
    #[test]
    fn jobs_share_the_cost() {
        let runs = Runs::made_up(cases(2), |_| 100.0);
        let rows = comparisons(2, &runs, &Weights::default()).unwrap();
        for (name, jobs) in [("12:4,2-thintree", 2.0), ("14:2,2-thintree", 3.0)] {
            let place = format!("Freed ports on 64 nodes, {name}");
            assert!((ours_of(&rows, &place, "performance phi") - 1.0).abs() < 1e-12);
            for (symbol, ..) in COSTS {
                let ours = ours_of(&rows, &place, &format!("effectiveness phi / {symbol}"));
                assert!((ours - jobs).abs() < 1e-12, "{name}, {symbol}: {ours}");
            }
        }
        let slim = ours_of(&rows, "Freed ports on 64 nodes, 8:4,2-thintree", "effectiveness phi / c_L");
        assert!((slim - 16.0 / 9.0).abs() < 1e-12, "12 switches of 12 ports instead of 16 of 16: {slim}");
    }

    /// Two jobs that lie side by side in blocks of their own do not meet, and those of the 12:4,2-tree meet only at the
    /// top: a reduction takes as long as alone on the whole tree, where its messages never meet either.
    #[test]
    fn reductions_side_by_side() {
        let options = crate::options::Options { threads: 2, ..Default::default() };
        let light = |cases: Vec<Case>| cases.into_iter().filter(|case| case.workload.is_exact()).collect::<Vec<_>>();
        let runs = Runs::run(light(cases(2)), &options, &|_| ()).unwrap();
        let [one, two] = [trees(2)[0], trees(2)[2]].map(|tree| light(of_tree(tree, 2).collect())[0]);
        assert_eq!((one.jobs, two.jobs), (1, 2));
        let hops = runs.times(two).mean() - runs.times(one).mean();
        // Blocks of 12 instead of 8: at most four of the six messages to rank 0 take two more links.
        assert!((0.0..=4.0 * 2.0).contains(&hops), "{hops}");
    }
}
