//! `[cost]`: what energy costs, and a system whose energy is paid for (Saravanan and Carpenter 2018, section 7).

use std::fmt;

use drowse_core::model::units::{Power, Time};
use drowse_core::power::cost::{CostModel, Tariff};
use drowse_core::power::investment::Investment;
use drowse_core::power::rate::Rate;
use drowse_core::topology::Network;
use schemars::JsonSchema;
use serde::Deserialize;
use serde::de::value::MapAccessDeserializer;
use serde::de::{Deserializer, MapAccess, Visitor};
use toml::value::Datetime;

use super::bought::{self, PartKeys};
use super::rate::{self, RateKeys};
use super::{OneOrMany, amount, share};
use crate::diagnostic::Diagnostic;
use crate::keys::Keys;
use crate::node::Node;
use crate::rates::{self, Gap, Meaning, Times};
use crate::wording;

/// What energy costs and emits; and a system whose energy is paid for. With them, results say what a run costs, and what
/// sleeping links save in money.
#[derive(JsonSchema)]
#[serde(deny_unknown_fields)]
#[expect(dead_code, reason = "only its schema is used: parts are read one by one")]
pub struct CostKeys {
    #[serde(flatten)]
    cost: Cost,
    /// What the parts of the machine cost when they are bought, one table `[[cost.part]]` each. Default: none.
    part: Option<OneOrMany<PartKeys>>,
}

/// The keys that hold for the whole machine.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Cost {
    /// Power of the whole system, for what sleeping links save over its life. Default: none, and results do not say so.
    #[schemars(extend("examples" = ["20 MW"]))]
    system_power: Option<Power>,
    /// Share of the system's energy that the network draws.
    #[schemars(extend("default" = 0.12), range(min = 0, max = 1))]
    network: Option<f64>,
    /// Share of the network's energy that the links draw.
    #[schemars(extend("default" = 0.6), range(min = 0, max = 1))]
    links: Option<f64>,
    /// Price of a kWh, in any currency: a number, or a series such as `{ file = "prices.csv" }`. Required with
    /// `system_power`. Default: none, and energy has no price.
    #[schemars(extend("examples" = [0.114]), extend("x-hint" = "the money for a kWh"), range(min = 0))]
    price: Option<RateKeys>,
    /// Grams of CO2 that are emitted for a kWh: a number, or a series. Default: none, and energy emits none that is said.
    #[schemars(extend("examples" = [350]), range(min = 0))]
    carbon: Option<RateKeys>,
    /// When a run begins by the times of the series: a moment of UTC, also where it names no zone, or seconds where the
    /// series has seconds. Default: a run has the mean of a series over its time.
    #[schemars(extend("examples" = ["2024-01-15T08:00:00Z"]))]
    start: Option<StartKeys>,
    /// Power of the whole building as a multiple of that of the machine in it (power usage effectiveness): what cooling
    /// and supplies take. It multiplies kWh, money and CO2, and no watts or joules.
    #[schemars(extend("default" = 1.0), range(min = 1, max = 10))]
    pue: Option<f64>,
    /// How long the system is used, in years. Required with `system_power` and `part`.
    #[schemars(extend("examples" = [4]), extend("x-hint" = "for how long it is used"), range(min = 0))]
    years: Option<f64>,
}

/// When a run begins: a text, a moment of TOML, or seconds.
#[derive(JsonSchema)]
#[serde(untagged)]
enum StartKeys {
    /// A moment of UTC, or seconds.
    Text(String),
    /// Seconds.
    Seconds(f64),
}

impl StartKeys {
    /// Returns it as a text.
    fn text(self) -> String {
        match self {
            StartKeys::Text(text) => text,
            StartKeys::Seconds(seconds) => seconds.to_string(),
        }
    }
}

impl<'de> Deserialize<'de> for StartKeys {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct TextOrSeconds;

