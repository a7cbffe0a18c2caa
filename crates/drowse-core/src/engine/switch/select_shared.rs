//! The first stage of the allocator where heads share what they look up: [`Availability`].

use crate::engine::link::channel::Channel;
use crate::model::config::SleepSelection;
use crate::power::Policy;
use crate::routing::{Candidates, Permitted};

use super::availability::Availability;
use super::buffers::Queue;
use super::request::Head;
use super::rules::SelectionPath;
use super::switches::Switches;

impl<P: Policy> Switches<'_, P> {
    /// Looks at those of some outputs that no head has asked for at this edge.
    #[inline]
    pub fn look_at(&mut self, head: &Head, outputs: u64) {
        if self.availability.switch != head.switch || self.availability.edge != self.events.now.number {
            let Availability { switch, edge, known, on, waking, off, watched, free_outputs, .. } =
                &mut self.availability;
            (*switch, *edge) = (head.switch, self.events.now.number);
            (*known, *on, *waking, *off, *watched, *free_outputs) = (0, 0, 0, 0, 0, 0);
        }
        let new = outputs & !self.availability.known;
        if new != 0 {
            self.look_at_new(head.first, new);
        }
    }

    /// Looks at some outputs of the switch, which begin at port `first`.
    #[inline(never)]
    fn look_at_new(&mut self, first: u32, new: u64) {
        let now = self.events.now;
        let (mut all_on, mut all_waking, mut all_off, mut free_outputs) = (0, 0, 0, 0);
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
            self.availability.vcs[output as usize % Availability::MOST] = vcs;
            free_outputs |= u64::from(vcs != 0) << output;
        }
        self.availability.known |= new;
        self.availability.on |= all_on;
        self.availability.off |= all_off;
        self.availability.waking |= all_waking;
        self.availability.free_outputs |= free_outputs;
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
            return self.availability.kept[place];
        }
        let permitted = self.several_permitted(&self.buffers.packets[head.id], head.switch, candidates);
        if let Some(kept) = self.availability.kept.get_mut(place) {
            *kept = permitted;
            self.buffers.queues[place].flags |= Queue::KEPT;
        }
        permitted
    }

    /// Selects an output and virtual channel for the full packet of a head, adaptive ones before the escape, as
    /// [`Switches::select_free`] does.
    #[inline]
    pub fn select_shared(&mut self, permitted: Permitted, head: &Head) -> Option<(u16, u8)> {
        let start = self.buffers.queues[head.place as usize].next_output;
        let Permitted { adaptive, escape, adaptive_vcs, escape_vcs } = permitted;
        if self.rules.selection == SelectionPath::Random {
            // Of trees, which have no other escape.
            return self.select_drawn(escape, escape_vcs, head);
        }
        self.look_at(head, adaptive);
        self.availability.first_of(adaptive, adaptive_vcs, start).or_else(|| {
            self.look_at(head, escape);
            self.availability.first_of(escape, escape_vcs, start)
        })
    }

    /// Returns those permitted outputs of a head that take a full packet by some virtual channel, one bit each: all
    /// that take that of the head, and perhaps more.
    #[inline]
    pub fn all_available(&mut self, permitted: Permitted, head: &Head) -> u64 {
        self.look_at(head, permitted.escape);
        self.availability.free_outputs & permitted.outputs()
    }

    /// Blocks a packet on its outputs as [`Switches::block`] does, where none of them sleeps but those that their trunk has
    /// turned off; returns whether that is so.
    pub fn block_awake(&mut self, permitted: Permitted, head: &Head) -> bool {
        let all = permitted.outputs();
        self.look_at(head, all);
        let Availability { on, waking, off, watched, .. } = self.availability;
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
        self.availability.watched |= new;
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
