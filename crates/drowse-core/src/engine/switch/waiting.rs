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
        let ports = if group.count > 0 {
            let from = first as usize + usize::from(group.first);
            from..from + usize::from(group.count)
        } else {
            first as usize..self.partition.first_port[switch as usize + 1] as usize
        };
        let (word, bit) = (bit as usize / 64, 1 << (bit % 64));
        for channel in ports {
            let mask = self.links.waiting_mut(channel, word);
            if *mask & bit != 0 {
                *mask &= !bit;
                if channel != granted && !self.links.some_wait(channel) {
                    self.links.begin_idle(channel, self.events.now.time);
                    self.links.stop_coalescing(channel);
                }
            }
        }
    }

    /// Counts the flits of all packets in input queues whose head waits for one of some ports of a switch, at least
    /// one.
    pub fn flits_waiting<I: Iterator<Item = usize>>(&self, ports: impl Fn() -> I) -> u64 {
        let Some(port) = ports().next() else { return 0 };
        let first = self.partition.first_port[self.switch_of::<false>(port as u32) as usize];
        let mut flits = 0;
        for word in 0..self.layout.words {
            let mut bits = ports().fold(0, |bits, port| bits | self.links.waiting(port, word));
            while bits != 0 {
                let place = (first << self.layout.queue_bits) + word as u32 * 64 + bits.trailing_zeros();
                bits &= bits - 1;
                let in_queue = self.buffers.in_queue(place);
                flits += in_queue.map(|id| u64::from(self.buffers.packets[id].flits)).sum::<u64>();
            }
        }
        flits
    }
}
