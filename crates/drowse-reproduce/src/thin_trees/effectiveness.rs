//! What a tree gives for its cost: times relative to a reference, phi, and the three cost functions.

use drowse_experiment::Diagnostic;
use drowse_tables::Row;
use drowse_tables::interval::Sample;
use drowse_tables::schema::{Column, network as columns};

use super::runs::{Case, Runs};
use super::tree::Tree;
use super::weights::Weights;
use super::workloads::{BUSY, Workload};
use crate::comparison::Comparison;

/// Levels of the paper's trees.
pub const PAPER: u32 = 4;
/// Random messages of each rank: 65,536 of 4,096 ranks.
pub const RANDOM: u64 = 16;

/// The costs: their names, columns, and what a switch costs.
pub const COSTS: [(&str, Column, &str); 3] = [
    ("c_C", columns::COST_CONSTANT, "a switch costs the same whatever its radix"),
    ("c_L", columns::COST_LINEAR, "a switch costs as much as it has ports"),
    ("c_Q", columns::COST_QUADRATIC, "a switch costs the square of its ports"),
];

/// A tree with its performance and its costs relative to a reference.
pub struct Judged {
    pub tree: Tree,
    pub phi: f64,
    pub costs: [f64; COSTS.len()],
}

impl Judged {
    /// Returns phi over a cost.
    pub fn quotient(&self, cost: usize) -> f64 {
        self.phi / self.costs[cost]
    }
}

/// Returns the runs of some workloads on a tree. BU is run by both rules for busy outputs.
pub fn both_rules(tree: Tree, workloads: impl Iterator<Item = Workload>) -> impl Iterator<Item = Case> {
    workloads.flat_map(move |workload| {
        rules(workload).iter().map(move |&asks_busy| Case { asks_busy, ..Case::new(tree, workload, 1) })
    })
}

/// Returns the runs of some workloads on a tree, BU by one of the rules for busy outputs.
pub fn by_rule(
    tree: Tree,
    workloads: impl Iterator<Item = Workload>,
    busy: bool,
) -> impl Iterator<Item = Case> + Clone {
    let cases: Vec<Case> = both_rules(tree, workloads).collect();
    cases.into_iter().filter(move |case| case.workload.name != BUSY || case.asks_busy == busy)
}

/// Returns whether packets ask for busy outputs, in all ways in which a workload is run.
fn rules(workload: Workload) -> &'static [bool] {
    if workload.name == BUSY { &[false, true] } else { &[false] }
}

/// Names the rule for busy outputs, where it is not the usual one.
pub const BU_ASKS: &str = "BU asks for busy outputs";

/// Returns a quantity with the name of the rule for busy outputs, where it is not the usual one.
pub fn told(quantity: String, busy: bool) -> String {
    if busy { format!("{quantity}, {BU_ASKS}") } else { quantity }
}

/// Returns the mean time of a case with all seeds over that on a reference.
pub fn relative(case: Case, reference: Tree, runs: &Runs) -> f64 {
    runs.times(case).mean() / runs.times(case.on(reference)).mean()
}

/// Returns the performance in some cases: the sum of the weights over that of the weighted relative times, which is 11
/// over the sum of eleven times where all weights are 1.
pub fn phi(cases: impl Iterator<Item = Case>, weights: &Weights, relative: impl Fn(Case) -> f64) -> f64 {
    let (mut all, mut sum) = (0.0, 0.0);
    for case in cases.filter(|case| weights.has(case.workload.name)) {
        let weight = weights.of(case.workload.name);
        all += weight;
        sum += weight * relative(case);
    }
    all / sum
}

/// Returns half of the interval of phi, of the seeds with which most of the cases were run; `None` of a single one.
pub fn phi_interval(
    cases: &(impl Iterator<Item = Case> + Clone),
    weights: &Weights,
    reference: Tree,
    runs: &Runs,
) -> Option<f64> {
    let seeds = cases.clone().map(|case| runs.times(case).count()).max()?;
    let of_seed = |seed| {
        phi(cases.clone(), weights, |case| {
            let case = Case { seed, ..case };
            runs.time(case) / runs.time(case.on(reference))
        })
    };
    (1..=u32::try_from(seeds).ok()?).map(of_seed).collect::<Sample>().half_width()
}

/// Builds trees, and returns their costs over those of the first.
pub fn costs(trees: &[Tree]) -> Result<Vec<[f64; COSTS.len()]>, Diagnostic> {
    let built: Vec<Row> = trees.iter().map(|tree| tree.build()).collect::<Result<_, _>>()?;
    let number = |row: &Row, key: Column| row.number(key).unwrap_or(f64::NAN);
    Ok(built.iter().map(|row| COSTS.map(|(_, key, _)| number(row, key) / number(&built[0], key))).collect())
}

/// Names the tree that gives most for a cost, in a sentence that has the quotients of all.
pub fn most_effective(place: &str, judged: &[Judged], cost: usize, busy: bool) -> Comparison {
    let (symbol, _, meaning) = COSTS[cost];
    let (mut best, mut most) = (String::new(), f64::NEG_INFINITY);
    for tree in judged {
        if tree.quotient(cost) > most {
            (best, most) = (tree.tree.name(), tree.quotient(cost));
        }
    }
    let all: Vec<String> =
        judged.iter().map(|judged| format!("{}: {:.2}", judged.tree.name(), judged.quotient(cost))).collect();
    let how = format!("if {meaning}, the {best} is the most cost-effective ({})", all.join(", "));
    Comparison::own(place, told(format!("largest phi / {symbol}"), busy), "1", most, how)
}

/// Returns a place of the paper, and the number of nodes where it is not the paper's.
pub fn place(figure: &str, tree: Tree) -> String {
    format!("{}, {}", on_nodes(figure, tree), tree.name())
}

/// Returns a table, figure or study, and the number of nodes where it is not the paper's.
pub fn on_nodes(figure: &str, tree: Tree) -> String {
    if tree.levels == PAPER { figure.to_owned() } else { format!("{figure} on {} nodes", tree.nodes()) }
}
