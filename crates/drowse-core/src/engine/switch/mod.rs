//! Input-queued switches, virtual cut-through or store-and-forward: their queues, and the allocator that grants outputs
//! to the packets in them.

pub mod allocate;
pub mod arbiter;
pub mod arbitrate;
pub mod arrival;
pub mod at_once;
pub mod available;
pub mod block;
pub mod buffers;
pub mod coalescing;
pub mod contend;
pub mod credit;
pub mod drawn;
pub mod grant;
pub mod heads;
pub mod late;
pub mod layout;
pub mod offers;
pub mod outgoing;
pub mod packet;
pub mod prefetch;
pub mod request;
pub mod route;
pub mod rules;
pub mod select;
pub mod served;
pub mod switches;
pub mod waiters;
pub mod waiting;
pub mod wakeup;
pub mod work;
