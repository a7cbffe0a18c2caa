//! The figures of a run, by subject: each file here returns its columns, and `summary.rs` joins them.
//!
//! All sums over channels and ranks are integers in 128 bits, divided once, so a figure does not depend on the order of
//! summing. A figure that does not apply is absent.

pub mod band;
pub mod cap;
pub mod cost;
pub mod energy;
pub mod extrapolation;
pub mod governor;
pub mod jobs;
pub mod links;
pub mod network;
pub mod packets;
pub mod ranks;
pub mod runtime;
pub mod spent;
pub mod transport;
pub mod watts;
