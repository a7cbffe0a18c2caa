//! What the fast engine has recorded beside what the twin has.

use drowse_core::measure::{Histogram, Record, TransportRecord, Warning};
use drowse_core::model::units::Time;
use drowse_core::workload::traffic::Traffic;

use crate::source::Outcome;

/// Returns whether a run of the engine gave up the drain of its traffic, which the twin never does. A network that is not
/// saturated drains, if there was time: what is left there is lost.
pub fn gave_up(traffic: &Traffic, fast: &Record) -> bool {
    let left = fast.warnings.iter().any(|warning| matches!(warning, Warning::NotDrained { .. }));
    traffic.drain && left && fast.open_loop.is_some_and(|run| run.saturated || run.too_short)
}

/// Returns in what a record of the fast engine differs from the twin's, which it does in nothing: latencies, hops, wakes,
/// and the time of every channel in every state. Arbiters resolve ties by documented pointers and draws, so there are no
/// exceptions.
pub fn difference(fast: &Record, twin: &Outcome) -> Option<String> {
    let sum = |all: &[u64]| all.iter().map(|&time| u128::from(time)).sum::<u128>();
    let [generated, delivered] = fast.open_loop.map_or([0; 2], |run| [run.generated_flits, run.delivered_flits]);
    let counts = [
        ("packets injected", u128::from(fast.packets_injected), u128::from(twin.injected)),
        ("packets delivered", u128::from(fast.packets_delivered), u128::from(twin.delivered)),
        ("hops", u128::from(fast.hops), u128::from(twin.hops)),
        ("flits generated", u128::from(generated), u128::from(twin.generated_flits)),
        ("flits delivered", u128::from(delivered), u128::from(twin.delivered_flits)),
        ("sum of packet latencies", fast.packet_latency.sum(), sum(&twin.packet_latencies)),
        ("sum of message latencies", fast.message_latency.sum(), sum(&twin.message_latencies)),
        ("channels", fast.channels.len() as u128, twin.channels.len() as u128),
    ];
    let told = twin.told.unwrap_or(TransportRecord::NOTHING);
    let answers = fast.transport.iter().flat_map(|fast| answers(fast, &told));
    if let Some((what, fast, twin)) = counts.into_iter().chain(answers).find(|(_, fast, twin)| fast != twin) {
        return Some(format!("{what}: {fast}, the twin {twin}"));
    }
    let latencies = [
        ("packet", &fast.packet_latency, &twin.packet_latencies),
        ("message", &fast.message_latency, &twin.message_latencies),
    ];
    if let Some((what, ..)) = latencies.into_iter().find(|(_, fast, twin)| **fast != histogram(twin)) {
        return Some(format!("distribution of {what} latencies"));
    }
    let differs = fast.channels.iter().zip(&twin.channels).enumerate().find(|(_, (fast, twin))| fast != twin);
    differs.map(|(id, (fast, twin))| format!("channel {id}: {fast:?}, the twin {twin:?}"))
}

/// What nodes have told each other, by the fast engine and by the twin.
fn answers(fast: &TransportRecord, twin: &TransportRecord) -> [(&'static str, u128, u128); 11] {
    let of = |what, of: fn(&TransportRecord) -> u64| (what, u128::from(of(fast)), u128::from(of(twin)));
    [
        of("packets of data that have come", |told| told.data),
        of("marked packets", |told| told.marked),
        of("acknowledgements", |told| told.acks),
        of("round trips", |told| told.round_trips),
        of("sum of round trips", |told| told.round_trip_sum.0),
        of("last acknowledgement", |told| told.last_ack.0),
        of("dropped packets", |told| told.dropped),
        of("trimmed packets", |told| told.trimmed),
        of("packets sent again", |told| told.resent),
        of("packets of no use", |told| told.superfluous),
        of("packets of which nothing had come in time", |told| told.timeouts),
    ]
}

fn histogram(latencies: &[u64]) -> Histogram {
    let mut histogram = Histogram::default();
    latencies.iter().for_each(|&latency| histogram.add(Time(latency)));
    histogram
}
