//! What all else speaks of: quantities, numbers, random streams, and the parameters of a simulation.

pub mod balance;
pub mod config;
pub mod extrapolate;
pub mod ids;
pub mod link_state;
pub(crate) mod prefetch;
pub mod rng;
pub mod routing_kind;
pub mod runtime_mode;
pub mod sleep_state;
pub mod timers;
pub mod transport;
pub mod unit;
pub mod units;
