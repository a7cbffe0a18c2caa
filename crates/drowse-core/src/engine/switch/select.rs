//! The first stage of the allocator: output selection by a head packet among its permitted outputs.

use crate::power::Policy;
use crate::routing::{Candidates, Permitted, PortGroup};

use crate::engine::link::channel::Channel;

use super::arbiter::next_in_order;
use super::buffers::Queue;
use super::pointer::{output_of, pointer};
use super::request::Head;
use super::rules::{Choice, SelectionPath};
use super::switches::Switches;

/// What a head packet finds among its outputs.
#[derive(Clone, Copy, Debug)]
enum Selection {
    /// An output and virtual channel that can be had.
    Free(u16, u8),
    /// The output that it requests is busy.
    Busy {
        /// Others are free: at the next edge it may choose one of these.
        others_free: bool,
    },
    /// None that is free, on and has credits.
    None,
}

impl Selection {
    /// Returns the output and virtual channel, if they can be had.
    fn free(self) -> Option<(u16, u8)> {
        if let Selection::Free(output, vc) = self { Some((output, vc)) } else { None }
    }
}

impl<P: Policy> Switches<'_, P> {
    /// Selects an available output for a head packet; the flag says whether the packet may take no other. Blocks the
    /// packet where there is none.
    #[inline]
    pub fn select<const FAST: bool>(&mut self, candidates: &mut Candidates, head: &Head) -> Option<((u16, u8), bool)> {
        if (FAST || self.rules.selection.is_simple()) && head.group.count == 1 {
            let selected = self.select_only(head).or_else(|| self.wait_for_only(candidates, head));
            return selected.map(|selected| (selected, true));
        }
        self.select_any(candidates, head)
    }

    /// Blocks a packet that may take a single output and wakes that output; returns it if waking took no time.
    #[inline(never)]
    fn wait_for_only(&mut self, candidates: &mut Candidates, head: &Head) -> Option<(u16, u8)> {
        let (channel, t) = (head.first as usize + usize::from(head.group.first), self.events.now.time);
        if self.links.hot[channel].has(Channel::GOVERNED) {
            candidates.set_only(head.group);
            if self.availability.used && self.block_awake(Permitted::new(candidates), head) {
                return None;
            }
            return self.wait(Selection::None, candidates, head);
        }
        if self.links.is_on(channel, t) {
            self.buffers.queues[head.place as usize].flags |= Queue::BLOCKED;
            self.wait_for(channel, head);
            return None;
        }
        let selected = if self.wait_for_wake(channel, head) { self.select_only(head) } else { None };
        self.hide_woken(head);
        selected
    }

    /// The general case of [`Switches::select`].
    #[inline(never)]
    fn select_any(&mut self, candidates: &mut Candidates, head: &Head) -> Option<((u16, u8), bool)> {
        if self.availability.used {
            let selected = self.select_shared_or_wait(candidates, head);
            return selected.map(|selected| (selected, head.group.count == 1));
        }
        self.find_candidates(candidates, head);
        if !self.buffers.chosen.is_empty() {
            return self.select_ignoring_sleep(candidates, head).map(|selected| (selected, false));
        }
        let selected = match self.select_available(candidates, head) {
            Selection::Free(output, vc) => Some((output, vc)),
            none => self.wait(none, candidates, head),
        };
        selected.map(|selected| (selected, head.group.count == 1))
    }

    /// Finds the permitted outputs of a head.
    #[inline]
    pub fn find_candidates(&self, candidates: &mut Candidates, head: &Head) {
        if head.group.count > 0 {
            candidates.set_only(head.group);
        } else if self.rules.balanced {
            self.candidates(&self.buffers.packets[head.id], head.switch, candidates);
            self.narrow(candidates, head);
        } else {
            self.several_candidates(&self.buffers.packets[head.id], head.switch, candidates);
        }
    }

    /// Selects an output where heads share a cache of output availability; blocks the packet where there is none.
    #[inline]
    fn select_shared_or_wait(&mut self, candidates: &mut Candidates, head: &Head) -> Option<(u16, u8)> {
        let permitted = self.permitted(candidates, head);
        let full = self.buffers.packets[head.id].flits == self.rules.packet_flits;
        let selected = if full {
            self.select_shared(permitted, head)
        } else {
            self.find_candidates(candidates, head);
            self.select_available(candidates, head).free()
        };
        let still_blocked = self.is_still_blocked(head, || permitted.escape.trailing_zeros());
        self.availability.found = if full && still_blocked { self.all_available(permitted, head) } else { u64::MAX };
        if selected.is_some() || still_blocked || self.block_awake(permitted, head) {
            return selected;
        }
        self.find_candidates(candidates, head);
        self.wait(Selection::None, candidates, head)
    }

    /// Selects the virtual channel of the highest priority at the only output, if that is available, under simple rules.
    #[inline(always)]
    fn select_only(&mut self, head: &Head) -> Option<(u16, u8)> {
        let PortGroup { first: output, vcs, .. } = head.group;
        let channel = head.first as usize + usize::from(output);
        let hot = &self.links.hot[channel];
        if hot.free_at >= self.events.now.next || !hot.is_on(self.events.now.time) {
            return None;
        }
        if self.start_bound(head.id, channel) >= self.events.now.next {
            return None;
        }
        let hot = self.links.collect_credits(channel, self.events.now.time);
        let with_credits = hot.with_credits(vcs, self.buffers.packets[head.id].flits, self.rules.packet_flits);
        if with_credits == 0 {
            return None;
        }
        let next_output = self.buffers.queues[head.place as usize].next_output;
        Some((output, next_in_order(with_credits, next_output.wrapping_sub(pointer(output, 0)))))
    }

    /// Selects as if all outputs were awake, and keeps an output that sleeps until it is on.
    fn select_ignoring_sleep(&mut self, candidates: &Candidates, head: &Head) -> Option<(u16, u8)> {
        let place = head.place as usize;
        if let Some((output, vc)) = self.buffers.chosen[place] {
            let channel = head.first as usize + usize::from(output);
            if !self.is_on_or_awaited(channel, head) {
                return None;
            }
            if self.is_free(channel, &self.buffers.packets[head.id]) && self.has_room(channel, vc, head) {
                return Some((output, vc));
            }
            self.buffers.chosen[place] = None;
        }
        let (output, vc) = match self.select_available(candidates, head) {
            Selection::Free(output, vc) => (output, vc),
            none => return self.wait(none, candidates, head),
        };
        if !self.is_on_or_awaited(head.first as usize + usize::from(output), head) {
            self.buffers.chosen[place] = Some((output, vc));
            return None;
        }
        Some((output, vc))
    }

    /// Blocks a packet that found no output; returns one that waking has made available at once.
    #[inline(never)]
    fn wait(&mut self, found: Selection, candidates: &Candidates, head: &Head) -> Option<(u16, u8)> {
        if self.is_still_blocked(head, || candidates.escape.first.into()) {
            return None;
        }
        if matches!(found, Selection::Busy { others_free: true }) {
            self.retry(head.switch, head.bit);
        }
        self.block(candidates, head);
        let selected = if self.at_once.some_woken() { self.select_available(candidates, head).free() } else { None };
        self.hide_woken(head);
        selected
    }

    /// Returns whether an output is on. If not, which happens only where the choice ignores sleep, blocks the packet on
    /// this very output and wakes it.
    fn is_on_or_awaited(&mut self, channel: usize, head: &Head) -> bool {
        if self.links.is_on(channel, self.events.now.time) {
            return true;
        }
        let on_at_once = self.wait_for_wake(channel, head);
        self.hide_woken(head);
        on_at_once
    }

    /// Selects an available adaptive output, else the escape if that is available.
    fn select_available(&mut self, candidates: &Candidates, head: &Head) -> Selection {
        if candidates.adaptive_len > 0 {
            let selected = self.select_among(candidates.adaptive(), head);
            if !matches!(selected, Selection::None) {
                return selected;
            }
        }
        self.select_among(&[candidates.escape], head)
    }

    /// Selects the available output and virtual channel of the highest priority: where trunks are packed, among those
    /// of the lowest place in their trunks, and where credits count, among those with the most.
    #[inline]
    fn select_among(&mut self, groups: &[PortGroup], head: &Head) -> Selection {
        // Rare cases have copies of their own, so that the usual case does not pay for them.
        match (self.rules.places.is_empty(), self.rules.selection == SelectionPath::Several) {
            (true, true) => self.select_free(groups, head),
            (true, false) => self.select_ranked::<false>(groups, head),
            (false, _) => self.select_ranked::<true>(groups, head),
        }
    }

    /// Selects as [`Switches::select_ranked`] does, under plain rules and balanced trunks.
    fn select_free(&mut self, groups: &[PortGroup], head: &Head) -> Selection {
        let start = self.buffers.queues[head.place as usize].next_output;
        let (flits, full) = (self.buffers.packets[head.id].flits, self.rules.packet_flits);
        // The best so far: what it lacks of the most credits, its priority, and the output and virtual channel.
        let mut best = u64::MAX;
        for group in groups {
            for output in group.first..group.first + group.count {
                let channel = head.first as usize + usize::from(output);
                let hot = &self.links.hot[channel];
                if hot.free_at >= self.events.now.next || !hot.is_on(self.events.now.time) {
                    continue;
                }
                let hot = self.links.collect_credits(channel, self.events.now.time);
                let with_credits = hot.with_credits(group.vcs, flits, full);
                if with_credits == 0 {
                    continue;
                }
                let lack = if self.rules.choice.most_credits { u32::MAX - hot.total_credits() } else { 0 };
                let first = pointer(output, 0);
                let candidate = first + u16::from(next_in_order(with_credits, start.wrapping_sub(first)));
                let priority = candidate.wrapping_sub(start);
                best = best.min(u64::from(lack) << 32 | u64::from(priority) << 16 | u64::from(candidate));
            }
        }
        let (output, vc) = output_of(best as u16);
        if best == u64::MAX { Selection::None } else { Selection::Free(output, vc) }
    }

    fn select_ranked<const PACKED: bool>(&mut self, groups: &[PortGroup], head: &Head) -> Selection {
        let Choice { most_credits, request_busy, .. } = self.rules.choice;
        let start = self.buffers.queues[head.place as usize].next_output;
        let packet = self.buffers.packets[head.id];
        let arbiter = self.arbiter_of(head.bit);
        let mut best: Option<(u64, u16, u8, bool)> = None;
        let mut some_free = false;
        for group in groups {
            for output in group.first..group.first + group.count {
                let channel = head.first as usize + usize::from(output);
                let free = self.is_free(channel, &packet);
                if !(free || request_busy)
                    || (self.rules.choice.sleep_aware() && !self.links.is_on(channel, self.events.now.time))
                {
                    continue;
                }
                let behind = if PACKED { self.behind(channel, free) } else { 0 };
                let hot = self.links.collect_credits(channel, self.events.now.time);
                let lack = if most_credits { u64::from(u32::MAX - hot.total_credits()) } else { 0 };
                let mut vcs = self.with_room(channel, group.vcs, &packet);
                some_free |= free && vcs != 0;
                while vcs != 0 {
                    let vc = vcs.trailing_zeros() as u8;
                    vcs &= vcs - 1;
                    let candidate = pointer(output, vc);
                    let priority =
                        self.rank_of_selection(candidate.wrapping_sub(start), head.switch, arbiter, candidate);
                    let rank = behind | lack << 16 | u64::from(priority);
                    if best.is_none_or(|(least, ..)| rank < least) {
                        best = Some((rank, output, vc, free));
                    }
                }
            }
        }
        match best {
            None => Selection::None,
            Some((_, output, vc, true)) => Selection::Free(output, vc),
            // A virtual channel that pauses may leave it to another output at any edge.
            Some(_) => Selection::Busy { others_free: some_free || self.links.pauses.is_some() },
        }
    }

    /// Returns the part of an output's rank that is the place in its trunk, where trunks are packed. Busy outputs come
    /// after all free ones, so that packets do not all request the first of a trunk.
    #[inline]
    fn behind(&self, channel: usize, free: bool) -> u64 {
        self.rules.places.get(channel).map_or(0, |&place| u64::from(!free) << 63 | u64::from(place) << 48)
    }
}
