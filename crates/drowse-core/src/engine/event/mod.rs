//! What happens when: the clock, the event queue, and the events of nodes.

pub mod clock;
pub mod node;
pub mod queue;
pub mod sources;
