//! What links, switches, NICs and nodes draw in each interval of a run, and the extremes of that.
//!
//! The energy of an interval follows from what was done in it as that of the run does from all. What was done adds up
//! to the whole in integers, so that the energies do, but for the rounding of the last digit.

use drowse_core::measure::over_time::{ChannelGroups, ClassInterval, IntervalRecord};
use drowse_core::measure::series::IntervalLength;
use drowse_core::measure::{ProbeOptions, Record};
use drowse_core::model::ids::ChannelId;
use drowse_core::model::link_state::PerState;
use drowse_core::model::units::Time;
use drowse_experiment::{Diagnostic, System};
use drowse_tables::Row;
use drowse_tables::schema::{Column, cases};

use crate::joules::Joules;
use crate::link_time::{self, LinkTime};
use crate::node_times::{counted_nodes, of_interval};
use crate::totals::{ClassTotals, Totals};

/// An interval with the energies of its parts.
pub(crate) struct Interval {
    /// When it begins, since the beginning of the measured time.
    pub from: Time,
    /// How long it is.
    pub length: Time,
    /// The energies.
    pub joules: Joules,
    /// What the links of each class did.
    pub links: Vec<LinkTime>,
}

/// Returns which channels draw alike, where switches are of several models: by the place of their watts.
pub(crate) fn groups(system: &System) -> Option<ChannelGroups> {
    let watts = &system.watts.watts;
    watts.models.as_ref()?;
    let of = |channel| watts.place_of(&system.network, ChannelId(channel)) as u16;
    Some(ChannelGroups { count: watts.classes.len(), of: (0..system.network.channels()).map(of).collect() })
}

/// Refuses to record the watts of flows over time, whose traffic is counted when they have passed.
pub(crate) fn check(system: &System, wanted: ProbeOptions) -> Result<(), Diagnostic> {
    if wanted.power.is_none() {
        return Ok(());
    }
    if !system.config.unit.is_packet() {
        let message = "watts over time are not recorded of flows, whose traffic is counted when they have passed";
        return Err(system.keys.error("simulation.unit", message, "leave out the table `power`, or write \"packet\""));
    }
    Ok(())
}

/// Returns what probes record of a case: under a cap also its watts over time, a window each, unless others are wanted.
pub(crate) fn with_cap(system: &System, wanted: ProbeOptions) -> ProbeOptions {
    let windows = system.policy.capped().map(|rules| IntervalLength::Of(rules.window));
    let with_windows = ProbeOptions { power: wanted.power.or(windows), ..wanted };
    if check(system, with_windows).is_ok() { with_windows } else { wanted }
}

/// Returns the intervals of a run of which this was recorded; none where it was not.
pub(crate) fn intervals<'a>(system: &'a System, record: &'a Record) -> impl Iterator<Item = Interval> + 'a {
    let mut channels = vec![0; system.watts.watts.classes.len()];
    for channel in (0..system.network.channels()).map(ChannelId) {
        channels[system.watts.watts.place_of(&system.network, channel)] += 1;
    }
    let nodes = record.makespan.map(|_| counted_nodes(system, record));
    let all = record.over_time.iter().flat_map(|over_time| &over_time.intervals);
    all.filter(|interval| interval.length > Time::ZERO).map(move |interval| {
        let classes = channels.iter().zip(&interval.classes);
        let totals = ClassTotals(classes.map(|(&channels, class)| totals(channels, class, interval)).collect());
        let nodes = nodes.map(|counted| of_interval(system, counted, interval));
        let joules = Joules::over(system, interval.length.seconds(), &totals, nodes);
        let links = link_time::by_class(system.network.classes.len(), &channels, interval);
        Interval { from: interval.from, length: interval.length, joules, links }
    })
}

/// Returns what channels that draw alike did in an interval; they are on when they are in no other state.
fn totals(channels: u64, class: &ClassInterval, interval: &IntervalRecord) -> Totals {
    let mut residency = PerState::<u128>::default();
    let whole = u128::from(channels) * u128::from(interval.length.0);
    residency[0] = whole.saturating_sub(class.asleep.iter().sum());
    residency[1..].copy_from_slice(&class.asleep);
    Totals { channels, residency, packets: class.packets, flits: class.flits, ..Totals::default() }
}

