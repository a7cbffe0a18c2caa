//! A packet arrives: its head enters an input queue, and is examined at once if it leads the queue.

use crate::engine::event::NONE;
use crate::power::Policy;

use super::request::BATCH;
use super::switches::Switches;
use super::waiters::Waits;

impl<P: Policy> Switches<'_, P> {
    /// Enters the heads of some packets into their input queues.
    pub fn arrive_all<const FAST: bool>(&mut self, packets: &[u32]) {
        for batch in packets.chunks(BATCH) {
            if batch.len() > 1 {
                self.prefetch_arrivals::<FAST>(batch);
            }
            batch.iter().for_each(|&id| self.arrive::<FAST>(id));
        }
    }

    #[inline]
    fn arrive<const FAST: bool>(&mut self, id: u32) {
        let place = self.buffers.packets[id].place;
        if P::PROBES {
            self.join(Waits::at_switch(place), 1, self.events.now.time);
        }
        let queue = &mut self.buffers.queues[place as usize];
        if queue.head == NONE {
            (queue.head, queue.tail) = (id, id);
            self.examine_head::<FAST>(place);
        } else {
            let tail = std::mem::replace(&mut queue.tail, id);
            self.buffers.packets[tail].next = id;
            if !FAST && self.links.coalesces() {
                self.buffers.came_behind.push(place);
            }
        }
    }

    /// Marks the head of an input queue to be examined: at this edge, or when its read port is free.
    #[inline]
    fn examine_head<const FAST: bool>(&mut self, place: u32) {
        let reader = self.layout.reader::<FAST>(place);
        let port = &mut self.buffers.read_ports[reader];
        let vc = place & self.layout.vc_mask;
        if port.busy_until >= self.events.now.next {
            port.pending |= 1 << vc;
            self.wake_read_port::<FAST>(place);
        } else {
            let (switch, first_bit) = (port.switch, port.first_bit);
            self.work.examine_queues::<FAST>(self.layout.words, switch, first_bit, 1 << vc);
            self.work.activate(switch, self.events.now.next);
        }
    }
}
