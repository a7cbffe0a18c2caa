//! How long nodes computed, waited, or had nothing to do.

use std::collections::BTreeSet;

use drowse_core::measure::Record;
use drowse_core::measure::over_time::IntervalRecord;
use drowse_core::power::watts::NodeTimes;
use drowse_experiment::System;

/// Returns the number of nodes whose energy counts: a scheduler has all of the machine, idle ones included, so that the
/// energy does not depend on which it takes; without one, those on which ranks run.
pub(crate) fn counted_nodes(system: &System, record: &Record) -> u64 {
    match record.cores {
        Some(_) => u64::from(system.network.nodes),
        None => record.ranks.iter().map(|rank| rank.node).collect::<BTreeSet<u32>>().len() as u64,
    }
}

/// Returns what the nodes that count did in a run.
pub(crate) fn node_times(system: &System, record: &Record, seconds: f64) -> NodeTimes {
    let (mut busy, mut waiting) = (0, 0);
    for times in record.ranks.iter().map(|rank| rank.times) {
        busy += u128::from(times.computing.0) + u128::from(times.overhead.0);
        waiting +=
            [times.sending, times.receiving, times.collectives].iter().map(|time| u128::from(time.0)).sum::<u128>();
    }
    let [free, off] = record.free_nodes.map_or([0; 2], |times| [times.on, times.off]);
    let all = seconds * counted_nodes(system, record) as f64;
    times(system, all, [busy, waiting, free, off])
}

/// Returns what so many nodes that count did in an interval.
pub(crate) fn of_interval(system: &System, counted: u64, interval: &IntervalRecord) -> NodeTimes {
    let IntervalRecord { length, busy, waiting, free, off, .. } = *interval;
    times(system, length.seconds() * counted as f64, [busy, waiting, free, off])
}

/// Makes seconds of picoseconds; ranks are busy and wait on one core each.
fn times(system: &System, all: f64, [busy, waiting, free, off]: [u128; 4]) -> NodeTimes {
    let of_cores = |time: u128| time as f64 / 1e12 / f64::from(system.cores);
    let of_nodes = |time: u128| time as f64 / 1e12;
    NodeTimes {
        all,
        busy: of_cores(busy),
        waiting: of_cores(waiting),
        free: of_nodes(free),
        off: of_nodes(off),
        cores: system.cores,
    }
}
