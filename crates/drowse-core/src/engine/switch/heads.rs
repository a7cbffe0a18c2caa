//! The heads of input queues that the allocator examines at an edge, with their outputs.

use crate::engine::event::NONE;
use crate::engine::partition::REMOTE;
use crate::model::prefetch::{prefetch, prefetch_both};
use crate::power::Policy;
use crate::routing::{Candidates, PortGroup};

use super::request::Head;
use super::switches::Switches;

impl<P: Policy> Switches<'_, P> {
    /// Collects the head packets of some switches that are to be examined, finds their outputs where these are one port
    /// group, and prefetches what their allocation needs.
    pub fn collect_heads<const FAST: bool>(
        &mut self,
        switches: &[u32],
        scratch: &mut Candidates,
        heads: &mut Vec<Head>,
    ) {
        heads.clear();
        let words = if FAST { 1 } else { self.layout.words };
        for (&switch, member) in switches.iter().zip(0..) {
            if let Some(woken) = self.work.woken_of.get_mut(switch as usize).filter(|woken| **woken != 0) {
                let woken = std::mem::take(woken);
                self.add_contenders(switch, woken, scratch);
            }
            let begin = heads.len();
            let first = self.partition.first_port[switch as usize];
            for word in 0..words {
                let mut bits = std::mem::take(&mut self.work.examine[switch as usize * words + word]);
                while bits != 0 {
                    let bit = word as u16 * 64 + bits.trailing_zeros() as u16;
                    bits &= bits - 1;
                    let place = (first << self.layout.queue_bits) + u32::from(bit);
                    let id = self.buffers.queues[place as usize].head;
                    if id != NONE {
                        heads.push(Head {
                            id,
                            switch,
                            first,
                            place,
                            bit,
                            member,
                            alone: false,
                            group: PortGroup::NONE,
                        });
                        self.buffers.packets.prefetch(id);
                        prefetch(&self.partition.peer, (place >> self.layout.queue_bits) as usize);
                    }
                }
            }
            if let [head] = &mut heads[begin..] {
                head.alone = true;
            }
        }
        for head in heads.iter_mut() {
            let feeder = self.partition.peer[(head.place >> self.layout.queue_bits) as usize] & !REMOTE;
            prefetch(&self.links.hot, feeder as usize);
            self.find_group::<FAST>(head);
            // Packets with several port groups have none here.
            let first = head.first as usize + usize::from(head.group.first);
            for channel in first..first + usize::from(head.group.count) {
                prefetch_both(&self.links.hot, channel);
                if size_of::<P::State>() > 0 {
                    // Policies with a state read it at every packet.
                    prefetch_both(&self.links.accounts, channel);
                }
            }
        }
    }
}
