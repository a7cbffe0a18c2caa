//! Compares a finished case with a finished baseline.

use drowse_core::power::cost::{CostModel, Tariff};
use drowse_core::power::rate::Rate;
use drowse_experiment::{Case, System};
use drowse_tables::schema::{Column, cases};
use drowse_tables::{Row, Value};
use serde::{Deserialize, Serialize};

use crate::figures::{cost, jobs, spent};
use crate::outcome::{Outcome, Relative};

const BILLION: u128 = 1_000_000_000;

/// What of a case and its baseline decides how their figures are compared; it is known before they run.
#[derive(Clone, Debug, Deserialize, PartialEq, Serialize)]
pub struct Terms {
    /// Whether the network energies are shares of the same reference network's power.
    same_reference: bool,
    /// The cost that the case saves a part of. Both networks must have as many links, since the links' share of the
    /// system's energy is that of the baseline's.
    #[serde(default, skip_serializing_if = "Option::is_none", with = "cost_on_disk")]
    cost: Option<CostModel>,
    /// What a kWh costs and emits in the mean, and the energy of the building for that of the machine.
    #[serde(default)]
    mean: Mean,
    /// The bound that a policy was to keep, in billionths. Only against the same network with all links on is the
    /// difference due to waking.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    bound: Option<u32>,
}

/// What a kWh costs and emits in the mean.
#[derive(Clone, Copy, Debug, Deserialize, PartialEq, Serialize)]
struct Mean {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    price: Option<f64>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    carbon: Option<f64>,
    pue: f64,
}

impl Default for Mean {
    fn default() -> Self {
        Mean { price: None, carbon: None, pue: 1.0 }
    }
}

/// A cost model on disk: its fields in their order, the power in watts.
mod cost_on_disk {
    use drowse_core::model::units::Power;
    use drowse_core::power::cost::CostModel;
    use serde::{Deserialize, Deserializer, Serialize, Serializer};

    #[expect(clippy::ref_option, reason = "so serde calls it")]
    pub fn serialize<S: Serializer>(cost: &Option<CostModel>, to: S) -> Result<S::Ok, S::Error> {
        cost.map(|cost| (cost.system_power.0, [cost.network, cost.links, cost.price, cost.years])).serialize(to)
    }

    pub fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<Option<CostModel>, D::Error> {
        let model = |(watts, [network, links, price, years]): (u64, [f64; 4])| CostModel {
            system_power: Power(watts),
            network,
            links,
            price,
            years,
        };
        Ok(Option::deserialize(from)?.map(model))
    }
}

impl Terms {
    /// Compares two cases as they are described.
    pub fn of(case: &Case, baseline: &Case) -> Self {
        let (ours, theirs) = (&case.system, &baseline.system);
        let same_links = ours.network.links() == theirs.network.links();
        let same_network = ours.topology == theirs.topology && baseline.is_always_on();
        Terms {
            same_reference: same_reference(ours, theirs),
            cost: ours.cost.filter(|_| same_links),
            mean: Mean {
                price: ours.tariff.price.as_ref().and_then(Rate::mean),
                carbon: ours.tariff.carbon.as_ref().and_then(Rate::mean),
                pue: ours.tariff.pue,
            },
            bound: ours.policy.bound().filter(|_| same_network),
        }
    }

    /// Returns what a kWh costs in the mean.
    fn tariff(&self) -> Tariff {
        let Mean { price, carbon, pue } = self.mean;
        let [price, carbon] = [price, carbon].map(|rate| rate.map(Rate::Constant));
        Tariff { price, carbon, pue, ..Tariff::default() }
    }
}

/// Returns the figures of a case that need a baseline.
pub fn relative(outcome: &Outcome, baseline: &Outcome) -> Relative {
    let terms = Terms::of(&outcome.case, &baseline.case);
    let mut figures = figures(&terms, &outcome.summary.figures, &baseline.summary.figures);
    let jobs = jobs::relative(&outcome.summary.jobs, &baseline.summary.jobs);
    figures.append(jobs::slowest(&jobs));
    Relative { figures, jobs }
}

/// Returns what the figures of a case are relative to those of a baseline.
pub fn figures(terms: &Terms, ours: &Row, theirs: &Row) -> Row {
    let mut figures = savings(terms, ours, theirs);
    figures.append(spent::saved(&terms.tariff(), ours, theirs));
    figures.append(ratios(terms, ours, theirs));
    figures.append(bound(terms, ours, theirs));
    figures
}

/// The columns that are compared; those of the second list only where there is a run time. Without one, the energy is
/// that of a window, and those of the third are compared.
const RATIOS: [(Column, Column); 4] = [
    (cases::RELATIVE_MAKESPAN, cases::MAKESPAN_S),
    (cases::RELATIVE_E_NET, cases::ENERGY_E_NET),
    (cases::RELATIVE_LINKS, cases::ENERGY_LINKS_ALL),
    (cases::RELATIVE_EDP, cases::ENERGY_EDP),
];
const RATIOS_OF_JOULES: [(Column, Column); 5] = [
    (cases::RELATIVE_LINKS_SWITCH_J, cases::ENERGY_LINKS_SWITCH_J),
    (cases::RELATIVE_LINKS_J, cases::ENERGY_LINKS_ALL_J),
    (cases::RELATIVE_NETWORK_J, cases::ENERGY_NETWORK_J),
    (cases::RELATIVE_NODES_J, cases::ENERGY_NODES_J),
    (cases::RELATIVE_TOTAL_J, cases::ENERGY_TOTAL_J),
];

