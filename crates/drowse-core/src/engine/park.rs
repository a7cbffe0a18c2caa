//! Packets that wait: which outputs they wait for, which sleeping ones they wake, and what ends the wait.
//!
//! A parked packet costs nothing until one of its outputs may have become available: then an alarm lets the allocator look at
//! all that wait for it.

use crate::power::Policy;
use crate::routing::Candidates;

use super::channel::Channel;
use super::fabric::Fabric;
use super::packet::Packet;
use super::wheel::{Alarm, AlarmKind};

impl<P: Policy> Fabric<'_, P> {
    /// Lets a packet wait for those of its outputs that do not sleep, and wakes sleeping ones by the rules of the model.
    ///
    /// Tells whether it has woken one that takes no time to wake.
    pub(super) fn park(&mut self, switch: u32, local: usize, head: u32, candidates: &Candidates, edge: u64) -> bool {
        let t = edge * self.clock;
        let first = self.part.first_port[switch as usize] as usize;
        let runs = || candidates.adaptive().iter().chain(std::iter::once(&candidates.escape));
        let outputs = || runs().flat_map(|run| run.first..run.first + run.count).map(|o| first + usize::from(o));
        let mut on_at_once = false;
        if self.may_sleep {
            let escape = first + usize::from(candidates.escape.first);
            let woken = self.wake_for(switch, local, head, escape, outputs(), edge);
            on_at_once = woken.is_some_and(|channel| self.channels.is_on(channel, t));
        }
        self.packets[head].flags |= Packet::PARKED;
        let bit = local * self.vcs + usize::from(self.packets[head].vc);
        for channel in outputs() {
            if self.may_sleep && self.channels.is_asleep(channel, t) {
                // It goes on sleeping, but should somebody else wake it, this packet may take it too.
                self.waiting[channel * self.words + bit / 64] |= 1 << (bit % 64);
                if !self.sleep_aware {
                    // Asleep or not, it is chosen once it has credits.
                    self.watch(channel, head, edge);
                }
            } else {
                self.wait_for(channel, bit, head, edge);
            }
        }
        on_at_once
    }

    /// Wakes an output for a packet if none of its outputs is on or waking, or if it has waited long enough, and gives it.
    fn wake_for(
        &mut self,
        switch: u32,
        local: usize,
        head: u32,
        escape: usize,
        outputs: impl Iterator<Item = usize>,
        edge: u64,
    ) -> Option<usize> {
        let t = edge * self.clock;
        let (mut some_on, mut some_waking, mut asleep, mut sleepers) = (false, false, None, 0);
        for channel in outputs {
            if self.channels.is_on(channel, t) {
                some_on = true;
            } else if self.channels.is_waking(channel, t) {
                some_waking = true;
            } else {
                asleep = asleep.or(Some(channel));
                sleepers += 1;
            }
        }
        if !some_on {
            self.packets[head].flags |= Packet::DELAYED;
        }
        let to_wake = if !some_on && !some_waking {
            Some(escape)
        } else if sleepers > 0 && self.waited(head, escape, t) {
            asleep
        } else {
            None
        };
        if let Some(channel) = to_wake {
            self.channels.wake(channel, t);
            sleepers -= 1;
        }
        if sleepers > 0 {
            self.patience_alarm(switch, local, head, escape, t);
        }
        to_wake
    }

    /// Tells whether a packet has waited so long that it may request one more sleeping output, and starts a new wait.
    fn waited(&mut self, head: u32, escape: usize, t: u64) -> bool {
        let patience = self.channels.class(escape).wake_after;
        let packet = &mut self.packets[head];
        if packet.wait_since != u64::MAX && t >= packet.wait_since.saturating_add(patience) {
            packet.wait_since = t;
            return true;
        }
        false
    }

    /// Makes sure that a packet that waits while some of its outputs sleep is looked at when its patience ends.
    fn patience_alarm(&mut self, switch: u32, local: usize, head: u32, escape: usize, t: u64) {
        let patience = self.channels.class(escape).wake_after;
        let packet = &mut self.packets[head];
        if packet.wait_since == u64::MAX {
            packet.wait_since = t;
        }
        if packet.wait_since == t {
            let vc = packet.vc;
            // A patience beyond all time needs no alarm.
            let Some(end) = t.checked_add(patience).filter(|&end| end < u64::MAX - self.clock) else { return };
            let bucket = self.edge_after(end);
            self.wheel.put_alarm(bucket, Alarm { switch, local: local as u16, vc, kind: AlarmKind::Packet });
        }
    }

    /// Lets a packet wait for one output that sleeps or wakes, and wakes it; tells whether that took no time.
    pub(super) fn wait_for_wake(&mut self, channel: usize, local: usize, head: u32, edge: u64) -> bool {
        let t = edge * self.clock;
        self.packets[head].flags |= Packet::PARKED | Packet::DELAYED;
        let bit = local * self.vcs + usize::from(self.packets[head].vc);
        if !self.channels.is_waking(channel, t) {
            self.channels.wake(channel, t);
        }
        self.wait_for(channel, bit, head, edge);
        self.channels.is_on(channel, t)
    }

    /// Marks an input queue as waiting for an output, and sets the alarm for when the output may be available.
    fn wait_for(&mut self, channel: usize, bit: usize, head: u32, edge: u64) {
        self.waiting[channel * self.words + bit / 64] |= 1 << (bit % 64);
        self.channels.end_idle(channel, edge * self.clock);
        self.watch(channel, head, edge);
    }

    /// Sets the alarm for when an output may be available to a packet.
    fn watch(&mut self, channel: usize, head: u32, edge: u64) {
        if self.may_underrun {
            let from = self.edge_freeing(self.underrun_bound(channel, &self.packets[head]));
            if from > edge {
                return self.output_alarm(channel, from);
            }
        }
        let hot = &self.channels.hot[channel];
        let available = self.edge_freeing(hot.free_at).max(self.edge_after(hot.awake_at));
        if available > edge {
            self.output_alarm(channel, available);
        } else if let Some(at) = self.channels.next_credit(channel) {
            let edge_of_credit = self.edge_after(at).max(edge + 1);
            self.output_alarm(channel, edge_of_credit);
        } else {
            self.channels.hot[channel].flags |= Channel::WANTS_CREDIT;
        }
    }

    /// Takes an input queue out of all waiting masks of the switch; outputs for which nobody waits any more are idle.
    pub(super) fn unpark(&mut self, switch: u32, bit: usize, granted: usize, t: u64) {
        let ports = self.part.first_port[switch as usize] as usize..self.part.first_port[switch as usize + 1] as usize;
        for channel in ports {
            let mask = &mut self.waiting[channel * self.words..][..self.words];
            if mask[bit / 64] & (1 << (bit % 64)) != 0 {
                mask[bit / 64] &= !(1 << (bit % 64));
                if channel != granted && mask.iter().all(|&w| w == 0) {
                    self.channels.begin_idle(channel, t);
                }
            }
        }
    }
}
