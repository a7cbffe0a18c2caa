//! The twin: a second simulator of the same switches, plain, slow and obviously right, for tests and the documentation.
//!
//! It goes from clock cycle to clock cycle and looks at every channel, NIC, switch and head packet in each. There is no event
//! queue, no alarm, no packet that is parked and nothing that is settled later. Of the core it takes the network's tables (its
//! diameter and the trunks between groups, too), the parameters and the draws of open-loop traffic; routing, credits, arbiters and
//! power states are written anew.
//!
//! [`cut_through`] is the machine of [`drowse_core::engine`] and must equal it to the picosecond; [`flits`] has the switches of two
//! other simulators.

mod allocate;
mod arbiter;
mod channel;
pub mod cut_through;
pub mod flits;
mod net;
mod source;

pub use source::Outcome;
