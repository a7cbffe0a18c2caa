//! `host_id,timestamp,carbon_intensity`: what the carbon plugin of SimGrid reads. Times are seconds of the simulation,
//! intensities g/kWh; each holds until the next one of its host. SimGrid skips the first line; here it must name the
//! columns.

use super::decimal::number;
use super::own::seconds;
use super::steps::{Point, Times, series};
use super::table::Table;
use super::{Choice, Series, Wrong};

/// Returns whether the columns are those of this format.
pub fn is(table: &Table<'_>) -> bool {
    table.names() == ["host_id", "timestamp", "carbon_intensity"]
}

/// Reads the series of a host: of the only one, where none is named.
pub fn read(table: &Table<'_>, choice: Choice<'_>) -> Result<Series, Wrong> {
    let mut hosts: Vec<&str> = Vec::new();
    table.rows().map(|row| row[0].0).for_each(|host| {
        if !hosts.contains(&host) {
            hosts.push(host);
        }
    });
    let shown = |hosts: &[&str]| hosts.iter().take(10).copied().collect::<Vec<_>>().join(", ");
    let host = match (choice.host, hosts.as_slice()) {
        (Some(wanted), _) if hosts.contains(&wanted) => wanted,
        (None, &[only]) => only,
        (Some(wanted), _) => {
            let message = format!("the file has no host `{wanted}`");
            return Err((table.header_span(), message, format!("its hosts are {}", shown(&hosts))));
        }
        (None, _) => {
            let message = format!("the file has series of {} hosts", hosts.len());
            return Err((table.header_span(), message, format!("write host, one of {}", shown(&hosts))));
        }
    };
    let mut points = Vec::new();
    for row in table.rows().filter(|row| row[0].0 == host) {
        let (text, span) = &row[1];
        let from = seconds(text).ok_or_else(|| {
            (span.clone(), format!("`{text}` is no time"), "write seconds of the simulation".to_owned())
        })?;
        let value = number(&row[2], 1, table.has_commas_in_numbers())?;
        points.push(Point { from, length: None, value, span: span.clone() });
    }
    // The plugin writes a line where the intensity changes, whenever that is.
    Ok(Series { gap: None, ..series(&points, Times::Seconds)? })
}
