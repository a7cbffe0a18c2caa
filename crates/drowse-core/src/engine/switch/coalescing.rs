//! Links that gather packets before they wake, where the policy says so.
//!
//! A sleeping channel that is asked for goes on sleeping until enough packets wait, or the first has waited long enough. Packets
//! that wait are all those of the input queues whose head asks for the channel, or of the NIC's messages: those behind a head
//! cannot pass it.

use crate::power::Policy;

use crate::engine::switch::buffers::Queue;
use crate::engine::switch::switches::Switches;

impl<P: Policy> Switches<'_, P> {
    /// Counts the packets that wait for an output.
    pub fn frames_waiting(&self, channel: usize) -> u32 {
        let switch = self.switch_of::<false>(channel as u32) as usize;
        let first = self.partition.first_port[switch] << self.layout.vc_bits;
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

    /// Lets the outputs that gather know of the packets that have come behind a head, once all have come that come at this edge: an
    /// output that one of these has woken coalesces no longer, in whatever order they came.
    #[inline]
    pub fn recheck_coalescing(&mut self) {
        while let Some(place) = self.buffers.came_behind.pop() {
            self.recheck_behind(place);
        }
    }

    /// Lets the outputs that gather, and for which the head of a queue waits, know that a packet has come behind it.
    #[inline(never)]
    fn recheck_behind(&mut self, place: u32) {
        if !self.buffers.queues[place as usize].has(Queue::BLOCKED) {
            return;
        }
        let switch = self.buffers.read_ports[self.layout.reader::<false>(place)].switch as usize;
        let (first, end) = (self.partition.first_port[switch], self.partition.first_port[switch + 1]);
        let bit = place - (first << self.layout.vc_bits);
        let (word, bit) = (bit as usize / 64, bit % 64);
        for channel in first as usize..end as usize {
            if self.links.is_coalescing(channel) && self.links.waiting(channel, word) >> bit & 1 == 1 {
                self.ask(channel);
            }
        }
    }
}
