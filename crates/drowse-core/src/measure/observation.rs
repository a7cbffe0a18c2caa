//! What was seen of a channel's sleep beyond its residencies, where that was asked for.

use std::collections::BTreeMap;

use crate::model::link_state::LinkState;
use crate::model::units::Time;
use crate::power::policy::Timers;
use crate::power::sleep::bounded::bins;

/// What is asked to be seen; memory grows with it, and with the length of the run but for the idle periods.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[expect(clippy::struct_excessive_bools, reason = "each is asked for by itself")]
pub struct Wanted {
    /// The histogram of idle periods of each channel.
    pub idle_periods: bool,
    /// How long one idle period is, and the next (Saravanan and Carpenter 2018, Fig. 6).
    pub idle_pairs: bool,
    /// The stall timers after each idle period of 1 us or more (Saravanan and Carpenter 2018, Fig. 12).
    pub timers: bool,
    /// Every change of state.
    pub timeline: bool,
}

impl Wanted {
    /// Returns whether anything is asked for.
    pub fn any(self) -> bool {
        self != Wanted::default()
    }
}

/// A bin of idle periods: one of [`bins`], or `None`, which comes before them, for those under 1 us.
pub type IdleBin = Option<u8>;

/// Returns the bin of an idle period.
pub fn idle_bin(idle: Time) -> IdleBin {
    bins::bin(idle).map(|bin| bin as u8)
}

/// Returns the lower edge of a bin, and the upper one, which it does not include; the last has none.
pub fn idle_edges(bin: IdleBin) -> (Time, Option<Time>) {
    match bin.map(usize::from) {
        None => (Time::ZERO, Some(bins::edge(0))),
        Some(bin) => (bins::edge(bin), (bin + 1 < bins::BINS).then(|| bins::edge(bin + 1))),
    }
}

/// Idle periods, counted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    /// How many.
    pub count: u64,
    /// Their time together in picoseconds.
    pub idle: u128,
}

impl Tally {
    /// Adds others.
    pub fn add(&mut self, other: Tally) {
        self.count += other.count;
        self.idle += other.idle;
    }
}

/// The stall timers that an idle period has led to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TimersAt {
    /// When it ended.
    pub time: Time,
    /// Those of the next idle period.
    pub timers: Timers,
}

/// A change of a channel's state.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Change {
    /// When.
    pub time: Time,
    /// What it is from then on.
    pub state: LinkState,
}

/// What was seen of one channel; what was not asked for is empty.
///
/// Of open-loop traffic only the measured time counts: idle periods that end in it, and changes of state within it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Observation {
    /// Idle periods by their bins, the one that the end of the run cut short included.
    pub periods: BTreeMap<IdleBin, Tally>,
    /// The bin of the period that the end of the run cut short.
    pub unfinished: Option<IdleBin>,
    /// Pairs of idle periods, one after the other, by their bins; the time is that of the first. A period that was cut short
    /// is in no pair.
    pub pairs: BTreeMap<(IdleBin, IdleBin), Tally>,
    /// The stall timers after each idle period of 1 us or more.
    pub timers: Vec<TimersAt>,
    /// The state at the beginning, and all changes in the order of time.
    pub changes: Vec<Change>,
}

impl Observation {
    /// Adds a change of state that is no earlier than the last one; a state of no time leaves no trace.
    pub(crate) fn change(&mut self, time: Time, state: LinkState) {
        if self.changes.last().is_some_and(|last| last.time == time) {
            self.changes.pop();
        }
        if self.changes.last().is_none_or(|last| last.state != state) {
            self.changes.push(Change { time, state });
        }
    }

    /// Forgets changes of state from the end of the measured time on.
    pub fn end_at(&mut self, end: Time) {
        let within = self.changes.partition_point(|change| change.time < end);
        self.changes.truncate(within);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bins_have_their_edges() {
        for idle in [0, 999_999, 1_000_000, 1_122_018, 99_999_999_999, 100_000_000_000, u64::MAX] {
            let (from, to) = idle_edges(idle_bin(Time(idle)));
            assert!(from.0 <= idle && to.is_none_or(|to| idle < to.0), "{idle}");
        }
        assert_eq!((idle_bin(Time(999_999)), idle_bin(Time(1_000_000))), (None, Some(0)));
    }

    #[test]
    fn states_of_no_time_leave_no_trace() {
        use LinkState::{Entering, On, Shallow};
        let mut seen = Observation::default();
        for (time, state) in
            [(0, On), (5, Entering), (5, Shallow), (9, Entering), (9, Shallow), (12, Entering), (12, On)]
        {
            seen.change(Time(time), state);
        }
        let change = |time, state| Change { time: Time(time), state };
        assert_eq!(seen.changes, [change(0, On), change(5, Shallow), change(12, On)]);
        seen.end_at(Time(12));
        assert_eq!(seen.changes, [change(0, On), change(5, Shallow)]);
    }
}
