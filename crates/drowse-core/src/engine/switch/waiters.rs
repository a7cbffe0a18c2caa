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

use std::ops::Range;

use crate::measure::waiting::{Cause, Sending, Waiting};
use crate::model::units::Time;
use crate::power::Policy;
use crate::routing::{Candidates, PortGroup};

use crate::engine::partition::Partition;

use super::layout::Layout;
use super::request::Head;
use super::switches::Switches;

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
struct Waiters {
    packets: u64,
    cause: Cause,
    /// Waiting is counted up to here.
    counted: u64,
    /// How long they have waited since the last packet went.
    waited: Waiting,
}

impl Waiters {
    /// Counts up to time `t`; what lies before time `since` does not count.
    fn count(&mut self, t: u64, since: u64) {
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
    all: Vec<Waiters>,
}

impl AllWaiters {
    /// Makes a place for each input queue and each NIC of a partition, if packets are counted.
    pub fn new(partition: &Partition, layout: &Layout, counts: bool) -> Self {
        let queues = (partition.ports() as usize) << layout.queue_bits;
        let places = queues + partition.nodes() as usize;
        AllWaiters { queues, all: vec![Waiters::default(); if counts { places } else { 0 }] }
    }

    fn at(&mut self, place: Waits) -> Option<&mut Waiters> {
        let index = match place {
            Waits::AtSwitch(place) => place as usize,
            Waits::AtNode(node) => self.queues + node as usize,
        };
        self.all.get_mut(index)
    }
}

impl<P: Policy> Switches<'_, P> {
    /// Adds packets that wait from time `t` on.
    pub fn join(&mut self, place: Waits, packets: u64, t: u64) {
        let since = self.links.since;
        if let Some(waiters) = self.waiters.at(place) {
            waiters.count(t, since);
            waiters.packets += packets;
        }
    }

    /// Notes why packets wait from time `t` on.
    pub fn waits_for(&mut self, place: Waits, cause: Cause, t: u64) {
        let since = self.links.since;
        if let Some(waiters) = self.waiters.at(place) {
            waiters.count(t, since);
            waiters.cause = cause;
        }
    }

    /// Notes why the packets of a NIC wait from time `t` on.
    #[inline(always)]
    pub fn nic_waits(&mut self, node: u32, cause: Cause, t: u64) {
        if P::PROBES {
            self.waits_for(Waits::at_node(node), cause, t);
        }
    }

    /// Notes why a head waits that the allocator has examined. One that has selected an output may still lose it to
    /// another packet.
    pub fn note_selection(&mut self, candidates: &Candidates, head: &Head, selected: bool) {
        if self.waiters.all.is_empty() {
            return;
        }
        let cause = if selected { Some(Cause::Busy) } else { self.why(candidates, head) };
        if let Some(cause) = cause {
            self.waits_for(Waits::at_switch(head.place), cause, self.events.now.time);
        }
    }

    /// Returns why a head finds no output; `None` where that is as before.
    fn why(&self, candidates: &Candidates, head: &Head) -> Option<Cause> {
        let (t, packet) = (self.events.now.time, &self.buffers.packets[head.id]);
        let kept = self.buffers.chosen.get(head.place as usize).copied().flatten();
        let (mut some_on, mut some_free) = (false, false);
        let mut look = |(output, vcs): (u16, u8)| {
            let channel = head.first as usize + usize::from(output);
            if self.links.is_on(channel, t) {
                some_on = true;
                let ways = self.links.ways.free_before(channel, self.events.now.next);
                some_free |= (ways == u8::MAX || ways & vcs != 0) && self.is_free(channel, packet);
            }
        };
        let only = [head.group];
        let groups = || candidates.adaptive().iter().chain(std::iter::once(&candidates.escape));
        let outputs = |group: &PortGroup| (group.first..group.first + group.count).zip(std::iter::repeat(group.vcs));
        if let Some((output, vc)) = kept {
            look((output, 1 << vc));
        } else if head.group.count > 0 {
            only.iter().flat_map(outputs).for_each(look);
        } else {
            groups().flat_map(outputs).for_each(look);
        }
        let before = self.waiters.all[head.place as usize].cause;
        match (some_on, some_free) {
            (false, _) => Some(Cause::Asleep),
            (true, true) => Some(Cause::NoCredit),
            (true, false) => (before == Cause::Asleep).then_some(Cause::Busy),
        }
    }

    /// Counts a packet that leaves its input queue by a channel. Its head came at time `came_at`, and may not go before
    /// time `bound` even on an idle network.
    pub fn leave_switch(&mut self, place: u32, channel: usize, came_at: u64, bound: u64, sent: Range<u64>) {
        let clock = self.events.clock;
        let edge = clock.edge(clock.first_from(came_at)).time;
        let idle = bound.min(sent.start).saturating_sub(edge);
        // What waits for room in the queues of an output waits for its link, which sends it later.
        let (channel, sent) = if self.partition.crosses(channel) {
            (self.partition.link(channel as u32) as usize, sent.start..sent.start)
        } else {
            (channel, sent)
        };
        self.leave(Waits::at_switch(place), channel, Time(idle), sent);
    }

    /// Counts a packet that leaves its NIC.
    pub fn leave_node(&mut self, node: u32, channel: usize, sent: Range<u64>) {
        self.leave(Waits::at_node(node), channel, Time::ZERO, sent);
    }

    fn leave(&mut self, place: Waits, channel: usize, idle: Time, sent: Range<u64>) {
        let since = self.links.since;
        let Some(waiters) = self.waiters.at(place) else { return };
        waiters.count(sent.start, since);
        waiters.packets -= 1;
        waiters.cause = Cause::Busy;
        let mut waited = std::mem::take(&mut waiters.waited);
        waited.take_off(idle);
        let narrow = self.links.hot[channel].narrow;
        let sending = Sending { time: Time(sent.start)..Time(sent.end), narrow, waited };
        self.links.policy.sends(&mut self.links.accounts[channel].policy, &sending);
    }
}
