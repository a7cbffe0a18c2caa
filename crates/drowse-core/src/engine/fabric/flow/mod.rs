//! The network of flows: a message moves as a whole, at a rate that follows from the messages with which it shares
//! links.
//!
//! A NIC sends one message after the other. When it begins one, the message becomes a flow over the channels of its
//! route. Its head goes from channel to channel as that of a packet does, waits at each that sleeps, and wakes it.
//! Behind the head the message moves at its rate, which is solved anew whenever some flow begins, waits, goes on or
//! ends. Its last bit passes each channel as much later as the head did.
//!
//! Channels idle, sleep and wake by the code that they have for packets ([`crate::engine::link`]): a channel is in use
//! from the time at which a head asks for it until the last bit has passed.
//!
//! At one instant, what ends comes before everything at ranks, and what begins after it; then rates are solved once,
//! and channels that nobody uses begin to idle. So a channel that one flow leaves and another takes is not idle
//! between.

mod agenda;
mod audit;
mod blocking;
mod blocks;
mod capacity;
mod choose;
mod come;
mod contention;
mod counts;
mod crowd;
mod drain;
mod drift;
mod fabric;
mod flows;
mod governed;
mod head;
mod ledger;
mod level;
mod nics;
mod outputs;
mod places;
mod route;
mod slab;
mod tail;
mod take;
mod trunk;
mod turns;
mod uses;
mod volume;
mod work;

pub use contention::Contention;
pub use fabric::FlowFabric;
pub use flows::Flows;
pub use governed::Governed;
