//! Selection in trees whose arbiters draw: the most credits, and among equals a draw. All heads that wait request what
//! becomes free, and all but one lose, so that it pays not to examine those that would find nothing.

use crate::power::Policy;

use super::pointer::pointer;
use super::request::Head;
use super::switches::Switches;

impl<P: Policy> Switches<'_, P> {
    /// Selects one of some outputs, and its virtual channel, for the full packet of a head, as
    /// [`Switches::select_ranked`] does: draws are made only where outputs have equally many credits.
    pub fn select_drawn(&mut self, outputs: u64, vcs: u8, head: &Head) -> Option<(u16, u8)> {
        self.look_at(head, outputs);
        let mut left = self.availability.by_some_of(outputs, vcs);
        if left.is_power_of_two() {
            // The usual case: one has become free.
            return self.select_drawn_vc(left, vcs, head);
        }
        let (mut most, mut equals) = (0, 0_u64);
        while left != 0 {
            let output = left.trailing_zeros();
            left &= left - 1;
            let credits = self.links.hot[(head.first + output) as usize].total_credits();
            if credits > most {
                (most, equals) = (credits, 0);
            }
            if credits == most {
                equals |= 1 << output;
            }
        }
        self.select_drawn_vc(equals, vcs, head)
    }

    /// Draws one of some virtual channels of some outputs that all have as many credits.
    fn select_drawn_vc(&self, mut equals: u64, vcs: u8, head: &Head) -> Option<(u16, u8)> {
        let arbiter = self.arbiter_of(head.bit);
        let start = self.buffers.queues[head.place as usize].next_output;
        let mut best: Option<(u16, u16, u8)> = None;
        while equals != 0 {
            let output = equals.trailing_zeros() as u16;
            equals &= equals - 1;
            let mut free = self.availability.vcs[usize::from(output)] & vcs;
            if equals == 0 && best.is_none() && free.is_power_of_two() {
                return Some((output, free.trailing_zeros() as u8));
            }
            while free != 0 {
                let vc = free.trailing_zeros() as u8;
                free &= free - 1;
                let candidate = pointer(output, vc);
                let priority = self.rank_of_selection(candidate.wrapping_sub(start), head.switch, arbiter, candidate);
                if best.is_none_or(|(least, ..)| priority < least) {
                    best = Some((priority, output, vc));
                }
            }
        }
        best.map(|(_, output, vc)| (output, vc))
    }

    /// Returns whether an output has no credit at all, so that its waiting heads would be examined in vain.
    #[inline(never)]
    pub fn is_full(&mut self, port: usize) -> bool {
        self.examines_rarely() && self.links.collect_credits(port, self.events.now.time).is_spent()
    }

    /// Returns whether heads need not be examined that would find nothing. Where links sleep, they may wake another
    /// output; where somebody asks why packets wait, they tell.
    fn examines_rarely(&self) -> bool {
        !self.rules.may_sleep && !P::PROBES
    }
}
