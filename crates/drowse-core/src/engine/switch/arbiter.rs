//! Priorities at an arbiter: round-robin, or drawn at random.

use crate::model::rng;
use crate::power::Policy;

use super::switches::Switches;

impl<P: Policy> Switches<'_, P> {
    /// Returns the priority of a candidate, the least of which wins: its distance from the arbiter's pointer, or a
    /// number drawn for this edge, which is the same however often the arbiter is asked.
    #[inline]
    pub fn priority(&self, distance: u16, switch: u32, arbiter: u16, candidate: u16) -> u16 {
        match self.rules.draws.get(switch as usize) {
            None => distance,
            Some(&seed) => self.drawn_priority(seed, arbiter, candidate),
        }
    }

    /// Names the random arbiter of an input queue: input port and virtual channel, without the gaps that the masks have.
    #[inline]
    pub fn arbiter_of(&self, bit: u16) -> u16 {
        let bit = u32::from(bit);
        ((bit >> self.layout.vc_bits) * self.layout.vcs as u32 + (bit & self.layout.vc_mask)) as u16
    }

    // Not inlined, so that round-robin arbiters do not carry it along.
    #[inline(never)]
    fn drawn_priority(&self, seed: u64, arbiter: u16, candidate: u16) -> u16 {
        let occasion = rng::mix(self.events.now.number) ^ (u64::from(arbiter) << 16 | u64::from(candidate));
        rng::draw_of(seed, occasion) as u16
    }
}

/// Returns the first of some virtual channels, at least one, from `start` on, and around; beyond the last, from the
/// first.
#[inline]
pub fn next_in_order(vcs: u8, start: u16) -> u8 {
    let start = if start < 8 { start as u8 } else { 0 };
    (vcs.rotate_right(u32::from(start)).trailing_zeros() as u8 + start) & 7
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Against looking at one after the other.
    #[test]
    fn virtual_channels_come_in_order() {
        for vcs in 1..=u8::MAX {
            for start in 0..12u16 {
                let first = if start < 8 { start as u8 } else { 0 };
                let next = (0..8).map(|step| (first + step) % 8).find(|vc| vcs >> vc & 1 == 1);
                assert_eq!(Some(next_in_order(vcs, start)), next, "{vcs:#b} from {start}");
            }
        }
    }
}