impl Interval {
    /// Returns a mean power in watts.
    pub fn watts(&self, joules: f64) -> f64 {
        joules / self.length.seconds()
    }
}

/// The columns of the extremes of a power: peak, 95th percentile, and largest change, also in a second.
type Extremes = [Column; 4];

const OF_NETWORK: Extremes = [
    cases::OVER_TIME_NETWORK_PEAK_W,
    cases::OVER_TIME_NETWORK_P95_W,
    cases::OVER_TIME_NETWORK_RAMP_W,
    cases::OVER_TIME_NETWORK_RAMP_W_PER_S,
];
const OF_TOTAL: Extremes = [
    cases::OVER_TIME_TOTAL_PEAK_W,
    cases::OVER_TIME_TOTAL_P95_W,
    cases::OVER_TIME_TOTAL_RAMP_W,
    cases::OVER_TIME_TOTAL_RAMP_W_PER_S,
];

/// Returns the extremes of the powers over time, where these were recorded.
pub(crate) fn columns(system: &System, record: &Record) -> Row {
    let mut row = Row::new();
    let Some(over_time) = &record.over_time else { return row };
    let all: Vec<Interval> = intervals(system, record).collect();
    if all.is_empty() {
        return row;
    }
    row.push(cases::OVER_TIME_INTERVAL_S, over_time.length.seconds());
    let network: Vec<f64> = all.iter().map(|interval| interval.watts(interval.joules.network())).collect();
    extremes(&mut row, OF_NETWORK, &all, &network);
    let total: Option<Vec<f64>> = all.iter().map(|interval| Some(interval.watts(interval.joules.total()?))).collect();
    total.into_iter().for_each(|total| extremes(&mut row, OF_TOTAL, &all, &total));
    row
}

/// Adds the extremes of a power.
fn extremes(row: &mut Row, [peak, percentile, ramp, rate]: Extremes, intervals: &[Interval], watts: &[f64]) {
    row.push(peak, watts.iter().copied().fold(0.0, f64::max));
    row.push(percentile, percentile_95(intervals, watts));
    let changes = || watts.windows(2).map(|two| change(two[0], two[1]));
    // From the middle of an interval to that of the next.
    let apart = intervals.windows(2).map(|two| two[0].length.seconds() / 2.0 + two[1].length.seconds() / 2.0);
    row.push_some(ramp, changes().reduce(f64::max));
    row.push_some(rate, changes().zip(apart).map(|(change, seconds)| change / seconds).reduce(f64::max));
}

/// Returns by how much a power changes; what only the rounding of sums makes of a constant power is no change.
fn change(before: f64, after: f64) -> f64 {
    const ROUNDING: f64 = 1e-12;
    let change = (after - before).abs();
    if change <= ROUNDING * before.abs().max(after.abs()) { 0.0 } else { change }
}

/// Returns the least of the powers that are not exceeded for 95 % of the time.
fn percentile_95(intervals: &[Interval], watts: &[f64]) -> f64 {
    let mut order: Vec<usize> = (0..watts.len()).collect();
    order.sort_by(|&a, &b| watts[a].total_cmp(&watts[b]));
    let whole: u128 = intervals.iter().map(|interval| u128::from(interval.length.0)).sum();
    let mut passed = 0;
    for place in order {
        passed += u128::from(intervals[place].length.0);
        if passed * 100 >= whole * 95 {
            return watts[place];
        }
    }
    0.0
}

/// Warns where intervals are longer than was asked for.
pub(crate) fn warning(record: &Record) -> Option<String> {
    let over_time = record.over_time.as_ref().filter(|over_time| over_time.has_grown && over_time.is_chosen)?;
    let (length, count) = (over_time.length, over_time.intervals.len());
    Some(format!(
        "the intervals of power over time are {length} long, so that there are {count} of them and not far more"
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// 1,000 W whose last digit differs do not change; a milliwatt more is a change.
    #[test]
    fn rounding_is_no_change() {
        assert!(change(1000.0, 1000.0 + 2.274e-13) == 0.0);
        assert!(change(0.0, 0.0) == 0.0);
        assert!((change(1000.001, 1000.0) - 1e-3).abs() < 1e-9);
        assert!((change(0.0, 1e-15) - 1e-15).abs() < 1e-20);
    }
}
