//! What happens when: the clock, the event queue, and the events of nodes.

pub mod clock;
pub mod later_events;
pub mod node;
pub mod outstanding;
pub mod queue;
pub mod sources;

use clock::{Clock, Edge};
use node::NodeEvent;
use outstanding::{Group, Outstanding};
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
    /// What is still to happen to ranks.
    pub outstanding: Outstanding,
}

impl Events {
    /// Creates a clock at its first edge, and the queue for it.
    pub fn new(queue: EventQueue, clock: Clock) -> Self {
        Events { queue, clock, now: clock.edge(0), outstanding: Outstanding::default() }
    }

    /// Schedules an event at a node.
    #[inline]
    pub fn put_node(&mut self, event: NodeEvent) {
        let bucket = self.clock.first_from(event.time);
        self.queue.put_node(bucket, event);
    }

    /// Schedules an event at which a rank goes on or looks at what has arrived.
    #[inline]
    pub fn put_rank(&mut self, event: NodeEvent, group: Group) {
        self.outstanding.count(group, 1);
        self.put_node(event);
    }

    /// Schedules the arrival of a packet's head at its input queue.
    #[inline]
    pub fn put_arrival(&mut self, packet: u32, head_at: u64) {
        let bucket = self.clock.first_from(head_at);
        self.queue.put_arrival(bucket, packet);
    }
}
