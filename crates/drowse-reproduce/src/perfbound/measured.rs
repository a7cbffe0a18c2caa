//! The results of one case, and of all cases of a program.

use drowse_core::measure::ProbeRecord;
use drowse_core::model::ids::ChannelId;
use drowse_core::model::units::Time;
use drowse_core::topology::Network;
use drowse_tables::schema::{Column, cases, perfbound};
use drowse_tables::{Row, Value};

use super::condition::{AS_TRACED, Condition};
use super::setting::Setting;
use crate::programs::Program;
use drowse_run::outcome::Outcome;
use drowse_run::totals::ClassTotals;

/// The figures of one case.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Measured {
    /// Run time in seconds.
    pub makespan: f64,
    /// Energy of the links of nodes, the paper's edge links, in seconds of their power when on.
    pub edge: f64,
    /// Energy of all links, in seconds of their power when on.
    pub all: f64,
    /// Times that a channel woke.
    pub wakes: u64,
    /// Messages that waited for a channel to wake.
    pub delayed: u64,
    /// Time that messages waited for channels to wake, for each node, as a share of the run time.
    pub lost: f64,
    /// Time that messages waited for the channel that delayed them most, as a share of the run time.
    pub lost_most: f64,
    /// Idle periods until the timers of edge links settled, where probes recorded them.
    pub settled: Option<f64>,
}

/// A case relative to the same with links always on.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Relative {
    /// Run time.
    pub time: f64,
    /// Energy of edge links.
    pub edge: f64,
    /// Energy of all links.
    pub all: f64,
}

/// The cases of a program.
#[derive(Clone, Debug)]
pub struct Curves {
    /// The condition under which they ran.
    pub condition: &'static Condition,
    /// The program.
    pub program: &'static Program,
    /// The case with links always on.
    pub always_on: Measured,
    /// All cases, that one too.
    pub cases: Vec<(Setting, Measured)>,
}

/// The figures of a summary that are kept.
const OF_SUMMARY: [Column; 5] = [
    cases::MAKESPAN_S,
    cases::ENERGY_LINKS_NODE,
    cases::ENERGY_LINKS_ALL,
    cases::LINKS_WAKES,
    cases::LINKS_DELAYED_MESSAGES,
];

#[cfg(test)]
impl Measured {
    /// A case that takes a second and a joule, and loses nothing.
    pub const ONE: Self =
        Measured { makespan: 1.0, edge: 1.0, all: 1.0, wakes: 0, delayed: 0, lost: 0.0, lost_most: 0.0, settled: None };
}

impl Measured {
    /// Reads a row; `None` where a figure is missing.
    pub fn of_row(row: &Row) -> Option<Self> {
        let integer = |column: Column| match row.get(column) {
            Some(Value::Integer(integer)) => Some(*integer),
            _ => None,
        };
        Some(Measured {
            makespan: row.number(cases::MAKESPAN_S)?,
            edge: row.number(cases::ENERGY_LINKS_NODE)?,
            all: row.number(cases::ENERGY_LINKS_ALL)?,
            wakes: integer(cases::LINKS_WAKES)?,
            delayed: integer(cases::LINKS_DELAYED_MESSAGES)?,
            lost: row.number(perfbound::LOST_PER_NODE)?,
            lost_most: row.number(perfbound::LOST_MOST)?,
            settled: row.number(perfbound::SETTLED),
        })
    }

    /// Returns the energy of edge links times the run time.
    pub fn edp(&self) -> f64 {
        self.edge * self.makespan
    }
}

/// Makes the row of a case: figures of its summary, time lost by messages, and idle periods until its timers settled.
pub fn row(outcome: &Outcome) -> Row {
    let (network, record) = (&outcome.case.system.network, &outcome.record);
    let mut row = Row::new();
    OF_SUMMARY.into_iter().for_each(|column| row.copy(column, &outcome.summary.figures));
    let lost = |time: u128, of: u64| time as f64 / (record.measured.0 as f64 * of as f64);
    let total = ClassTotals::of(network, &record.channels).sum(|_| true).time_lost;
    let most = record.channels.iter().map(|channel| channel.time_lost.0).max().unwrap_or_default();
    row.push(perfbound::LOST_PER_NODE, lost(total, u64::from(network.nodes)));
    row.push(perfbound::LOST_MOST, lost(u128::from(most), 1));
    row.push_some(perfbound::SETTLED, settled(network, &outcome.seen));
    row
}

/// Returns after how many idle periods the deep timer of an edge link has first come within a factor of [`NEAR`] of the
/// value around which it then stays: the median over these links.
fn settled(network: &Network, seen: &[ProbeRecord]) -> Option<f64> {
    let edges = (0..).map(ChannelId).zip(seen).filter(|&(channel, _)| network.is_node_channel(channel));
    let mut periods: Vec<usize> = edges
        .filter_map(|(_, seen)| settled_after(&seen.timers.iter().map(|at| at.timers.deep).collect::<Vec<_>>()))
        .collect();
    median(&mut periods).map(|periods| periods as f64)
}

/// What counts as the same timer: two bins up or down.
const NEAR: f64 = 1.26;

