//! The twin: a second simulator of the same switches, simple, slow and obviously right, for tests and the
//! documentation.
//!
//! In every clock cycle it visits every channel, NIC, switch and head packet. It has no event queue, no wakeups of the
//! allocator, no set of blocked packets and no deferred accounting. From the core it takes the network's wiring, the
//! table of the k shortest paths, the parameters and the draws. Routing, credits, arbiters, power states and policies
//! are implemented independently. Left out are programs and the runtime system.
//!
//! [`cut_through`] models the switches of [`drowse_core::engine`] and must equal it to the picosecond. [`flits`] models
//! the switches of two other simulators, whose curves are in [`peers`].

mod allocate;
mod arbiter;
mod channel;
pub mod compare;
pub mod cut_through;
pub mod flits;
mod groups;
mod lanes;
mod low_diameter;
mod machine;
mod net;
mod outputs;
pub mod peers;
pub mod policy;
mod source;
mod trunk;
mod trunks;
mod up_down;

pub use source::Outcome;
