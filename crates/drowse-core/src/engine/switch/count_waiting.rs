//! Counts how long packets wait, and why: [`AllWaiters`](super::waiters::AllWaiters) says how.

use std::ops::Range;

use crate::measure::waiting::{Cause, Sending};
use crate::model::units::Time;
use crate::power::Policy;
use crate::routing::{Candidates, PortGroup};

use super::request::Head;
use super::switches::Switches;
use super::waiters::Waits;

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
                let paths = self.links.crossbar_paths.free_before(channel, self.events.now.next);
                some_free |= (paths == u8::MAX || paths & vcs != 0) && self.is_free(channel, packet);
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