        impl<'de> Visitor<'de> for TextOrSeconds {
            type Value = StartKeys;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a moment such as \"2024-01-15T08:00:00Z\", or seconds")
            }

            fn visit_str<E>(self, text: &str) -> Result<StartKeys, E> {
                Ok(StartKeys::Text(text.to_owned()))
            }

            fn visit_f64<E>(self, seconds: f64) -> Result<StartKeys, E> {
                Ok(StartKeys::Seconds(seconds))
            }

            fn visit_i64<E>(self, seconds: i64) -> Result<StartKeys, E> {
                Ok(StartKeys::Seconds(seconds as f64))
            }

            fn visit_u64<E>(self, seconds: u64) -> Result<StartKeys, E> {
                Ok(StartKeys::Seconds(seconds as f64))
            }

            fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<StartKeys, A::Error> {
                // A moment without quotes is a value of TOML of its own.
                Datetime::deserialize(MapAccessDeserializer::new(map)).map(|at| StartKeys::Text(at.to_string()))
            }
        }

        deserializer.deserialize_any(TextOrSeconds)
    }
}

/// The shares of Saravanan and Carpenter 2018: interconnects are 12 % of a system's energy, and links 60 % of these.
const NETWORK: f64 = 0.12;
const LINKS: f64 = 0.60;

/// The section, resolved.
pub struct Resolved {
    /// What energy costs and emits.
    pub tariff: Tariff,
    /// The system that is paid for, if one is described.
    pub system: Option<CostModel>,
    /// What its parts cost, where some do.
    pub investment: Option<Investment>,
    /// What to know of the series before using figures.
    pub notes: Vec<String>,
}

/// Reads the section.
pub fn resolve(mut node: Node<'_>, network: &Network, keys: &Keys) -> Result<Resolved, Diagnostic> {
    let parts = node.take("part").map(Node::items).unwrap_or_default();
    let raw: Cost = node.read(keys)?;
    let parts = bought::read(parts, network, keys)?;
    let (tariff, notes) = tariff(raw.price, raw.carbon, raw.start.map(StartKeys::text), raw.pue, keys)?;
    let years = raw.years.map(|value| amount(keys, "cost.years", value)).transpose()?;
    let links = [("cost.network", raw.network, NETWORK), ("cost.links", raw.links, LINKS)];
    let [network, links] = links.map(|(key, value, default)| share(keys, key, value.unwrap_or(default)));
    let (network, links) = (network?, links?);
    let price = tariff.price.as_ref().and_then(Rate::mean);
    let system = match (raw.system_power, price, years) {
        (Some(system_power), Some(price), Some(years)) => {
            Some(CostModel { system_power, network, links, price, years })
        }
        (Some(_), None, _) => return Err(missing(keys, "price")),
        (Some(_), _, None) => return Err(missing(keys, "years")),
        (None, _, Some(_)) if parts.is_empty() => return Err(missing(keys, "system_power")),
        (None, _, None) if !parts.is_empty() => return Err(missing(keys, "years")),
        (None, None, None) if tariff.carbon.is_none() => return Err(missing(keys, "price")),
        (None, _, _) => None,
    };
    let used = years.filter(|_| !parts.is_empty());
    if used.is_some_and(|years| years <= 0.0) {
        let message = "`cost.years` = 0 leaves no time in which parts are used";
        return Err(keys.error("cost.years", message, "write the years after which they are replaced, such as 6"));
    }
    let investment = used.map(|years| Investment { parts, years });
    Ok(Resolved { tariff, system, investment, notes })
}

