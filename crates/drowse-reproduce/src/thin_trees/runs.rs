//! Runs of workloads on trees, and their times in cycles.

use drowse_experiment::System;
use drowse_run::run::Run;
use drowse_run::summary::Summary;
use drowse_run::sweep::SweepError;
use drowse_tables::Row;
use drowse_tables::interval::Sample;
use drowse_tables::schema::cases as columns;

use super::tree::Tree;
use super::workloads::Workload;
use crate::cases::{self, Planned};
use crate::options::{Observer, Options};

const EXPERIMENT: &str = include_str!("runs.toml");

/// One run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Case {
    pub tree: Tree,
    pub workload: Workload,
    /// Whether packets ask for outputs that are busy, too.
    pub asks_busy: bool,
    pub seed: u32,
}

/// All runs, with their times in cycles.
pub struct Runs(Vec<(Case, f64)>);

/// The times of a workload on a tree, with one seed or several.
pub struct Times(Vec<f64>);

impl Planned for Case {
    fn experiment(&self) -> &'static str {
        EXPERIMENT
    }

    fn overrides(&self) -> Vec<String> {
        let busy = format!("switch.allocator={{ kind = \"random\", latency = 0, request_busy = {} }}", self.asks_busy);
        vec![self.tree.network(), self.workload.job(), format!("seed={}", self.seed), busy]
    }

    fn row(&self, _: &System, _: &Run, summary: &Summary) -> Row {
        let mut row = Row::new();
        row.copy(columns::MAKESPAN_S, &summary.figures);
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
        let rows = cases::run(&once, options, observer)?;
        // A cycle is a nanosecond.
        let cycles = |row: &Row| row.number(columns::MAKESPAN_S).map_or(f64::NAN, |time| (1e9 * time).round());
        Ok(Runs(once.into_iter().zip(rows.iter().map(cycles)).collect()))
    }

    /// Makes up the times.
    #[cfg(test)]
    pub fn made_up(cases: Vec<Case>, time: impl Fn(&Case) -> f64) -> Self {
        Runs(cases.into_iter().map(|case| (case, time(&case))).collect())
    }

    /// Returns the times of a workload on a tree, with all seeds that were run.
    pub fn times(&self, tree: Tree, workload: Workload, asks_busy: bool) -> Times {
        let is_it = |case: &Case| Case { seed: case.seed, tree, workload, asks_busy } == *case;
        Times(self.0.iter().filter(|(case, _)| is_it(case)).map(|&(_, cycles)| cycles).collect())
    }
}

impl Times {
    pub fn mean(&self) -> f64 {
        self.0.iter().sum::<f64>() / self.0.len() as f64
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

    /// 10, 12 and 14: a mean of 12, a standard error of 2 / sqrt(3), times 4.303.
    #[test]
    fn the_interval_of_a_mean() {
        assert_eq!(Times(vec![10.0, 12.0, 14.0]).text(), "12 cycles (95 %: +- 5, 3 seeds)");
        assert_eq!(Times(vec![7.0]).text(), "7 cycles (one seed)");
    }
}
