//! What the parts of a machine cost when they are bought, and what making them has emitted.

use serde::Serialize;

use super::cost::HOURS_OF_YEAR;

/// What is bought, and for how long it is used.
///
/// ```
/// use drowse_core::power::investment::{Bought, Investment};
///
/// // Four switches at 6,000 with 280 kg of CO2 each, used for 6 years.
/// let parts = vec![Bought { count: 4, price: Some(6_000.0), carbon_kg: Some(280.0) }];
/// let machine = Investment { parts, years: 6.0 };
/// assert_eq!((machine.price(), machine.price_of_year()), (Some(24_000.0), Some(4_000.0)));
/// assert_eq!(machine.carbon_kg(), Some(1_120.0));
/// ```
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Investment {
    /// The parts.
    pub parts: Vec<Bought>,
    /// For how many years they are used.
    pub years: f64,
}

/// Parts of one kind.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Bought {
    /// How many.
    pub count: u64,
    /// Money for each, where that is known.
    pub price: Option<f64>,
    /// Kilograms of CO2 that making one has emitted, where that is known.
    pub carbon_kg: Option<f64>,
}

impl Investment {
    /// Returns the money for all parts that have a price; `None` where none has one.
    pub fn price(&self) -> Option<f64> {
        self.sum(|part| part.price)
    }

    /// Returns the kilograms of CO2 of all parts of which they are known; `None` where they are known of none.
    pub fn carbon_kg(&self) -> Option<f64> {
        self.sum(|part| part.carbon_kg)
    }

    /// Returns the share of the money that a year has.
    pub fn price_of_year(&self) -> Option<f64> {
        self.price().map(|price| price / self.years)
    }

    /// Returns the share of the CO2 that a year has, in kilograms.
    pub fn carbon_kg_of_year(&self) -> Option<f64> {
        self.carbon_kg().map(|carbon| carbon / self.years)
    }

    /// Returns the share of the money that some seconds of use have.
    pub fn price_of(&self, seconds: f64) -> Option<f64> {
        self.price_of_year().map(|price| price * seconds / (HOURS_OF_YEAR * 3_600.0))
    }

    fn sum(&self, of: fn(&Bought) -> Option<f64>) -> Option<f64> {
        self.parts.iter().filter_map(|part| Some(of(part)? * part.count as f64)).reduce(|a, b| a + b)
    }
}
