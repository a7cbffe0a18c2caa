//! Loads ahead what many independent events of one edge will need, so that a processor waits for several at once.
//!
//! On networks that do not fit into the caches, most of an event's time is spent waiting for memory. The events of one edge
//! are independent, but each is longer than a processor looks ahead; asking for what the next few need in short loops lets
//! their loads overlap.

use crate::power::Policy;
use crate::topology::Geometry;

use super::allocate::Head;
use super::fabric::Fabric;
use super::packet::NONE;
use super::part::ELSEWHERE;
use crate::prefetch::{prefetch, prefetch_both};

/// How many events are looked at together.
pub const BATCH: usize = 16;

impl<P: Policy> Fabric<'_, P> {
    /// Asks for what the arrivals of some packets need.
    pub fn touch_arrivals(&self, packets: &[u32]) {
        for &id in packets {
            let place = self.packets[id].place;
            prefetch(&self.queues, place as usize);
            prefetch(&self.inputs, self.reader(place));
        }
    }

    /// Collects the head packets of some switches that are to be looked at, finds their outputs where these are remembered, and
    /// asks for what their allocation needs.
    pub fn collect_heads(&mut self, switches: &[u32], heads: &mut Vec<Head>) {
        heads.clear();
        for &switch in switches {
            let first = self.part.first_port[switch as usize];
            for word in 0..self.words {
                let mut bits = std::mem::take(&mut self.examine[switch as usize * self.words + word]);
                while bits != 0 {
                    let bit = word as u32 * 64 + bits.trailing_zeros();
                    bits &= bits - 1;
                    let place = (first << self.vc_bits) + bit;
                    let id = self.queues[place as usize].head;
                    if id != NONE {
                        heads.push(Head { id, switch, first, bit, place });
                        self.packets.prefetch(id);
                        prefetch(&self.part.peer, (place >> self.vc_bits) as usize);
                    }
                }
            }
        }
        for head in &*heads {
            let feeder = self.part.peer[(head.place >> self.vc_bits) as usize] & !ELSEWHERE;
            prefetch(&self.channels.hot, feeder as usize);
            if let Geometry::Grid(grid) = &self.network.geometry {
                grid.prefetch(self.packets[head.id].to_switch);
            }
        }
        for &head in &*heads {
            self.remember_run(head);
            // Packets with several runs of outputs do not remember them.
            let Some(run) = self.queues[head.place as usize].run() else { continue };
            let first = head.first as usize + usize::from(run.first);
            for channel in first..first + usize::from(run.count) {
                prefetch_both(&self.channels.hot, channel);
                if size_of::<P::State>() > 0 {
                    // Policies with a memory look at it at every packet.
                    prefetch_both(&self.channels.accounts, channel);
                }
                prefetch(&self.waiting, channel * self.words);
            }
        }
    }
}
