//! The results of all cases, relative to the reference network of their size.

use drowse_tables::schema::cases as columns;
use drowse_tables::{Name, Row};

use super::cases::{Case, Work};

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
    /// network, if there is such a share: the energy of the cluster is linear in it.
    pub fn break_even(&self, run: &(Case, Row)) -> Option<f64> {
        let reference = self.reference(&run.0)?;
        let more = |idle: &str| {
            let figure = columns::ENERGY_E_CLUSTER.of(idle);
            Some(run.1.number(&figure)? - reference.number(&figure)?)
        };
        let (none, all) = (more("0.0")?, more("1.0")?);
        (none < 0.0 && all > 0.0).then(|| none / (none - all))
    }

    fn reference(&self, case: &Case) -> Option<&Row> {
        let is_reference = |other: &Case| other.torus.ratio.is_none() && other.torus.nodes() == case.torus.nodes();
        let found = self.0.iter().find(|(other, _)| is_reference(other) && other.work == case.work);
        found.map(|(_, row)| row)
    }
}

/// Returns the mean number of ports of a trunk that are on, entering sleep and waking included, which draw as much.
pub fn ports_on((case, row): &(Case, Row)) -> Option<f64> {
    Some(f64::from(case.torus.aggregation) * (1.0 - row.number(columns::LINKS_DEEP_FRACTION)?))
}
