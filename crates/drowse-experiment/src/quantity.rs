//! Quantities as they are written in experiments: texts with a unit, read with messages that say how to write them.

use std::borrow::Cow;
use std::fmt;
use std::marker::PhantomData;

use drowse_core::model::units::{self, BitRate, Bytes, FlopRate, Power, Time, UnitError};
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::de::{self, Deserialize, Deserializer, Visitor};

/// A quantity that is written as a text with its unit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Quantity<T>(pub T);

/// A duration, also in cycles of the switch clock.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Duration {
    /// A time.
    Time(Time),
    /// A number of cycles.
    Cycles(u64),
}

/// An amount of computation in floating-point operations.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Flops(pub u64);

/// What can be read from a text with a unit.
pub(super) trait FromText: Sized {
    /// What it is, in the key reference.
    const NAME: &'static str;
    /// How it is written.
    const EXPECTED: &'static str;

    /// Returns the units that may stand behind the number.
    fn units() -> Vec<&'static str>;

    /// Reads it, or says what is wrong.
    fn from_text(text: &str) -> Result<Self, String>;
}

impl Duration {
    /// Returns the time; `None` when so many cycles are longer than any duration may be.
    pub fn time(self, clock: Time) -> Option<Time> {
        match self {
            Duration::Time(time) => Some(time),
            Duration::Cycles(cycles) => cycles_time(cycles, clock),
        }
    }
}

/// Returns the time of a number of clock cycles; `None` when it is longer than any duration may be.
pub(super) fn cycles_time(cycles: u64, clock: Time) -> Option<Time> {
    cycles.checked_mul(clock.0).map(Time).filter(|&time| time <= Time::LONGEST)
}

impl FromText for Time {
    const NAME: &'static str = "time";
    const EXPECTED: &'static str = "a time with its unit in quotes, such as \"4.48 us\"";

    fn units() -> Vec<&'static str> {
        units::time_units()
    }

    fn from_text(text: &str) -> Result<Self, String> {
        time(text).map_err(|error| error.to_string())?.ok_or_else(|| too_long(text))
    }
}

impl FromText for Duration {
    const NAME: &'static str = "time or cycles";
    const EXPECTED: &'static str = "a time or clock cycles in quotes, such as \"50 ns\" or \"5 cycles\"";

    fn units() -> Vec<&'static str> {
        [vec!["cycles", "cycle"], units::time_units()].concat()
    }

    fn from_text(text: &str) -> Result<Self, String> {
        let cycles = text.trim().strip_suffix("cycles").or_else(|| text.trim().strip_suffix("cycle"));
        match cycles {
            Some(count) => match count.trim().replace('_', "").parse() {
                Ok(count) => Ok(Duration::Cycles(count)),
                Err(_) => Err(format!("`{text}` is not a whole number of cycles")),
            },
            None => time(text).map_err(with_cycles)?.map(Duration::Time).ok_or_else(|| too_long(text)),
        }
    }
}

impl FromText for Bytes {
    const NAME: &'static str = "size";
    const EXPECTED: &'static str = "a size with its unit in quotes, such as \"16 KiB\"";

    fn units() -> Vec<&'static str> {
        units::size_units()
    }

    fn from_text(text: &str) -> Result<Self, String> {
        text.parse().map_err(|error: UnitError| error.to_string())
    }
}

impl FromText for BitRate {
    const NAME: &'static str = "bandwidth";
    const EXPECTED: &'static str = "a bandwidth with its unit in quotes, such as \"10 GB/s\"";

    fn units() -> Vec<&'static str> {
        units::rate_units()
    }

    fn from_text(text: &str) -> Result<Self, String> {
        positive(text, text.parse().map_err(|error: UnitError| error.to_string())?, |rate: &BitRate| rate.0)
    }
}

impl FromText for FlopRate {
    const NAME: &'static str = "computing speed";
    const EXPECTED: &'static str = "a computing speed with its unit in quotes, such as \"10 Gflop/s\"";

    fn units() -> Vec<&'static str> {
        units::flop_rate_units()
    }

    fn from_text(text: &str) -> Result<Self, String> {
        positive(text, text.parse().map_err(|error: UnitError| error.to_string())?, |rate: &FlopRate| rate.0)
    }
}

impl FromText for Flops {
    const NAME: &'static str = "amount of computation";
    const EXPECTED: &'static str = "an amount of computation with its unit in quotes, such as \"1 Mflop\"";

    fn units() -> Vec<&'static str> {
        units::flop_units()
    }

    fn from_text(text: &str) -> Result<Self, String> {
        let flops = units::parse_flops(text).map_err(|error| error.to_string())?;
        positive(text, Flops(flops), |flops| flops.0)
    }
}

impl FromText for Power {
    const NAME: &'static str = "power";
    const EXPECTED: &'static str = "a power with its unit in quotes, such as \"20 MW\"";

    fn units() -> Vec<&'static str> {
        units::power_units()
    }

    fn from_text(text: &str) -> Result<Self, String> {
        positive(text, text.parse().map_err(|error: UnitError| error.to_string())?, |power: &Power| power.0)
    }
}

/// Reads a time; `None` for one that is too long.
fn time(text: &str) -> Result<Option<Time>, UnitError> {
    match text.parse() {
        Ok(time) => Ok(Some(time).filter(|&time| time <= Time::LONGEST)),
        Err(UnitError::TooLarge { .. }) => Ok(None),
        Err(error) => Err(error),
    }
}

fn too_long(text: &str) -> String {
    format!("`{text}` is longer than {}, the longest time", Time::LONGEST)
}

/// Names cycles among the units that are known.
fn with_cycles(error: UnitError) -> String {
    match error {
        UnitError::UnknownUnit { text, known, example } => {
            UnitError::UnknownUnit { text, known: format!("cycles, {known}"), example }.to_string()
        }
        error => error.to_string(),
    }
}

/// Refuses zero.
fn positive<T>(text: &str, value: T, amount: impl Fn(&T) -> u64) -> Result<T, String> {
    if amount(&value) == 0 { Err(format!("`{text}` is zero; give more")) } else { Ok(value) }
}

impl<T: FromText> JsonSchema for Quantity<T> {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> Cow<'static, str> {
        T::NAME.into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        let units = T::units().join("|");
        json_schema!({
            "type": "string",
            "x-quantity": T::NAME,
            "pattern": format!("^\\s*[0-9_]*\\.?[0-9_]*\\s*({units})\\s*$"),
        })
    }
}

impl<'de, T: FromText> Deserialize<'de> for Quantity<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_str(QuantityVisitor(PhantomData))
    }
}

struct QuantityVisitor<T>(PhantomData<T>);

impl<T: FromText> Visitor<'_> for QuantityVisitor<T> {
    type Value = Quantity<T>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(T::EXPECTED)
    }

    fn visit_str<E: de::Error>(self, text: &str) -> Result<Self::Value, E> {
        T::from_text(text).map(Quantity).map_err(E::custom)
    }
}
