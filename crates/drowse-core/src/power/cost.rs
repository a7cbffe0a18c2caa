//! What sleeping links save of a system's energy, and of the money that it costs (Saravanan and Carpenter 2018, section
//! 7).
//!
//! Links draw a fixed share of the system's energy in the baseline. What they save is that share of the link energy
//! that is saved. The paper's pessimistic rule: all else draws the same power for as long as the run takes, so that its
//! energy grows by the slowdown, although processors and memory that wait may need less.

use serde::Serialize;

use super::rate::Rate;
use crate::model::units::{Power, Time};

/// Hours of a mean year, 365.25 days.
const HOURS_PER_YEAR: f64 = 8_766.0;

/// A system whose energy is paid for (experiment section `cost`).
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct CostModel {
    /// What the whole system draws.
    pub system_power: Power,
    /// The network's share of the system's energy.
    pub network: f64,
    /// The links' share of the network's energy.
    pub links: f64,
    /// Money for a kWh.
    pub price: f64,
    /// How long the system is used, in years.
    pub years: f64,
}

/// What a kWh costs and emits (experiment section `cost`).
///
/// ```
/// use drowse_core::model::units::Time;
/// use drowse_core::power::cost::Tariff;
/// use drowse_core::power::rate::Rate;
///
/// let (price, carbon) = (Some(Rate::Constant(0.25)), Some(Rate::Constant(300.0)));
/// let tariff = Tariff { price, carbon, pue: 1.5, ..Tariff::default() };
/// // 1 kW of a machine over an hour is 1 kWh, and 1.5 kWh with what cools it.
/// let spent = tariff.of_run(1_000.0 * 3_600.0, Time::from_us(3_600_000_000));
/// assert_eq!((spent.kwh, spent.money, spent.grams), (1.5, Some(0.375), Some(450.0)));
/// // Over a year, 8,760 times as much.
/// assert_eq!(tariff.of_year(1_000.0).kwh, 13_140.0);
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Tariff {
    /// Money for a kWh.
    pub price: Option<Rate>,
    /// Grams of CO2 for a kWh.
    pub carbon: Option<Rate>,
    /// When a run begins, in microseconds since 1970 or by the clock of the series; `None` where a run has the mean of a
    /// series.
    pub start: Option<i64>,
    /// The energy of the whole building for that of the machine in it: power usage effectiveness.
    pub pue: f64,
}

impl Default for Tariff {
    fn default() -> Self {
        Tariff { price: None, carbon: None, start: None, pue: 1.0 }
    }
}

/// Energy with what it costs and emits, as far as that is known.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Spent {
    /// The energy, that of the building included.
    pub kwh: f64,
    /// The money.
    pub money: Option<f64>,
    /// Grams of CO2.
    pub grams: Option<f64>,
}

/// Joules of a kWh.
const JOULES_PER_KWH: f64 = 3.6e6;
/// Hours of a year of 365 days, over which a mean power is spread.
pub const HOURS_OF_YEAR: f64 = 8_760.0;

impl Tariff {
    /// Returns what a run spends that begins at [`Tariff::start`] and takes some time. The price is the mean over that
    /// time, as if the power were always the same.
    pub fn of_run(&self, joules: f64, length: Time) -> Spent {
        let mean = |rate: &Option<Rate>| match (rate, self.start) {
            (Some(rate), None) => rate.mean(),
            (Some(rate), start) => rate.of_run(start, length),
            (None, _) => None,
        };
        let joules = joules * self.pue;
        Spent {
            kwh: joules / JOULES_PER_KWH,
            money: mean(&self.price).map(|price| price * joules / JOULES_PER_KWH),
            grams: mean(&self.carbon).map(|carbon| carbon * joules / JOULES_PER_KWH),
        }
    }

    /// Returns what a year at a mean power spends. Prices are the mean of all that is known.
    pub fn of_year(&self, watts: f64) -> Spent {
        let kwh = watts / 1e3 * HOURS_OF_YEAR * self.pue;
        let mean = |rate: &Option<Rate>| rate.as_ref().and_then(Rate::mean);
        Spent {
            kwh,
            money: mean(&self.price).map(|price| price * kwh),
            grams: mean(&self.carbon).map(|rate| rate * kwh),
        }
    }
}

