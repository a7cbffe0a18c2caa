//! Progressive filling: finds the rates of some flows, the lowest level first, while all others keep theirs.

use std::cmp::Ordering;
use std::collections::BinaryHeap;

use crate::level::Level;
use crate::traffic::{Link, NONE, Traffic};

/// How often a link is looked at to find where it acts.
const PASSES: usize = 4;

/// What limits flows next: a link, or the cap of a flow.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Limit {
    Link(u32),
    Cap(u32),
}

/// A limit with its level; the lowest is the greatest of a heap.
#[derive(Clone, Copy, Debug)]
struct Next {
    level: Level,
    limit: Limit,
}

impl Ord for Next {
    fn cmp(&self, other: &Self) -> Ordering {
        other.level.cmp(&self.level)
    }
}

impl PartialOrd for Next {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for Next {
    fn eq(&self, other: &Self) -> bool {
        self.level == other.level
    }
}

impl Eq for Next {}

/// Fills in rates; keeps its buffers.
#[derive(Clone, Debug, Default)]
pub struct Filling {
    heap: BinaryHeap<Next>,
    /// The limits of the lowest level.
    lowest: Vec<Limit>,
    /// The flows that have no rate, and the links they are on.
    open: Vec<u32>,
    links: Vec<u32>,
    /// The flows that have got rates, in rising order of their levels.
    frozen: Vec<u32>,
    /// How many of them had rates before the last call of [`Filling::fill`].
    kept: usize,
    /// How many flows have no rate.
    waiting: usize,
    round: u64,
}

impl Filling {
    /// Forgets the flows of another solve.
    pub fn begin(&mut self) {
        self.frozen.clear();
        self.kept = 0;
    }

    /// Takes a flow's rate away. Its links know what they have left.
    pub fn open(&mut self, traffic: &mut Traffic, id: u32) {
        let flow = &mut traffic.flows[id as usize];
        flow.is_open = true;
        self.open.push(id);
        if flow.bottleneck != NONE {
            traffic.links[flow.bottleneck as usize].decides -= 1;
        }
        for step in &traffic.paths[id as usize] {
            let link = &mut traffic.links[step.link as usize];
            if link.weight == 0 {
                self.links.push(step.link);
            }
            link.left += (u64::from(step.share) * flow.rate).cast_signed();
            link.weight += u64::from(step.share) * u64::from(flow.weight);
        }
    }

    /// Finds the rates of the open flows, and anew of those that have got rates in this solve where open flows may
    /// change them.
    ///
    /// All limits of one level act together, before anything is subtracted: which comes first would else decide which
    /// flow gets a unit that rounding leaves. What rounding leaves only raises levels, so those still to come are
    /// higher.
    pub fn fill(&mut self, traffic: &mut Traffic) {
        self.reopen(traffic);
        self.start(traffic);
        while self.waiting > 0
            && let Some(level) = self.next_level(traffic)
        {
            for index in 0..self.lowest.len() {
                match self.lowest[index] {
                    Limit::Cap(flow) => self.freeze(traffic, flow, level, NONE),
                    Limit::Link(link) => {
                        for place in 0..traffic.links[link as usize].members.len() {
                            let flow = traffic.links[link as usize].members[place].flow;
                            self.freeze(traffic, flow, level, link);
                        }
                    }
                }
            }
        }
        self.heap.clear();
    }

    /// Returns the flows to which the last call of [`Filling::fill`] has given rates.
    pub fn filled(&self) -> &[u32] {
        &self.frozen[self.kept..]
    }

    /// Opens the flows from the lowest level on at which a link of an open flow acts, or a cap of one.
    ///
    /// Below that level, filling would do again what it has done.
    fn reopen(&mut self, traffic: &mut Traffic) {
        self.round += 1;
        let mut lowest: Option<Level> = None;
        if !self.frozen.is_empty() {
            for &id in &self.open {
                let flow = &traffic.flows[id as usize];
                if flow.cap < u64::MAX {
                    lower(&mut lowest, Level { rest: flow.cap, weight: u64::from(flow.weight) });
                }
                for step in &traffic.paths[id as usize] {
                    if traffic.links[step.link as usize].reached != self.round {
                        traffic.links[step.link as usize].reached = self.round;
                        lower(&mut lowest, acts_at(traffic, step.link, flow.taken));
                    }
                }
            }
        }
        while let Some(&id) = self.frozen.last() {
            if lowest.is_none_or(|level| traffic.flows[id as usize].level < level) {
                break;
            }
            self.frozen.pop();
            self.open(traffic, id);
        }
        self.kept = self.frozen.len();
    }

