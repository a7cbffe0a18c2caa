//! What nodes have told each other of packets.

use drowse_core::measure::{Record, TransportRecord};
use drowse_core::model::units::Time;
use drowse_tables::Row;
use drowse_tables::schema::cases;

/// Returns counts of marks and answers, and times of round trips; nothing where nodes do not answer.
pub fn columns(record: &Record) -> Row {
    let mut row = Row::new();
    let Some(told) = record.transport else { return row };
    let TransportRecord { data, marked, acks, notifications, credits, round_trips, cuts, .. } = told;
    row.push(cases::TRANSPORT_ACKS, acks);
    row.push_some(cases::TRANSPORT_MARKED_FRACTION, (data > 0).then(|| marked as f64 / data as f64));
    row.push(cases::TRANSPORT_NOTIFICATIONS, notifications);
    row.push(cases::TRANSPORT_CREDITS, credits);
    row.push(cases::TRANSPORT_CUTS, cuts);
    if told.lossy {
        row.push(cases::TRANSPORT_DROPPED, told.dropped);
        row.push(cases::TRANSPORT_TRIMMED, told.trimmed);
        row.push(cases::TRANSPORT_RESENT, told.resent);
        row.push(cases::TRANSPORT_SUPERFLUOUS, told.superfluous);
        row.push(cases::TRANSPORT_TIMEOUTS, told.timeouts);
    }
    let mean = |sum: Time| (round_trips > 0).then(|| sum.nanoseconds() / round_trips as f64);
    row.push_some(cases::TRANSPORT_ROUND_TRIP_MEAN_NS, mean(told.round_trip_sum));
    row.push_some(
        cases::TRANSPORT_ROUND_TRIP_MAX_NS,
        mean(told.round_trip_sum).map(|_| told.round_trip_most.nanoseconds()),
    );
    row.push_some(cases::TRANSPORT_WAKING_MEAN_NS, mean(told.waking));
    row.push_some(cases::TRANSPORT_LAST_ACK_S, (round_trips > 0).then(|| told.last_ack.seconds()));
    row
}
