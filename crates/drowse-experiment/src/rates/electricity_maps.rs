//! Carbon intensities of Electricity Maps, by the names of columns: `Datetime (UTC)`, and `Carbon intensity
//! gCO₂eq/kWh` with `(direct)` or `(Life cycle)`. Older files write `Carbon Intensity` and `(LCA)`.

use super::clock::moment;
use super::decimal::number;
use super::steps::{Point, Times, series};
use super::table::Table;
use super::{Choice, Series, Wrong};

const TIME: &str = "datetime (utc)";
const INTENSITY: &str = "carbon intensity gco2eq/kwh";

/// Returns whether the columns are those of this format.
pub fn is(table: &Table<'_>) -> bool {
    table.column(|name| name == TIME).is_some() && table.column(|name| name.starts_with(INTENSITY)).is_some()
}

/// Reads the series that is chosen.
pub fn read(table: &Table<'_>, choice: Choice<'_>) -> Result<Series, Wrong> {
    let endings: &[&str] = if choice.direct { &["(direct)"] } else { &["(life cycle)", "(lca)"] };
    let is_wanted = |name: &str| name.strip_prefix(INTENSITY).is_some_and(|ending| endings.contains(&ending.trim()));
    let (Some(time), Some(intensity)) = (table.column(|name| name == TIME), table.column(is_wanted)) else {
        let message = format!("the file has no carbon intensity {}", endings[0]);
        let help = "write series = \"direct\" or series = \"life-cycle\", of which the file has one at least";
        return Err((table.header_span(), message, help.into()));
    };
    let mut points = Vec::new();
    for row in table.rows() {
        let (text, span) = &row[time];
        let from = moment(text).ok_or_else(|| {
            let help = "write a moment of UTC such as 2024-01-15 08:00:00".to_owned();
            (span.clone(), format!("`{text}` is no time"), help)
        })?;
        let value = number(&row[intensity], 1, table.has_commas_in_numbers())?;
        points.push(Point { from, length: None, value, span: span.clone() });
    }
    series(&points, Times::Calendar)
}
