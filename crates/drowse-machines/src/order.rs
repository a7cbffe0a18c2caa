//! Laws of the order in which packets come.

use drowse_core::measure::{Record, Reordering};
use drowse_core::model::balance::Order;
use drowse_core::model::units::Time;
use drowse_core::topology::Geometry;
use drowse_experiment::System;

use crate::finding::{Checked, holds};

/// Checks what a record says of the order of packets.
pub fn check(system: &System, record: &Record) -> Checked {
    let law = "packets that are held have come too early, and are delivered";
    let config = &system.config;
    let counts = config.counts_packets() && !matches!(system.network.geometry, Geometry::Ideal(_));
    holds(law, record.reordering.is_some() == counts, || format!("counted: {:?}", record.reordering))?;
    let Some(Reordering { packets, most, held, hold_time }) = record.reordering else { return Ok(()) };
    let told = || format!("{:?}, {} packets delivered", record.reordering, record.packets_delivered);
    let delivered = packets <= record.packets_injected && held <= record.packets_delivered;
    // Whoever comes late was overtaken by one that was above a packet that had not come.
    let overtaken = (packets > 0) <= (most > 0);
    let holds_none = config.node.order != Order::InSequence;
    let none_held = !holds_none || held == 0 && hold_time == Time::ZERO;
    holds(law, delivered && overtaken && none_held, told)
}
