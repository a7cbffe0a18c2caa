//! Which of the heads that wait for an output are examined when it may have become available: not those that would lose
//! for certain.
//!
//! Past saturation, half a dozen heads wait for each output, and one of them gets it. All outputs of a head that has
//! been [blocked](super::block) are busy, full or asleep until they are woken. So where one output of a switch has been
//! woken, heads that were blocked before can request that output only. Of these, each read port prefers one, and of the
//! read ports that are free the arbiter of the output prefers one. That head is examined; and where others of a read
//! port are examined for another reason, the one that this port prefers. The rest would lose, and wait as before.

use crate::power::Policy;
use crate::routing::Candidates;

use super::switches::Switches;

impl<P: Policy> Switches<'_, P> {
    /// Adds to the heads of a switch that are examined those that may win an output that was woken.
    #[inline(never)]
    pub fn add_contenders(&mut self, switch: u32, mut woken: u64, scratch: &mut Candidates) {
        if woken.is_power_of_two() {
            return self.add_contenders_for(switch, woken.trailing_zeros(), scratch);
        }
        while woken != 0 {
            let channel = self.partition.first_port[switch as usize] + woken.trailing_zeros();
            woken &= woken - 1;
            self.mark_waiting::<false>(switch, channel);
        }
    }

    /// Adds those heads that may win the only output that was woken, or change who does.
    fn add_contenders_for(&mut self, switch: u32, output: u32, scratch: &mut Candidates) {
        let (port, now) = (self.partition.first_port[switch as usize] + output, self.events.now);
        let hot = self.links.collect_credits(port as usize, now.time);
        if hot.free_at >= now.next || !hot.is_on(now.time) || hot.is_spent() {
            return;
        }
        let Some((word_of_first, first)) = self.first_contender(switch, output, scratch) else {
            return self.mark_waiting::<false>(switch, port);
        };
        let words = switch as usize * self.layout.words;
        for word in 0..self.layout.words {
            let (examined, waiting) = (self.work.examine[words + word], self.links.waiting(port as usize, word));
            let beside = self.layout.of_same_readers(examined) & waiting & !examined;
            if beside != 0 {
                self.work.examine[words + word] |= self.leaders(switch, output, (word, beside), scratch);
            }
        }
        self.work.examine[words + word_of_first] |= first;
    }

    /// Returns the word and the bit of the first head, in the order of the output's arbiter, that takes the output
    /// unless one does that is examined anyway; heads of whose read ports others are examined are left out.
    fn first_contender(&self, switch: u32, output: u32, scratch: &mut Candidates) -> Option<(usize, u64)> {
        let (words, channel) = (self.layout.words, (self.partition.first_port[switch as usize] + output) as usize);
        let next = usize::from(self.links.hot[channel].next_reader) << self.layout.reader_bits;
        let (start, from) = if next < words * 64 { (next / 64, u64::MAX << (next % 64)) } else { (0, u64::MAX) };
        // Of the word where the arbiter looks first, what lies before comes last.
        for step in 0..=words {
            let word = (start + step) % words;
            let mask = if step == 0 { from } else { u64::MAX } & if step == words { !from } else { u64::MAX };
            let mut left = self.links.waiting(channel, word) & mask;
            if left == 0 {
                continue;
            }
            left &= !self.layout.of_same_readers(self.work.examine[switch as usize * words + word]);
            while left != 0 {
                let of_reader = left & self.layout.of_reader(left.trailing_zeros());
                left &= !of_reader;
                if let Some(contender) = self.first_to_take(switch, output, (word, of_reader), scratch) {
                    return Some((word, contender));
                }
            }
        }
        None
    }

    /// Returns those of some heads of a word that their read ports prefer to the others of them for an output.
    fn leaders(&self, switch: u32, output: u32, (word, mut heads): (usize, u64), scratch: &mut Candidates) -> u64 {
        let mut leaders = 0;
        while heads != 0 {
            let of_reader = heads & self.layout.of_reader(heads.trailing_zeros());
            heads &= !of_reader;
            leaders |= self.first_to_take(switch, output, (word, of_reader), scratch).unwrap_or(0);
        }
        leaders
    }

    /// Returns that of some heads of one read port that comes first in the order of its arbiter, of those that find
    /// credits at an output, as a mask; none where the read port is busy.
    fn first_to_take(
        &self,
        switch: u32,
        output: u32,
        (word, heads): (usize, u64),
        scratch: &mut Candidates,
    ) -> Option<u64> {
        let first = self.partition.first_port[switch as usize];
        let place_of = |bit: u32| (first << self.layout.queue_bits) + word as u32 * 64 + bit;
        let reader = self.layout.reader::<true>(place_of(heads.trailing_zeros()));
        let port = &self.buffers.read_ports[reader];
        if port.busy_until >= self.events.now.next {
            return None;
        }
        let next = self.buffers.next_queue.get(reader).copied().unwrap_or_else(|| u16::from(port.next_vc()));
        let heads = InOrder::new(heads, u32::from(port.first_bit % 64) + u32::from(next));
        let hot = &self.links.hot[(first + output) as usize];
        for bit in heads {
            let place = place_of(bit);
            let flits = self.buffers.packets[self.buffers.queues[place as usize].head].flits;
            let vcs = self.vcs_at(switch, place, output, scratch);
            if hot.with_credits(vcs, flits, self.rules.packet_flits) != 0 {
                return Some(1 << bit);
            }
        }
        None
    }

    /// Returns the virtual channels by which the head of a queue may take an output.
    fn vcs_at(&self, switch: u32, place: u32, output: u32, scratch: &mut Candidates) -> u8 {
        if let Some(kept) = self.offers.kept(&self.buffers.queues[place as usize], place) {
            return kept.vcs_at(output);
        }
        let packet = &self.buffers.packets[self.buffers.queues[place as usize].head];
        self.permitted_at(packet, switch, scratch).vcs_at(output)
    }
}

/// Heads of a read port in the order of its arbiter: from where it looks first, and around.
struct InOrder {
    heads: u64,
    from: u64,
}

impl InOrder {
    /// Takes some heads, one bit each, from a bit on; beyond the last, from the first.
    fn new(heads: u64, from: u32) -> Self {
        InOrder { heads, from: u64::MAX.unbounded_shl(from) }
    }
}

impl Iterator for InOrder {
    type Item = u32;

    /// Returns the bit of the next.
    fn next(&mut self) -> Option<u32> {
        let later = self.heads & self.from;
        let left = if later != 0 { later } else { self.heads };
        let first = left & left.wrapping_neg();
        self.heads &= !first;
        (first != 0).then(|| first.trailing_zeros())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Against counting up from where the arbiter looks first, and around.
    #[test]
    fn heads_come_in_order() {
        let heads = 1 << 3 | 1 << 17 | 1 << 18 | 1 << 63;
        for from in 0..66 {
            let around = (from..64).chain(0..from.min(64)).filter(|bit| heads >> bit & 1 == 1);
            assert_eq!(InOrder::new(heads, from).collect::<Vec<u32>>(), around.collect::<Vec<u32>>(), "from {from}");
        }
    }
}