    /// Collects what limits the open flows.
    fn start(&mut self, traffic: &mut Traffic) {
        self.waiting = self.open.len();
        while let Some(link) = self.links.pop() {
            self.heap.push(Next { level: level(&traffic.links[link as usize]), limit: Limit::Link(link) });
        }
        while let Some(id) = self.open.pop() {
            let flow = &traffic.flows[id as usize];
            if flow.cap < u64::MAX {
                let level = Level { rest: flow.cap, weight: u64::from(flow.weight) };
                self.heap.push(Next { level, limit: Limit::Cap(id) });
            } else if traffic.paths[id as usize].is_empty() {
                self.freeze(traffic, id, Level::UNLIMITED, NONE);
            }
        }
    }

    /// Collects the limits of the lowest level. Levels only rise, so one that has risen meanwhile goes back.
    fn next_level(&mut self, traffic: &Traffic) -> Option<Level> {
        self.lowest.clear();
        let mut lowest: Option<Level> = None;
        while let Some(next) = self.heap.peek() {
            if lowest.is_some_and(|level| next.level != level) {
                break;
            }
            let Some(Next { level: seen, limit }) = self.heap.pop() else { break };
            let now = match limit {
                Limit::Cap(flow) if traffic.flows[flow as usize].is_open => seen,
                Limit::Link(link) if traffic.links[link as usize].weight > 0 => level(&traffic.links[link as usize]),
                _ => continue,
            };
            if now == seen {
                lowest = Some(now);
                self.lowest.push(limit);
            } else {
                self.heap.push(Next { level: now, limit });
            }
        }
        lowest
    }

    /// Sets the rate of a flow that has none yet.
    fn freeze(&mut self, traffic: &mut Traffic, id: u32, level: Level, bottleneck: u32) {
        let flow = &mut traffic.flows[id as usize];
        if !flow.is_open {
            return;
        }
        flow.is_open = false;
        flow.level = level;
        flow.bottleneck = bottleneck;
        flow.rate = level.rate(flow.weight);
        self.frozen.push(id);
        self.waiting -= 1;
        if bottleneck != NONE {
            traffic.links[bottleneck as usize].decides += 1;
        }
        for step in &traffic.paths[id as usize] {
            let link = &mut traffic.links[step.link as usize];
            link.left -= (u64::from(step.share) * flow.rate).cast_signed();
            link.weight -= u64::from(step.share) * u64::from(flow.weight);
        }
    }
}

/// Returns the level of a link on which flows wait for a rate.
fn level(link: &Link) -> Level {
    Level { rest: link.left.max(0).cast_unsigned(), weight: link.weight }
}

/// Lowers a level to another.
fn lower(lowest: &mut Option<Level>, level: Level) {
    if lowest.is_none_or(|lowest| level < lowest) {
        *lowest = Some(level);
    }
}

/// Returns a level below which a link does not act, now that flows on it are open: neither where it would act, nor
/// where it has decided a rate in this solve.
fn acts_at(traffic: &Traffic, link: u32, epoch: u64) -> Level {
    let place = &traffic.links[link as usize];
    let mut acts = Level::ZERO;
    let mut decided: Option<Level> = None;
    // Each pass takes off the flows that are frozen below what the pass before found. Any pass is a lower bound.
    for _ in 0..PASSES {
        let (mut left, mut weight) = (place.left, place.weight);
        for member in &place.members {
            let flow = &traffic.flows[member.flow as usize];
            if flow.taken != epoch || flow.is_open {
                continue;
            }
            if flow.bottleneck == link {
                lower(&mut decided, flow.level);
            }
            if flow.level >= acts {
                let share = u64::from(traffic.step(*member).share);
                left += (share * flow.rate).cast_signed();
                weight += share * u64::from(flow.weight);
            }
        }
        let found = Level { rest: left.max(0).cast_unsigned(), weight };
        if found == acts {
            break;
        }
        acts = found;
    }
    decided.filter(|level| *level < acts).unwrap_or(acts)
}