/// Reads what a kWh costs and emits; also returns what to know of series.
fn tariff(
    price: Option<RateKeys>,
    carbon: Option<RateKeys>,
    start: Option<String>,
    pue: Option<f64>,
    keys: &Keys,
) -> Result<(Tariff, Vec<String>), Diagnostic> {
    let price = price.map(|price| price.read("cost.price", Meaning::Price, keys)).transpose()?;
    let carbon = carbon.map(|carbon| carbon.read("cost.carbon", Meaning::Carbon, keys)).transpose()?;
    let pue = pue.unwrap_or(1.0);
    if !(1.0..=10.0).contains(&pue) {
        let message = format!("`cost.pue` = {pue} is out of range: a building needs no less than the machine in it");
        return Err(keys.error("cost.pue", message, "write a number from 1.0 to 10.0, such as 1.3"));
    }
    let read: Vec<&rate::Read> = price.iter().chain(&carbon).collect();
    let start = start.map(|start| moment_of(&start, &read, keys)).transpose()?;
    let mut notes: Vec<String> = read.iter().flat_map(|read| [unknown(read), gap(read)]).flatten().collect();
    // Without a series, it is always the same time.
    let has_series = read.iter().any(|read| read.series.is_some());
    if start.is_some() && !has_series {
        notes.push("cost.start changes nothing: neither price nor carbon is a series".to_owned());
    }
    let start = start.filter(|_| has_series);
    let [price, carbon] = [price, carbon].map(|read| read.map(|read| read.rate));
    Ok((Tariff { price, carbon, start, pue }, notes))
}

/// Reads when a run begins, which each series must know.
fn moment_of(text: &str, read: &[&rate::Read], keys: &Keys) -> Result<i64, Diagnostic> {
    let wrong = |message: String, help: String| Err(keys.error("cost.start", message, help));
    let (calendar, seconds) = (rates::moment(text), rates::seconds(text));
    let Some(either) = calendar.or(seconds) else {
        let help = "write a moment of UTC such as \"2024-01-15T08:00:00Z\", or seconds such as \"3600\"";
        return wrong(format!("`cost.start` = \"{text}\" is no moment"), help.into());
    };
    for read in read {
        let (Rate::Steps(steps), Some((times, file))) = (&read.rate, &read.series) else { continue };
        let start = if *times == Times::Calendar { calendar } else { seconds };
        let span = steps.span();
        let [first, last] = [span.start, span.end].map(|time| times.written(time));
        let Some(start) = start else {
            let message = format!("`cost.start` = \"{text}\" is no time of {file}, which has others");
            return wrong(message, format!("write a time between {first} and {last}"));
        };
        if !span.contains(&start) {
            return wrong(
                format!("{file} has no value at {}", times.written(start)),
                format!("write a time between {first} and {last}"),
            );
        }
        if steps.mean_over(start, Time::ZERO).is_none() {
            return wrong(
                format!("the value of {file} at {} is missing", times.written(start)),
                "begin at another time, or fill the gap in the file".into(),
            );
        }
    }
    Ok(either)
}

/// Says where lines of a series may be missing.
fn gap(read: &rate::Read) -> Option<String> {
    let (Some((times, file)), Some(gap)) = (&read.series, read.gap) else { return None };
    let Gap { count, all, usual, from, length } = gap;
    let [usual, length] = [usual, length].map(|microseconds| format!("{} s", microseconds as f64 / 1e6));
    let longer = if count == 1 { "value holds" } else { "values hold" };
    Some(format!(
        "{file}: {count} {longer} for longer than the usual {usual}, of {all}; the first, at {}, for {length}. A value \
         holds until the next one: if lines are missing, add them",
        times.written(from)
    ))
}

/// Says how much of a series is missing.
fn unknown(read: &rate::Read) -> Option<String> {
    let (Rate::Steps(steps), Some((_, file))) = (&read.rate, &read.series) else { return None };
    let hours = |microseconds: u64| microseconds as f64 / 3.6e9;
    let (span, unknown) = (steps.span(), hours(steps.unknown()));
    let all = hours(span.end.abs_diff(span.start));
    let text = || format!("{file}: {unknown} of {all} hours have no value; means are over the others");
    (unknown > 0.0).then(text)
}

/// Makes the error that a key is not there.
fn missing(keys: &Keys, key: &str) -> Diagnostic {
    wording::missing(keys, "cost", key, &[])
}
