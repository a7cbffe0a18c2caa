//! Arbiters: how one of several requests ranks at an output or at a read port. The lowest rank wins.
//!
//! Read ports rank their queues, and outputs the requests that are left: by their last grants, by a draw, or by the age of
//! packets. Looking at an arbiter changes nothing, only a grant does.

use crate::model::config::Arbitration;
use crate::model::rng;
use crate::power::Policy;

use super::request::Request;
use super::switches::Switches;

/// Distinguish the arbiters of inputs and of outputs from those of queues, which are numbered by their bits.
const INPUT_ARBITER: u16 = 0x8000;
const OUTPUT_ARBITER: u16 = 0x4000;

impl<P: Policy> Switches<'_, P> {
    /// Ranks a request among all for its output, in 48 bits. Of equals, the first queue is served.
    #[inline]
    pub fn rank_at_output<const FAST: bool>(&self, request: &Request) -> u64 {
        let channel = request.first as usize + usize::from(request.output);
        if FAST || self.rules.usual_arbiters {
            return self.served.at_output(channel, request.bit >> self.layout.queue_bits).into();
        }
        self.other_rank_at_output(request, channel)
    }

    #[inline(never)]
    fn other_rank_at_output(&self, request: &Request, channel: usize) -> u64 {
        let reader = self.layout.reader::<false>(u32::from(request.bit)) as u16;
        match self.rules.arbitration {
            Arbitration::LeastRecentlyServed => {
                let served = self.served.at_output(channel, self.input_port(request));
                // Two read ports of an input port may request the same output.
                let queue = self.served_of(self.layout.place_of(request.first, request.bit));
                u64::from(served) << 16 | u64::from(queue)
            }
            Arbitration::RoundRobin => reader.wrapping_sub(self.links.hot[channel].arbiter).into(),
            Arbitration::Random => {
                let drawn = self.draw(request.switch, OUTPUT_ARBITER | request.output, reader);
                u64::from(drawn) << 16 | u64::from(reader)
            }
            Arbitration::Age => self.rank_by_age(request),
        }
    }

    /// Ranks a request among those of its read port's queues; no two rank the same.
    #[inline]
    pub fn rank_at_input<const FAST: bool>(&self, request: &Request) -> u64 {
        let place = self.layout.place_of(request.first, request.bit);
        if FAST || self.rules.usual_arbiters {
            return self.rank_by_grants(place, request.bit);
        }
        self.other_rank_at_input(request, place)
    }

    #[inline(never)]
    fn other_rank_at_input(&self, request: &Request, place: usize) -> u64 {
        let queue = self.layout.number(request.bit);
        let distance = || queue.wrapping_sub(self.next_queue(place));
        match self.rules.arbitration {
            // The queues of an output hold packets of all input ports, which it serves.
            Arbitration::LeastRecentlyServed if self.partition.is_output(request.switch) => {
                self.rank_at_output::<false>(request) << 16 | u64::from(queue)
            }
            Arbitration::LeastRecentlyServed => u64::from(self.served_of(place)) << 16 | u64::from(queue),
            Arbitration::RoundRobin => distance().into(),
            Arbitration::Random => {
                let arbiter = INPUT_ARBITER | request.bit >> self.layout.queue_bits;
                u64::from(self.draw(request.switch, arbiter, queue)) << 16 | u64::from(distance())
            }
            Arbitration::Age => self.rank_by_age(request) << 16 | u64::from(queue),
        }
    }

    /// Ranks a queue by the grants of its input port, where it has one for each virtual channel.
    #[inline]
    pub fn rank_by_grants(&self, place: usize, bit: u16) -> u64 {
        u64::from(self.buffers.queues[place].served) << 16 | u64::from(bit)
    }

    /// Ranks the packet that left its node first lowest.
    // Not inlined, so that the usual arbiters do not carry it along.
    #[inline(never)]
    fn rank_by_age(&self, request: &Request) -> u64 {
        const MOST: u64 = (1 << 48) - 1;
        let head = self.buffers.queues[self.layout.place_of(request.first, request.bit)].head;
        MOST - self.events.now.next.saturating_sub(self.served.born(head)).min(MOST)
    }

    /// Returns a candidate's rank among the outputs and virtual channels that a head may select: its distance from where the
    /// last was, or a number drawn for this edge, which is the same however often it is asked for.
    #[inline]
    pub fn rank_of_selection(&self, distance: u16, switch: u32, arbiter: u16, candidate: u16) -> u16 {
        if self.rules.draws.is_empty() { distance } else { self.draw(switch, arbiter, candidate) }
    }

    /// Names the random arbiter of an input queue: input port and virtual channel, without the gaps that the masks have.
    #[inline]
    pub fn arbiter_of(&self, bit: u16) -> u16 {
        let bit = u32::from(bit);
        ((bit >> self.layout.vc_bits) * self.layout.vcs as u32 + (bit & self.layout.vc_mask)) as u16
    }

    // Not inlined, so that other arbiters do not carry it along.
    #[inline(never)]
    fn draw(&self, switch: u32, arbiter: u16, candidate: u16) -> u16 {
        let occasion = rng::mix(self.events.now.number) ^ (u64::from(arbiter) << 16 | u64::from(candidate));
        rng::draw_of(self.rules.draws[switch as usize], occasion) as u16
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
