//! `cost.price` and `cost.carbon`: a number, or a series from a file.

use std::fmt;
use std::sync::Arc;

use drowse_core::power::rate::Rate;
use schemars::JsonSchema;
use serde::Deserialize;
use serde::de::value::MapAccessDeserializer;
use serde::de::{Deserializer, MapAccess, Visitor};

use super::amount;
use crate::diagnostic::Diagnostic;
use crate::keys::{Keys, join};
use crate::rates::{self, Choice, Gap, Meaning, Series, Times};

/// What a kWh costs or emits: a number, or a series by the time of day.
#[derive(Clone, Debug, JsonSchema)]
#[serde(untagged)]
pub enum RateKeys {
    /// Always the same.
    One(f64),
    /// A series.
    Series(SeriesKeys),
}

/// A series from a file.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct SeriesKeys {
    /// CSV file, relative to the experiment file: `time,value`, day-ahead prices of ENTSO-E, or carbon intensities of
    /// Electricity Maps or SimGrid. The columns say which.
    #[schemars(extend("examples" = ["prices.csv"]))]
    file: String,
    /// Which emissions are read from a file of Electricity Maps: those of plants alone, or those of building them and of
    /// their fuel, too.
    #[schemars(extend("default" = "life-cycle"))]
    series: Option<Emissions>,
    /// The host whose series is read from a file of SimGrid that has several. Default: the only one.
    #[schemars(extend("examples" = ["node-0"]))]
    host: Option<String>,
}

/// Emissions of electricity.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
enum Emissions {
    /// Of plants.
    Direct,
    /// Of plants, of building them, and of their fuel.
    LifeCycle,
}

impl<'de> Deserialize<'de> for RateKeys {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct NumberOrFile;

        impl<'de> Visitor<'de> for NumberOrFile {
            type Value = RateKeys;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a number, or a table with the file of a series, such as { file = \"prices.csv\" }")
            }

            fn visit_f64<E>(self, value: f64) -> Result<RateKeys, E> {
                Ok(RateKeys::One(value))
            }

            fn visit_i64<E>(self, value: i64) -> Result<RateKeys, E> {
                Ok(RateKeys::One(value as f64))
            }

            fn visit_u64<E>(self, value: u64) -> Result<RateKeys, E> {
                Ok(RateKeys::One(value as f64))
            }

            fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<RateKeys, A::Error> {
                SeriesKeys::deserialize(MapAccessDeserializer::new(map)).map(RateKeys::Series)
            }
        }

        deserializer.deserialize_any(NumberOrFile)
    }
}

/// A rate, and where it comes from.
pub struct Read {
    /// The rate.
    pub rate: Rate,
    /// How the times of its series are written, if it is one, and the name of its file.
    pub series: Option<(Times, String)>,
    /// Where lines of the file may be missing.
    pub gap: Option<Gap>,
}

impl RateKeys {
    /// Reads a number, or the series of a file.
    pub fn read(self, path: &str, meaning: Meaning, keys: &Keys) -> Result<Read, Diagnostic> {
        let series = match self {
            RateKeys::One(value) => {
                return Ok(Read { rate: Rate::Constant(amount(keys, path, value)?), series: None, gap: None });
            }
            RateKeys::Series(series) => series,
        };
        let choice = Choice { direct: series.series == Some(Emissions::Direct), host: series.host.as_deref() };
        let read = rates::read(&keys.source().resolve(&series.file), meaning, choice);
        let read = read.map_err(|(message, machine)| {
            let help = "write the name of a CSV file with the columns time,value, relative to the experiment file";
            Diagnostic { machine, ..keys.error(&join(path, "file"), message, help) }
        })?;
        let Series { steps, times, gap, keys: taken } = read?;
        let chosen = [("series", series.series.is_some()), ("host", series.host.is_some())];
        if let Some((key, _)) = chosen.into_iter().find(|(key, written)| *written && !taken.contains(key)) {
            let message = format!("`{key}` chooses nothing: {} has one series", series.file);
            return Err(keys.error(&join(path, key), message, "leave it out, or name another file"));
        }
        Ok(Read { rate: Rate::Steps(Arc::new(steps)), series: Some((times, series.file)), gap })
    }
}
