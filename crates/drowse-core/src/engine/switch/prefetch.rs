//! Prefetches what many independent events of one edge will need, so that the processor waits for several loads at
//! once.
//!
//! On networks that do not fit into the caches, most of an event's time is spent waiting for memory. The events of one
//! edge are independent, but each is longer than the processor's window of instructions. Short loops that prefetch for
//! the next few events make their loads overlap. The allocator prefetches while it collects heads ([`super::heads`]).

use crate::power::Policy;
use crate::topology::Geometry;

use crate::model::prefetch::prefetch;

use super::switches::Switches;

impl<P: Policy> Switches<'_, P> {
    /// Prefetches what the arrivals of some packets need.
    pub fn prefetch_arrivals<const FAST: bool>(&self, packets: &[u32]) {
        let Geometry::Grid(grid) = &self.network.geometry else {
            return packets.iter().for_each(|&id| self.prefetch_queue::<FAST>(self.buffers.packets[id].place));
        };
        for &id in packets {
            let packet = &self.buffers.packets[id];
            self.prefetch_queue::<FAST>(packet.place);
            grid.prefetch(packet.to_switch);
        }
    }

    #[inline(always)]
    fn prefetch_queue<const FAST: bool>(&self, place: u32) {
        prefetch(&self.buffers.queues, place as usize);
        prefetch(&self.buffers.read_ports, self.layout.reader::<FAST>(place));
    }
}
