//! The transport between nodes: connections that number packets, receivers that answer, and senders that keep to what
//! their [congestion control](control) permits. It knows messages, and what packets say; no switch and no link.

pub mod control;
mod flights;
mod queue;
mod receiver;
mod receiving;
mod sender;
mod sending;
mod sequence;
mod transports;

pub use queue::{Next, Waiting};
pub use sender::NextPacket;
pub use transports::{Came, Transports};
