//! What a network is, and what a workload asks of it, without running anything: [`network::describe`] counts and measures,
//! [`draw::diagram`] draws, [`deadlock`] proves routing free of deadlock, and [`usage::count`] tells which channels a workload uses.

pub mod deadlock;
pub mod draw;
pub mod network;
pub mod usage;
