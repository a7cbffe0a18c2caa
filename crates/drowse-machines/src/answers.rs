//! Laws of what nodes answer each other, and of packets that are lost.

use drowse_core::measure::{Record, TransportRecord};
use drowse_core::model::transport::Control;
use drowse_core::model::units::Time;
use drowse_core::topology::Geometry;
use drowse_experiment::System;

use crate::finding::{Checked, holds};

/// Returns the packets that switches have dropped.
pub fn dropped(record: &Record) -> u64 {
    record.transport.map_or(0, |told| told.dropped)
}

/// Returns whether answers may be on their way when all data has come.
pub fn under_way(record: &Record) -> bool {
    record.transport.is_some()
}

/// Checks what a record says of answers.
pub fn check(system: &System, record: &Record) -> Checked {
    let law = "packets come, are of no use, or are lost, and are lost only where switches drop some";
    let config = &system.config;
    let answers = config.transport.filter(|_| !matches!(system.network.geometry, Geometry::Ideal(_)));
    holds(law, record.transport.is_some() == answers.is_some(), || format!("told: {:?}", record.transport))?;
    let (Some(told), Some(transport)) = (record.transport, answers) else { return Ok(()) };
    let text = || format!("{told:?}, {} injected, {} delivered", record.packets_injected, record.packets_delivered);
    let TransportRecord { data, marked, acks, notifications, credits, superfluous, .. } = told;
    let answers = acks + notifications + credits;
    let sent = record.packets_injected.checked_sub(told.resent + answers);
    let fits =
        sent.is_some_and(|sent| data <= sent) && record.packets_injected >= record.packets_delivered + told.dropped;
    let of_use = data + superfluous <= record.packets_delivered;
    holds(law, fits && of_use, text)?;
    let lost = told.dropped + told.trimmed + told.resent + told.timeouts + superfluous;
    holds(law, told.lossy == config.switch.is_lossy() && (told.lossy || lost == 0), text)?;
    let marks = marked <= data && (marked == 0 || config.switch.marking.is_some());
    let in_time = told.waking <= told.round_trip_sum && (told.round_trips > 0 || told.round_trip_sum == Time::ZERO);
    let steady = matches!(transport.control, Control::None | Control::Window(_) | Control::Credit(_));
    holds("senders slow down by what they are told", marks && in_time && (told.cuts == 0 || !steady), text)
}
