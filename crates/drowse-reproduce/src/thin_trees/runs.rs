//! Runs of workloads on trees, and their times in cycles.

use std::cmp::Reverse;

use drowse_run::outcome::Outcome;
use drowse_run::sweep::SweepError;
use drowse_tables::Row;
use drowse_tables::interval::Sample;
use drowse_tables::schema::{Column, cases as columns};

use super::tree::Tree;
use super::workloads::Workload;
use crate::cases::{self, Planned};
use crate::options::{Observer, Options};

const EXPERIMENT: &str = include_str!("runs.toml");
/// What is kept of a run.
const KEPT: [Column; 3] = [columns::MAKESPAN_S, columns::ENERGY_LINKS_ALL_J, columns::ENERGY_SWITCHES_J];

/// One run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Case {
    pub tree: Tree,
    pub workload: Workload,
    /// Jobs of the workload, side by side.
    pub jobs: u64,
    /// Whether packets ask for outputs that are busy, too.
    pub asks_busy: bool,
    /// Whether links sleep that nothing uses.
    pub sleeps: bool,
    pub seed: u32,
}

/// All runs, with what is kept of each.
pub struct Runs(Vec<(Case, Row)>);

/// The times of a case, with one seed or several.
pub struct Times(Vec<f64>);

impl Case {
    /// Makes the run of one job on links that are always on, whose packets ask for free outputs.
    pub const fn new(tree: Tree, workload: Workload, seed: u32) -> Self {
        Case { tree, workload, jobs: 1, asks_busy: false, sleeps: false, seed }
    }

    /// Returns the run of one such job on another tree.
    pub const fn on(self, tree: Tree) -> Self {
        Case { tree, jobs: 1, ..self }
    }

    /// Returns what is sent, for the longest runs to come first; of the same, the thinnest tree takes longest.
    fn length(&self) -> Reverse<(u64, Reverse<u64>)> {
        Reverse((self.jobs * self.workload.packets(), Reverse(self.tree.up)))
    }
}

impl Planned for Case {
    fn experiment(&self) -> &'static str {
        EXPERIMENT
    }

    fn overrides(&self) -> Vec<String> {
        let busy = format!("switch.allocator={{ kind = \"random\", latency = 0, request_busy = {} }}", self.asks_busy);
        let seed = format!("seed={}", self.seed);
        let mut overrides = vec![self.tree.network(), self.workload.jobs(self.jobs), seed, busy];
        if self.sleeps {
            // Ten times as long as the fast wake of these links takes.
            overrides.push("power.policy={ kind = \"stall-timer\", shallow = \"3.4 us\" }".into());
        }
        overrides
    }

    fn row(&self, outcome: &Outcome) -> Row {
        let mut row = Row::new();
        KEPT.into_iter().for_each(|column| row.copy(column, &outcome.summary.figures));
        row
    }
}

impl Runs {
    /// Runs the cases, each once.
    pub fn run(cases: Vec<Case>, options: &Options<'_>, observer: Observer<'_>) -> Result<Self, SweepError> {
        let mut once: Vec<Case> = Vec::new();
        for case in cases {
            if !once.contains(&case) {
                once.push(case);
            }
        }
        once.sort_by_key(Case::length);
        let rows = cases::run(&once, options, observer)?;
        Ok(Runs(once.into_iter().zip(rows).collect()))
    }

    /// Makes up the times, in cycles.
    #[cfg(test)]
    pub fn made_up(cases: Vec<Case>, time: impl Fn(&Case) -> f64) -> Self {
        let row = |case: &Case| {
            let mut row = Row::new();
            row.push(columns::MAKESPAN_S, 1e-9 * time(case));
            row
        };
        Runs(cases.into_iter().map(|case| (case, row(&case))).collect())
    }

    /// Returns the times of a case, with all seeds that were run.
    pub fn times(&self, case: Case) -> Times {
        Times(self.seeds(case).map(cycles).collect())
    }

