//! Times of the workloads (Fig. 4), and what a tree gives for its cost (Table III).
//!
//! The paper prints no time, but says that those of the 8:4,4-thintree are always below three times those of the whole
//! tree. It prints phi, 11 over the sum of the eleven times relative to the whole tree, and phi over each cost.

use drowse_experiment::Diagnostic;
use drowse_tables::Row;
use drowse_tables::schema::{Column, network as columns};

use super::insee::BUSY;
use super::runs::{Case, Runs};
use super::tree::{Tree, tree};
use super::workloads::{self, Workload};
use crate::comparison::{Comparison, Theirs};
use crate::trivial::Trivial;

/// Levels of the paper's trees.
const PAPER: u32 = 4;
/// Ports up of its trees, the whole one first.
const UP: [u64; 3] = [8, 4, 2];
/// Random messages of each rank: 65,536 of 4,096 ranks.
const RANDOM: u64 = 16;
/// All-to-all moves 134 million packets on the paper's trees, so it runs once.
const ONCE: &str = "AA";

/// Table III: phi, and phi over c_C, c_L and c_Q, of the 8:4,4- and the 8:2,4-thintree.
const PRINTED: [(u64, f64, [f64; 3]); 2] = [(4, 0.60, [1.27, 1.70, 2.26]), (2, 0.11, [0.35, 0.55, 0.88])];
/// How far ours may lie from them, as a share: its times are those of one seed.
const TOLERANCE: f64 = 0.1;

/// The costs: their names, columns, and what a switch costs.
const COSTS: [(&str, Column, &str); 3] = [
    ("c_C", columns::COST_CONSTANT, "a switch costs the same whatever its radix"),
    ("c_L", columns::COST_LINEAR, "a switch costs as much as it has ports"),
    ("c_Q", columns::COST_QUADRATIC, "a switch costs the square of its ports"),
];

/// A tree with its performance and its costs relative to the whole tree.
struct Judged {
    tree: Tree,
    phi: f64,
    costs: [f64; 3],
}

/// Returns the runs of all workloads on trees of so many levels; the longest ones come first.
pub fn cases(levels: u32, seeds: u32) -> Vec<Case> {
    let mut cases = Vec::new();
    for workload in all(levels) {
        let seeds = if workload.name == ONCE { 1 } else { seeds };
        for tree in trees(levels) {
            for &asks_busy in rules(workload) {
                cases.extend((1..=seeds).map(|seed| Case { tree, workload, asks_busy, seed }));
            }
        }
    }
    cases
}

/// Compares times, phi and its quotients.
pub fn comparisons(levels: u32, runs: &Runs) -> Result<Vec<Comparison>, Diagnostic> {
    let mut comparisons = Vec::new();
    let built: Vec<Row> = trees(levels).map(Tree::build).collect::<Result<_, _>>()?;
    let mut all_judged = Vec::new();
    for (tree, network) in trees(levels).zip(&built) {
        if tree.is_thin() {
            for workload in all(levels) {
                comparisons.extend(rules(workload).iter().map(|&busy| compare_time(tree, workload, busy, runs)));
            }
        }
        let cost = |(_, key, _): (&str, Column, &str)| number(network, key) / number(&built[0], key);
        let judged = |busy| Judged { tree, phi: phi(tree, busy, runs), costs: COSTS.map(cost) };
        if tree.is_thin() {
            for busy in [false, true] {
                compare_effectiveness(&mut comparisons, &judged(busy), busy);
            }
        }
        let judged = judged(false);
        all_judged.push(judged);
    }
    comparisons.extend((0..COSTS.len()).map(|cost| most_effective(&all_judged, cost)));
    Ok(comparisons)
}

fn trees(levels: u32) -> impl Iterator<Item = Tree> {
    UP.into_iter().map(move |up| tree(8, up, levels))
}

fn all(levels: u32) -> impl Iterator<Item = Workload> {
    let nodes = 8_u64.pow(levels);
    workloads::all(nodes, RANDOM * nodes)
}