impl CostModel {
    /// Returns the links' share of the system's energy.
    pub fn links_fraction(&self) -> f64 {
        self.network * self.links
    }

    /// Returns the money for the system's energy over its life.
    pub fn lifetime(&self) -> f64 {
        self.system_power.0 as f64 / 1e3 * HOURS_PER_YEAR * self.years * self.price
    }

    /// Returns the share of the system's energy that is saved where links need `link_energy` and runs take `makespan`,
    /// both as shares of the baseline's; below 0 for a loss.
    pub fn saved_fraction(&self, link_energy: f64, makespan: f64) -> f64 {
        let links = self.links_fraction();
        links * (1.0 - link_energy) - (1.0 - links) * (makespan - 1.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The system of section 7: 20 MW, about 20 million USD a year, four years.
    const PAPER: CostModel =
        CostModel { system_power: Power(20_000_000), network: 0.12, links: 0.60, price: 0.114, years: 4.0 };

    fn percent(share: f64, decimals: usize) -> String {
        format!("{:.decimals$}", 100.0 * share)
    }

    /// "12 %, of which 60 %: 7.2 %. It saves 70 % of the link energy, which is 5 % of the system's; with 1 % of
    /// slowdown the overall saving is 4 %": the rest of the system, 92.8 %, grows by 1 %.
    #[test]
    fn dynamic_fastwake_saves_four_percent() {
        assert_eq!(percent(PAPER.links_fraction(), 3), "7.200");
        assert_eq!(percent(PAPER.saved_fraction(0.30, 1.00), 3), "5.040");
        assert_eq!(percent(PAPER.saved_fraction(0.30, 1.01), 3), "4.112");
        assert_eq!(percent(PAPER.saved_fraction(0.30, 1.01), 0), "4");
    }

    /// "20 million USD per year, 80 million over four years; 4 % of it are 3.2 million."
    #[test]
    fn four_percent_are_three_point_two_million() {
        let millions = |money: f64| format!("{:.1}", money / 1e6);
        assert_eq!(millions(CostModel { years: 1.0, ..PAPER }.lifetime()), "20.0");
        assert_eq!(millions(PAPER.lifetime()), "79.9");
        assert_eq!(millions(0.04 * PAPER.lifetime()), "3.2");
        // Not rounded on the way, it is a little more.
        assert_eq!(millions(PAPER.saved_fraction(0.30, 1.01) * PAPER.lifetime()), "3.3");
    }

    /// Footnote 11: 10 % of the link energy more than PerfBound are 0.72 % of the system's, 0.57 million; 0.3 % slower
    /// leaves 0.4 %.
    #[test]
    fn dynamic_fastwake_beside_perfbound() {
        let more = PAPER.saved_fraction(0.30, 1.0) - PAPER.saved_fraction(0.40, 1.0);
        assert_eq!((percent(more, 2), format!("{:.3}", more * 80.0)), ("0.72".into(), "0.576".into()));
        let slower = PAPER.saved_fraction(0.30, 1.003) - PAPER.saved_fraction(0.40, 1.0);
        assert_eq!(percent(slower, 1), "0.4");
    }

    /// 7.2 MJ are 2 kWh, and 3 kWh at a PUE of 1.5. A year at 1 kW is 8,760 kWh, and 13,140 kWh.
    #[test]
    fn kilowatt_hours_by_hand() {
        let [price, carbon] = [0.25, 350.0].map(|rate| Some(Rate::Constant(rate)));
        let tariff = Tariff { price, carbon, pue: 1.5, ..Tariff::default() };
        let spent = |kwh: f64| Spent { kwh, money: Some(0.25 * kwh), grams: Some(350.0 * kwh) };
        assert_eq!(tariff.of_run(7.2e6, Time(1)), spent(3.0));
        assert_eq!(tariff.of_year(1_000.0), spent(13_140.0));
        assert_eq!(Tariff::default().of_run(7.2e6, Time(1)), Spent { kwh: 2.0, money: None, grams: None });
    }

    #[test]
    fn slow_links_lose() {
        assert!(PAPER.saved_fraction(0.30, 1.06) < 0.0);
        assert_eq!(percent(PAPER.saved_fraction(1.0, 1.0), 9), "0.000000000");
    }
}
