//! What a probe records of a channel beyond its residencies: idle periods, timers, state changes, and how packets wait.
//!
//! Recording changes nothing in the run. [`crate::power`] holds the policy wrapper that records.

use std::collections::BTreeMap;

use super::idle_bins as bins;
use super::series::IntervalLength;
use super::waiting::{Busiest, Waiting};
use crate::model::link_state::LinkState;
use crate::model::timers::Timers;
use crate::model::units::Time;

/// What to record. Timers and timelines need memory in proportion to the length of the run.
///
/// ```
/// use drowse_core::engine::{Progress, Simulation};
/// use drowse_core::measure::ProbeOptions;
/// use drowse_core::model::{config::Config, units::Time};
/// use drowse_core::power::{Probe, SleepStates, StallTimer};
/// use drowse_core::topology::{Full, TopologySpec};
/// use drowse_core::workload::{Workload, programs::{AllToAll, Application, Phase, Phased}};
///
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// let network = TopologySpec::Full(Full { switches: 2, nodes: 1 }).build()?;
/// let mut config = Config::new(&network);
/// config.classes[1].states = Some(SleepStates::default());
/// let program = Application::new(vec![Phase::new(Phased(AllToAll::new(2, 64)?), 10, Time::from_us(100))])?;
/// let workload = Workload::application(program, &network)?;
/// let policy = StallTimer::uniform(network.classes.len(), None, Some(Time::from_us(20)));
/// let wanted = ProbeOptions { idle_periods: true, ..ProbeOptions::default() };
/// let probe = Probe::new(&policy, wanted, &config.classes, None);
/// let mut simulation = Simulation::new(&network, &config, &probe, workload)?;
/// while simulation.advance(1_000)? != Progress::Done {}
/// let (record, channels) = simulation.into_record_and_states();
/// // A switch sends once in each of ten iterations. Its channel idles before each message, and at last until the end.
/// let sends = network.first_port[0] as usize;
/// assert_eq!((record.channels[sends].packets, record.channels[sends].wakes), (10, 10));
/// assert_eq!(channels[sends].seen.periods.values().map(|tally| tally.count).sum::<u64>(), 10 + 1);
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[expect(clippy::struct_excessive_bools, reason = "each is chosen independently")]
pub struct ProbeOptions {
    /// The histogram of idle periods of each channel.
    pub idle_periods: bool,
    /// The lengths of each idle period and of the next one (Saravanan and Carpenter 2018, Fig. 6).
    pub idle_pairs: bool,
    /// The stall timers after each idle period of 1 us or more (Saravanan and Carpenter 2018, Fig. 12).
    pub timers: bool,
    /// Every state change.
    pub timeline: bool,
    /// How long packets wait, by cause, and the busiest of the windows of this length.
    pub waiting: Option<Time>,
    /// Latencies of messages by size; of the whole run, not of each channel.
    pub message_sizes: bool,
    /// How ranks spend their time by kind of operation; of each rank, not of each channel.
    pub rank_operations: bool,
    /// For whom ranks wait, and their longest waits; of each rank, not of each channel.
    pub rank_waits: bool,
    /// For which wakes of links messages waited.
    pub wakes: bool,
    /// What links and ranks do in each interval of the run, from which follows what they draw over time.
    pub power: Option<IntervalLength>,
}

impl ProbeOptions {
    /// Returns whether anything is to be recorded.
    pub fn any(self) -> bool {
        self != ProbeOptions::default()
    }
}

/// A bin of idle periods: one of [`bins`], or `None`, which sorts first, for periods under 1 us.
pub type IdleBin = Option<u8>;

/// Returns the bin of an idle period.
pub fn idle_bin(idle: Time) -> IdleBin {
    bins::bin(idle).map(|bin| bin as u8)
}

/// Returns the lower edge of a bin and its exclusive upper edge. The last bin has no upper edge.
pub fn idle_edges(bin: IdleBin) -> (Time, Option<Time>) {
    match bin.map(usize::from) {
        None => (Time::ZERO, Some(bins::edge(0))),
        Some(bin) => (bins::edge(bin), (bin + 1 < bins::BINS).then(|| bins::edge(bin + 1))),
    }
}

/// A count of idle periods.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    /// The number of periods.
    pub count: u64,
    /// Their total time in picoseconds.
    pub idle: u128,
}

