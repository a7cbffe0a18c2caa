//! What the outputs of a switch offer at an edge, looked up once for all heads that ask.
//!
//! Heads that wait for the same outputs are examined together when one of these becomes free. Nothing that they ask
//! changes while they select, but by waking, which [forgets](Offers::forget) it: grants follow when all have selected.
//! Most of them lose, and are examined again: so what a head may take is [kept](Permitted).

use crate::engine::event::NONE;
use crate::model::config::SleepSelection;
use crate::power::Policy;
use crate::routing::{Candidates, Permitted};
use crate::topology::Network;

use crate::engine::link::channel::Channel;
use crate::engine::partition::Partition;

use super::buffers::Queue;
use super::layout::Layout;
use super::request::Head;
use super::rules::Rules;
use super::select::output_of;
use super::switches::Switches;

/// What the outputs of the switch that selects offer; sets of outputs have one bit each.
#[derive(Debug)]
pub struct Offers {
    /// Heads share what they look up: rules are [plain](super::rules::Rules::plain) and outputs are taken in order, or they
    /// are [drawn](super::rules::Rules::drawn), and all fit. To count credits for each head is as fast where packets take
    /// the output with the most and arbiters draw nothing.
    pub used: bool,
    switch: u32,
    edge: u64,
    /// The outputs that have been looked at.
    known: u64,
    /// Those that are on.
    on: u64,
    /// Those that wake, and need no more requests.
    waking: u64,
    /// Those that their trunk has turned off: only it turns them on, as long as another output is on.
    off: u64,
    /// Those that some head waits for since this edge: a wakeup is scheduled.
    watched: u64,
    /// The virtual channels by which each can take a full packet at this edge, one bit each.
    pub vcs: [u8; Offers::MOST],
    /// The outputs that can take a full packet at this edge by some virtual channel.
    pub offered: u64,
    /// All outputs that the last head found on offer, where it was [settled](Switches::is_settled); else all ones.
    pub found: u64,
    /// The permitted outputs of the head of each queue that has been [kept](Queue::KEPT); empty for large networks, and where
    /// these are one group.
    kept: Vec<Permitted>,
}

impl Offers {
    /// Ports of the largest switch whose outputs fit.
    pub const MOST: usize = 64;

    /// Queues of the largest network in which permitted outputs are kept: they take 24 B each.
    const MOST_KEPT: usize = 1 << 16;

    /// Creates an empty set for the switches of a partition, which is all or part of a network.
    pub fn new(rules: &Rules<'_>, network: &Network, partition: &Partition, layout: &Layout) -> Self {
        let (radix, queues) = (network.radix() as usize, |ports: u32| (ports as usize) << layout.queue_bits);
        let by_order = rules.plain && !rules.choice.most_credits;
        let used = (by_order || rules.drawn) && rules.places.is_empty() && radix <= Self::MOST;
        let keeps = by_order && used && queues(network.ports()) <= Self::MOST_KEPT;
        Offers {
            used,
            switch: NONE,
            edge: 0,
            known: 0,
            on: 0,
            waking: 0,
            off: 0,
            watched: 0,
            vcs: [0; Self::MOST],
            offered: 0,
            found: u64::MAX,
            kept: vec![Permitted::default(); if keeps { queues(partition.ports()) } else { 0 }],
        }
    }

    /// Returns the permitted outputs of the head of a queue, if they are kept.
    #[inline]
    pub fn kept(&self, queue: &Queue, place: u32) -> Option<Permitted> {
        queue.has(Queue::KEPT).then(|| self.kept[place as usize])
    }

    /// Forgets what is known of the outputs: one has been woken.
    pub fn forget(&mut self) {
        self.switch = NONE;
    }

    /// Returns those of some outputs that take a full packet by one of some virtual channels.
    #[inline]
    pub fn by_some_of(&self, outputs: u64, vcs: u8) -> u64 {
        let mut offered = outputs & self.offered;
        let mut left = offered;
        while left != 0 {
            let output = left.trailing_zeros();
            left &= left - 1;
            offered &= !(u64::from(self.vcs[output as usize] & vcs == 0) << output);
        }
        offered
    }

    /// Returns the first output and virtual channel that take a full packet, from the pointer `start` on and around.
    #[inline]
    fn first_of(&self, outputs: u64, vcs: u8, start: u16) -> Option<(u16, u8)> {
        let (at, from_vc) = output_of(start);
        let offered = outputs & self.offered;
        let mut left = offered.rotate_right(u32::from(at));
        while left != 0 {
            let output = (left.trailing_zeros() as u16 + at) % Self::MOST as u16;
            left &= left - 1;
            let free = self.vcs[usize::from(output)] & vcs;
            let first = if output == at { free >> from_vc << from_vc } else { free };
            if first != 0 {
                return Some((output, first.trailing_zeros() as u8));
            }
        }
        // Of the output at which the pointer stands, the virtual channels before it come last.
        let is_offered = offered.checked_shr(u32::from(at)).is_some_and(|from| from & 1 != 0);
        let last = if is_offered { self.vcs[usize::from(at)] & vcs } else { 0 };
        (last != 0).then(|| (at, last.trailing_zeros() as u8))
    }
}

