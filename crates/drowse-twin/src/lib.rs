//! The twin: a second simulator of the same switches, simple, slow and obviously right, for tests and the
//! documentation.
//!
//! In every clock cycle it visits every channel, NIC, switch and head packet. It has no event queue, no wakeups of the
//! allocator, no set of blocked packets and no deferred accounting. From the core it takes the network's wiring, the
//! table of the k shortest paths, the parameters and the draws. Routing, credits, arbiters, power states and policies
//! are implemented independently; so are nodes that answer each other, without control or with a fixed window, marks,
//! losses and sprays. Left out are programs, the runtime system and controls with a clock of their own.
//!
//! [`cut_through`] models the switches of [`drowse_core::engine`] and must equal it to the picosecond. [`flits`] models
//! the switches of two other simulators, whose curves are in [`peers`].

mod allocate;
mod answering;
mod arbiter;
mod channel;
pub mod compare;
mod connection;
pub mod cut_through;
pub mod flits;
mod groups;
mod header;
mod lanes;
mod losses;
mod low_diameter;
mod machine;
mod marks;
mod net;
mod nic;
mod outputs;
pub mod peers;
pub mod policy;
mod source;
mod spray;
mod trunk;
mod trunks;
mod up_down;

pub use source::Outcome;
