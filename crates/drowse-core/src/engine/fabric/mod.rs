//! What carries messages: the network of packets, that of flows, and the ideal network.

pub mod arrivals;
mod connected;
pub mod flow;
mod ideal;
pub mod nic;
mod packets;

pub use flow::FlowFabric;
pub use ideal::IdealFabric;
pub use packets::PacketFabric;
