//! Day-ahead prices of ENTSO-E: a column of times, `MTU` with a zone or without, and one of prices for a MWh.
//!
//! Times are local, from the beginning of an hour or of a quarter to its end. In March an hour is missing, or stands
//! there without a price; in October one comes twice, first in summer time. Missing prices are `-`, `n/e` or nothing;
//! negative ones occur.

use super::clock::{DAY, Date, HOUR, MINUTE, digits, time_of_day};
use super::decimal::number;
use super::local_time::{Local, Zone};
use super::steps::{Point, Times, series};
use super::table::{Table, Word};
use super::{Choice, Series, Wrong};

/// Units of a kWh in a MWh.
const KWH_OF_MWH: u32 = 1_000;

fn is_time(name: &str) -> bool {
    name == "mtu" || name.starts_with("mtu (")
}

fn is_price(name: &str) -> bool {
    name.starts_with("day-ahead price")
}

/// Returns whether the columns are those of this format.
pub fn is(table: &Table<'_>) -> bool {
    table.column(is_time).is_some() && table.column(is_price).is_some()
}

/// Reads the prices.
pub fn read(table: &Table<'_>, _choice: Choice<'_>) -> Result<Series, Wrong> {
    let (Some(time), Some(price)) = (table.column(is_time), table.column(is_price)) else {
        return Err((table.header_span(), "the columns of times and prices are missing".into(), String::new()));
    };
    let zone = zone(table, time)?;
    if !table.name(price).to_lowercase().trim_end_matches([']', ')']).ends_with("/mwh") {
        let message = format!("`{}` does not say that prices are for a MWh", table.name(price));
        return Err((table.name_span(price), message, "write Day-ahead Price [EUR/MWh], or time,value".into()));
    }
    let mut points: Vec<Point> = Vec::new();
    for row in table.rows() {
        let value = number(&row[price], KWH_OF_MWH, table.has_commas_in_numbers())?;
        let unit = Unit::read(&row[time], zone)?;
        let last = points.last().map(|last| last.from);
        let from = match unit.begins {
            Local::Once(moment) => moment,
            // The first of the two comes first, and each once.
            Local::Twice(first, second) => {
                if last.is_some_and(|last| last >= first) {
                    second
                } else {
                    first
                }
            }
            Local::Never if value.is_none() => continue,
            Local::Never => {
                let message = "clocks do not show this time: they go forward by an hour".to_owned();
                let help = "write MTU (UTC) above times of UTC, or leave out the hour that is not there";
                return Err((row[time].1.clone(), message, help.into()));
            }
        };
        let length = unit.length.or_else(|| points.last().and_then(|last| last.length));
        points.push(Point { from, length, value, span: row[time].1.clone() });
    }
    series(&points, Times::Calendar)
}

/// Returns the zone of the times, as their column names it.
fn zone(table: &Table<'_>, column: usize) -> Result<Zone, Wrong> {
    let name = table.name(column).to_lowercase();
    let Some((_, zone)) = name.split_once('(') else { return Ok(Zone::CENTRAL) };
    Zone::named(zone.trim_end_matches(')').trim()).ok_or_else(|| {
        let help = "known are MTU, MTU (CET), MTU (CET/CEST), MTU (WET/WEST), MTU (EET/EEST) and MTU (UTC)";
        (table.name_span(column), format!("`{}` names a zone that is not known", table.name(column)), help.to_owned())
    })
}

/// A market time unit.
struct Unit {
    begins: Local,
    /// Its length; `None` where its two times do not tell, because clocks change in it.
    length: Option<i64>,
}

impl Unit {
    /// Reads `dd.mm.yyyy hh:mm - dd.mm.yyyy hh:mm`, with `/` for `.` and with seconds, too.
    fn read((text, span): &Word<'_>, zone: Zone) -> Result<Unit, Wrong> {
        let wrong = || {
            let help = "write the beginning and the end, such as 31.03.2024 00:00 - 31.03.2024 01:00".to_owned();
            (span.clone(), format!("`{text}` is no time of ENTSO-E"), help)
        };
        let (begins, ends) = text.split_once(" - ").ok_or_else(wrong)?;
        let (begins, ends) = local(begins).zip(local(ends)).ok_or_else(wrong)?;
        let length = ends.shown() - begins.shown();
        let length = [15 * MINUTE, 30 * MINUTE, HOUR].contains(&length).then_some(length);
        let moments = begins.zone.unwrap_or(zone).moments(begins.date, begins.time);
        // A zone beside the time tells which of two it is.
        let begins = match (moments, begins.is_summer) {
            (Local::Twice(first, _), Some(true)) => Local::Once(first),
            (Local::Twice(_, second), Some(false)) => Local::Once(second),
            (moments, _) => moments,
        };
        Ok(Unit { begins, length })
    }
}

/// What local clocks show.
struct Shown {
    date: Date,
    time: i64,
    /// The zone, where one stands beside the time.
    zone: Option<Zone>,
    /// Whether that is summer time.
    is_summer: Option<bool>,
}

impl Shown {
    /// Returns the time on clocks, in microseconds.
    fn shown(&self) -> i64 {
        self.date.days() * DAY + self.time
    }
}

/// Reads a day, a time, and perhaps a zone in parentheses behind it.
fn local(text: &str) -> Option<Shown> {
    let (text, zone) = match text.trim().split_once('(') {
        None => (text.trim(), None),
        Some((time, zone)) => (time.trim(), Some(zone.strip_suffix(')')?.trim().to_lowercase())),
    };
    let (date, time) = text.split_once(' ')?;
    let mut numbers = date.split(['.', '/']).map(digits);
    let (day, month, year) = (numbers.next()??, numbers.next()??, numbers.next()??);
    if numbers.next().is_some() {
        return None;
    }
    let named = zone.as_deref().map(Zone::named);
    Some(Shown {
        date: Date::new(year, month, day)?,
        time: time_of_day(time.trim())?,
        zone: named.map_or(Some(None), |zone| zone.map(Some))?,
        is_summer: zone.as_deref().filter(|zone| *zone != "utc" && *zone != "gmt").map(|zone| zone.ends_with("est")),
    })
}