    /// Returns the time of a case with its seed, or with the first that was run.
    pub fn time(&self, case: Case) -> f64 {
        let exactly = self.0.iter().find(|(other, _)| *other == case).map(|(_, row)| row);
        exactly.or_else(|| self.seeds(case).next()).map_or(f64::NAN, cycles)
    }

    /// Returns the energy of all links and switches in joules.
    pub fn joules(&self, case: Case) -> f64 {
        let of = |column| self.seeds(case).next().and_then(|row| row.number(column)).unwrap_or(f64::NAN);
        of(columns::ENERGY_LINKS_ALL_J) + of(columns::ENERGY_SWITCHES_J)
    }

    /// Returns what is kept of a case, with all seeds that were run.
    fn seeds(&self, case: Case) -> impl Iterator<Item = &Row> {
        let is_it = move |(other, _): &&(Case, Row)| Case { seed: other.seed, ..case } == *other;
        self.0.iter().filter(is_it).map(|(_, row)| row)
    }
}

/// Returns the time of a run; a cycle is a nanosecond.
fn cycles(row: &Row) -> f64 {
    row.number(columns::MAKESPAN_S).map_or(f64::NAN, |time| (1e9 * time).round())
}

impl Times {
    pub fn mean(&self) -> f64 {
        self.0.iter().sum::<f64>() / self.0.len() as f64
    }

    /// Returns the number of seeds.
    pub fn count(&self) -> usize {
        self.0.len()
    }

    /// Returns the mean and, of several seeds, half of its interval of 95 % as text.
    pub fn text(&self) -> String {
        let (mean, seeds) = (self.mean(), self.0.len());
        match self.0.iter().copied().collect::<Sample>().half_width() {
            Some(half) => format!("{mean:.0} cycles (95 %: +- {half:.0}, {seeds} seeds)"),
            None => format!("{mean:.0} cycles (one seed)"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::thin_trees::tree::tree;
    use crate::thin_trees::workloads;

    /// 10, 12 and 14: a mean of 12, a standard error of 2 / sqrt(3), times 4.303.
    #[test]
    fn the_interval_of_a_mean() {
        assert_eq!(Times(vec![10.0, 12.0, 14.0]).text(), "12 cycles (95 %: +- 5, 3 seeds)");
        assert_eq!(Times(vec![7.0]).text(), "7 cycles (one seed)");
    }

    /// Thread by thread the longest come first: all-to-all on the thinnest tree, and several jobs before one.
    #[test]
    fn the_longest_runs_come_first() {
        let mut cases: Vec<Case> = workloads::all(512, 8_192)
            .flat_map(|workload| [8, 2].map(|up| Case::new(tree(8, up, 3), workload, 1)))
            .collect();
        let two = Case { jobs: 2, ..cases[0] };
        cases.push(two);
        cases.sort_by_key(Case::length);
        assert_eq!(cases[0], two);
        assert_eq!([cases[1], cases[2]].map(|case| (case.workload.name, case.tree.up)), [("AA", 2), ("AA", 8)]);
        assert_eq!(cases.last().map(|case| case.workload.name), Some("BI"));
    }

    /// A workload of one seed has its time with each.
    #[test]
    #[expect(clippy::float_cmp, reason = "whole numbers of cycles")]
    fn the_time_of_a_seed_that_was_not_run() {
        let workload = workloads::all(64, 1_024).next().unwrap();
        let case = |seed| Case::new(tree(8, 8, 2), workload, seed);
        let runs = Runs::made_up(vec![case(1), case(2)], |case| f64::from(case.seed) * 10.0);
        assert_eq!([1, 2, 3].map(|seed| runs.time(case(seed))), [10.0, 20.0, 10.0]);
        assert_eq!((runs.times(case(7)).mean(), runs.times(case(7)).count()), (15.0, 2));
    }
}
