//! What happens when: the clock, the event queue, and the events of nodes.

pub mod clock;
pub mod late;
pub mod node;
pub mod queue;
pub mod sources;

use clock::{Clock, Edge};
use node::{NodeEvent, Phase};
use queue::EventQueue;

/// Marks the end of a list of indexes.
pub const NONE: u32 = u32::MAX;

/// The event queue of a shard, its clock, and the edge that it has reached.
#[derive(Debug)]
pub struct Events {
    /// What is still to happen.
    pub queue: EventQueue,
    /// The switches' clock.
    pub clock: Clock,
    /// The present edge.
    pub now: Edge,
    /// Events at which ranks go on or look at what has arrived, in the queue.
    pub of_ranks: i64,
}

impl Events {
    /// Creates a clock at its first edge, and the queue for it.
    pub fn new(queue: EventQueue, clock: Clock) -> Self {
        Events { queue, clock, now: clock.edge(0), of_ranks: 0 }
    }

    /// Schedules an event at a node.
    #[inline]
    pub fn put_node(&mut self, event: NodeEvent) {
        let bucket = self.clock.first_from(event.time);
        self.of_ranks += i64::from(matches!(event.phase, Phase::Resume | Phase::Receive));
        self.queue.put_node(bucket, event);
    }

    /// Schedules the arrival of a packet's head at its input queue.
    #[inline]
    pub fn put_arrival(&mut self, packet: u32, head_at: u64) {
        let bucket = self.clock.first_from(head_at);
        self.queue.put_arrival(bucket, packet);
    }
}
