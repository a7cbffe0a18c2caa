//! What section 7 makes of its results: the share of a system's energy that sleeping links save, and its money.

use std::path::Path;
use std::sync::Arc;

use drowse_core::power::cost::CostModel;
use drowse_experiment::{Diagnostic, Source};

use super::runs::EXPERIMENT;
use crate::comparison::Comparison;

/// The system: 20 MW, "about 20 million USD per year", "over a four-year lifespan". The shares of network and links are
/// those that an experiment has of itself.
const SYSTEM: &str = "cost={ system_power = \"20 MW\", price = 0.114, years = 4 }";

/// Link energy over that always on, and run time, under DynamicFastwake: \"saves 70 % of the link energy\" at 1 % of time.
const FASTWAKE: [f64; 2] = [0.30, 1.01];
/// PerfBound needs 10 % of the link energy more, and 0.3 % of the time less (footnote 11).
const PERFBOUND: [f64; 2] = [0.40, 1.007];

/// Compares the shares and the money.
pub fn comparisons() -> Result<Vec<Comparison>, Diagnostic> {
    Ok(system()?.map_or_else(Vec::new, |cost| compare(&cost)))
}

/// Returns what the system of the paper would save in four years, in millions of USD, if its links needed a share of the
/// energy of links always on, and its programs took so many times as long.
pub fn saved_in_four_years(links: f64, time: f64) -> Result<f64, Diagnostic> {
    Ok(system()?.map_or(0.0, |cost| millions(&cost, cost.saved_fraction(links, time))))
}

fn system() -> Result<Option<CostModel>, Diagnostic> {
    let source = Source::new(Path::new("experiment.toml"), EXPERIMENT.to_owned(), &[SYSTEM.to_owned()])?;
    Ok(drowse_experiment::system(&Arc::new(source))?.cost)
}

/// Returns the money for a share of the system's energy, in millions.
fn millions(cost: &CostModel, share: f64) -> f64 {
    share * cost.lifetime() / 1e6
}

fn compare(cost: &CostModel) -> Vec<Comparison> {
    let saved = |[links, time]: [f64; 2]| cost.saved_fraction(links, time);
    let links_alone = |[links, _]: [f64; 2]| cost.saved_fraction(links, 1.0);
    let gained = links_alone(FASTWAKE) - links_alone(PERFBOUND);
    let millions = |share: f64| millions(cost, share);
    let row = |quantity, unit, theirs, ours, how| Comparison::printed("Section 7", quantity, unit, theirs, ours, how);
    let (share, money) = ("1", "million USD");
    vec![
        row("links, share of the system's energy", share, "0.072", cost.links_fraction(), SHARE),
        row("saved on links, share of the system's energy", share, "0.05", links_alone(FASTWAKE), ON_LINKS),
        row("saved in all, share of the system's energy", share, "0.04", saved(FASTWAKE), IN_ALL),
        row("DynamicFastwake over PerfBound", share, "0.004", saved(FASTWAKE) - saved(PERFBOUND), OVER_PERFBOUND),
        row("saved in four years", money, "3.2", millions(saved(FASTWAKE)), MONEY),
        row("the same, over PerfBound", money, "0.57", millions(gained), MONEY_OVER_PERFBOUND),
    ]
}

const SHARE: &str = "the defaults of [cost]";
const ON_LINKS: &str = "by [cost], links at 30 % of their energy";
const IN_ALL: &str = "by [cost], links at 30 % of their energy and runs 1 % longer";
const OVER_PERFBOUND: &str = "by [cost], 10 % of the links' energy less and runs 0.3 % longer";
const MONEY: &str =
    "by [cost], 20 MW for four years at 0.114 USD a kWh, which is 20 million a year; the paper rounds to 4 % before";
const MONEY_OVER_PERFBOUND: &str = "by [cost], 10 % of the links' energy less, without the 0.3 %";

#[cfg(test)]
mod tests {
    use super::*;

    /// Energy of 20 MW costs 80 million in four years: runs that take a hundredth longer cost that of the 92.8 % that
    /// are not links, and links without any energy save 7.2 %.
    #[test]
    fn longer_runs_cost_money() {
        let saved =
            [(1.0, 1.0), (1.0, 1.01), (0.0, 1.0)].map(|(links, time)| saved_in_four_years(links, time).unwrap());
        for (saved, expected) in saved.into_iter().zip([0.0, -0.742, 5.76]) {
            assert!((saved - expected).abs() < 0.01, "{saved}, not {expected}");
        }
    }

    /// What the command compares follows the cost model: with other shares every row of it differs.
    #[test]
    fn the_rows_are_those_of_the_cost_model() {
        let verdict = |row: &Comparison| row.row("perfbound").text(drowse_tables::schema::reproduction::VERDICT);
        let rows = comparisons().unwrap();
        assert!(rows.len() == 6 && rows.iter().all(|row| verdict(row) == "equal"));
        let source = Source::new(
            Path::new("experiment.toml"),
            EXPERIMENT.to_owned(),
            &["cost={ system_power = \"20 MW\", price = 0.114, years = 4, links = 0.4 }".to_owned()],
        );
        let cost = drowse_experiment::system(&Arc::new(source.unwrap())).unwrap().cost.unwrap();
        assert!(compare(&cost).iter().all(|row| verdict(row) == "differs"));
    }
}
