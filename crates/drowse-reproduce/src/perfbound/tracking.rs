//! Section 6.3, Fig. 15: how many messages PerfBound delays at 1 % beside how many it may, with its correction of errors
//! and without, on BT.
//!
//! The figure is of "the number of messages delayed", not said of which channels. Here it is of all links of nodes
//! together, after the last idle period of each.

use std::path::Path;
use std::sync::{Mutex, PoisonError};

use drowse_core::model::ids::ChannelId;
use drowse_core::model::units::Time;
use drowse_core::power::sleep::{PerfBound, Tracked};
use drowse_core::power::{ClassPolicy, Idle, SleepPolicy, Timers};
use drowse_experiment::Case;
use drowse_run::error::RunError;
use drowse_run::request::RunRequest;

use super::condition::{AS_TRACED, COMPUTATION, Condition, SETTINGS};
use super::runs;
use super::setting::{ONE_PERCENT, Setting};
use crate::comparison::{Comparison, Theirs};
use crate::programs::PROGRAMS;
use crate::trivial::{Kind, Trivial};

/// The program of the figure.
const PROGRAM: &str = "BT";

/// PerfBound, which tells of each channel how near it is to its target.
struct Watched {
    policy: PerfBound,
    /// By channel, after its last idle period.
    seen: Mutex<Vec<Tracked>>,
}

impl SleepPolicy for Watched {
    type State = (ChannelId, <PerfBound as SleepPolicy>::State);

    fn counts_messages(&self) -> bool {
        self.policy.counts_messages()
    }

    fn shortest_idle(&self) -> Time {
        self.policy.shortest_idle()
    }

    fn start(&self, channel: ChannelId, class: u8) -> Self::State {
        (channel, self.policy.start(channel, class))
    }

    fn timers(&self, class: u8, (_, state): &Self::State) -> Timers {
        self.policy.timers(class, state)
    }

    fn idle_ended(&self, class: u8, (channel, state): &mut Self::State, idle: Idle) {
        self.policy.idle_ended(class, state, idle);
        self.seen.lock().unwrap_or_else(PoisonError::into_inner)[channel.index()] =
            self.policy.tracked(state, idle.until);
    }

    fn message(&self, class: u8, (_, state): &mut Self::State, hops: u8) {
        self.policy.message(class, state, hops);
    }
}

drowse_core::sleep_only!(Watched);

/// Makes the rows of the figure, as traced and in other settings, and where the program computes for longer; quickly only as
/// traced and at the paper's idle scale. None without the program's trace.
pub fn comparisons(quick: bool, traces: &Path) -> Result<Vec<Comparison>, RunError> {
    let program = PROGRAMS.iter().find(|program| program.name == PROGRAM);
    let Some(program) = program.filter(|program| program.is_there(traces)) else { return Ok(Vec::new()) };
    let of = |condition: &'static Condition| {
        let case = runs::case(condition, program, traces, Setting::PerfBound { bound: ONE_PERCENT })?;
        Ok::<_, RunError>(of_case(&case)?.into_iter().map(move |row| condition.name_row(row)))
    };
    let mut rows = Vec::new();
    let settings = std::iter::once(&AS_TRACED).chain(&SETTINGS);
    for condition in settings.take(if quick { 2 } else { usize::MAX }) {
        rows.extend(of(condition)?);
    }
    for condition in COMPUTATION.iter().filter(|_| !quick) {
        rows.extend(of(condition)?.map(Comparison::without_verdict));
    }
    Ok(rows)
}

const PLACE: &str = "Fig. 15, BT";
const BELOW: &str = "messages delayed below the target, without correction";

