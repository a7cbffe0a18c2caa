//! What the outputs of a switch offer at an edge, looked up once for all heads that ask.
//!
//! Heads that wait for the same outputs are examined together when one of these becomes free. Nothing that they ask
//! changes while they select, but by waking, which [forgets](Offers::forget) it: grants follow when all have selected.

use crate::engine::event::NONE;
use crate::model::config::SleepSelection;
use crate::power::Policy;
use crate::routing::{Candidates, PortGroup};

use super::buffers::Queue;
use super::request::Head;
use super::rules::Rules;
use super::select::pointer;
use super::switches::Switches;

/// What the outputs of the switch that selects offer; sets of outputs have one bit each.
#[derive(Debug)]
pub struct Offers {
    /// Heads share what they look up: rules are [plain](super::rules::Rules::plain), outputs are taken in order, and all
    /// fit. To count credits for each head is as fast where packets take the output with the most.
    pub used: bool,
    switch: u32,
    edge: u64,
    /// The outputs that have been looked at.
    known: u64,
    /// Those that are on.
    on: u64,
    /// Those that wake, and need no more requests.
    waking: u64,
    /// Those that some head waits for since this edge: a wakeup is scheduled.
    watched: u64,
    /// The virtual channels by which each can take a full packet at this edge, one bit each.
    vcs: [u8; Offers::MOST],
}

impl Offers {
    /// Ports of the largest switch whose outputs fit.
    pub const MOST: usize = 64;

    /// Creates an empty set for switches of up to `radix` ports.
    pub fn new(rules: &Rules<'_>, radix: usize) -> Self {
        let by_order = rules.plain && rules.places.is_empty() && !rules.choice.most_credits;
        let used = by_order && radix <= Self::MOST;
        Offers { used, switch: NONE, edge: 0, known: 0, on: 0, waking: 0, watched: 0, vcs: [0; Self::MOST] }
    }

    /// Forgets what is known of the outputs: one has been woken.
    pub fn forget(&mut self) {
        self.switch = NONE;
    }

    /// Returns the first output and virtual channel of a group that take a full packet, from `start` on and around, with
    /// the distance from there before them.
    #[inline]
    fn first_of(&self, group: PortGroup, start: u16) -> u32 {
        const PORTS: u16 = 8;
        let every = u64::from(group.vcs) * 0x0101_0101_0101_0101;
        let mut best = u32::MAX;
        let (mut output, end) = (group.first, group.first + group.count);
        while output < end {
            let word = output / PORTS;
            let next = end.min((word + 1) * PORTS);
            let place = usize::from(word) * 8;
            let mut bytes = [0; 8];
            bytes.copy_from_slice(&self.vcs[place..place + 8]);
            let (skipped, taken) = (output % PORTS * 8, (next - output) * 8);
            let range = u64::MAX >> (64 - taken) << skipped;
            let bits = u64::from_le_bytes(bytes) & every & range;
            if bits != 0 {
                let first = pointer(word * PORTS, 0);
                let before = start.saturating_sub(first);
                let behind = if before < 64 { bits >> before << before } else { 0 };
                let bit = if behind != 0 { behind.trailing_zeros() } else { bits.trailing_zeros() };
                let candidate = first + bit as u16;
                best = best.min(u32::from(candidate.wrapping_sub(start)) << 16 | u32::from(candidate));
            }
            output = next;
        }
        best
    }
}

/// Returns the outputs of a group, one bit each.
#[inline]
fn outputs(group: PortGroup) -> u64 {
    if group.count == 0 { 0 } else { u64::MAX >> (Offers::MOST as u16 - group.count) << group.first }
}

impl<P: Policy> Switches<'_, P> {
    /// Looks at those of some outputs that no head has asked for at this edge.
    #[inline]
    fn look_at(&mut self, head: &Head, outputs: u64) {
        if self.offers.switch != head.switch || self.offers.edge != self.events.now.number {
            let Offers { switch, edge, known, on, waking, watched, .. } = &mut self.offers;
            (*switch, *edge) = (head.switch, self.events.now.number);
            (*known, *on, *waking, *watched) = (0, 0, 0, 0);
        }
        let mut new = outputs & !self.offers.known;
        self.offers.known |= new;
        while new != 0 {
            self.look_at_one(head, new.trailing_zeros());
            new &= new - 1;
        }
    }

    fn look_at_one(&mut self, head: &Head, output: u32) {
        let (channel, now) = ((head.first + output) as usize, self.events.now);
        let hot = &self.links.hot[channel];
        let (on, waking, free) = (hot.is_on(now.time), hot.awake_at > now.time, hot.free_at < now.next);
        self.offers.on |= u64::from(on) << output;
        if waking && !self.links.is_coalescing(channel) {
            self.offers.waking |= 1 << output;
        }
        let mut vcs = 0;
        if on && free {
            let full = self.rules.packet_flits;
            let hot = self.links.collect_credits(channel, now.time);
            vcs = hot.with_credits(u8::MAX, full, full);
        }
        self.offers.vcs[output as usize] = vcs;
    }

    /// Selects an output and virtual channel for the full packet of a head, adaptive ones before the escape, as
    /// [`Switches::select_free`] does.
    pub fn select_offered(&mut self, candidates: &Candidates, head: &Head) -> Option<(u16, u8)> {
        let start = self.buffers.queues[head.place as usize].next_output;
        let adaptive = candidates.adaptive();
        self.look_at(head, adaptive.iter().fold(0, |all, &group| all | outputs(group)));
        self.best_offer(adaptive, start).or_else(|| {
            self.look_at(head, outputs(candidates.escape));
            self.best_offer(&[candidates.escape], start)
        })
    }

    #[inline]
    fn best_offer(&self, groups: &[PortGroup], start: u16) -> Option<(u16, u8)> {
        let best = groups.iter().map(|&group| self.offers.first_of(group, start)).min()?;
        let candidate = (best != u32::MAX).then_some(best as u16)?;
        Some((candidate / 8, candidate as u8 & 7))
    }

    /// Blocks a packet on its outputs as [`Switches::block`] does, where none of them sleeps; returns whether that is
    /// so.
    pub fn block_awake(&mut self, candidates: &Candidates, head: &Head) -> bool {
        let groups = candidates.adaptive().iter().chain(std::iter::once(&candidates.escape));
        let all = groups.fold(0, |all, &group| all | outputs(group));
        self.look_at(head, all);
        let Offers { on, waking, watched, .. } = self.offers;
        if all & !(on | waking) != 0 {
            return false;
        }
        let queue = &mut self.buffers.queues[head.place as usize];
        let waits_already = queue.has(Queue::WAITS_FOR_ALL);
        queue.flags |= Queue::BLOCKED | Queue::WAITS_FOR_ALL;
        if self.rules.may_sleep {
            let delayed = if all & on == 0 { Queue::DELAYED } else { 0 };
            let compared = if self.rules.choice.selection == SleepSelection::LeastDelay { Queue::COMPARED } else { 0 };
            queue.flags |= delayed | compared;
        }
        let mut new = all & !watched;
        self.offers.watched |= new;
        while new != 0 {
            self.wait_for((head.first + new.trailing_zeros()) as usize, head);
            new &= new - 1;
        }
        let mut unmarked = if waits_already { 0 } else { all & watched };
        while unmarked != 0 {
            self.set_waiting((head.first + unmarked.trailing_zeros()) as usize, head.bit);
            unmarked &= unmarked - 1;
        }
        true
    }
}
