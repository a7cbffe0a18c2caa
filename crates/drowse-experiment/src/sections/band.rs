//! A number of which only the limits may be known.

use std::fmt;

use schemars::JsonSchema;
use serde::Deserialize;
use serde::de::value::MapAccessDeserializer;
use serde::de::{Deserializer, MapAccess, Visitor};

/// A number, or a band: its lowest and its highest value, from which results have bands, too.
#[derive(Clone, Copy, Debug, PartialEq, JsonSchema)]
#[serde(untagged)]
pub enum Amount {
    /// One number.
    One(f64),
    /// A band.
    Band(Limits),
}

/// The limits of a number that is not known better.
#[derive(Clone, Copy, Debug, PartialEq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Limits {
    /// Its lowest value.
    #[schemars(extend("examples" = [900.0]), extend("x-hint" = "the lowest value"), range(min = 0))]
    pub low: f64,
    /// Its highest value.
    #[schemars(extend("examples" = [1000.0]), extend("x-hint" = "the highest value"), range(min = 0))]
    pub high: f64,
}

/// A place in a band.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum End {
    /// Its lowest value.
    Low,
    /// The middle between both.
    Middle,
    /// Its highest value.
    High,
}

impl Amount {
    /// Returns the number at a place of the band.
    pub fn at(self, end: End) -> f64 {
        let Limits { low, high } = self.limits();
        match (self, end) {
            (Amount::One(value), _) => value,
            (_, End::Low) => low,
            (_, End::Middle) => f64::midpoint(low, high),
            (_, End::High) => high,
        }
    }

    /// Returns the limits; both are the same where there is no band.
    pub fn limits(self) -> Limits {
        match self {
            Amount::One(value) => Limits { low: value, high: value },
            Amount::Band(limits) => limits,
        }
    }

    /// Returns whether it is more than one number.
    pub fn is_band(self) -> bool {
        matches!(self, Amount::Band(_))
    }
}

impl<'de> Deserialize<'de> for Amount {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct OneOrTwo;

        impl<'de> Visitor<'de> for OneOrTwo {
            type Value = Amount;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a number, or a table with the limits low and high")
            }

            fn visit_f64<E>(self, value: f64) -> Result<Amount, E> {
                Ok(Amount::One(value))
            }

            fn visit_i64<E>(self, value: i64) -> Result<Amount, E> {
                Ok(Amount::One(value as f64))
            }

            fn visit_u64<E>(self, value: u64) -> Result<Amount, E> {
                Ok(Amount::One(value as f64))
            }

            fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<Amount, A::Error> {
                Limits::deserialize(MapAccessDeserializer::new(map)).map(Amount::Band)
            }
        }

        deserializer.deserialize_any(OneOrTwo)
    }
}
