//! What arbiters remember of a grant: the input port, and the queue that it served.

use crate::model::config::Arbitration;
use crate::power::Policy;

use super::request::Request;
use super::served::{note, to_ranks};
use super::switches::Switches;

impl<P: Policy> Switches<'_, P> {
    /// Returns the input port of its switch, relative to the first, by which the head of a queue has come.
    pub fn input_port(&self, request: &Request) -> u16 {
        if self.partition.is_output(request.switch) {
            let head = self.buffers.queues[self.layout.place_of(request.first, request.bit)].head;
            return self.served.came_by[head as usize];
        }
        request.bit >> self.layout.queue_bits
    }

    /// Lets the arbiters of its output and its input remember that a request for a packet is granted.
    #[inline(never)]
    pub fn note_served(&mut self, request: &Request, id: u32) {
        let channel = request.first as usize + usize::from(request.output);
        let place = self.layout.place_of(request.first, request.bit);
        let reader = self.layout.reader::<false>(place as u32);
        if self.rules.arbitration == Arbitration::LeastRecentlyServed {
            let port = self.input_port(request);
            self.served.grant(channel, port.into(), &mut self.links.hot[channel].arbiter);
            if self.partition.crosses(channel) {
                note(&mut self.served.came_by, id, port);
            }
            self.count_queue(place);
            return;
        }
        let next_queue = self.layout.number(request.bit) + 1;
        self.links.hot[channel].arbiter = self.layout.reader::<false>(request.bit.into()) as u16 + 1;
        match self.buffers.next_queue.get_mut(reader) {
            Some(next) => *next = next_queue,
            None => self.buffers.read_ports[reader].set_arbiter(next_queue as u8),
        }
    }

    /// Lets an input port count a grant to one of its queues.
    fn count_queue(&mut self, place: usize) {
        let first = self.layout.first_of_port(place);
        let port = self.layout.reader::<false>(first as u32);
        let Some(count) = self.buffers.next_queue.get_mut(port) else {
            self.buffers.queues[place].served = self.buffers.read_ports[port].count_grant();
            if self.buffers.read_ports[port].is_full() {
                self.count_anew(place as u32);
            }
            return;
        };
        *count += 1;
        self.served.queues[place] = *count;
        if *count == u16::MAX {
            *count = to_ranks(&mut self.served.queues[first..][..1 << self.layout.queue_bits]);
        }
    }

    /// Lowers the full count of an input port, and what is noted for its queues.
    #[cold]
    #[inline(never)]
    pub fn count_anew(&mut self, place: u32) {
        let first = self.layout.first_of_port(place as usize);
        let queues = &mut self.buffers.queues[first..][..1 << self.layout.queue_bits];
        let mut counts: Vec<u16> = queues.iter().map(|queue| queue.served.into()).collect();
        let most = to_ranks(&mut counts);
        queues.iter_mut().zip(counts).for_each(|(queue, rank)| queue.served = rank as u8);
        self.buffers.read_ports[self.layout.reader::<false>(first as u32)].set_arbiter(most as u8);
    }

    /// Returns the count of an input port at its last grant to a queue.
    pub fn served_of(&self, place: usize) -> u16 {
        self.served.queues.get(place).copied().unwrap_or_else(|| self.buffers.queues[place].served.into())
    }

    /// Returns the queue of an input port at which a round-robin arbiter looks first.
    pub fn next_queue(&self, place: usize) -> u16 {
        let reader = self.layout.reader::<false>(place as u32);
        let next = self.buffers.next_queue.get(reader).copied();
        next.unwrap_or_else(|| self.buffers.read_ports[reader].arbiter().into())
    }
}
