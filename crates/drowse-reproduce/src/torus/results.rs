//! The results of all cases, relative to the reference network of their size.

use drowse_tables::schema::cases as columns;
use drowse_tables::{Name, Row};

use super::case::{Case, Work};

/// All cases with the figures that are kept of their runs.
pub struct Results(pub Vec<(Case, Row)>);

impl Results {
    /// Finds the run of some work on a network of this name.
    pub fn find(&self, name: &str, work: &Work) -> Option<&(Case, Row)> {
        self.0.iter().find(|(case, _)| case.work == *work && case.name() == name)
    }

    /// Returns a figure of a run over that of the same work on the reference network.
    pub fn relative(&self, run: &(Case, Row), figure: impl Into<Name>) -> Option<f64> {
        let figure = figure.into();
        Some(run.1.number(&figure)? / self.reference(&run.0)?.number(&figure)?)
    }

    /// Returns the share of its power that an idle node may draw for a network to need less energy than the reference
    /// network: the energy of the cluster is linear in it. It is 1 if the network always needs less, 0 if it never does.
    pub fn break_even(&self, run: &(Case, Row)) -> Option<f64> {
        let reference = self.reference(&run.0)?;
        let more = |idle: &str| {
            let figure = columns::ENERGY_E_CLUSTER.of(idle);
            Some(run.1.number(&figure)? - reference.number(&figure)?)
        };
        Some(break_even(more("0.0")?, more("1.0")?))
    }

    fn reference(&self, case: &Case) -> Option<&Row> {
        let work = case.work.on_reference();
        let is_reference = |other: &Case| other.torus.is_reference_of(case.torus) && other.work == work;
        let found = self.0.iter().find(|(other, _)| is_reference(other));
        found.map(|(_, row)| row)
    }
}

/// Returns at which share two sums that are linear in it are the same, by how much one is more than the other at 0 and at
/// 1: 1 if it is always less, 0 if it never is.
pub fn break_even(none: f64, all: f64) -> f64 {
    match (none < 0.0, all > 0.0) {
        (true, true) => none / (none - all),
        (true, false) => 1.0,
        (false, _) => 0.0,
    }
}

/// Returns the mean number of ports of a trunk that are on, entering sleep and waking included, which draw as much.
pub fn ports_on((case, row): &(Case, Row)) -> Option<f64> {
    Some(f64::from(case.torus.aggregation) * (1.0 - row.number(columns::LINKS_DEEP_FRACTION)?))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A run on a network that needs so much energy with nodes that draw nothing, and all, when idle.
    fn run(name: &str, percent: u32, energies: [f64; 2]) -> (Case, Row) {
        let mut row = Row::new();
        row.push(columns::ENERGY_E_CLUSTER.of("0.0"), energies[0]);
        row.push(columns::ENERGY_E_CLUSTER.of("1.0"), energies[1]);
        (Case::of(name, false, Work::Uniform { percent }), row)
    }

    /// By hand: 1.7 against 2 with nodes that draw nothing when idle, 3.1 against 3 with those that draw all. At three
    /// quarters both need 2.75; below, the cheaper network needs less.
    #[test]
    fn networks_break_even_where_both_need_the_same() {
        let reference =
            super::super::table_2::TABLE_2.iter().find(|torus| torus.ratio.is_none() && torus.nodes() == 64);
        let reference = reference.unwrap().name;
        let at = |energies: [f64; 2]| {
            // The reference under another load is another work.
            let others = [run(reference, 50, [9.0, 9.0]), run(reference, 10, [2.0, 3.0])];
            let results = Results(others.into_iter().chain([run("2D-4X", 10, energies)]).collect());
            results.break_even(&results.0[2])
        };
        assert!((at([1.7, 3.1]).unwrap() - 0.75).abs() < 1e-12);
        assert!((at([1.9, 3.3]).unwrap() - 0.25).abs() < 1e-12);
        let ends = [[1.7, 2.9], [1.9, 3.0], [2.1, 3.1], [2.1, 2.9], [2.0, 3.1]].map(at);
        assert_eq!(ends, [1.0, 1.0, 0.0, 0.0, 0.0].map(Some), "it always needs less, or never from 0 on");
        let alone = Results(vec![run("2D-4X", 10, [1.7, 3.1])]);
        assert_eq!(alone.break_even(&alone.0[0]), None, "there is no reference");
    }

    /// Figures are taken over those of the reference: 3 over 2.
    #[test]
    fn figures_relate_to_the_reference() {
        let reference =
            super::super::table_2::TABLE_2.iter().find(|torus| torus.ratio.is_none() && torus.nodes() == 64);
        let runs = [run(reference.unwrap().name, 10, [2.0, 1.0]), run("2D-4X", 10, [3.0, 1.0])];
        let results = Results(runs.into());
        let ratio = results.relative(&results.0[1], columns::ENERGY_E_CLUSTER.of("0.0")).unwrap();
        assert!((ratio - 1.5).abs() < 1e-12);
    }

    /// Each size has its own reference: 3 over 2 for 64 nodes, 3 over 5 for 256, wherever they stand.
    #[test]
    fn references_have_as_many_nodes() {
        let runs = [
            run("3D-1X", 10, [2.0, 1.0]),
            run("4D-1X", 10, [5.0, 1.0]),
            run("2D-4X", 10, [3.0, 1.0]),
            run("3D-4X", 10, [3.0, 1.0]),
        ];
        let results = Results(runs.into());
        let ratio = |index: usize| results.relative(&results.0[index], columns::ENERGY_E_CLUSTER.of("0.0")).unwrap();
        assert!((ratio(2) - 1.5).abs() < 1e-12 && (ratio(3) - 0.6).abs() < 1e-12);
    }

    #[test]
    fn runs_are_found_by_network_and_work() {
        let saving = |name, saving, percent| (Case::of(name, saving, Work::Uniform { percent }), Row::new());
        let results = Results(vec![saving("2D-4X", false, 10), saving("2D-4X", true, 20), saving("2D-4X", true, 10)]);
        let found = |name: &str, percent| {
            let (case, _) = results.find(name, &Work::Uniform { percent })?;
            Some((case.saving, case.work.clone()))
        };
        assert_eq!(found("2D-4X", 10), Some((false, Work::Uniform { percent: 10 })));
        assert_eq!(found("2D-4X-PS", 10), Some((true, Work::Uniform { percent: 10 })));
        assert_eq!(found("2D-4X", 20), None);
        assert_eq!(found("1D-16X", 10), None);
    }
}
