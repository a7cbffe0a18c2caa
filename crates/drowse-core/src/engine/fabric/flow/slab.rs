//! The flows of a run, in a slab that keeps the room of their lists.

use super::level::{Level, Step};
use super::places::Place;
use super::turns::Queue;

/// Stands for the place of a flow that moves nothing at present among those whose rates are solved.
pub const REST: u32 = u32::MAX;

/// A message that has begun to leave its NIC.
#[derive(Debug, Default)]
pub struct Flow {
    /// The message.
    pub message: u32,
    /// The node that sends it.
    pub node: u32,
    /// The hash by which it takes one path, where flows do.
    pub hash: u32,
    /// How long it is, as a volume.
    pub volume: u128,
    /// What has not passed the channels of the level `pivot`.
    pub left: u128,
    /// When that was so.
    pub counted: u64,
    /// How fast it moves.
    pub rate: u64,
    /// How fast it would move alone.
    pub alone: u64,
    /// How long it has moved more slowly than that.
    pub shared: u64,
    /// How long its head has waited behind others.
    pub behind: u64,
    /// When its NIC began it.
    pub begun: u64,
    /// Its place among those whose rates are solved, or [`REST`].
    pub slot: u32,
    /// As which of all it began.
    pub number: u32,
    /// Counts the changes of its rate.
    pub version: u32,
    /// The level at which its head has waited last, or the first.
    pub pivot: u16,
    /// The level that its head asks for.
    pub stage: u16,
    /// Levels that its last bit has passed, or has a time for.
    pub gone: u16,
    /// When the head came to the level that it asks for.
    pub came: u64,
    /// When it first asked for that level; [`u64::MAX`] before it has.
    pub asked: u64,
    /// When its last bit passed the level `pivot`; [`u64::MAX`] before it has.
    pub ended: u64,
    /// When its last bit passes the last of the levels that are `gone`.
    pub tail: u64,
    /// By how much later it passes channels because others have passed some of these at more than their bandwidth.
    pub shift: u64,
    /// Its packets, were it sent in packets.
    pub packets: u64,
    /// Their flits.
    pub flits: u64,
    /// How long its head has waited for channels to wake.
    pub slept: u64,
    /// By how much later it leaves its NIC because of that.
    pub leaving_delay: u64,
    /// Its head waits, or has waited, for the level that it asks for, and nothing moves beyond.
    pub held: bool,
    /// Since when it has waited behind the head of another; [`u64::MAX`] where it does not.
    pub behind_since: u64,
    /// How long it has waited so at its level.
    pub waited_behind: u64,
    /// Which of the virtual channels its packets would take.
    pub lane: u32,
    /// Its parts may come by a channel after unequal numbers of hops.
    pub mixed: bool,
    /// How many channels on a minimal route may sleep.
    pub hops: u8,
    /// Its levels, the NIC's channel first.
    pub levels: Vec<Level>,
    /// The channels of all levels.
    pub steps: Vec<Step>,
    /// From which parts, and where, each level was laid; empty where heads do not choose when they come.
    pub places: Vec<Place>,
    /// Where input queues look first once its head has gone by.
    pub turned: Vec<(Queue, u16)>,
    /// The channel for which its head waits, and how many bytes come to wait there.
    pub queued: (u32, u64),
    /// Its route has become another since its links were shared.
    pub rerouted: bool,
}

impl Flow {
    /// Forgets all but its version, and keeps the room of its lists.
    pub fn clear(&mut self) {
        let Flow { version, levels, steps, places, turned, .. } = std::mem::take(self);
        *self = Flow { version, levels, steps, places, turned, ..Flow::default() };
        self.levels.clear();
        self.steps.clear();
        self.places.clear();
        self.turned.clear();
    }

    /// Returns the channels of a level.
    #[inline]
    pub fn steps_of(&self, level: usize) -> std::ops::Range<usize> {
        let first = if level == 0 { 0 } else { self.levels[level - 1].end };
        first as usize..self.levels[level].end as usize
    }

    /// Counts what has moved by time `t`.
    #[inline]
    pub fn count(&mut self, t: u64) {
        let moved = super::volume::moved(self.rate, t - self.counted);
        self.left = self.left.saturating_sub(moved);
        if self.rate > 0 && self.rate < self.alone {
            self.shared += t - self.counted;
        }
        self.counted = t;
    }

    /// Returns the volume that finds room behind a level while the head waits at a later one.
    pub fn room(&self, level: usize, waits_at: usize) -> u128 {
        super::volume::of_bytes(self.levels[level..waits_at].iter().map(|level| level.room).sum())
    }

    /// Returns how fast it may go alone by the levels from the first to one.
    pub fn rate_until(&self, level: usize) -> u64 {
        self.levels[..=level].iter().map(|level| level.rate).min().unwrap_or(0)
    }

    /// Returns the rate at which credits come back, where it is longer than the room behind some channel.
    pub fn returns(&self) -> Option<u64> {
        let limits = |level: &&Level| super::volume::of_bytes(level.room) < self.volume;
        let levels = &self.levels[..self.levels.len() - 1];
        levels.iter().filter(limits).map(|level| level.returns).min()
    }

    /// Returns how fast it moves alone.
    pub fn slowest(&self) -> u64 {
        self.rate_until(self.levels.len() - 1).min(self.returns().unwrap_or(u64::MAX))
    }

    /// Returns what is left at the level `pivot` when the last bit passes the first level that it has not passed.
    #[inline]
    pub fn threshold(&self) -> u128 {
        if self.gone < self.pivot { self.room(self.gone.into(), self.pivot.into()).min(self.volume) } else { 0 }
    }
}

/// All flows.
#[derive(Debug, Default)]
pub struct FlowSlab {
    flows: Vec<Flow>,
    free: Vec<u32>,
}

impl FlowSlab {
    /// Adds a flow of which nothing is known; its lists are empty.
    pub fn insert(&mut self) -> u32 {
        let Some(id) = self.free.pop() else {
            self.flows.push(Flow::default());
            return self.flows.len() as u32 - 1;
        };
        let flow = &mut self.flows[id as usize];
        // What was planned for the flow that had the number before must not be taken for its own.
        flow.version = flow.version.wrapping_add(1);
        flow.clear();
        id
    }

    /// Removes a flow.
    pub fn remove(&mut self, id: u32) {
        let flow = &mut self.flows[id as usize];
        flow.version = flow.version.wrapping_add(1);
        flow.levels.clear();
        self.free.push(id);
    }

    /// Returns the flows that there are.
    pub fn iter(&self) -> impl Iterator<Item = &Flow> {
        self.flows.iter().filter(|flow| !flow.levels.is_empty())
    }

    /// Returns the number after the last that a flow may have.
    pub fn ids(&self) -> u32 {
        self.flows.len() as u32
    }

    /// Returns how many there are.
    pub fn live(&self) -> usize {
        self.flows.len() - self.free.len()
    }
}

impl std::ops::Index<u32> for FlowSlab {
    type Output = Flow;
    #[inline]
    fn index(&self, id: u32) -> &Flow {
        &self.flows[id as usize]
    }
}

impl std::ops::IndexMut<u32> for FlowSlab {
    #[inline]
    fn index_mut(&mut self, id: u32) -> &mut Flow {
        &mut self.flows[id as usize]
    }
}
