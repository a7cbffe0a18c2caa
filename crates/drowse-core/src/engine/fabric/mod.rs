//! What carries messages: the network of packets, and the ideal network.

mod ideal;
pub mod nic;
mod packets;

pub use ideal::IdealFabric;
pub use packets::PacketFabric;
