//! What a governor did.

use drowse_core::power::governor::GovernorRecord;
use drowse_tables::Row;
use drowse_tables::schema::cases;

/// Returns the figures.
pub fn columns(record: &GovernorRecord) -> Row {
    let mut row = Row::new();
    row.push(cases::GOVERNOR_REPORTS, record.reports);
    row.push(cases::GOVERNOR_COMMANDS, record.commands);
    row.push(cases::GOVERNOR_TURNED_ON, record.turned_on);
    row.push(cases::GOVERNOR_LATEST_S, record.latest.seconds());
    row
}