/// Makes the rows of a case: without the correction and with it, and other readings of the figure.
fn of_case(case: &Case) -> Result<Vec<Comparison>, RunError> {
    let [without, with] = [tracked(case, false)?, tracked(case, true)?];
    let network = &case.system.network;
    // The channels from nodes come last.
    let is_from = |(channel, _): &(ChannelId, Tracked)| channel.0 >= network.channels() - network.nodes;
    let (from, to): (Vec<_>, Vec<_>) = without.iter().copied().partition(is_from);
    let [without, with, from, to] =
        [without, with, from, to].map(|seen| seen.into_iter().map(|(_, at)| at).collect::<Vec<_>>());
    let how = |seen: &[Tracked]| {
        let Tracked { delayed, target } = sum(seen);
        format!("{delayed} messages delayed of {target} that may be, on {} links of nodes", seen.len())
    };
    let row = |quantity: &str, unit, theirs: Theirs, ours, how: String, trivial: Trivial| Comparison {
        theirs,
        trivial,
        ..Comparison::own(PLACE, quantity, unit, ours, how)
    };
    let own = |reading: &str, ours: f64, seen: &[Tracked]| {
        Comparison::own(PLACE, format!("{BELOW}, {reading}"), "%", 100.0 * ours, how(seen))
    };
    let (percent, messages) =
        (Kind::Missed { all: 100.0 }.trivial(), Kind::Missed { all: per_link(&without) }.trivial());
    Ok(vec![
        row(BELOW, "%", Theirs::found(20.0, 5.0, &percent), 100.0 * below(&without), how(&without), percent),
        own(READINGS[0], below(&from), &from),
        own(READINGS[1], below(&to), &to),
        own(READINGS[2], mean_below(&without), &without),
        row(
            "mean distance from the target, with correction",
            "messages",
            // What the correction leaves alone.
            Theirs::Below(20.0).shown(),
            distance(&with),
            how(&with),
            messages,
        ),
    ])
}

/// Other readings of what is plotted, of which the figure says only that messages are counted.
pub const READINGS: [&str; 3] = ["links from nodes", "links to nodes", "mean over links"];

/// Returns the messages that a link may delay, in the mean.
fn per_link(seen: &[Tracked]) -> f64 {
    sum(seen).target as f64 / seen.len() as f64
}

/// Adds up what was delayed, and what may be.
fn sum(seen: &[Tracked]) -> Tracked {
    let add =
        |all: Tracked, at: &Tracked| Tracked { delayed: all.delayed + at.delayed, target: all.target + at.target };
    seen.iter().fold(Tracked::default(), add)
}

/// Returns by how much fewer messages are delayed than may be, as a share of these.
fn below(seen: &[Tracked]) -> f64 {
    let Tracked { delayed, target } = sum(seen);
    1.0 - delayed as f64 / target as f64
}

/// Returns the same of each link, in the mean over those that may delay any.
fn mean_below(seen: &[Tracked]) -> f64 {
    let shares = seen.iter().filter(|at| at.target > 0).map(|at| 1.0 - at.delayed as f64 / at.target as f64);
    let (sum, count) = shares.fold((0.0, 0.0), |(sum, count), share| (sum + share, count + 1.0));
    sum / count
}

/// Returns how many messages a link is from its target, more or fewer, in the mean.
fn distance(seen: &[Tracked]) -> f64 {
    let distances = seen.iter().map(|at| at.delayed.abs_diff(at.target));
    distances.sum::<u64>() as f64 / seen.len() as f64
}

/// Runs a case, and returns how near each link of a node is to its target, where it may delay anything.
fn tracked(case: &Case, correction: bool) -> Result<Vec<(ChannelId, Tracked)>, RunError> {
    let network = &case.system.network;
    let of_class =
        |class: &ClassPolicy| if let ClassPolicy::PerfBound(policy) = class { Some(policy.clone()) } else { None };
    let policy = case.system.policy.classes().iter().find_map(of_class);
    let Some(mut policy) = policy else { return Ok(Vec::new()) };
    policy.learning.correction = correction;
    let watched = Watched { policy, seen: Mutex::new(vec![Tracked::default(); network.channels() as usize]) };
    RunRequest::new(case).run_under(&watched)?;
    let seen = watched.seen.into_inner().unwrap_or_else(PoisonError::into_inner);
    let edges = (0..).map(ChannelId).zip(seen).filter(|&(channel, _)| network.is_node_channel(channel));
    Ok(edges.collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Of two links, one delays 30 of 40 messages, the other 65 of 60: five of a hundred fewer than may be, ten and five
    /// from their targets.
    #[test]
    fn distances_by_hand() {
        let seen = [[30, 40], [65, 60]].map(|[delayed, target]| Tracked { delayed, target });
        assert!((below(&seen) - 0.05).abs() < 1e-12);
        assert!((distance(&seen) - 7.5).abs() < 1e-12);
        assert!((mean_below(&seen) - (0.25 - 1.0 / 12.0) / 2.0).abs() < 1e-12);
    }
}
