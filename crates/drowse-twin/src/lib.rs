//! The twin: a second simulator of the same switches, simple, slow and obviously right, for tests and the
//! documentation.
//!
//! In every clock cycle it visits every channel, NIC, switch and head packet. It has no event queue, no wakeups of the
//! allocator, no set of blocked packets and no deferred accounting. From the core it takes the network's tables
//! (including the diameter and the trunks between groups), the parameters and the draws of open-loop traffic. Routing,
//! credits, arbiters and power states are implemented independently. Left out are programs, controlled trunks and
//! widths, bidirectional sleep and coalescing.
//!
//! [`cut_through`] models the switches of [`drowse_core::engine`] and must equal it to the picosecond. [`flits`] models
//! the switches of two other simulators.

mod allocate;
mod arbiter;
mod channel;
pub mod cut_through;
pub mod flits;
mod net;
mod source;

pub use source::Outcome;
