//! When the channels that a job uses are off in each of its iterations (Totoni et al. 2014, section 6).
//!
//! The gaps of a channel are measured from the time when the first of its users begins an iteration. Of a gap that
//! comes in all iterations that are learned from, the common part counts: from the latest last use before it to the
//! earliest first use after it. A channel that is idle several times in an iteration is turned off in the longest gap
//! only.

use crate::model::ids::ChannelId;
use crate::model::units::Time;

/// What turning a channel off and on takes, and the margins of the schedule.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Care {
    /// Time to go off.
    pub enter: Time,
    /// Time to go on.
    pub wake: Time,
    /// Time left before and after, because iterations differ (1 ms in the paper).
    pub margin: Time,
    /// The least time that a command takes.
    pub delay: Time,
    /// The time that a call of the runtime system costs a rank: two calls at the beginning of each iteration of a
    /// schedule, and one at the beginning of the iteration after those that are learned from.
    pub overhead: Time,
}

/// When a channel goes off and on, in time since the first of its users begins an iteration.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Rest {
    /// The channel.
    pub channel: ChannelId,
    /// It goes off.
    pub off: Time,
    /// It begins to go on.
    pub on: Time,
}

/// An idle period of a channel.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Gap {
    /// The channel.
    pub channel: ChannelId,
    /// Its beginning.
    pub since: Time,
    /// Its end.
    pub until: Time,
}

/// An interval relative to the time when the first user of a channel begins an iteration; it may begin before that.
#[derive(Clone, Copy, Debug)]
struct Span {
    since: i128,
    until: i128,
}

impl Span {
    fn length(self) -> i128 {
        self.until - self.since
    }

    fn meet(self, other: Span) -> Span {
        Span { since: self.since.max(other.since), until: self.until.min(other.until) }
    }
}

/// Returns the rest of a channel; `None` for one that stays on. `gaps` are in the order of time. `begins` are the times
/// when the first user began the iterations that were learned from, and the one after them.
pub fn rest(channel: ChannelId, gaps: &[Gap], begins: &[Time], care: Care) -> Option<Rest> {
    let last = begins.len().saturating_sub(1);
    let mut iterations = (1..).zip(begins.windows(2)).map(|(number, iteration)| {
        let calls_after = if number == last { 3 } else { 4 };
        spans(gaps, iteration[0], iteration[1], care.overhead, calls_after)
    });
    let first: Vec<Span> = iterations.next()?;
    let others: Vec<Vec<Span>> = iterations.collect();
    // The common part of each gap of the first iteration and all others.
    let left = |gap: Span| {
        others
            .iter()
            .try_fold(gap, |left, spans| spans.iter().map(|&span| left.meet(span)).max_by_key(|span| span.length()))
    };
    let gap = first.into_iter().filter_map(left).max_by_key(|gap| gap.length()).filter(|gap| gap.length() > 0)?;
    let [enter, wake, margin, delay] = [care.enter, care.wake, care.margin, care.delay].map(|time| i128::from(time.0));
    let (off, on) = ((gap.since + margin).max(delay), gap.until - margin - wake);
    // A channel that is not off before it goes on again saves nothing.
    let time = |time: i128| u64::try_from(time).ok().map(Time);
    (off + enter < on).then_some(Rest { channel, off: time(off)?, on: time(on)? })
}

/// Returns the gaps that touch an iteration as they are to be expected under a schedule. Its two calls delay everything
/// in the iteration, and two more delay the next one, less the calls that it has waited for already.
fn spans(gaps: &[Gap], begin: Time, end: Time, overhead: Time, calls_after: i128) -> Vec<Span> {
    let from = gaps.partition_point(|gap| gap.until <= begin);
    let to = gaps.partition_point(|gap| gap.since < end).max(from);
    let span = |gap: &Gap| {
        let after = |time: Time, calls: i128| i128::from(time.0) - i128::from(begin.0) + calls * i128::from(overhead.0);
        Span {
            since: after(gap.since, if gap.since < begin { 0 } else { 2 }),
            until: after(gap.until, if gap.until < end { 2 } else { calls_after }),
        }
    };
    gaps[from..to].iter().map(span).collect()
}

/// What is recorded for a schedule while a job learns.
#[derive(Clone, Debug)]
pub struct Notes {
    /// The first iteration that is learned from.
    first: u32,
    /// By iteration from that one on (one more than are learned from), and by place among the job's nodes: when the
    /// first rank there began it.
    begins: Vec<Vec<Time>>,
}

impl Notes {
    /// Prepares to learn from `learn` iterations from the first on. Without nodes, nothing is recorded.
    pub fn new(first: u32, learn: u32, nodes: usize) -> Self {
        Notes { first, begins: vec![vec![Time::NEVER; nodes]; learn as usize + 1] }
    }

    /// Records that a rank of a node begins an iteration.
    pub fn begin(&mut self, node: usize, number: u32, at: Time) {
        let iteration = number.checked_sub(self.first).and_then(|place| self.begins.get_mut(place as usize));
        if let Some(begin) = iteration.and_then(|begins| begins.get_mut(node)) {
            *begin = at.min(*begin);
        }
    }

    /// Returns when the first of some nodes began each iteration.
    pub fn begins_of(&self, nodes: &[u32]) -> Vec<Time> {
        let first = |begins: &Vec<Time>| nodes.iter().map(|&node| begins[node as usize]).min().unwrap_or(Time::NEVER);
        self.begins.iter().map(first).collect()
    }
}

/// The rests of the channels of a job.
#[derive(Clone, Debug, Default)]
pub struct Schedule {
    rests: Vec<Rest>,
    /// By rest: the iteration after the latest in which it has been commanded.
    commanded: Vec<u32>,
    /// By place among the job's nodes: the rests of the channels that it uses.
    of_node: Vec<Vec<u32>>,
    /// The first iteration that follows the schedule.
    first: u32,
}

impl Schedule {
    /// Creates a schedule of rests, each with the places of the nodes that use its channel, for the iterations from the
    /// first on.
    pub fn new(nodes: usize, first: u32, rests: Vec<(Rest, &[u32])>) -> Self {
        let mut of_node = vec![Vec::new(); nodes];
        for (number, (_, users)) in (0..).zip(&rests) {
            users.iter().for_each(|&user| of_node[user as usize].push(number));
        }
        let rests: Vec<Rest> = rests.into_iter().map(|(rest, _)| rest).collect();
        Schedule { commanded: vec![0; rests.len()], rests, of_node, first }
    }

    /// Returns the rests to be commanded when a rank of a node begins an iteration: those of channels none of whose
    /// users has begun it yet.
    pub fn begin(&mut self, node: usize, number: u32) -> impl Iterator<Item = Rest> {
        let Schedule { rests, commanded, of_node, first } = self;
        let numbers = of_node.get(node).filter(|_| number >= *first).into_iter().flatten();
        numbers.filter_map(move |&rest| {
            let rest = rest as usize;
            let is_new = commanded[rest] <= number;
            commanded[rest] = commanded[rest].max(number + 1);
            is_new.then(|| rests[rest])
        })
    }
}