impl<P: Policy> Switches<'_, P> {
    /// Looks at those of some outputs that no head has asked for at this edge.
    #[inline]
    pub fn look_at(&mut self, head: &Head, outputs: u64) {
        if self.offers.switch != head.switch || self.offers.edge != self.events.now.number {
            let Offers { switch, edge, known, on, waking, off, watched, offered, .. } = &mut self.offers;
            (*switch, *edge) = (head.switch, self.events.now.number);
            (*known, *on, *waking, *off, *watched, *offered) = (0, 0, 0, 0, 0, 0);
        }
        let new = outputs & !self.offers.known;
        if new != 0 {
            self.look_at_new(head.first, new);
        }
    }

    /// Looks at some outputs of the switch, which begin at port `first`.
    #[inline(never)]
    fn look_at_new(&mut self, first: u32, new: u64) {
        let now = self.events.now;
        let (mut all_on, mut all_waking, mut all_off, mut offered) = (0, 0, 0, 0);
        let mut left = new;
        while left != 0 {
            let output = left.trailing_zeros();
            left &= left - 1;
            let channel = (first + output) as usize;
            let hot = &self.links.hot[channel];
            let (on, waking, free) = (hot.is_on(now.time), hot.awake_at > now.time, hot.free_at < now.next);
            all_on |= u64::from(on) << output;
            all_off |= u64::from(!on && !waking && hot.has(Channel::GOVERNED)) << output;
            all_waking |= u64::from(waking && !self.links.is_coalescing(channel)) << output;
            let vcs = if on && free { self.links.collect_credits(channel, now.time).full_vcs() } else { 0 };
            self.offers.vcs[output as usize % Offers::MOST] = vcs;
            offered |= u64::from(vcs != 0) << output;
        }
        self.offers.known |= new;
        self.offers.on |= all_on;
        self.offers.off |= all_off;
        self.offers.waking |= all_waking;
        self.offers.offered |= offered;
    }

    /// Returns the permitted outputs of a head. Those of one that was examined before are kept.
    #[inline]
    pub fn permitted(&mut self, candidates: &mut Candidates, head: &Head) -> Permitted {
        // Those who are told why a packet waits are told its candidates.
        if P::PROBES {
            self.find_candidates(candidates, head);
            return Permitted::new(candidates);
        }
        if head.group.count > 0 {
            return head.group.into();
        }
        let place = head.place as usize;
        if self.buffers.queues[place].has(Queue::KEPT) {
            return self.offers.kept[place];
        }
        let permitted = self.several_permitted(&self.buffers.packets[head.id], head.switch, candidates);
        if let Some(kept) = self.offers.kept.get_mut(place) {
            *kept = permitted;
            self.buffers.queues[place].flags |= Queue::KEPT;
        }
        permitted
    }

    /// Selects an output and virtual channel for the full packet of a head, adaptive ones before the escape, as
    /// [`Switches::select_free`] does.
    #[inline]
    pub fn select_offered(&mut self, permitted: Permitted, head: &Head) -> Option<(u16, u8)> {
        let start = self.buffers.queues[head.place as usize].next_output;
        let Permitted { adaptive, escape, adaptive_vcs, escape_vcs } = permitted;
        if self.rules.drawn {
            // Of trees, which have no other escape.
            return self.select_drawn(escape, escape_vcs, head);
        }
        self.look_at(head, adaptive);
        self.offers.first_of(adaptive, adaptive_vcs, start).or_else(|| {
            self.look_at(head, escape);
            self.offers.first_of(escape, escape_vcs, start)
        })
    }

    /// Returns those permitted outputs of a head that take a full packet by some virtual channel, one bit each: all
    /// that take that of the head, and perhaps more.
    #[inline]
    pub fn all_offered(&mut self, permitted: Permitted, head: &Head) -> u64 {
        self.look_at(head, permitted.escape);
        self.offers.offered & permitted.outputs()
    }

    /// Blocks a packet on its outputs as [`Switches::block`] does, where none of them sleeps but those that their trunk has
    /// turned off; returns whether that is so.
    pub fn block_awake(&mut self, permitted: Permitted, head: &Head) -> bool {
        let all = permitted.outputs();
        self.look_at(head, all);
        let Offers { on, waking, off, watched, .. } = self.offers;
        if all & !(on | waking | off) != 0 || all & !off == 0 {
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
        let mut new = all & !watched & !off;
        self.offers.watched |= new;
        while new != 0 {
            self.wait_for((head.first + new.trailing_zeros()) as usize, head);
            new &= new - 1;
        }
        let mut unmarked = if waits_already { 0 } else { all & (watched | off) };
        while unmarked != 0 {
            self.set_waiting((head.first + unmarked.trailing_zeros()) as usize, head.bit);
            unmarked &= unmarked - 1;
        }
        true
    }
}

#[cfg(test)]
mod tests {
    use super::super::select::pointer;
    use super::*;
    use proptest::prelude::*;

    proptest! {
        /// The first free output is the one that a search of all outputs and virtual channels finds, in the order of the
        /// pointer.
        #[test]
        fn the_first_in_order(
            free in proptest::collection::vec(any::<u8>(), Offers::MOST),
            outputs: u64,
            vcs: u8,
            start in 0..=pointer(Offers::MOST as u16, 0),
        ) {
            let mut offers = Offers { used: true, switch: 0, edge: 0, known: u64::MAX, on: 0, waking: 0, off: 0, watched: 0,
                vcs: [0; Offers::MOST], offered: 0, found: u64::MAX, kept: Vec::new() };
            offers.vcs.copy_from_slice(&free);
            offers.offered = (0..).zip(&free).fold(0, |all, (output, &vcs)| all | u64::from(vcs != 0) << output);
            let places = (0..Offers::MOST as u16).flat_map(|output| (0..8).map(move |vc| (output, vc)));
            let can_be_had =
                |&(output, vc): &(u16, u8)| outputs >> output & 1 != 0 && free[usize::from(output)] & vcs & 1 << vc != 0;
            let first = places.filter(can_be_had).min_by_key(|&(output, vc)| pointer(output, vc).wrapping_sub(start));
            prop_assert_eq!(offers.first_of(outputs, vcs, start), first);
        }
    }
}