impl Tally {
    /// Adds another count.
    pub fn add(&mut self, other: Tally) {
        self.count += other.count;
        self.idle += other.idle;
    }
}

/// The stall timers that a policy sets after an idle period.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TimersAt {
    /// When the period ended.
    pub time: Time,
    /// The timers of the next idle period.
    pub timers: Timers,
}

/// A state change of a channel.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Change {
    /// When it happens.
    pub time: Time,
    /// The state from then on.
    pub state: LinkState,
}

/// A change of the number of a channel's lanes that can send.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LaneChange {
    /// When it happens.
    pub time: Time,
    /// Lanes that can send from then on.
    pub on: u32,
}

/// What a probe recorded of one channel. What was not requested is empty.
///
/// In open-loop traffic only the measured time counts: idle periods that end in it, and state changes within it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ProbeRecord {
    /// Idle periods by bin, including the one that the end of the run cut short.
    pub periods: BTreeMap<IdleBin, Tally>,
    /// The bin of the period that the end of the run cut short.
    pub unfinished: Option<IdleBin>,
    /// Pairs of consecutive idle periods by their bins; the time is that of the first. A period that was cut short is
    /// in no pair.
    pub pairs: BTreeMap<(IdleBin, IdleBin), Tally>,
    /// The stall timers after each idle period of 1 us or more.
    pub timers: Vec<TimersAt>,
    /// The state at the beginning and all changes, in order of time.
    pub changes: Vec<Change>,
    /// Changes of the lanes of channels that narrow, in order of time; all are on before.
    pub lanes: Vec<LaneChange>,
    /// Changes that were not kept.
    pub left_out: u64,
    /// From when on changes were not kept; `None` where all were.
    pub left_out_from: Option<Time>,
    /// How long packets waited that the channel then sent, and those behind them.
    pub waiting: Waiting,
    /// How long it sent in its busiest window.
    pub busiest: Busiest,
}

impl ProbeRecord {
    /// Adds a state change no earlier than the last one. States of zero duration are left out. Once there are `most`
    /// changes, others are only counted.
    pub(crate) fn change(&mut self, time: Time, state: LinkState, most: usize) {
        if self.left_out_from.is_some() {
            self.left_out += 1;
            return;
        }
        if self.changes.last().is_some_and(|last| last.time == time) {
            self.changes.pop();
        }
        if self.changes.last().is_none_or(|last| last.state != state) {
            if self.changes.len() < most {
                self.changes.push(Change { time, state });
            } else {
                self.not_kept(time);
            }
        }
    }

    /// Adds a change of lanes; as with states, `most` are kept.
    pub(crate) fn lanes(&mut self, time: Time, on: u32, most: usize) {
        if self.lanes.last().is_some_and(|last| last.time == time) {
            self.lanes.pop();
        }
        if self.lanes.len() < most && self.left_out_from.is_none() {
            self.lanes.push(LaneChange { time, on });
        } else {
            self.not_kept(time);
        }
    }

    fn not_kept(&mut self, at: Time) {
        self.left_out += 1;
        self.left_out_from = self.left_out_from.or(Some(at));
    }

    /// Discards state changes from the end of the measured time on.
    pub fn end_at(&mut self, end: Time) {
        let within = self.changes.partition_point(|change| change.time < end);
        self.changes.truncate(within);
        self.lanes.truncate(self.lanes.partition_point(|change| change.time < end));
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
    fn states_of_zero_duration_are_left_out() {
        use LinkState::{Entering, On, Shallow};
        let mut record = ProbeRecord::default();
        for (time, state) in
            [(0, On), (5, Entering), (5, Shallow), (9, Entering), (9, Shallow), (12, Entering), (12, On)]
        {
            record.change(Time(time), state, usize::MAX);
        }
        let change = |time, state| Change { time: Time(time), state };
        assert_eq!(record.changes, [change(0, On), change(5, Shallow), change(12, On)]);
        record.end_at(Time(12));
        assert_eq!(record.changes, [change(0, On), change(5, Shallow)]);
    }

    #[test]
    fn changes_beyond_the_most_are_counted() {
        use LinkState::{Deep, On};
        let mut record = ProbeRecord::default();
        for (time, state) in [(0, On), (5, Deep), (9, On), (12, Deep)] {
            record.change(Time(time), state, 2);
        }
        assert_eq!((record.changes.len(), record.left_out, record.left_out_from), (2, 2, Some(Time(9))));
    }
}
