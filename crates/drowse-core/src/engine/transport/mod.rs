//! The transport between nodes: connections that number packets, receivers that answer, and senders that keep to what
//! their [congestion control](control) permits. It knows messages, and what packets say; no switch and no link.

pub mod control;
mod queue;
mod receiver;
mod sender;
mod transports;

pub use queue::Waiting;
pub use transports::{Came, Next, Transports};
