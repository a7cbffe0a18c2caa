//! Channels that gather packets before they wake, where the policy says so.
//!
//! A sleeping channel that is asked for goes on sleeping until enough packets wait, or the first has waited long enough. Packets
//! that wait are all those of the input queues whose head asks for the channel, or of the NIC's messages: those behind a head
//! cannot pass it.

use crate::power::Policy;

use super::channel::Channels;
use super::fabric::{Fabric, Queue};
use super::packet::NONE;

/// How a channel gathers.
#[derive(Clone, Copy, Debug)]
pub struct Gathered {
    /// When the first packet asked.
    pub since: u64,
    /// It goes on.
    active: bool,
}

impl Gathered {
    /// Nothing is or was gathered.
    pub const NOTHING: Gathered = Gathered { since: u64::MAX, active: false };
}

impl<P: Policy> Channels<'_, P> {
    /// Returns whether some channels gather packets.
    #[inline]
    pub fn gathers(&self) -> bool {
        !self.gathered.is_empty()
    }

    /// Returns whether a channel sleeps and gathers packets.
    #[inline]
    pub fn is_gathering(&self, channel: usize) -> bool {
        self.gathered.get(channel).is_some_and(|gathered| gathered.active)
    }

    /// Lets a channel gather no longer: those who waited for it went another way.
    pub fn stop_gathering(&mut self, channel: usize) {
        if let Some(gathered) = self.gathered.get_mut(channel) {
            gathered.active = false;
        }
    }

    /// Asks at time `t` for a channel that sleeps, for which `frames` packets wait: it wakes, or tells when it will at the latest.
    pub fn ask(&mut self, channel: usize, t: u64, frames: impl FnOnce() -> u32) -> Option<u64> {
        if self.gathers()
            && let Some(until) = self.policy.coalescing(self.hot[channel].class)
        {
            let gathered = &mut self.gathered[channel];
            if !gathered.active {
                *gathered = Gathered { since: t, active: true };
            }
            let deadline = gathered.since.saturating_add(until.timeout.0);
            if t < deadline && frames() < until.frames {
                return Some(deadline);
            }
            gathered.active = false;
        }
        self.wake(channel, t);
        None
    }
}

impl<P: Policy> Fabric<'_, P> {
    /// Counts the packets that wait for an output.
    pub(super) fn frames_waiting(&self, channel: usize) -> u32 {
        let switch = self.switch_of::<false>(channel as u32) as usize;
        let first = self.part.first_port[switch] << self.vc_bits;
        let mut frames = 0;
        for word in 0..self.words {
            let mut bits = self.channels.waiting(channel, word);
            while bits != 0 {
                let place = first + word as u32 * 64 + bits.trailing_zeros();
                bits &= bits - 1;
                let mut id = self.queues[place as usize].head;
                while id != NONE {
                    frames += 1;
                    id = self.packets[id].next;
                }
            }
        }
        frames
    }

    /// Lets the outputs that gather know of the packets that have come behind a head, once all have come that come at this edge: an
    /// output that one of these has woken gathers no longer, in whatever order they came.
    #[inline]
    pub(super) fn gather_arrived(&mut self) {
        while let Some(place) = self.came_behind.pop() {
            self.gather_behind(place);
        }
    }

    /// Lets the outputs that gather, and for which the head of a queue waits, know that a packet has come behind it.
    #[inline(never)]
    fn gather_behind(&mut self, place: u32) {
        if !self.queues[place as usize].has(Queue::PARKED) {
            return;
        }
        let switch = self.inputs[self.reader::<false>(place)].switch as usize;
        let (first, end) = (self.part.first_port[switch], self.part.first_port[switch + 1]);
        let bit = place - (first << self.vc_bits);
        let (word, bit) = (bit as usize / 64, bit % 64);
        for channel in first as usize..end as usize {
            if self.channels.is_gathering(channel) && self.channels.waiting(channel, word) >> bit & 1 == 1 {
                self.ask(channel);
            }
        }
    }
}
