//! Packets, latencies and loads.

use drowse_core::measure::{Histogram, Record, Reordering};
use drowse_core::model::units::Time;
use drowse_tables::Row;
use drowse_tables::schema::{Column, cases};

/// Mean, median, 99th percentile and largest value of a latency.
type Latency = [Column; 4];

const PACKET: Latency = [
    cases::LATENCY_PACKET_MEAN_NS,
    cases::LATENCY_PACKET_P50_NS,
    cases::LATENCY_PACKET_P99_NS,
    cases::LATENCY_PACKET_MAX_NS,
];
const MESSAGE: Latency = [
    cases::LATENCY_MESSAGE_MEAN_NS,
    cases::LATENCY_MESSAGE_P50_NS,
    cases::LATENCY_MESSAGE_P99_NS,
    cases::LATENCY_MESSAGE_MAX_NS,
];

const BACKGROUND_PACKET: Latency = [
    cases::BACKGROUND_LATENCY_PACKET_MEAN_NS,
    cases::BACKGROUND_LATENCY_PACKET_P50_NS,
    cases::BACKGROUND_LATENCY_PACKET_P99_NS,
    cases::BACKGROUND_LATENCY_PACKET_MAX_NS,
];
const BACKGROUND_MESSAGE: Latency = [
    cases::BACKGROUND_LATENCY_MESSAGE_MEAN_NS,
    cases::BACKGROUND_LATENCY_MESSAGE_P50_NS,
    cases::BACKGROUND_LATENCY_MESSAGE_P99_NS,
    cases::BACKGROUND_LATENCY_MESSAGE_MAX_NS,
];

/// Returns counts of packets, latencies of packets and messages, and the loads of open-loop traffic.
pub fn columns(record: &Record) -> Row {
    let mut row = Row::new();
    row.push(cases::PACKETS_INJECTED, record.packets_injected);
    row.push(cases::PACKETS_DELIVERED, record.packets_delivered);
    row.push(cases::PACKETS_HOPS, record.hops);
    push_latency(&mut row, PACKET, &record.packet_latency);
    push_latency(&mut row, MESSAGE, &record.message_latency);
    if let Some(Reordering { packets, most, held, hold_time }) = record.reordering {
        row.push(cases::REORDERING_PACKETS, packets);
        row.push(cases::REORDERING_MOST_PACKETS, most);
        row.push(cases::REORDERING_HELD_PACKETS, held);
        row.push_some(cases::REORDERING_HOLD_MEAN_NS, (held > 0).then(|| hold_time.nanoseconds() / held as f64));
    }
    if let (Some(Time(makespan @ 1..)), Some([first, last])) = (record.makespan, record.between_nodes) {
        let share = |time: u64| time as f64 / makespan as f64;
        row.push(cases::MESSAGES_BEFORE_FRACTION, share(first.0));
        row.push(cases::MESSAGES_AFTER_FRACTION, share(makespan.saturating_sub(last.0)));
    }
    if let Some(open_loop) = &record.open_loop {
        row.push(cases::LOAD_OFFERED, open_loop.generated_flits as f64 / open_loop.capacity_flits);
        row.push(cases::LOAD_ACCEPTED, open_loop.delivered_flits as f64 / open_loop.capacity_flits);
        row.push(cases::SATURATED, open_loop.saturated);
        row.push(cases::WINDOW_TOO_SHORT, open_loop.too_short);
    }
    if let Some(background) = &record.background {
        let load = |flits: u64| flits as f64 / background.capacity_flits;
        row.push(cases::BACKGROUND_LOAD_OFFERED, load(background.generated_flits));
        row.push(cases::BACKGROUND_LOAD_ACCEPTED, load(background.delivered_flits));
        row.push(cases::BACKGROUND_PACKETS_GENERATED, background.packets_generated);
        row.push(cases::BACKGROUND_PACKETS_DELIVERED, background.packets_delivered);
        push_latency(&mut row, BACKGROUND_PACKET, &background.packet_latency);
        push_latency(&mut row, BACKGROUND_MESSAGE, &background.message_latency);
    }
    row
}

fn push_latency(row: &mut Row, [mean, median, p99, most]: Latency, histogram: &Histogram) {
    let nanoseconds = Time::nanoseconds;
    row.push_some(mean, histogram.mean().map(|picoseconds| picoseconds / 1e3));
    row.push_some(median, histogram.quantile(50, 100).map(nanoseconds));
    row.push_some(p99, histogram.quantile(99, 100).map(nanoseconds));
    row.push_some(most, histogram.max().map(nanoseconds));
}
