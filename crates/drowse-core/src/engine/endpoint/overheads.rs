//! What messages cost ranks and NICs, by the rules of LogGOPSim (Hoefler, Schneider and Lumsdaine 2010).
//!
//! A send begins when the rank's processor is free and its NIC has kept its gap. The message is handed over after o;
//! the processor is busy for O a byte more. A message that has arrived waits for its receiver's processor and NIC,
//! keeps the processor busy, and is received then.

use crate::measure::timeline::RankState;
use crate::measure::{CriticalPath, Waits};
use crate::model::units::Time;

use crate::engine::endpoint::chain::DependencyChain;
use crate::engine::endpoint::fabric::Fabric;
use crate::engine::endpoint::ids::ActivityOf;
use crate::engine::endpoint::message::Message;
use crate::engine::endpoint::processor::Arrival;
use crate::engine::endpoint::rank::{Blocked, PROGRAM, Rank};
use crate::engine::endpoint::ranks::{Ranks, goes_on};
use crate::engine::event::node::{NodeEvent, Phase, later};

impl Ranks {
    /// Returns whether the processor of a rank is free for an activity at time `t`. If not, the activity goes on when the
    /// processor is.
    pub(super) fn is_free<F: Fabric>(
        &mut self,
        fabric: &mut F,
        ActivityOf { number, activity }: ActivityOf,
        t: u64,
    ) -> bool {
        // A send that has begun is not interrupted.
        let sends = self.rank(number).activities[activity as usize].prepared;
        while !sends && self.rank(number).processor.receives_first(t) && self.receive_next(fabric, number, t) {}
        let rank = self.rank(number);
        if rank.processor.busy_until <= t {
            return true;
        }
        rank.put_off(activity, t);
        fabric.events().put_rank(goes_on(rank.processor.busy_until, number, activity), rank.group);
        false
    }

    /// Returns whether an activity may hand over the message of its operation at time `t`: a send of so many bytes to a
    /// rank of its job. If not, the operation comes again when it may.
    pub(super) fn may_send<F: Fabric>(
        &mut self,
        fabric: &mut F,
        ActivityOf { number, activity }: ActivityOf,
        to: u32,
        bytes: u64,
        t: u64,
    ) -> bool {
        let overheads = self.node.overheads;
        let rank = &mut self.ranks[self.positions[number as usize] as usize];
        let within_node = self.nodes[(rank.first_rank + to) as usize] == rank.node;
        if !std::mem::take(&mut rank.activities[activity as usize].prepared) {
            let gap = (!within_node).then(|| &mut self.gaps[self.here.here(rank.node) as usize]);
            if let Some(gap) = gap {
                if gap.sends_at > t {
                    let free_at = gap.sends_at;
                    rank.take_back(activity);
                    rank.waits_for_nic(activity, free_at, t);
                    fabric.events().put_rank(goes_on(free_at, number, activity), rank.group);
                    return false;
                }
                gap.sends_at = later(t, overheads.gap_after(bytes));
            }
            rank.processor.began = t;
            if overheads.message > Time::ZERO {
                rank.take_back(activity);
                rank.activities[activity as usize].prepared = true;
                rank.processor.handle(overheads.message, rank.path(activity), t);
                rank.put_off(activity, t);
                fabric.events().put_rank(goes_on(rank.processor.busy_until, number, activity), rank.group);
                return false;
            }
        }
        rank.processor.handle(overheads.copying(bytes), rank.path(activity), t);
        true
    }

    /// Lets a message with data that has arrived at time `t` wait for its receiver's processor.
    pub(super) fn await_processor<F: Fabric>(&mut self, fabric: &mut F, id: u32, t: u64) {
        let message = &mut fabric.messages()[id];
        message.done_at = u64::MAX;
        let (number, sent) = (message.to_rank, message.created.saturating_sub(self.node.overheads.message.0));
        self.rank(number).processor.arrivals.push_back(Arrival { message: id, sent, at: t });
        self.look_at(fabric, number, t);
    }

