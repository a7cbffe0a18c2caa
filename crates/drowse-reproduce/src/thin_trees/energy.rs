//! What the paper left out: energy, by the radix of switches, and with links that sleep.
//!
//! If a switch draws power as it costs, the energy of the workloads is the reciprocal of the effectiveness: cost times
//! time. The joules are those of a measured switch, whose power goes with the ports that have a link. Its links fall into
//! shallow sleep (fast wake) when they have been idle for ten times as long as a wake takes, so that a link delays packets
//! for a tenth of the time at most. Sooner does not pay: a packet that waits for a wake holds up those behind it, and
//! their links fall asleep meanwhile.

use drowse_experiment::Diagnostic;

use super::effectiveness::{self, COSTS, on_nodes, phi, relative};
use super::performance::all;
use super::runs::{Case, Runs};
use super::tree::{Tree, tree};
use super::weights::Weights;
use crate::comparison::Comparison;

/// Ports up of the trees, the whole one first.
const UP: [u64; 3] = [8, 4, 2];

/// Workloads that are told together.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Of {
    All,
    Light,
}

/// Returns the runs of all workloads, with one seed, with links that are always on and with links that sleep.
pub fn cases(levels: u32) -> Vec<Case> {
    let trees = trees(levels).into_iter();
    trees.flat_map(|tree| [false, true].into_iter().flat_map(move |sleeps| runs_of(tree, sleeps, Of::All))).collect()
}

/// Returns energies relative to those of the whole tree with links always on, and what sleep costs in time.
pub fn comparisons(levels: u32, runs: &Runs, weights: &Weights) -> Result<Vec<Comparison>, Diagnostic> {
    let (mut comparisons, trees) = (Vec::new(), trees(levels));
    let whole = trees[0];
    for (tree, costs) in trees.into_iter().zip(effectiveness::costs(&trees)?) {
        let place = format!("{}, {}", on_nodes("Energy", whole), tree.name());
        let mean = |sleeps, of, one: &dyn Fn(Case) -> f64| 1.0 / phi(runs_of(tree, sleeps, of), weights, one);
        let mut push = |quantity: String, ours: f64, how: &'static str| {
            comparisons.push(Comparison::own(&*place, quantity, "1", ours, how));
        };
        if tree.is_thin() {
            let time = mean(false, Of::All, &|case| relative(case, whole, runs));
            for ((symbol, ..), cost) in COSTS.into_iter().zip(costs) {
                push(
                    format!("energy, a switch draws power as {symbol}"),
                    cost * time,
                    "cost times the mean relative time",
                );
            }
        }
        let joules = |case: Case| runs.joules(case) / runs.joules(Case { sleeps: false, ..case.on(whole) });
        let has_weight = |of| runs_of(whole, false, of).any(|case| weights.has(case.workload.name));
        let groups = [(Of::All, ""), (Of::Light, " of BI, W2 and W3")];
        for (of, name) in groups.into_iter().filter(|&(of, _)| has_weight(of)) {
            if tree.is_thin() {
                push(format!("energy{name} in joules, links always on"), mean(false, of, &joules), JOULES);
            }
            push(format!("energy{name} in joules, links sleep"), mean(true, of, &joules), JOULES);
            let slower = |case: Case| runs.times(case).mean() / runs.times(Case { sleeps: false, ..case }).mean();
            push(format!("time{name} if links sleep, always on = 1"), mean(true, of, &slower), SLEEP);
        }
    }
    Ok(comparisons)
}

const JOULES: &str = "links and switches of nexus-9336c-fx2; mean of the workloads, each relative to the whole tree with links \
                      always on; one seed";
const SLEEP: &str = "shallow sleep of eee-40g after 3.4 us without a packet; mean of the workloads on the same tree";

fn trees(levels: u32) -> [Tree; UP.len()] {
    UP.map(|up| tree(8, up, levels))
}

fn runs_of(tree: Tree, sleeps: bool, of: Of) -> impl Iterator<Item = Case> {
    let workloads = all(tree.levels).filter(move |workload| of == Of::All || workload.is_light());
    workloads.map(move |workload| Case { sleeps, ..Case::new(tree, workload, 1) })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::options::Options;
    use crate::thin_trees::test::ours_of;

    /// On 64 nodes: links that are always on draw the same all the time, and switches go with their ports that have a
    /// link, so that the energy of a tree is nearly its time by its ports; sleeping links draw less, and take longer.
    #[test]
    fn energy_on_64_nodes() {
        let options = Options { threads: 2, ..Options::default() };
        let runs = Runs::run(cases(2), &options, &|_| ()).unwrap();
        let rows = comparisons(2, &runs, &Weights::default()).unwrap();
        let ours = |tree: &str, quantity: &str| ours_of(&rows, &format!("Energy on 64 nodes, {tree}"), quantity);
        for (name, up) in [("8:4,2-thintree", 4_u32), ("8:2,2-thintree", 2)] {
            let case = |tree| Case::new(tree, all(2).nth(1).unwrap(), 1);
            let one = case(tree(8, up.into(), 2));
            let joules = runs.joules(one) / runs.joules(case(tree(8, 8, 2)));
            // BI takes as long on all. Ports with a link: 64 of nodes, and 8 k' cables with two.
            let ports = f64::from(64 + 16 * up) / f64::from(64 + 16 * 8);
            assert!((joules / ports - 1.0).abs() < 0.05, "{name}: {joules} and {ports}");
            let watts = |case| runs.joules(case) / runs.times(case).mean();
            let sleeping = watts(Case { sleeps: true, ..one }) / watts(one);
            assert!((0.6..1.0).contains(&sleeping), "shallow sleep draws 60 % of what a link draws: {sleeping}");
            assert!(ours(name, "time of BI, W2 and W3 if links sleep, always on = 1") > 1.0);
        }
        assert!(ours("8,2-tree", "time if links sleep, always on = 1") > 1.0);
    }
}
