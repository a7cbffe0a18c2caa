//! How far a run has come.
//!
//! Open-loop traffic ends at a known time, except for the drain. The end of a program is a result of the run. The best
//! estimate of its progress is the share of its operations that its ranks have begun, which is right on average for
//! programs that repeat themselves.

use drowse_core::model::units::Time;
use drowse_traces::TraceInfo;

/// How far a run has come.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Progress {
    /// The simulated time.
    pub now: Time,
    /// The share that is done, from 0 to 1, which never decreases; `None` where it is unknown.
    pub fraction: Option<f64>,
}

/// Actions of traces that make no operation, and those that make several; all others make one.
const OPERATIONS_OF: &[(&str, u64)] = &[
    ("init", 0),
    ("finalize", 0),
    ("comm_size", 0),
    ("comm_split", 0),
    ("comm_dup", 0),
    ("location", 0),
    ("test", 0),
    ("testall", 0),
    ("testany", 0),
    ("testsome", 0),
    ("iprobe", 0),
    ("sendRecv", 4),
    ("event", 0),
    ("noop", 0),
];

/// Estimates the operations of a trace, all ranks together. Operations that a compute model drops, and waits without
/// effect, are counted, so the estimate may be a little high.
pub(crate) fn operations(trace: &TraceInfo) -> u64 {
    let of =
        |name: &str| OPERATIONS_OF.iter().find(|(known, _)| *known == name).map_or(1, |(_, operations)| *operations);
    trace.operations.iter().fold(0, |sum: u64, (name, &count)| sum.saturating_add(count.saturating_mul(of(name))))
}

/// Returns the share of programs that is done; each job has its operations and the number of its runs.
pub(crate) fn of_programs(begun: u64, jobs: impl IntoIterator<Item = (u64, u32)>) -> Option<f64> {
    let total = jobs
        .into_iter()
        .fold(0, |sum: u64, (operations, times)| sum.saturating_add(operations.saturating_mul(u64::from(times))));
    (total > 0).then(|| (begun as f64 / total as f64).min(1.0))
}

/// Returns the share of open-loop traffic that is done, of the time up to the end of the measured window.
pub(crate) fn of_traffic(now: Time, end: Time) -> Option<f64> {
    (end > Time::ZERO).then(|| (now.seconds() / end.seconds()).min(1.0))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shares_of_programs() {
        let share = |begun| of_programs(begun, [(100, 1), (50, 4)]);
        assert_eq!([0, 30, 150, 300, 301, u64::MAX].map(share), [0.0, 0.1, 0.5, 1.0, 1.0, 1.0].map(Some));
        assert!((0..400).all(|begun| share(begun) <= share(begun + 1)), "never gets smaller");
        assert_eq!([of_programs(3, []), of_programs(3, [(0, 7)])], [None, None], "no operation is known");
        assert_eq!(of_programs(1, [(u64::MAX, u32::MAX), (u64::MAX, 1)]), Some(1.0 / u64::MAX as f64));
    }

    #[test]
    fn shares_of_traffic() {
        let share = |now| of_traffic(Time(now), Time(100));
        assert_eq!([0, 25, 100, 175].map(share), [0.0, 0.25, 1.0, 1.0].map(Some));
        assert_eq!(of_traffic(Time(5), Time::ZERO), None);
    }
}
