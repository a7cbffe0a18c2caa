//! A limit of a power: in watts, or as a share of another power.

use std::fmt;

use drowse_core::model::units::{Power, Quantity};
use schemars::JsonSchema;
use serde::Deserialize;
use serde::de::{self, Deserializer, Visitor};

use crate::diagnostic::Diagnostic;
use crate::keys::Keys;

/// A power, or a share of the most that there can be.
#[derive(Clone, Copy, Debug, PartialEq, JsonSchema)]
#[serde(untagged)]
pub enum Limit {
    /// A share.
    Share(f64),
    /// A power.
    Power(Power),
}

impl Limit {
    /// Checks a share; a power is checked where it is read.
    pub fn check(self, keys: &Keys, path: &str) -> Result<(), Diagnostic> {
        match self {
            Limit::Share(share) if !(share > 0.0 && share <= 1.0) => {
                let message = format!("{share} is no share of the power of a network");
                let help = "write a share above 0 and at most 1, such as 0.8, or a power in quotes, such as \"12 kW\"";
                Err(keys.error(path, message, help))
            }
            _ => Ok(()),
        }
    }

    /// Returns the limit in nanowatts; `most` is what a share is of.
    #[expect(clippy::cast_sign_loss, reason = "a share is not negative")]
    pub fn nanowatts(self, most: u64) -> u64 {
        match self {
            Limit::Share(share) => (u128::from(most) * u128::from((share * 1e9).round() as u64) / 1_000_000_000) as u64,
            Limit::Power(Power(watts)) => watts.saturating_mul(1_000_000_000),
        }
    }
}

impl<'de> Deserialize<'de> for Limit {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Either;

        impl Visitor<'_> for Either {
            type Value = Limit;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a power with its unit in quotes, such as \"12 kW\", or a share, such as 0.8")
            }

            fn visit_f64<E>(self, share: f64) -> Result<Limit, E> {
                Ok(Limit::Share(share))
            }

            fn visit_i64<E>(self, share: i64) -> Result<Limit, E> {
                Ok(Limit::Share(share as f64))
            }

            fn visit_u64<E>(self, share: u64) -> Result<Limit, E> {
                Ok(Limit::Share(share as f64))
            }

            fn visit_str<E: de::Error>(self, text: &str) -> Result<Limit, E> {
                Power::read(text).map(Limit::Power).map_err(E::custom)
            }
        }

        deserializer.deserialize_any(Either)
    }
}
