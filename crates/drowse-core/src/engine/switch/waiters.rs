//! How long packets wait, and why, where a probe counts it: the area under the number of packets that wait.
//!
//! The packets of an input queue wait for what the first of them waits for. So a queue has one cause at a time, which
//! is noted when the allocator has examined the first packet in vain, and the time of all its packets counts for the
//! channel that the first of them takes in the end. The packets of a NIC wait likewise, from the hand-over of their
//! message on. A packet waits from the clock edge at which it could go on an idle network, so that no lone packet does.
//! Nothing here is compiled into runs without a probe.
//!
//! A packet may be examined more often where the network is partitioned, since an edge then comes before it is known when
//! the next credit will. So an examination at which nothing has changed for the packet itself must not change its cause:
//! not while its read port is in use, and not while its outputs send others.

use crate::measure::waiting::{Cause, Waiting};
use crate::model::units::Time;

use crate::engine::partition::Partition;

use super::layout::Layout;

/// Where packets wait.
#[derive(Clone, Copy, Debug)]
pub enum Waits {
    /// In the input queue at this place.
    AtSwitch(u32),
    /// In the NIC of this node.
    AtNode(u32),
}

impl Waits {
    /// Names an input queue.
    pub fn at_switch(place: u32) -> Self {
        Waits::AtSwitch(place)
    }

    /// Names a NIC.
    pub fn at_node(node: u32) -> Self {
        Waits::AtNode(node)
    }
}

/// The packets that wait in one place.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Waiters {
    pub(super) packets: u64,
    pub(super) cause: Cause,
    /// Waiting is counted up to here.
    counted: u64,
    /// How long they have waited since the last packet went.
    pub(super) waited: Waiting,
}

impl Waiters {
    /// Counts up to time `t`; what lies before time `since` does not count.
    pub(super) fn count(&mut self, t: u64, since: u64) {
        if self.counted < since {
            (self.counted, self.waited) = (since, Waiting::default());
        }
        if self.counted < t {
            self.waited.add(self.cause, Time(t - self.counted), self.packets);
            self.counted = t;
        }
    }
}

/// The packets that wait in all places of a shard; empty where nothing is counted.
#[derive(Debug, Default)]
pub struct AllWaiters {
    queues: usize,
    pub(super) all: Vec<Waiters>,
}

impl AllWaiters {
    /// Makes a place for each input queue and each NIC of a partition, if packets are counted.
    pub fn new(partition: &Partition, layout: &Layout, counts: bool) -> Self {
        let queues = (partition.ports() as usize) << layout.queue_bits;
        let places = queues + partition.nodes() as usize;
        AllWaiters { queues, all: vec![Waiters::default(); if counts { places } else { 0 }] }
    }

    pub(super) fn at(&mut self, place: Waits) -> Option<&mut Waiters> {
        let index = match place {
            Waits::AtSwitch(place) => place as usize,
            Waits::AtNode(node) => self.queues + node as usize,
        };
        self.all.get_mut(index)
    }
}