    /// Receives what waits for a rank's processor, as far as that is free at time `t`.
    pub(super) fn look<F: Fabric>(&mut self, fabric: &mut F, number: u32, t: u64) {
        let rank = self.rank(number);
        rank.processor.next_look = u64::MAX;
        fabric.events().outstanding.count(rank.group, -1);
        loop {
            let (node, processor) = (self.rank(number).node, &self.rank(number).processor);
            if processor.arrivals.is_empty() {
                return;
            }
            let busy_until = processor.busy_until;
            if busy_until > t {
                return self.look_at(fabric, number, busy_until);
            }
            if !self.receive_next(fabric, number, t) {
                let free_at = self.gaps[self.here.here(node) as usize].receives_at;
                return self.look_at(fabric, number, free_at);
            }
        }
    }

    /// Makes sure that a rank's processor looks at its arrivals by time `t`.
    fn look_at<F: Fabric>(&mut self, fabric: &mut F, number: u32, t: u64) {
        let rank = self.rank(number);
        if t < rank.processor.next_look {
            rank.processor.next_look = t;
            fabric.events().put_rank(NodeEvent::new(t, Phase::Receive, number), rank.group);
        }
    }

    /// Begins to receive the first message that waits for a rank's processor, which is free at time `t`. Returns
    /// whether the NIC allows that.
    fn receive_next<F: Fabric>(&mut self, fabric: &mut F, number: u32, t: u64) -> bool {
        let overheads = self.node.overheads;
        let processor = &mut self.ranks[self.positions[number as usize] as usize].processor;
        let Some(&Arrival { message: id, at, .. }) = processor.arrivals.front() else { return false };
        let &Message { from_node, to_node, bytes, .. } = &fabric.messages()[id];
        let within_node = from_node == to_node;
        if !within_node {
            let gap = &mut self.gaps[self.here.here(to_node) as usize];
            if gap.receives_at > t {
                return false;
            }
            gap.receives_at = later(t, overheads.gap_after(bytes));
        }
        processor.arrivals.pop_front();
        let arrived = fabric.messages().chain_to(id, at);
        let waited = CriticalPath { network: Time(t - at), ..CriticalPath::NOTHING };
        let path = if t > at && processor.busy_until == t { processor.path } else { arrived.path + waited };
        let busy = overheads.receiving(bytes, within_node);
        processor.handle(busy, path, t);
        let path = path + CriticalPath { overhead: busy, ..CriticalPath::NOTHING };
        let message = &mut fabric.messages()[id];
        (message.created, message.done_at, message.slept) = (later(t, busy), later(t, busy), 0);
        (message.handled, message.measured) = (true, false);
        let again = message.event(Phase::Delivered, id);
        fabric.messages().set_chain(id, DependencyChain { path, ..arrived });
        // It arrives for the second time then.
        let group = self.rank(number).group;
        fabric.events().outstanding.count(group, 1);
        if busy == Time::ZERO {
            self.delivered(fabric, id, t);
        } else {
            fabric.events().put_node(again);
        }
        true
    }
}

impl Rank {
    /// Lets an activity that could go on at time `t` wait until the processor is free.
    fn put_off(&mut self, activity: u32, t: u64) {
        let until = self.processor.busy_until;
        self.block(activity, Blocked::Busy);
        self.activities[activity as usize].path = self.processor.path;
        if activity == PROGRAM {
            self.processor.count(until);
            self.times.overhead += Time(until - t);
            self.spends(t, until, RankState::Overhead);
        }
    }

    /// Lets an activity that could send at time `t` wait for its NIC.
    fn waits_for_nic(&mut self, activity: u32, until: u64, t: u64) {
        self.block(activity, Blocked::Busy);
        self.activities[activity as usize].path.network += Time(until - t);
        if activity == PROGRAM {
            self.times.sending += Time(until - t);
            self.times.waits.network += Time(until - t);
            if self.waits.is_some() {
                let causes = Waits { network: Time(until - t), ..Waits::default() };
                self.waits_for_nobody(&(t..until), RankState::Sending, causes);
            }
            self.spends(t, until, RankState::Sending);
        }
    }
}
