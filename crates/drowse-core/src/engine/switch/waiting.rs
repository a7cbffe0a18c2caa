//! Which input queues wait for which outputs.

use crate::power::Policy;
use crate::routing::PortGroup;

use super::switches::Switches;

impl<P: Policy> Switches<'_, P> {
    /// Marks an input queue as waiting for an output.
    #[inline]
    pub fn set_waiting(&mut self, channel: usize, bit: u16) {
        *self.links.waiting_mut(channel, usize::from(bit) / 64) |= 1 << (bit % 64);
    }

    /// Removes an input queue whose packet leaves from the switch's masks of waiting queues; outputs for which no queue
    /// waits any more become idle. `group` holds the packet's permitted outputs where they are one port group.
    #[inline(never)]
    pub fn unblock(&mut self, switch: u32, first: u32, bit: u32, granted: usize, group: PortGroup) {
        let place = (first << self.layout.queue_bits) + bit;
        if let Some(permitted) = self.availability.kept(&self.buffers.queues[place as usize], place) {
            let mut outputs = permitted.outputs();
            while outputs != 0 {
                self.unblock_at((first + outputs.trailing_zeros()) as usize, bit, granted);
                outputs &= outputs - 1;
            }
            return;
        }
        let ports = if group.count > 0 {
            let from = first as usize + usize::from(group.first);
            from..from + usize::from(group.count)
        } else {
            first as usize..self.partition.first_port[switch as usize + 1] as usize
        };
        ports.for_each(|channel| self.unblock_at(channel, bit, granted));
    }

    /// Removes an input queue from those that wait for a channel.
    #[inline]
    fn unblock_at(&mut self, channel: usize, bit: u32, granted: usize) {
        let (mask, bit) = (self.links.waiting_mut(channel, bit as usize / 64), 1 << (bit % 64));
        if *mask & bit != 0 {
            *mask &= !bit;
            if channel != granted && !self.links.some_wait(channel) {
                self.links.begin_idle(channel, self.events.now.time);
                self.links.stop_coalescing(channel);
            }
        }
    }

    /// Returns whether several heads wait for an output; perhaps also where one does, beyond the first word of a
    /// switch.
    #[inline]
    pub fn several_wait<const FAST: bool>(&self, channel: usize) -> bool {
        let first = self.links.hot[channel].waiting;
        let more = |word| self.links.waiting(channel, word) != 0;
        first & first.wrapping_sub(1) != 0 || !FAST && (1..self.layout.words).any(more)
    }

    /// Returns how many flits wait for some outputs of a switch at most, by the number of queues.
    pub fn most_flits_waiting<I: Iterator<Item = usize>>(&self, outputs: impl Fn() -> I) -> u64 {
        let queues = |word| self.heads_waiting(outputs(), word).count_ones();
        u64::from((0..self.layout.words).map(queues).sum::<u32>()) * self.rules.most_queued
    }

    /// Counts the flits of all packets in input queues whose head waits for one of some outputs of a switch, at least
    /// one.
    pub fn flits_waiting<I: Iterator<Item = usize>>(&self, outputs: impl Fn() -> I) -> u64 {
        let Some(output) = outputs().next() else { return 0 };
        let first = self.partition.first_port[self.switch_of::<false>(output as u32) as usize];
        let mut flits = 0;
        for word in 0..self.layout.words {
            let mut bits = self.heads_waiting(outputs(), word);
            while bits != 0 {
                let place = (first << self.layout.queue_bits) + word as u32 * 64 + bits.trailing_zeros();
                bits &= bits - 1;
                let in_queue = self.buffers.in_queue(place);
                flits += in_queue.map(|id| u64::from(self.buffers.packets[id].flits)).sum::<u64>();
            }
        }
        flits
    }

    /// Returns a word of the mask of those that wait for one of some outputs of a switch.
    fn heads_waiting(&self, outputs: impl Iterator<Item = usize>, word: usize) -> u64 {
        outputs.fold(0, |bits, output| bits | self.links.waiting(output, word))
    }
}
