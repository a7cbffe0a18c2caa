//! Loads ahead what many independent events of one edge will need, so that a processor waits for several at once.
//!
//! On networks that do not fit into the caches, most of an event's time is spent waiting for memory. The events of one edge
//! are independent, but each is longer than a processor looks ahead; asking for what the next few need in short loops lets
//! their loads overlap.

use crate::power::Policy;
use crate::routing::PortGroup;
use crate::topology::Geometry;

use super::allocate::Head;
use super::fabric::Fabric;
use super::packet::NONE;
use super::part::ELSEWHERE;
use crate::model::prefetch::{prefetch, prefetch_both};

/// How many events are looked at together.
pub const BATCH: usize = 16;

impl<P: Policy> Fabric<'_, P> {
    /// Asks for what the arrivals of some packets need.
    pub fn touch_arrivals<const LEAN: bool>(&self, packets: &[u32]) {
        let Geometry::Grid(grid) = &self.network.geometry else {
            return packets.iter().for_each(|&id| self.touch_queue::<LEAN>(self.packets[id].place));
        };
        for &id in packets {
            let packet = &self.packets[id];
            self.touch_queue::<LEAN>(packet.place);
            grid.prefetch(packet.to_switch);
        }
    }

    #[inline(always)]
    fn touch_queue<const LEAN: bool>(&self, place: u32) {
        prefetch(&self.queues, place as usize);
        prefetch(&self.inputs, self.reader::<LEAN>(place));
    }

    /// Collects the head packets of some switches that are to be looked at, finds their outputs where these are one run, and asks for
    /// what their allocation needs.
    pub fn collect_heads<const LEAN: bool>(&mut self, switches: &[u32], heads: &mut Vec<Head>) {
        heads.clear();
        let words = if LEAN { 1 } else { self.words };
        for (&switch, member) in switches.iter().zip(0..) {
            let begin = heads.len();
            let first = self.part.first_port[switch as usize];
            for word in 0..words {
                let mut bits = std::mem::take(&mut self.examine[switch as usize * words + word]);
                while bits != 0 {
                    let bit = word as u16 * 64 + bits.trailing_zeros() as u16;
                    bits &= bits - 1;
                    let place = (first << self.vc_bits) + u32::from(bit);
                    let id = self.queues[place as usize].head;
                    if id != NONE {
                        heads.push(Head { id, switch, first, place, bit, member, alone: false, run: PortGroup::NONE });
                        self.packets.prefetch(id);
                        prefetch(&self.part.peer, (place >> self.vc_bits) as usize);
                    }
                }
            }
            if let [head] = &mut heads[begin..] {
                head.alone = true;
            }
        }
        for head in heads.iter_mut() {
            let feeder = self.part.peer[(head.place >> self.vc_bits) as usize] & !ELSEWHERE;
            prefetch(&self.channels.hot, feeder as usize);
            self.find_run(head);
            // Packets with several runs of outputs have none here.
            let first = head.first as usize + usize::from(head.run.first);
            for channel in first..first + usize::from(head.run.count) {
                prefetch_both(&self.channels.hot, channel);
                if size_of::<P::State>() > 0 {
                    // Policies with a memory look at it at every packet.
                    prefetch_both(&self.channels.accounts, channel);
                }
            }
        }
    }
}
