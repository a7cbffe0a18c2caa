//! When a window says that a network is saturated: in networks whose throughput is known, and by chance alone.

use drowse_core::measure::{OpenLoopRecord, Warning};
use drowse_core::model::units::{Bytes, Time};
use drowse_core::workload::Workload;
use drowse_core::workload::traffic::{Count, Length, Lengths, Pattern, Traffic};

use crate::common::*;

const CYCLE: u64 = 1_600;

fn traffic(pattern: Pattern, load: f64, packets: u32, [warmup, measure]: [u64; 2]) -> Traffic {
    Traffic {
        pattern,
        packets: Lengths::packets(packets),
        load,
        include_self: false,
        count: Count::Generated,
        warmup: Time(CYCLE * warmup),
        measure: Time(CYCLE * measure),
        drain: true,
    }
}

/// Runs a torus for a number of seeds.
fn seeds(dims: &[u32], traffic: &Traffic, seeds: u64) -> Vec<(OpenLoopRecord, Vec<Warning>)> {
    let network = torus(dims, 1, 1);
    let one = |seed| {
        let mut config = config(&network, 3);
        (config.audit, config.seed) = (false, seed);
        let record = run(&network, &config, Workload::OpenLoop(traffic.clone()));
        (record.open_loop.unwrap(), record.warnings)
    };
    (1..=seeds).map(one).collect()
}

fn count(runs: &[(OpenLoopRecord, Vec<Warning>)], says: fn(&OpenLoopRecord) -> bool) -> usize {
    runs.iter().filter(|(record, _)| says(record)).count()
}

/// Two nodes at a tenth of what their links carry: a dozen messages a node, of which one or two are on their way at the
/// window's end. Of forty seeds 5 % of the load are missing in some.
#[test]
fn a_few_messages_on_their_way_are_no_saturation() {
    let runs = seeds(&[2], &traffic(Pattern::Uniform, 0.1, 1, [100, 1_000]), 40);
    assert_eq!(count(&runs, |record| record.saturated), 0);
    let behind = |record: &OpenLoopRecord| record.delivered_flits * 20 < record.generated_flits * 19;
    assert!(count(&runs, behind) > 0, "the test would say nothing");
    assert_eq!(count(&runs, |record| record.too_short), 40, "25 messages cannot tell 5 %");
    for (record, warnings) in &runs {
        let warned = warnings.iter().any(|warning| matches!(warning, Warning::WindowTooShort { .. }));
        assert_eq!(warned, record.too_short);
    }
}

/// Messages that take longer than the window, or than all of the run, tell nothing of the network.
#[test]
fn messages_longer_than_the_window_tell_nothing() {
    for (packets, window) in [(256, [100, 1_000]), (1_024, [100, 1_000]), (64, [2_000, 10_000]), (256, [2_000, 10_000])]
    {
        let runs = seeds(&[4, 4], &traffic(Pattern::Uniform, 0.1, packets, window), 20);
        assert_eq!(count(&runs, |record| record.saturated), 0, "{packets} packets");
        assert_eq!(count(&runs, |record| record.too_short), 20, "{packets} packets");
    }
}

/// A ring of 8 carries a third of tornado traffic, and neither is called so below: in windows from some latencies on.
#[test]
fn a_ring_is_saturated_beyond_a_third() {
    for (window, below) in [([500, 1_000], 0.2), ([500, 3_000], 0.25), ([2_000, 20_000], 0.28)] {
        for (load, saturated) in [(0.1, false), (below, false), (0.5, true), (0.9, true)] {
            let runs = seeds(&[8], &traffic(Pattern::Tornado, load, 1, window), 10);
            let expected = if saturated { 10 } else { 0 };
            assert_eq!(count(&runs, |record| record.saturated), expected, "{load} in {window:?}");
        }
    }
}

/// Under complement, nodes of a ring of 8 send to their mirror images: 2 to 5 and 3 to 4 both cross from 3 to 4, so
/// that half of the load is accepted at most.
#[test]
fn complement_saturates_a_torus() {
    for window in [[100, 1_000], [100, 2_000], [2_000, 10_000]] {
        let runs = seeds(&[8, 8], &traffic(Pattern::Complement, 0.9, 1, window), 5);
        assert_eq!(count(&runs, |record| record.saturated), 5, "{window:?}");
        assert_eq!(count(&runs, |record| record.too_short), 0);
    }
}

/// Neighbours have a link each: all of the load is accepted, whatever the window. After no warm-up the network fills.
#[test]
fn neighbours_are_never_saturated() {
    for (load, window) in [(0.9, [0, 1_000]), (0.5, [0, 400]), (0.9, [2_000, 20_000])] {
        let runs = seeds(&[8], &traffic(Pattern::Neighbour, load, 1, window), 10);
        assert_eq!(count(&runs, |record| record.saturated), 0, "{load} in {window:?}");
    }
}

/// Where one message in a hundred is long, it is the long ones that the window must hold.
#[test]
fn a_mix_is_judged_by_its_long_messages() {
    let mix = |long: u64| Traffic {
        packets: Lengths::Two { short: Length::Packets(1), long: Length::Bytes(Bytes(long)), share: 0.01 },
        ..traffic(Pattern::Uniform, 0.2, 1, [2_000, 10_000])
    };
    let short = seeds(&[4, 4], &mix(128), 10);
    assert_eq!(count(&short, |record| record.saturated || record.too_short), 0);
    let long = seeds(&[4, 4], &mix(128 << 10), 10);
    assert_eq!(count(&long, |record| record.saturated), 0);
    assert_eq!(count(&long, |record| record.too_short), 10);
}
