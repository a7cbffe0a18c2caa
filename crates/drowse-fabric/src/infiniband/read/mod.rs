//! Readers of subnets, a file a format.

pub mod discover;
pub mod link_info;
pub mod links;
mod peer;
pub mod ports;
mod words;
