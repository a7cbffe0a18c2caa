//! The first stage of the allocator: what a head packet picks among its permitted outputs.

use crate::power::Policy;
use crate::routing::NO_RING;
use crate::routing::{Candidates, PortGroup};

use super::allocate::Head;
use super::channel::Channel;
use super::fabric::{Choice, Fabric, Queue, Speeds};
use super::packet::Packet;

/// What a head packet finds among its outputs.
#[derive(Clone, Copy, Debug)]
enum Pick {
    /// An output and virtual channel that can be had.
    Free(u16, u8),
    /// The output that it asks for is busy.
    Busy {
        /// Others are free: at the next edge it may choose one of these.
        others_free: bool,
    },
    /// None that is free, on and has credits.
    None,
}

impl<P: Policy> Fabric<'_, P> {
    /// Picks an available output for a head packet, and tells whether it is the only one that the packet may take; parks it where
    /// there is none.
    #[inline]
    pub(super) fn pick<const LEAN: bool>(
        &mut self,
        candidates: &mut Candidates,
        head: &Head,
    ) -> Option<((u16, u8), bool)> {
        if (LEAN || self.plain) && head.run.count == 1 {
            let picked = self.pick_plainly(head).or_else(|| self.wait_plainly(candidates, head));
            return picked.map(|picked| (picked, true));
        }
        self.pick_any(candidates, head)
    }

    /// Parks a packet that may take a single output, which it wakes if that sleeps; gives it where that has taken no time.
    #[inline(never)]
    fn wait_plainly(&mut self, candidates: &mut Candidates, head: &Head) -> Option<(u16, u8)> {
        let (channel, t) = (head.first as usize + usize::from(head.run.first), self.now.time);
        if self.channels.hot[channel].has(Channel::GOVERNED) {
            candidates.set_only(head.run);
            return self.wait(Pick::None, candidates, head);
        }
        if self.channels.is_on(channel, t) {
            self.queues[head.place as usize].flags |= Queue::PARKED;
            self.wait_for(channel, head);
            return None;
        }
        if self.wait_for_wake(channel, head) { self.pick_plainly(head) } else { None }
    }

    /// The general case of [`Fabric::pick`].
    #[inline(never)]
    fn pick_any(&mut self, candidates: &mut Candidates, head: &Head) -> Option<((u16, u8), bool)> {
        if head.run.count > 0 {
            candidates.set_only(head.run);
        } else {
            self.candidates(&self.packets[head.id], head.switch, candidates);
        }
        if !self.chosen.is_empty() {
            return self.pick_ignoring_sleep(candidates, head).map(|picked| (picked, false));
        }
        let picked = match self.pick_available(candidates, head) {
            Pick::Free(output, vc) => Some((output, vc)),
            none => self.wait(none, candidates, head),
        };
        picked.map(|picked| (picked, head.run.count == 1))
    }

    /// Finds the permitted outputs of a head packet where they are one run. That is as fast as it would be to remember them.
    #[inline(always)]
    pub(super) fn find_run(&mut self, head: &mut Head) {
        if self.router.decides {
            return self.decide_run(head);
        }
        head.run = self.only_run(&self.packets[head.id], head.switch);
    }

    /// Lets a head packet decide on its way, until that leaves it one run of outputs.
    #[inline(never)]
    fn decide_run(&mut self, head: &mut Head) {
        if !self.queues[head.place as usize].has(Queue::DECIDED) {
            self.settle(head);
        }
        head.run = self.only_run(&self.packets[head.id], head.switch);
        if head.run.count > 0 {
            self.queues[head.place as usize].flags |= Queue::DECIDED;
        }
    }

    /// Picks the virtual channel whose turn it is of the only output, if this is available, where all is plain.
    #[inline(always)]
    fn pick_plainly(&mut self, head: &Head) -> Option<(u16, u8)> {
        let PortGroup { first: output, vcs, .. } = head.run;
        let channel = head.first as usize + usize::from(output);
        let hot = &self.channels.hot[channel];
        if hot.free_at >= self.now.next || !hot.is_on(self.now.time) {
            return None;
        }
        let hot = self.channels.collect_credits(channel, self.now.time);
        let roomy = hot.roomy(vcs, self.packets[head.id].flits, self.packet_flits);
        if roomy == 0 {
            return None;
        }
        let next_output = self.queues[head.place as usize].next_output;
        Some((output, in_turn(roomy, next_output.wrapping_sub(pointer(output, 0)))))
    }

    /// Picks as if all outputs were awake, and stays with an output that sleeps until it is on.
    fn pick_ignoring_sleep(&mut self, candidates: &Candidates, head: &Head) -> Option<(u16, u8)> {
        let place = head.place as usize;
        if let Some((output, vc)) = self.chosen[place] {
            let channel = head.first as usize + usize::from(output);
            if !self.is_on_or_awaited(channel, head) {
                return None;
            }
            if self.is_free(channel, &self.packets[head.id]) && self.has_room(channel, vc, head) {
                return Some((output, vc));
            }
            self.chosen[place] = None;
        }
        let (output, vc) = match self.pick_available(candidates, head) {
            Pick::Free(output, vc) => (output, vc),
            none => return self.wait(none, candidates, head),
        };
        if !self.is_on_or_awaited(head.first as usize + usize::from(output), head) {
            self.chosen[place] = Some((output, vc));
            return None;
        }
        Some((output, vc))
    }

    /// Parks a packet that found no output; gives one that its waking has made available at once.
    #[inline(never)]
    fn wait(&mut self, found: Pick, candidates: &Candidates, head: &Head) -> Option<(u16, u8)> {
        if matches!(found, Pick::Busy { others_free: true }) {
            self.retry(head.switch, head.bit);
        }
        let on_at_once = self.park(candidates, head);
        let again = on_at_once.then(|| self.pick_available(candidates, head));
        match again {
            Some(Pick::Free(output, vc)) => Some((output, vc)),
            _ => None,
        }
    }

    /// Returns whether an output is on; where it is not, which happens only where sleep is ignored when choosing, lets the
    /// packet wait for this very output and wakes it.
    fn is_on_or_awaited(&mut self, channel: usize, head: &Head) -> bool {
        self.channels.is_on(channel, self.now.time) || self.wait_for_wake(channel, head)
    }

    /// Returns whether an output has credits for a packet on a virtual channel.
    fn has_room(&mut self, channel: usize, vc: u8, head: &Head) -> bool {
        self.channels.collect_credits(channel, self.now.time);
        self.with_room(channel, 1 << vc, &self.packets[head.id]) != 0
    }

    /// Returns those of some virtual channels of an output, one bit each, that have room for a packet.
    #[inline]
    fn with_room(&self, channel: usize, vcs: u8, packet: &Packet) -> u8 {
        let hot = &self.channels.hot[channel];
        let roomy = hot.roomy(vcs, packet.flits, self.packet_flits);
        if self.bubble == 0 || !self.enters_ring(channel, packet) {
            return roomy;
        }
        // A packet enters a ring that a bubble keeps from filling up only where there is room for one more.
        roomy & !self.bubble | hot.roomy(roomy & self.bubble, packet.flits + self.packet_flits, self.packet_flits)
    }

    /// Returns whether a packet that takes an escape channel of an output enters the ring of it.
    fn enters_ring(&self, channel: usize, packet: &Packet) -> bool {
        let (comes, goes) = (self.rings[(packet.place >> self.vc_bits) as usize] ^ 1, self.rings[channel]);
        let goes_on = comes == goes && self.bubble >> (packet.place & self.vc_mask) & 1 == 1;
        goes != NO_RING && !goes_on
    }

    /// Picks an available adaptive output, else the escape if that is available.
    fn pick_available(&mut self, candidates: &Candidates, head: &Head) -> Pick {
        if candidates.adaptive_len > 0 {
            let picked = self.pick_among(candidates.adaptive(), head);
            if !matches!(picked, Pick::None) {
                return picked;
            }
        }
        self.pick_among(&[candidates.escape], head)
    }

    /// Picks the available output and virtual channel whose turn it is: where trunks are packed, among those of the lowest place in
    /// their trunks, and where credits count, among those with the most.
    #[inline]
    fn pick_among(&mut self, runs: &[PortGroup], head: &Head) -> Pick {
        // What is rare is looked at in copies of their own, so that the rule does not pay for it.
        match (self.places.is_empty(), self.plain) {
            (true, true) => self.pick_free(runs, head),
            (true, false) => self.pick_ranked::<false>(runs, head),
            (false, _) => self.pick_ranked::<true>(runs, head),
        }
    }

    /// Picks as [`Fabric::pick_ranked`] does, where all is plain and trunks are balanced.
    fn pick_free(&mut self, runs: &[PortGroup], head: &Head) -> Pick {
        let start = self.queues[head.place as usize].next_output;
        let (flits, full) = (self.packets[head.id].flits, self.packet_flits);
        // Of the best so far: what it lacks of the most credits, its turn, and the output and virtual channel.
        let mut best = u64::MAX;
        for run in runs {
            for output in run.first..run.first + run.count {
                let channel = head.first as usize + usize::from(output);
                let hot = &self.channels.hot[channel];
                if hot.free_at >= self.now.next || !hot.is_on(self.now.time) {
                    continue;
                }
                let hot = self.channels.collect_credits(channel, self.now.time);
                let roomy = hot.roomy(run.vcs, flits, full);
                if roomy == 0 {
                    continue;
                }
                let lack = if self.choice.most_credits { u32::MAX - hot.total_credits() } else { 0 };
                let first = pointer(output, 0);
                let candidate = first + u16::from(in_turn(roomy, start.wrapping_sub(first)));
                let turn = candidate.wrapping_sub(start);
                best = best.min(u64::from(lack) << 32 | u64::from(turn) << 16 | u64::from(candidate));
            }
        }
        let (output, vc) = (best as u16 / 8, best as u8 & 7);
        if best == u64::MAX { Pick::None } else { Pick::Free(output, vc) }
    }

    fn pick_ranked<const PACKED: bool>(&mut self, runs: &[PortGroup], head: &Head) -> Pick {
        let Choice { most_credits, request_busy, .. } = self.choice;
        let start = self.queues[head.place as usize].next_output;
        let packet = self.packets[head.id];
        // Random arbiters are named by input port and virtual channel, without the gaps that the masks have.
        let bit = u32::from(head.bit);
        let arbiter = ((bit >> self.vc_bits) * self.vcs as u32 + (bit & self.vc_mask)) as u16;
        let mut best: Option<(u64, u16, u8, bool)> = None;
        let mut some_free = false;
        for run in runs {
            for output in run.first..run.first + run.count {
                let channel = head.first as usize + usize::from(output);
                let free = self.is_free(channel, &packet);
                if !(free || request_busy) || (self.choice.sleep_aware && !self.channels.is_on(channel, self.now.time))
                {
                    continue;
                }
                let behind = if PACKED { self.behind(channel, free) } else { 0 };
                let hot = self.channels.collect_credits(channel, self.now.time);
                let lack = if most_credits { u64::from(u32::MAX - hot.total_credits()) } else { 0 };
                let mut vcs = self.with_room(channel, run.vcs, &packet);
                some_free |= free && vcs != 0;
                while vcs != 0 {
                    let vc = vcs.trailing_zeros() as u8;
                    vcs &= vcs - 1;
                    let candidate = pointer(output, vc);
                    let turn = self.turn(candidate.wrapping_sub(start), head.switch, arbiter, candidate);
                    let rank = behind | lack << 16 | u64::from(turn);
                    if best.is_none_or(|(least, ..)| rank < least) {
                        best = Some((rank, output, vc, free));
                    }
                }
            }
        }
        match best {
            None => Pick::None,
            Some((_, output, vc, true)) => Pick::Free(output, vc),
            Some(_) => Pick::Busy { others_free: some_free },
        }
    }

    /// Returns the part of an output's rank that is the place in its trunk, where trunks are packed: in the highest bits, those of
    /// busy outputs after all free ones, lest all packets ask for the first of a trunk.
    #[inline]
    fn behind(&self, channel: usize, free: bool) -> u64 {
        self.places.get(channel).map_or(0, |&place| u64::from(!free) << 63 | u64::from(place) << 48)
    }

    /// Returns whether an output can begin to send a packet before the next edge.
    #[inline]
    fn is_free(&self, channel: usize, packet: &Packet) -> bool {
        self.channels.hot[channel].free_at < self.now.next
            && (self.speeds == Speeds::Same || self.underrun_bound(channel, packet) < self.now.next)
    }

    /// Returns the earliest start at which a faster output does not run ahead of a slower input; 0 where it is no faster.
    #[inline]
    pub(super) fn underrun_bound(&self, channel: usize, packet: &Packet) -> u64 {
        let no_faster = self.speeds == Speeds::Change && packet.narrow() <= self.channels.hot[channel].narrow;
        if no_faster { 0 } else { self.bound_of_faster(channel, packet) }
    }

    #[inline(never)]
    fn bound_of_faster(&self, channel: usize, packet: &Packet) -> u64 {
        let came = self.channels.class((packet.place >> self.vc_bits) as usize);
        let came = came.narrow_duration(packet.flits, packet.narrow());
        let goes = self.channels.class(channel).narrow_duration(packet.flits, self.channels.hot[channel].narrow);
        packet.head_at + came.saturating_sub(goes)
    }
}

/// Numbers an output and virtual channel for the round-robin pointer of an input queue.
#[inline]
pub fn pointer(output: u16, vc: u8) -> u16 {
    output * 8 + u16::from(vc)
}

/// Returns the first of some virtual channels, at least one, from `start` on, and around; beyond the last, from the first.
#[inline]
pub fn in_turn(vcs: u8, start: u16) -> u8 {
    let start = if start < 8 { start as u8 } else { 0 };
    (vcs.rotate_right(u32::from(start)).trailing_zeros() as u8 + start) & 7
}
