//! Input queues, and the allocator that grants outputs to the packets in them.

pub mod allocate;
pub mod block;
pub mod coalescing;
pub mod grant;
pub mod packet;
pub mod prefetch;
pub mod select;
pub mod switches;
pub mod wakeup;
