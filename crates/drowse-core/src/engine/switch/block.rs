//! Packets that wait: which outputs they wait for, which sleeping ones they wake, and what ends the wait.
//!
//! A blocked packet costs nothing until one of its outputs may have become available. Then a wakeup makes the allocator
//! examine all packets that wait for that output.

use crate::model::config::{SleepRules, SleepSelection};
use crate::power::Policy;
use crate::routing::Candidates;

use crate::engine::event::queue::{Wakeup, WakeupKind};
use crate::engine::link::channel::Channel;
use crate::engine::switch::buffers::Queue;
use crate::engine::switch::request::Head;
use crate::engine::switch::rules::Speeds;
use crate::engine::switch::switches::Switches;

impl<P: Policy> Switches<'_, P> {
    /// Blocks a packet on those of its outputs that do not sleep, and wakes sleeping ones by the rules of the model.
    pub fn block(&mut self, candidates: &Candidates, head: &Head) {
        let t = self.events.now.time;
        let first = head.first as usize;
        if self.rules.may_sleep {
            match self.all_that_it_may_wake(head) {
                Some(all) => self.wake_for(head, &all),
                None => self.wake_for(head, candidates),
            }
        }
        self.buffers.queues[head.place as usize].flags |= Queue::BLOCKED | Queue::WAITS_FOR_ALL;
        for channel in candidates.outputs().map(|output| first + usize::from(output)) {
            if self.rules.may_sleep && self.links.is_asleep(channel, t) {
                // It stays asleep. If another packet wakes it, this one may take it, too.
                self.set_waiting(channel, head.bit);
                if self.links.is_coalescing(channel) {
                    self.request_asleep(channel);
                }
                if !self.rules.choice.sleep_aware() {
                    // Asleep or not, it is chosen once it has credits.
                    self.watch(channel, head);
                }
            } else {
                self.wait_for(channel, head);
            }
        }
    }

    /// Wakes an output for a packet if none of its outputs is on or waking, if it has waited long enough, or if the
    /// wait for these outputs is long compared with a wake. A packet compares once, when it first finds no output: each
    /// packet that goes brings another to the head of its queue, which compares anew.
    fn wake_for(&mut self, head: &Head, candidates: &Candidates) {
        let (t, first) = (self.events.now.time, head.first as usize);
        let escape = first + usize::from(candidates.escape.first);
        let compares = self.rules.choice.selection == SleepSelection::LeastDelay && {
            let queue = &mut self.buffers.queues[head.place as usize];
            let first = !queue.has(Queue::COMPARED);
            queue.flags |= Queue::COMPARED;
            first
        };
        let (mut some_on, mut some_waking, mut asleep, mut sleepers) = (false, false, None, 0);
        for channel in candidates.outputs().map(|output| first + usize::from(output)) {
            if self.links.is_on(channel, t) {
                some_on = true;
            } else if self.links.is_waking(channel, t) || self.links.is_coalescing(channel) {
                some_waking = true;
            } else if !self.links.hot[channel].has(Channel::GOVERNED) {
                asleep = asleep.or(Some(channel));
                sleepers += 1;
            }
        }
        if !some_on {
            self.buffers.queues[head.place as usize].flags |= Queue::DELAYED;
        }
        let to_wake = if !some_on && !some_waking {
            // Where the other ends of links have woken all that it had requested, its patience begins anew.
            self.buffers.queues[head.place as usize].flags &= !Queue::WAITS;
            Some(escape)
        } else {
            asleep.filter(|&channel| {
                self.waited(head, escape) || compares && self.queue_is_long(head, channel, candidates)
            })
        };
        if let Some(channel) = to_wake {
            self.set_waiting(channel, head.bit);
            if self.links.hot[channel].has(Channel::GOVERNED) {
                // The routing permits some ports of a trunk only, and not the one that is always on.
                self.turn_on(channel);
            } else {
                self.request_asleep(channel);
                sleepers -= 1;
            }
        }
        if sleepers > 0 {
            self.wake_when_patience_ends(head, escape);
        }
    }

    /// Returns whether the packets that wait take so long over the outputs that are on or waking that it pays to wake
    /// one that sleeps.
    fn queue_is_long(&mut self, head: &Head, asleep: usize, candidates: &Candidates) -> bool {
        // All packets of its own queue wait, too.
        self.set_waiting(asleep, head.bit);
        let outputs = || candidates.each_output().map(|output| head.first as usize + usize::from(output));
        let (links, t) = (&self.links, self.events.now.time);
        let wake = links.time_to_wake(asleep, t);
        let is_awake = |&c: &usize| links.is_on(c, t) || links.is_waking(c, t) || links.is_coalescing(c);
        let awake = outputs().filter(is_awake).count();
        let takes_long = |flits: u64| {
            let wait = links.class(asleep).time_of(flits);
            u128::from(wait) * u128::from(SleepRules::QUEUE_WEIGHT) > u128::from(wake) * awake as u128
        };
        // Most queues are too short, however full they are.
        takes_long(self.most_flits_waiting(outputs)) && takes_long(self.flits_waiting(outputs))
    }

    /// Requests an output that sleeps: wakes it, or goes on coalescing. All heads that wait for it are examined once it
    /// is on or coalesces no longer.
    pub fn request_asleep(&mut self, channel: usize) {
        self.availability.forget();
        let frames = if self.links.coalesces() { self.frames_waiting(channel) } else { 0 };
        let deadline = self.links.request_asleep(channel, self.events.now.time, || frames);
        let from = self.events.clock.first_from(deadline.unwrap_or(self.links.hot[channel].awake_at));
        self.wake_output(channel, from.max(self.events.now.number + 1));
        self.note_woken(channel);
    }

    /// Returns whether a head that finds no output has been blocked on all of them before, and stays so: all of them
    /// are watched, and it is not patience that has ended. `escape` returns the first escape output.
    #[inline]
    pub fn is_still_blocked(&self, head: &Head, escape: impl FnOnce() -> u32) -> bool {
        let queue = &self.buffers.queues[head.place as usize];
        queue.has(Queue::WAITS_FOR_ALL)
            && self.rules.stays_blocked
            && (!queue.has(Queue::WAITS) || !self.patience_has_ended(head.place, (head.first + escape()) as usize))
    }

    fn patience_has_ended(&self, place: u32, escape: usize) -> bool {
        let patience = self.links.class(escape).wake_after;
        self.events.now.time >= self.buffers.waits_since[place as usize].saturating_add(patience)
    }

    /// Returns whether a packet has waited long enough to request one more sleeping output, and then starts a new wait.
    fn waited(&mut self, head: &Head, escape: usize) -> bool {
        let t = self.events.now.time;
        let waits = self.buffers.queues[head.place as usize].has(Queue::WAITS);
        let waited = waits && self.patience_has_ended(head.place, escape);
        if waited {
            self.buffers.waits_since[head.place as usize] = t;
        }
        waited
    }

    /// Schedules a wakeup for the end of a packet's patience, where it waits while some of its outputs sleep.
    fn wake_when_patience_ends(&mut self, head: &Head, escape: usize) {
        let t = self.events.now.time;
        let patience = self.links.class(escape).wake_after;
        let (queue, since) =
            (&mut self.buffers.queues[head.place as usize], &mut self.buffers.waits_since[head.place as usize]);
        if !queue.has(Queue::WAITS) {
            queue.flags |= Queue::WAITS;
            *since = t;
        }
        if *since == t {
            // A patience that ends beyond the largest time needs no wakeup.
            let Some(end) = t.checked_add(patience).filter(|&end| end < u64::MAX - self.events.clock.period()) else {
                return;
            };
            let bucket = self.events.clock.first_from(end);
            let (local, vc) = (head.bit >> self.layout.vc_bits, (u32::from(head.bit) & self.layout.vc_mask) as u8);
            self.events.queue.put_wakeup(bucket, Wakeup { switch: head.switch, local, vc, kind: WakeupKind::Packet });
        }
    }

    /// Blocks a packet on one output that sleeps or wakes, and wakes it; returns whether that took no time.
    pub fn wait_for_wake(&mut self, channel: usize, head: &Head) -> bool {
        let t = self.events.now.time;
        self.buffers.queues[head.place as usize].flags |= Queue::BLOCKED | Queue::DELAYED;
        self.set_waiting(channel, head.bit);
        if self.links.is_waking(channel, t) {
            self.links.end_idle(channel, t);
            // With credits or not, it keeps this output, and looks at it again once it is on.
            let hot = &self.links.hot[channel];
            let available = self.events.clock.last_by(hot.free_at).max(self.events.clock.first_from(hot.awake_at));
            self.wake_output(channel, available.max(self.events.now.number + 1));
        } else {
            self.request_asleep(channel);
        }
        self.links.is_on(channel, t)
    }

    /// Marks an input queue as waiting for an output, and schedules a wakeup for when the output may be available.
    pub fn wait_for(&mut self, channel: usize, head: &Head) {
        self.set_waiting(channel, head.bit);
        self.links.end_idle(channel, self.events.now.time);
        self.watch(channel, head);
    }

    /// Schedules a wakeup for when an output may be available to a packet.
    fn watch(&mut self, channel: usize, head: &Head) {
        if self.rules.speeds != Speeds::Same {
            let from = self.events.clock.last_by(self.underrun_bound(channel, &self.buffers.packets[head.id]));
            if from > self.events.now.number {
                // A packet that requests busy outputs is examined at each edge at which others may take this one and
                // leave no room: then it requests another.
                let free = self.events.clock.last_by(self.links.hot[channel].free_at).max(self.events.now.number + 1);
                return self.wake_output(channel, if self.rules.choice.request_busy { free } else { from });
            }
        }
        // One of several crossbar paths may be free, but not to the virtual channel that the packet may take.
        if let Some(free) = self.links.crossbar_paths.next_free(channel, self.events.now.next) {
            self.wake_output(channel, self.events.clock.last_by(free).max(self.events.now.number + 1));
        }
        self.watch_available(channel);
    }

    /// Schedules a wakeup for when an output may be available to any packet.
    pub fn watch_available(&mut self, channel: usize) {
        let hot = &self.links.hot[channel];
        let busy = hot.free_at >= self.events.now.next;
        if busy || hot.awake_at > self.events.now.time {
            let available = self.events.clock.last_by(hot.free_at).max(self.events.clock.first_from(hot.awake_at));
            self.wake_output(channel, available);
            // One that ignores sleep chooses once it has credits, on or not.
            if self.rules.choice.sleep_aware() || busy {
                return;
            }
        }
        self.await_credit(channel);
    }

    /// Schedules a wakeup for the next credit of an output.
    #[inline(always)]
    pub fn await_credit(&mut self, channel: usize) {
        if let Some(at) = self.links.next_credit(channel) {
            let bucket = self.events.clock.first_from(at).max(self.events.now.number + 1);
            self.wake_output(channel, bucket);
        } else {
            self.links.hot[channel].flags |= Channel::WANTS_CREDIT;
        }
    }
}
