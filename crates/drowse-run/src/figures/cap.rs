//! What a cap on the power of the network allowed, and what became of it.

use drowse_core::measure::{CapRecord, Record};
use drowse_experiment::System;
use drowse_tables::Row;
use drowse_tables::schema::cases;

use crate::over_time::intervals;

/// Returns the figures of a run under a cap.
pub fn columns(system: &System, record: &Record, cap: &CapRecord) -> Row {
    let watts = |nanowatts: u64| nanowatts as f64 / 1e9;
    let mut row = Row::new();
    row.push(cases::CAP_W, watts(cap.cap_nw));
    row.push(cases::CAP_FLOOR_W, watts(cap.floor_nw));
    row.push(cases::CAP_ALL_W, watts(cap.all_nw));
    row.push(cases::CAP_MOST_W, watts(cap.most_nw));
    // From the recorded states of links and what they sent, of which the governor knows nothing.
    let means =
        intervals(system, record).map(|interval| interval.watts(interval.joules.links() + interval.joules.switches));
    row.push_some(cases::CAP_HIGHEST_W, means.reduce(f64::max));
    row.push(cases::CAP_WINDOWS, cap.windows);
    row.push(cases::CAP_REFUSED_WINDOWS, cap.refused_windows);
    row.push(cases::CAP_REFUSED_S, cap.refused_ps as f64 / 1e12);
    row.push(cases::CAP_COMMANDS, cap.commands);
    row
}