/// Returns whether packets ask for busy outputs, in all ways in which a workload is run.
fn rules(workload: Workload) -> &'static [bool] {
    if workload.name == BUSY { &[false, true] } else { &[false] }
}

/// Returns the time of a workload over that on the whole tree.
fn relative(tree: Tree, workload: Workload, busy: bool, runs: &Runs) -> f64 {
    runs.times(tree, workload, busy).mean() / runs.times(tree.whole(), workload, busy).mean()
}

/// Returns the performance, with BU by one of the rules.
fn phi(tree: Tree, busy: bool, runs: &Runs) -> f64 {
    let of = |workload: Workload| relative(tree, workload, busy && workload.name == BUSY, runs);
    let times: Vec<f64> = all(tree.levels).map(of).collect();
    times.len() as f64 / times.iter().sum::<f64>()
}

/// Names the rule for busy outputs, where it is not the usual one.
fn told(busy: bool) -> &'static str {
    if busy { ", BU asks for busy outputs" } else { "" }
}

fn compare_time(tree: Tree, workload: Workload, busy: bool, runs: &Runs) -> Comparison {
    let times = |tree| runs.times(tree, workload, busy).text();
    let how = format!("{} over {}", times(tree), times(tree.whole()));
    let quantity = format!("time of {}, {} = 1{}", workload.name, tree.whole().name(), told(busy));
    let comparison = Comparison::own(place("Fig. 4", tree), quantity, "1", relative(tree, workload, busy, runs), how);
    if (tree.levels, tree.up) != (PAPER, 4) {
        return comparison;
    }
    let trivial = Trivial::answer(8.0, "the links to the top level decide, of which there are an eighth");
    let quantity = format!("{}, \"always below three times\"", comparison.quantity);
    Comparison { quantity, theirs: Theirs::Below(3.0), ..comparison }.with_trivial(trivial)
}

/// Compares phi and its quotients.
fn compare_effectiveness(comparisons: &mut Vec<Comparison>, judged: &Judged, busy: bool) {
    let Judged { tree, phi, costs } = *judged;
    let printed = PRINTED.into_iter().find(|&(up, ..)| (PAPER, up) == (tree.levels, tree.up));
    let mut compare = |quantity: String, ours, theirs: Option<f64>, how: &'static str, alike| {
        let quantity = quantity + told(busy);
        let comparison = Comparison::own(place("Table III", tree), quantity, "1", ours, how);
        comparisons.push(match theirs {
            Some(value) => Comparison { theirs: Theirs::Found { value, tolerance: TOLERANCE * value }, ..comparison }
                .with_trivial(Trivial::answer(alike, "every tree is as fast")),
            None => comparison,
        });
    };
    let how = "11 over the sum of the relative times; all weights are 1";
    compare("performance phi".into(), phi, printed.map(|(_, phi, _)| phi), how, 1.0);
    for (index, (symbol, _, _)) in COSTS.into_iter().enumerate() {
        let (cost, theirs) = (costs[index], printed.map(|(.., quotients)| quotients[index]));
        let how = "phi over the cost of the built network, whole tree = 1";
        compare(format!("effectiveness phi / {symbol}"), phi / cost, theirs, how, 1.0 / cost);
    }
}

/// Names the tree that gives most for a cost.
fn most_effective(judged: &[Judged], cost: usize) -> Comparison {
    let (symbol, _, meaning) = COSTS[cost];
    let quotient = |judged: &Judged| judged.phi / judged.costs[cost];
    let (mut best, mut most) = (String::new(), f64::NEG_INFINITY);
    for tree in judged {
        if quotient(tree) > most {
            (best, most) = (tree.tree.name(), quotient(tree));
        }
    }
    let told: Vec<String> =
        judged.iter().map(|judged| format!("{}: {:.2}", judged.tree.name(), quotient(judged))).collect();
    let how = format!("if {meaning}, the {best} is the most cost-effective ({})", told.join(", "));
    let place = format!("Table III on {} nodes", judged.first().map_or(0, |judged| judged.tree.nodes()));
    Comparison::own(place, format!("largest phi / {symbol}"), "1", most, how)
}

