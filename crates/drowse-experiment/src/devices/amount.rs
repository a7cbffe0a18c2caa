//! A number that may be unknown.

use std::fmt;

use serde::de::{Error, Visitor};
use serde::{Deserialize, Deserializer, Serialize};

/// A number, or `"unknown"`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct Amount(pub Option<f64>);

impl Amount {
    /// Returns a whole number of things.
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "such a number is small enough")]
    pub fn whole(self) -> Option<u32> {
        self.0.filter(|number| number.fract() == 0.0 && (0.0..=1e6).contains(number)).map(|number| number as u32)
    }
}

impl fmt::Display for Amount {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            Some(number) => number.fmt(formatter),
            None => formatter.pad("unknown"),
        }
    }
}

impl<'de> Deserialize<'de> for Amount {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(NumberOrUnknown)
    }
}

struct NumberOrUnknown;

impl Visitor<'_> for NumberOrUnknown {
    type Value = Amount;

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("a number or \"unknown\"")
    }

    fn visit_f64<E: Error>(self, number: f64) -> Result<Amount, E> {
        // What a fit could not find is written as NaN by others: that is no number to calculate with.
        if number.is_finite() {
            Ok(Amount(Some(number)))
        } else {
            Err(E::custom(format!("{number} is no number, expected a number or \"unknown\"")))
        }
    }

    fn visit_i64<E: Error>(self, number: i64) -> Result<Amount, E> {
        Ok(Amount(Some(number as f64)))
    }

    fn visit_u64<E: Error>(self, number: u64) -> Result<Amount, E> {
        Ok(Amount(Some(number as f64)))
    }

    fn visit_str<E: Error>(self, text: &str) -> Result<Amount, E> {
        if text == "unknown" {
            Ok(Amount(None))
        } else {
            Err(E::invalid_value(serde::de::Unexpected::Str(text), &self))
        }
    }
}
