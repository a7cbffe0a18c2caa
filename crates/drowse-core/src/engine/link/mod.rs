//! One direction of a link: when it is free, its credits, how it sleeps, and the account of it. Knows no switch.

pub mod account;
pub mod channel;
pub mod class;
pub mod coalescing;
pub mod command;
pub mod credit_pool;
pub mod credits;
pub mod crossbar_paths;
pub mod lanes;
pub mod links;
pub mod masks;
pub mod paired;
pub mod pause;
mod pausing;
mod peer;
mod skip;
pub mod sleep;
pub mod sleep_timer;
pub mod snapshot;
pub mod waiting;
mod wake_log;