/// Returns after how many idle periods a timer is first near the median of its second half.
fn settled_after(timers: &[Time]) -> Option<usize> {
    let stays = median(&mut timers[timers.len() / 2..].to_vec())?;
    let is_near = |timer: &Time| {
        let ratio = timer.0 as f64 / stays.0 as f64;
        (1.0 / NEAR..=NEAR).contains(&ratio)
    };
    timers.iter().position(is_near).map(|before| before + 1)
}

/// Returns the upper of the two values in the middle.
fn median<T: Ord + Copy>(values: &mut [T]) -> Option<T> {
    values.sort_unstable();
    values.get(values.len() / 2).copied()
}

impl Curves {
    /// Puts a program's cases as traced together; `None` without the one whose links are always on.
    pub fn new(program: &'static Program, cases: Vec<(Setting, Measured)>) -> Option<Self> {
        let (_, always_on) = cases.iter().find(|(setting, _)| *setting == Setting::AlwaysOn)?;
        Some(Curves { condition: &AS_TRACED, program, always_on: *always_on, cases })
    }

    /// Returns a case.
    pub fn get(&self, setting: Setting) -> Option<&Measured> {
        self.cases.iter().find(|(other, _)| *other == setting).map(|(_, measured)| measured)
    }

    /// Returns a case relative to links always on.
    pub fn relative(&self, setting: Setting) -> Option<Relative> {
        self.get(setting).map(|measured| self.relate(measured))
    }

    /// Relates figures to those with links always on.
    pub fn relate(&self, measured: &Measured) -> Relative {
        let Measured { makespan, edge, all, .. } = self.always_on;
        Relative { time: measured.makespan / makespan, edge: measured.edge / edge, all: measured.all / all }
    }

    /// Returns the cases under stall timers that are chosen, as points of run time and energy of edge links.
    pub fn points(&self, chosen: impl Fn(Option<u64>, Option<u64>) -> bool) -> Vec<(f64, f64)> {
        let of_case = |(setting, measured): &(Setting, Measured)| match *setting {
            Setting::Timers { shallow_us, deep_us } if chosen(shallow_us, deep_us) => {
                let Relative { time, edge, .. } = self.relate(measured);
                Some((time, edge))
            }
            _ => None,
        };
        self.cases.iter().filter_map(of_case).collect()
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;
    use std::sync::Arc;

    use drowse_core::measure::probe::TimersAt;
    use drowse_core::power::Timers;
    use drowse_experiment::Source;

    use super::super::runs::EXPERIMENT;
    use super::*;

    #[test]
    fn timers_come_near_where_they_stay() {
        let us = |timers: &[u64]| timers.iter().map(|&us| Time::from_us(us)).collect::<Vec<_>>();
        let mut timers = vec![Time::NEVER; 3];
        timers.extend(us(&[400, 130, 110, 100, 90, 100, 100, 120]));
        assert_eq!(settled_after(&timers), Some(6), "110 us is near 100 us, 130 us is not");
        assert_eq!(settled_after(&[Time::NEVER; 2]), Some(1), "a link that never sleeps stays so");
        assert_eq!(settled_after(&[]), None);
    }

    /// A factor of 1.26 up and down counts as near, so 80 us are near 100 us, and 79 us are not.
    #[test]
    fn timers_are_near_from_below_as_from_above() {
        let us = |timers: [u64; 4]| settled_after(&timers.map(Time::from_us));
        assert_eq!([us([126, 1, 100, 100]), us([127, 1, 100, 100])], [Some(1), Some(3)]);
        assert_eq!([us([80, 1, 100, 100]), us([79, 1, 100, 100])], [Some(1), Some(3)]);
    }

    /// Of the links of nodes alone: three settle after 1, 2 and 3 periods, one has none, and the median is 2. A link
    /// between switches that takes longer does not count.
    #[test]
    fn the_median_link_of_a_node_comes_to_rest() {
        let text = EXPERIMENT.to_owned();
        let source = Source::new(Path::new("experiment.toml"), text, &["network.nodes_per_rack=1".to_owned()]);
        let network = drowse_experiment::system(&Arc::new(source.unwrap())).unwrap().network;
        let channels = (0..network.channels()).map(ChannelId);
        let (mut node, mut switch) = ([2, 0, 1].into_iter(), 0);
        let after = |before: usize| {
            let timers = [vec![Time::from_us(1); before], vec![Time::from_us(100); 9]].concat();
            let at = |deep| TimersAt { time: Time::ZERO, timers: Timers { shallow: Time::NEVER, deep } };
            ProbeRecord { timers: timers.into_iter().map(at).collect(), ..ProbeRecord::default() }
        };
        let seen: Vec<ProbeRecord> = channels
            .map(|channel| {
                if network.is_node_channel(channel) {
                    return node.next().map_or_else(ProbeRecord::default, after);
                }
                switch += 1;
                after(4)
            })
            .collect();
        assert!(switch > 3, "links between switches would change the median");
        assert_eq!(settled(&network, &seen), Some(2.0));
        assert_eq!(settled(&network, &[]), None);
    }
}
