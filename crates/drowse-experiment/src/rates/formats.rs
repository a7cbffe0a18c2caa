//! The registry of formats of series.

use super::table::Table;
use super::{Choice, Meaning, Series, Wrong, electricity_maps, entsoe, own, simgrid};

/// A format of series.
struct Format {
    /// What it is called in messages.
    name: &'static str,
    /// Whether a header is its own.
    is: fn(&Table<'_>) -> bool,
    /// The keys of an experiment that choose among its series.
    keys: &'static [&'static str],
    /// What it may be read for.
    meanings: &'static [Meaning],
    read: fn(&Table<'_>, Choice<'_>) -> Result<Series, Wrong>,
}

/// All of them, in the order in which they are tried.
const FORMATS: [Format; 4] = [
    Format {
        name: "day-ahead prices of ENTSO-E (MTU, Day-ahead Price [EUR/MWh])",
        is: entsoe::is,
        keys: &[],
        meanings: &[Meaning::Price],
        read: entsoe::read,
    },
    Format {
        name: "carbon intensities of Electricity Maps (Datetime (UTC), Carbon intensity)",
        is: electricity_maps::is,
        keys: &["series"],
        meanings: &[Meaning::Carbon],
        read: electricity_maps::read,
    },
    Format {
        name: "carbon intensities of SimGrid (host_id, timestamp, carbon_intensity)",
        is: simgrid::is,
        keys: &["host"],
        meanings: &[Meaning::Carbon],
        read: simgrid::read,
    },
    Format {
        name: "time,value",
        is: own::is,
        keys: &[],
        meanings: &[Meaning::Price, Meaning::Carbon],
        read: own::read,
    },
];

/// Reads a series in the format whose columns the text has.
pub fn read(text: &str, meaning: Meaning, choice: Choice<'_>) -> Result<Series, Wrong> {
    let table = Table::of(text)?;
    let Some(format) = FORMATS.iter().find(|format| (format.is)(&table)) else {
        let known: Vec<&str> = FORMATS.iter().map(|format| format.name).collect();
        let help = format!("write a line time,value and the series below it; known are {}", known.join("; "));
        return Err((table.header_span(), "these columns are no series that is known".into(), help));
    };
    if !format.meanings.contains(&meaning) {
        let (is, wanted, key) = match meaning {
            Meaning::Price => ("carbon intensities", "prices", "cost.carbon"),
            Meaning::Carbon => ("prices", "carbon intensities", "cost.price"),
        };
        let message = format!("these are {is}, and {wanted} are wanted");
        return Err((table.header_span(), message, format!("name the file at {key}")));
    }
    Ok(Series { keys: format.keys, ..(format.read)(&table, choice)? })
}
