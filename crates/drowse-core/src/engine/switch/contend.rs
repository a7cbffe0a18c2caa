//! Which of the heads that wait for an output are examined when it may have become available: not those that would lose
//! for certain.
//!
//! Past saturation, half a dozen heads wait for each output, and one of them gets it. All outputs of a head that has
//! been [blocked](super::block) are busy, full or asleep until they are woken. So where one output of a switch has been
//! woken, heads that were blocked before can request that output only: the first in the order of its arbiter whose read
//! port is free wins against all others of them. Those of its read port are examined, and those at read ports whose
//! other heads are examined for another reason. The rest would lose, and wait as before.

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
            self.work.examine_mask(&self.layout, switch, self.waiting_for(channel as usize));
        }
    }

    /// Adds those heads that may win the only output that was woken.
    fn add_contenders_for(&mut self, switch: u32, output: u32, scratch: &mut Candidates) {
        let first = self.partition.first_port[switch as usize];
        let examined = self.work.examined(&self.layout, switch);
        let waiting = self.waiting_for((first + output) as usize) & !examined;
        if waiting != 0 {
            let contend = self.contenders(switch, output, (examined, waiting), scratch);
            self.work.examine_mask(&self.layout, switch, contend);
        }
    }

    /// Returns those of the waiting heads that may win an output, or change who does.
    fn contenders(
        &mut self,
        switch: u32,
        output: u32,
        (examined, waiting): (u128, u128),
        scratch: &mut Candidates,
    ) -> u128 {
        let (first, now) = (self.partition.first_port[switch as usize], self.events.now);
        let hot = self.links.collect_credits((first + output) as usize, now.time);
        if hot.free_at >= now.next || !hot.is_on(now.time) || hot.is_spent() {
            return 0;
        }
        let next_reader = u32::from(hot.next_reader) << self.layout.reader_bits;
        let beside_examined = self.layout.of_same_readers(examined) & waiting;
        let mut others = InOrder::new(waiting & !beside_examined, next_reader);
        while let Some(bit) = others.first() {
            let of_reader = others.take(self.layout.of_reader(bit));
            if let Some(contender) = self.first_to_take(switch, output, of_reader, scratch) {
                return contender | self.leaders(switch, output, beside_examined, scratch);
            }
        }
        waiting
    }

    /// Returns those of some heads that their read ports prefer to the others of them for an output.
    fn leaders(&self, switch: u32, output: u32, mut heads: u128, scratch: &mut Candidates) -> u128 {
        let mut leaders = 0;
        while heads != 0 {
            let of_reader = heads & self.layout.of_reader(heads.trailing_zeros());
            heads &= !of_reader;
            leaders |= self.first_to_take(switch, output, of_reader, scratch).unwrap_or(0);
        }
        leaders
    }

    /// Returns that of some heads of one read port that comes first in the order of its arbiter, of those that find
    /// credits at an output, as a mask; none where the read port is busy.
    fn first_to_take(&self, switch: u32, output: u32, heads: u128, scratch: &mut Candidates) -> Option<u128> {
        let first = self.partition.first_port[switch as usize];
        let place_of = |bit| (first << self.layout.queue_bits) + bit;
        let reader = self.layout.reader::<true>(place_of(heads.trailing_zeros()));
        let port = &self.buffers.read_ports[reader];
        if port.busy_until >= self.events.now.next {
            return None;
        }
        let next = self.buffers.next_queue.get(reader).copied().unwrap_or_else(|| u16::from(port.next_vc()));
        let mut heads = InOrder::new(heads, u32::from(port.first_bit) + u32::from(next));
        let hot = &self.links.hot[(first + output) as usize];
        while let Some(bit) = heads.first() {
            let place = place_of(bit);
            let flits = self.buffers.packets[self.buffers.queues[place as usize].head].flits;
            let vcs = self.vcs_at(switch, place, output, scratch);
            if hot.with_credits(vcs, flits, self.rules.packet_flits) != 0 {
                return Some(1 << bit);
            }
            heads.take(1 << bit);
        }
        None
    }

    /// Returns the virtual channels by which the head of a queue may take an output.
    fn vcs_at(&self, switch: u32, place: u32, output: u32, scratch: &mut Candidates) -> u8 {
        if let Some(kept) = self.offers.kept(&self.buffers.queues[place as usize], place) {
            return kept.vcs_at(output);
        }
        self.candidates(&self.buffers.packets[self.buffers.queues[place as usize].head], switch, scratch);
        let groups = scratch.adaptive().iter().chain(std::iter::once(&scratch.escape));
        let of_output = groups.filter(|group| (group.first..group.first + group.count).contains(&(output as u16)));
        of_output.fold(0, |vcs, group| vcs | group.vcs)
    }

    /// Returns the heads of a switch that wait for an output, where all fit into one number.
    fn waiting_for(&self, channel: usize) -> u128 {
        let word = |word| if word < self.layout.words { u128::from(self.links.waiting(channel, word)) } else { 0 };
        word(0) | word(1) << 64
    }
}

/// Heads of a switch in the order of an arbiter: from where it looks first, and around.
struct InOrder {
    heads: u128,
    from: u128,
}

impl InOrder {
    /// Takes some heads, one bit each, from a bit on; beyond the last, from the first.
    fn new(heads: u128, from: u32) -> Self {
        InOrder { heads, from: u128::MAX.unbounded_shl(from) }
    }

    /// Returns the bit of the first.
    fn first(&self) -> Option<u32> {
        let later = self.heads & self.from;
        let heads = if later != 0 { later } else { self.heads };
        (heads != 0).then(|| heads.trailing_zeros())
    }

    /// Removes those in a mask, and returns them.
    fn take(&mut self, mask: u128) -> u128 {
        let taken = self.heads & mask;
        self.heads &= !mask;
        taken
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Against counting up from where the arbiter looks first, and around.
    #[test]
    fn heads_come_in_order() {
        let heads = 1 << 3 | 1 << 17 | 1 << 64 | 1 << 127;
        for from in 0..130 {
            let mut in_order = InOrder::new(heads, from);
            let taken: Vec<u32> = std::iter::from_fn(|| {
                let bit = in_order.first()?;
                assert_eq!(in_order.take(1 << bit), 1 << bit);
                Some(bit)
            })
            .collect();
            let around = (from..128).chain(0..from.min(128));
            assert_eq!(taken, around.filter(|bit| heads >> bit & 1 == 1).collect::<Vec<u32>>(), "from {from}");
        }
    }
}