const RATIOS_OF_TRAFFIC: [(Column, Column); 2] =
    [(cases::RELATIVE_NETWORK_W, cases::POWER_NETWORK_W), (cases::RELATIVE_LATENCY, cases::LATENCY_MESSAGE_MEAN_NS)];

/// Returns the figures of a baseline that cases are compared with.
pub fn compared(baseline: &Row) -> Row {
    let mut row = Row::new();
    RATIOS
        .iter()
        .chain(&RATIOS_OF_JOULES)
        .chain(&RATIOS_OF_TRAFFIC)
        .for_each(|&(_, figure)| row.copy(figure, baseline));
    row
}

/// Returns the ratios of a case's figures to those of its baseline.
fn ratios(terms: &Terms, ours: &Row, theirs: &Row) -> Row {
    let mut row = Row::new();
    let others: &[(Column, Column)] =
        if ours.get(cases::MAKESPAN_S).is_some() { &RATIOS_OF_JOULES } else { &RATIOS_OF_TRAFFIC };
    let same_reference = |name: Column| terms.same_reference || name != cases::RELATIVE_E_NET;
    for &(name, figure) in RATIOS.iter().chain(others).filter(|(name, _)| same_reference(*name)) {
        row.push_some(name, ratio(ours, theirs, figure));
    }
    row
}

/// Returns the bound that a policy was to keep, and whether the run is longer by more.
fn bound(terms: &Terms, ours: &Row, theirs: &Row) -> Row {
    let mut row = Row::new();
    if let (Some(billionths), Some(ours), Some(theirs)) = (terms.bound, makespan_ps(ours), makespan_ps(theirs)) {
        let lost = u128::from(ours.saturating_sub(theirs)) * BILLION;
        row.push(cases::RELATIVE_BOUND, f64::from(billionths) / BILLION as f64);
        row.push(cases::RELATIVE_BOUND_EXCEEDED, lost > u128::from(theirs) * u128::from(billionths));
    }
    row
}

/// Returns the makespan in picoseconds: exactly, below 2^52 of them, which are 75 minutes.
#[expect(clippy::cast_sign_loss, reason = "a time is not negative")]
fn makespan_ps(figures: &Row) -> Option<u64> {
    figures.number(cases::MAKESPAN_S).map(|seconds| (seconds * 1e12).round() as u64)
}

/// Returns what to say of a run that took longer than its bound allows.
pub fn exceeded(figures: &Row) -> Option<String> {
    let over = figures.get(cases::RELATIVE_BOUND_EXCEEDED) == Some(&Value::from(true));
    let (makespan, bound) = figures.number(cases::RELATIVE_MAKESPAN).zip(figures.number(cases::RELATIVE_BOUND))?;
    let why = if figures.number(cases::GOVERNOR_REPORTS).is_some() {
        "packets met others because some were delayed, which no rank sees"
    } else {
        "each link keeps its share of the bound, but delays of several links and ranks add up"
    };
    over.then(|| {
        format!(
            "the bound was exceeded: the run took {:.2} % longer than with all links on, the bound is {} %; {why}",
            (makespan - 1.0) * 100.0,
            bound * 100.0,
        )
    })
}

/// Returns the ratio of one figure; `None` where either lacks it, or the baseline's is 0.
fn ratio(ours: &Row, theirs: &Row, figure: Column) -> Option<f64> {
    let theirs = theirs.number(figure).filter(|&theirs| theirs > 0.0)?;
    ours.number(figure).map(|ours| ours / theirs)
}

/// Returns whether two systems' network energies are shares of the same reference network's power.
fn same_reference(a: &System, b: &System) -> bool {
    let same_ports = a.ports() == b.ports();
    a.model.reference == b.model.reference && (a.model.reference.is_some() || same_ports)
}

/// Returns what a case saves of the cost of its `[cost]`.
fn savings(terms: &Terms, ours: &Row, theirs: &Row) -> Row {
    let of_links = ratio(ours, theirs, cases::ENERGY_LINKS_ALL);
    let of_time = ratio(ours, theirs, cases::MAKESPAN_S);
    match (&terms.cost, of_links.zip(of_time)) {
        (Some(model), Some((energy, makespan))) => cost::savings(model, energy, makespan),
        _ => Row::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of_makespan(seconds: f64) -> Row {
        let mut row = Row::new();
        row.push(cases::MAKESPAN_S, seconds);
        row
    }

    /// A bound that is met to the picosecond is kept; one picosecond more exceeds it.
    #[test]
    fn the_edge_of_a_bound() {
        let terms = Terms { same_reference: false, cost: None, mean: Mean::default(), bound: Some(10_000_000) };
        let theirs = of_makespan(1e-6);
        for (picoseconds, exceeded) in [(990_000, false), (1_010_000, false), (1_010_001, true)] {
            let row = bound(&terms, &of_makespan(f64::from(picoseconds) * 1e-12), &theirs);
            assert_eq!(row.number(cases::RELATIVE_BOUND), Some(0.01));
            assert_eq!(row.get(cases::RELATIVE_BOUND_EXCEEDED), Some(&Value::from(exceeded)), "{picoseconds} ps");
        }
    }

    #[test]
    fn no_ratio_to_nothing() {
        assert_eq!(ratio(&of_makespan(3.0), &of_makespan(2.0), cases::MAKESPAN_S), Some(1.5));
        assert_eq!(ratio(&of_makespan(3.0), &of_makespan(0.0), cases::MAKESPAN_S), None);
        assert_eq!(ratio(&of_makespan(3.0), &Row::new(), cases::MAKESPAN_S), None);
    }
}
