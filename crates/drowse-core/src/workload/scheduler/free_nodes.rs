//! Nodes without a job: for how long, and whether they are off.

use std::ops::Range;

use serde::{Deserialize, Serialize};

use crate::model::ids::NodeId;
use crate::model::units::Time;

/// Turns nodes off that have no job.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Suspend {
    /// After how long without one.
    pub after: Time,
    /// How long a node takes to be on again; a job starts that much later on nodes of which one is off.
    pub resume: Time,
}

/// How long nodes were without a job, summed over them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct FreeTimes {
    /// On, in picoseconds.
    pub on: u128,
    /// Off, in picoseconds.
    pub off: u128,
    /// How often a node was turned on.
    pub resumes: u64,
    /// Whether nodes are turned off.
    pub suspends: bool,
}

/// A time in which some nodes were without a job.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FreePeriod {
    /// How many.
    pub nodes: u32,
    /// When they were on: before they were turned off, and since they were turned on again.
    pub on: [Range<Time>; 2],
    /// When they were off.
    pub off: Range<Time>,
}

impl FreePeriod {
    /// Describes a time without a job, in which the nodes were on for some time, then off for some time.
    fn new(nodes: u32, Range { start, end }: Range<Time>, on: Time, off: Time) -> Self {
        let turned_off = start.saturating_add(on).min(end);
        let turned_on = if off > Time::ZERO { turned_off.saturating_add(off).min(end) } else { turned_off };
        FreePeriod { nodes, on: [start..turned_off, turned_on..end], off: turned_off..turned_on }
    }
}

/// The nodes of a machine, as far as they have no job.
#[derive(Clone, Debug)]
pub struct FreeNodes {
    suspend: Option<Suspend>,
    /// Nodes are on in time for jobs whose starts are known.
    ahead: bool,
    /// By node: the cores or nodes that jobs hold, and since when there are none.
    held: Vec<(u32, Time)>,
    times: FreeTimes,
    /// Times without a job that have ended: of so many nodes at once, from one time to another.
    ended: Vec<(u32, Range<Time>)>,
}

impl FreeNodes {
    /// Begins with so many nodes that are on, and have no job; `ahead` of starts that are known they are on again.
    pub fn new(nodes: u32, suspend: Option<Suspend>, ahead: bool) -> Self {
        let times = FreeTimes { suspends: suspend.is_some(), ..FreeTimes::default() };
        FreeNodes { suspend, ahead, held: vec![(0, Time::ZERO); nodes as usize], times, ended: Vec::new() }
    }

    /// Returns for how long a node has been off that has had no job for a time.
    fn off(&self, free: Time) -> Time {
        let Some(Suspend { after, resume }) = self.suspend else { return Time::ZERO };
        free.saturating_sub(after).saturating_sub(if self.ahead { resume } else { Time::ZERO })
    }

    /// Returns how much later a job starts on these nodes than at a time.
    pub fn delay(&self, nodes: &[NodeId], now: Time) -> Time {
        let is_off = |node: &NodeId| {
            let (held, since) = self.held[node.index()];
            held == 0 && self.off(now.saturating_sub(since)) > Time::ZERO
        };
        match self.suspend {
            Some(Suspend { resume, .. }) if !self.ahead && nodes.iter().any(is_off) => resume,
            _ => Time::ZERO,
        }
    }

    /// Takes nodes for a job, one of them as often as it gets cores of it.
    pub fn take(&mut self, nodes: &[NodeId], now: Time) {
        for node in nodes {
            let (held, since) = &mut self.held[node.index()];
            *held += 1;
            if *held == 1 {
                let since = *since;
                self.count(now.saturating_sub(since));
                match self.ended.last_mut() {
                    Some((nodes, ended)) if *ended == (since..now) => *nodes += 1,
                    _ => self.ended.push((1, since..now)),
                }
            }
        }
    }

    /// Takes nodes back.
    pub fn give_back(&mut self, nodes: &[NodeId], now: Time) {
        for node in nodes {
            let (held, since) = &mut self.held[node.index()];
            *held = held.saturating_sub(1);
            *since = now;
        }
    }

    /// Counts a time in which a node has had no job, and that it has one now.
    fn count(&mut self, free: Time) {
        let off = self.off(free);
        self.times.add(free, off);
        self.times.resumes += u64::from(off > Time::ZERO);
    }

    /// Returns the times until the end of a run. What is off then is not turned on again.
    pub fn until(&self, end: Time) -> FreeTimes {
        let mut times = self.times;
        let free = self.held.iter().filter(|&&(held, since)| held == 0 && since < end);
        for free in free.map(|&(_, since)| end.saturating_sub(since)) {
            times.add(free, self.suspend.map_or(Time::ZERO, |suspend| free.saturating_sub(suspend.after)));
        }
        times
    }
}

impl FreeNodes {
    /// Returns the times without a job until the end of a run, which are those of [`FreeNodes::until`].
    pub fn periods(&self, end: Time) -> impl Iterator<Item = FreePeriod> {
        let after = self.suspend.map_or(Time::NEVER, |suspend| suspend.after);
        let ended = self.ended.iter().map(move |(nodes, ended)| {
            let off = self.off(ended.end.saturating_sub(ended.start));
            FreePeriod::new(*nodes, ended.clone(), after, off)
        });
        let free = self.held.iter().filter(move |&&(held, since)| held == 0 && since < end);
        ended.chain(free.map(move |&(_, since)| {
            let off = end.saturating_sub(since).saturating_sub(after);
            FreePeriod::new(1, since..end, after, off)
        }))
    }
}

impl FreeTimes {
    /// Adds a time without a job, in part of which the node was off.
    fn add(&mut self, free: Time, off: Time) {
        self.on += u128::from(free.saturating_sub(off).0);
        self.off += u128::from(off.0);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Two nodes, off after 10, on again after 3: one has jobs from 4 to 6 and from 30 to 40, the other none.
    #[test]
    fn times_by_hand() {
        let suspend = Some(Suspend { after: Time(10), resume: Time(3) });
        let node = [NodeId(0)];
        let mut nodes = FreeNodes::new(2, suspend, false);
        assert_eq!(nodes.delay(&node, Time(4)), Time::ZERO);
        nodes.take(&node, Time(4));
        nodes.give_back(&node, Time(6));
        assert_eq!([nodes.delay(&node, Time(16)), nodes.delay(&node, Time(17))], [Time::ZERO, Time(3)]);
        nodes.take(&node, Time(30));
        nodes.give_back(&node, Time(40));
        // 4 + 10 + 5 on, 14 off; the other 10 on, 35 off.
        let times = FreeTimes { on: 29, off: 49, resumes: 1, suspends: true };
        assert_eq!(nodes.until(Time(45)), times);
        let length = |range: &Range<Time>| range.end.0 - range.start.0;
        let periods: Vec<FreePeriod> = nodes.periods(Time(45)).collect();
        assert_eq!(periods.iter().map(|free| length(&free.off)).sum::<u64>(), 49);
        assert_eq!(periods.iter().flat_map(|free| &free.on).map(length).sum::<u64>(), 29);
        // Where starts are known, the node is on again at 30.
        let mut ahead = FreeNodes::new(1, suspend, true);
        ahead.take(&node, Time(30));
        assert_eq!(
            (ahead.delay(&node, Time(30)), ahead.until(Time(30))),
            (Time::ZERO, FreeTimes { on: 13, off: 17, ..times })
        );
    }
}
