//! Which of the heads that wait for an output are examined when it may have become available: not those that would lose
//! for certain.
//!
//! Past saturation, half a dozen heads wait for each output, and one of them gets it. All outputs of a head that has
//! been [blocked](super::block) are busy, full or asleep until they are woken. So where one output of a switch has been
//! woken, heads that were blocked before can request that output only. Of these, each read port prefers one, and of the
//! read ports that are free the arbiter of the output prefers one. That head is examined; and where others of a read
//! port are examined for another reason, the one that this port prefers. The rest would lose, and wait as before.

use crate::model::config::Arbitration;
use crate::power::Policy;
use crate::routing::{Candidates, PortGroup};

use super::request::Request;
use super::switches::Switches;

/// Some heads of a switch, of one word of its masks.
#[derive(Clone, Copy)]
struct Heads {
    /// Which word.
    word: usize,
    /// The heads, one bit each.
    bits: u64,
}

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
                self.work.examine[words + word] |= self.leaders(switch, output, Heads { word, bits: beside }, scratch);
            }
        }
        self.work.examine[words + word_of_first] |= first;
    }

    /// Returns the word and the bit of the first head, in the order of the output's arbiter, that takes the output
    /// unless one does that is examined anyway; heads of whose read ports others are examined are left out.
    fn first_contender(&self, switch: u32, output: u32, scratch: &mut Candidates) -> Option<(usize, u64)> {
        if self.rules.arbitration == Arbitration::RoundRobin {
            return self.first_in_turn(switch, output, scratch);
        }
        let channel = (self.partition.first_port[switch as usize] + output) as usize;
        let served = self.served.of_output(channel);
        let (mut least, mut first) = (u32::MAX, None);
        for word in 0..self.layout.words {
            let mut left = self.left_waiting(switch, output, word);
            while left != 0 {
                let bit = left.trailing_zeros();
                let of_port = left & self.layout.of_port(bit);
                left &= !of_port;
                let count = served[(word << 6 | bit as usize) >> self.layout.queue_bits].into();
                if count < least
                    && let Some(contender) = self.first_to_take(switch, output, Heads { word, bits: of_port }, scratch)
                {
                    (least, first) = (count, Some((word, contender)));
                }
            }
        }
        first
    }

    /// Returns those heads of a word that wait for an output and of whose read ports none are examined.
    #[inline]
    fn left_waiting(&self, switch: u32, output: u32, word: usize) -> u64 {
        let channel = (self.partition.first_port[switch as usize] + output) as usize;
        let examined = self.work.examine[switch as usize * self.layout.words + word];
        self.links.waiting(channel, word) & !self.layout.of_same_readers(examined)
    }

    /// Returns the [first contender](Switches::first_contender) where arbiters are round-robin.
    fn first_in_turn(&self, switch: u32, output: u32, scratch: &mut Candidates) -> Option<(usize, u64)> {
        let (words, channel) = (self.layout.words, (self.partition.first_port[switch as usize] + output) as usize);
        let next = usize::from(self.links.hot[channel].arbiter) << self.layout.reader_bits;
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
                if let Some(contender) = self.first_to_take(switch, output, Heads { word, bits: of_reader }, scratch) {
                    return Some((word, contender));
                }
            }
        }
        None
    }

    /// Returns those of some heads of a word that their read ports prefer to the others of them for an output.
    fn leaders(
        &self,
        switch: u32,
        output: u32,
        Heads { word, bits: mut heads }: Heads,
        scratch: &mut Candidates,
    ) -> u64 {
        let mut leaders = 0;
        while heads != 0 {
            let of_reader = heads & self.layout.of_reader(heads.trailing_zeros());
            heads &= !of_reader;
            leaders |= self.first_to_take(switch, output, Heads { word, bits: of_reader }, scratch).unwrap_or(0);
        }
        leaders
    }

    /// Returns that of some heads of one input port that comes first in the order of its arbiter, of those whose read port
    /// is free and that find credits at an output, as a mask. Where arbiters are round-robin, the heads are of one read
    /// port.
    fn first_to_take(
        &self,
        switch: u32,
        output: u32,
        Heads { word, bits: heads }: Heads,
        scratch: &mut Candidates,
    ) -> Option<u64> {
        let first = self.partition.first_port[switch as usize];
        let place_of = |bit: u32| (first << self.layout.queue_bits) + word as u32 * 64 + bit;
        let hot = &self.links.hot[(first + output) as usize];
        let from = self.round_robin_from(place_of(heads.trailing_zeros()));
        let mut left = heads;
        while left != 0 {
            let bit = match from {
                Some(from) => first_from(left, from),
                None => Self::first_by_rank(left, |bit| self.rank_of(switch, output, word as u32 * 64 + bit)),
            };
            left &= !(1 << bit);
            let place = place_of(bit);
            let port = &self.buffers.read_ports[self.layout.reader::<true>(place)];
            if port.busy_until >= self.events.now.next {
                continue;
            }
            let flits = self.buffers.packets[self.buffers.queues[place as usize].head].flits;
            let vcs = self.vcs_at(switch, place, output, scratch);
            if hot.with_credits(vcs, flits, self.rules.packet_flits) != 0 {
                return Some(1 << bit);
            }
        }
        None
    }

    /// Returns where the arbiter of the read port of a queue looks first, if it is round-robin: a bit in the word of its
    /// queues.
    fn round_robin_from(&self, place: u32) -> Option<u32> {
        (self.rules.arbitration == Arbitration::RoundRobin).then(|| {
            let port = &self.buffers.read_ports[self.layout.reader::<true>(place)];
            u32::from(port.first_bit % 64) + u32::from(self.next_queue(place as usize))
        })
    }

    /// Returns that of some heads, at least one, that ranks lowest.
    fn first_by_rank(heads: u64, rank: impl Fn(u32) -> u64) -> u32 {
        let mut left = heads & heads.wrapping_sub(1);
        let mut first = heads.trailing_zeros();
        if left == 0 {
            return first;
        }
        let mut least = rank(first);
        while left != 0 {
            let bit = left.trailing_zeros();
            left &= left - 1;
            let rank = rank(bit);
            if rank < least {
                (least, first) = (rank, bit);
            }
        }
        first
    }

    /// Ranks a head among those of its input port, by its bit.
    #[inline]
    fn rank_of(&self, switch: u32, output: u32, bit: u32) -> u64 {
        let first = self.partition.first_port[switch as usize];
        if self.rules.usual_arbiters {
            return self.rank_by_grants(self.layout.place_of(first, bit as u16), bit as u16);
        }
        let (bit, output) = (bit as u16, output as u16);
        let (vc, member, leads, only, group) = (0, 0, true, false, PortGroup::NONE);
        self.rank_at_input::<false>(&Request { switch, first, bit, output, vc, member, leads, only, group })
    }

    /// Returns the virtual channels by which the head of a queue may take an output.
    fn vcs_at(&self, switch: u32, place: u32, output: u32, scratch: &mut Candidates) -> u8 {
        if let Some(kept) = self.availability.kept(&self.buffers.queues[place as usize], place) {
            return kept.vcs_at(output);
        }
        let packet = &self.buffers.packets[self.buffers.queues[place as usize].head];
        self.permitted_at(packet, switch, scratch).vcs_at(output)
    }
}

/// Returns the first of some heads, at least one, one bit each, from a bit on; beyond the last, from the first.
fn first_from(heads: u64, from: u32) -> u32 {
    let later = heads & u64::MAX.unbounded_shl(from);
    if later != 0 { later.trailing_zeros() } else { heads.trailing_zeros() }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Against counting up from where the arbiter looks first, and around.
    #[test]
    fn heads_come_in_order() {
        let heads: u64 = 1 << 3 | 1 << 17 | 1 << 18 | 1 << 63;
        for from in 0..66 {
            let around = (from..64).chain(0..from.min(64)).filter(|bit| heads >> bit & 1 == 1);
            let mut left = heads;
            let in_order = std::iter::from_fn(|| {
                let first = (left != 0).then(|| first_from(left, from))?;
                left &= !(1 << first);
                Some(first)
            });
            assert_eq!(in_order.collect::<Vec<u32>>(), around.collect::<Vec<u32>>(), "from {from}");
        }
    }
}