/// Returns a place of the paper, and the number of nodes where it is not the paper's.
fn place(figure: &str, tree: Tree) -> String {
    let nodes = if tree.levels == PAPER { String::new() } else { format!(" on {} nodes", tree.nodes()) };
    format!("{figure}{nodes}, {}", tree.name())
}

fn number(network: &Row, key: Column) -> f64 {
    network.number(key).unwrap_or(f64::NAN)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::options::Options;
    use crate::thin_trees::test::ours_of;

    /// On 64 nodes, with one seed: a reduction takes the same time on every tree, no workload is faster on a thinner
    /// one, phi is 11 over the sum of the times, and of 16 switches 12 or 10 are left, of 16 ports 12 or 10.
    #[test]
    #[expect(clippy::float_cmp, reason = "the same number of cycles gives exactly 1")]
    fn effectiveness_on_64_nodes() {
        let options = Options { quick: true, threads: 2, ..Options::default() };
        let rows = comparisons(2, &Runs::run(cases(2, 1), &options, &|_| ()).unwrap()).unwrap();
        let times = |name: &str| -> Vec<f64> {
            let time = |workload: Workload| format!("time of {}, 8,2-tree = 1", workload.name);
            all(2).map(|workload| ours_of(&rows, &format!("Fig. 4 on 64 nodes, {name}"), &time(workload))).collect()
        };
        let (half, quarter) = (times("8:4,2-thintree"), times("8:2,2-thintree"));
        assert_eq!([half[1], quarter[1]], [1.0; 2], "BI");
        assert!(half.iter().zip(&quarter).all(|(half, quarter)| half <= quarter), "{half:?} {quarter:?}");
        let mut most = [1.0_f64; 3];
        for (name, times, left) in [("8:4,2-thintree", half, 12.0 / 16.0), ("8:2,2-thintree", quarter, 10.0 / 16.0)] {
            let of_tree = |quantity: &str| ours_of(&rows, &format!("Table III on 64 nodes, {name}"), quantity);
            let phi = 11.0 / times.iter().sum::<f64>();
            assert!((of_tree("performance phi") - phi).abs() < 1e-12);
            let costs = [left, left * left, left * left * left];
            for (((symbol, ..), cost), most) in COSTS.into_iter().zip(costs).zip(&mut most) {
                let quotient = phi / cost;
                assert!((of_tree(&format!("effectiveness phi / {symbol}")) - quotient).abs() < 1e-12, "{symbol}");
                *most = most.max(quotient);
            }
        }
        for ((symbol, ..), most) in COSTS.into_iter().zip(most) {
            let ours = ours_of(&rows, "Table III on 64 nodes", &format!("largest phi / {symbol}"));
            assert!((ours - most).abs() < 1e-12, "{symbol}: {ours} and {most}");
        }
    }

    /// With made-up times, the paper's trees are judged by all that it prints, and no answer without a model passes.
    #[test]
    fn what_is_compared_on_the_papers_trees() {
        let rows = comparisons(4, &Runs::made_up(cases(4, 1), |case| if case.tree.is_thin() { 2.5 } else { 1.0 }));
        let rows = rows.unwrap();
        let compared = |figure: &str| {
            rows.iter().filter(|row| row.place.starts_with(figure) && row.theirs != Theirs::Nothing).count()
        };
        assert_eq!([compared("Fig. 4"), compared("Table III")], [12, 16]);
        assert!(rows.iter().all(|row| !row.is_blind()));
        let phi = ours_of(&rows, "Table III, 8:2,4-thintree", "performance phi");
        assert!((phi - 0.4).abs() < 1e-12, "{phi}");
    }
}
