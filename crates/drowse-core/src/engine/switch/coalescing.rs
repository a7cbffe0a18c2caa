//! Coalescing at a switch: a sleeping channel waits for several packets before it wakes, where the policy says so.
//!
//! A sleeping channel that is requested stays asleep until enough packets wait, or the first has waited long enough.
//! All packets of the input queues whose head requests the channel count, or all of the NIC's messages: those behind a
//! head cannot overtake it.

use crate::power::Policy;

use crate::engine::switch::buffers::Queue;
use crate::engine::switch::switches::Switches;

impl<P: Policy> Switches<'_, P> {
    /// Counts the packets that wait for an output.
    pub fn frames_waiting(&self, channel: usize) -> u32 {
        let switch = self.switch_of::<false>(channel as u32) as usize;
        let first = self.partition.first_port[switch] << self.layout.queue_bits;
        let mut frames = 0;
        for word in 0..self.layout.words {
            let mut bits = self.links.waiting(channel, word);
            while bits != 0 {
                let place = first + word as u32 * 64 + bits.trailing_zeros();
                bits &= bits - 1;
                frames += self.buffers.in_queue(place).count() as u32;
            }
        }
        frames
    }

    /// Re-checks coalescing outputs after all arrivals of this edge, so that the order of the arrivals does not matter.
    #[inline]
    pub fn recheck_coalescing(&mut self) {
        while let Some(place) = self.buffers.came_behind.pop() {
            self.recheck_behind(place);
        }
    }

    /// Re-checks the coalescing outputs for which the head of a queue waits, after a packet has arrived behind it.
    #[inline(never)]
    fn recheck_behind(&mut self, place: u32) {
        if !self.buffers.queues[place as usize].has(Queue::BLOCKED) {
            return;
        }
        let switch = self.buffers.read_ports[self.layout.reader::<false>(place)].switch as usize;
        let (first, end) = (self.partition.first_port[switch], self.partition.first_port[switch + 1]);
        let bit = place - (first << self.layout.queue_bits);
        let (word, bit) = (bit as usize / 64, bit % 64);
        for channel in first as usize..end as usize {
            if self.links.is_coalescing(channel) && self.links.waiting(channel, word) >> bit & 1 == 1 {
                self.request_asleep(channel);
            }
        }
    }
}
