//! What controls links from above the switch: trunks, paired channels, the commands of the runtime system.

pub mod agreement;
pub mod bundles;
pub mod capped;
pub mod gates;
pub mod measures;
pub mod paired;
pub mod parallel_ports;
pub mod runtime;
pub mod trunks;
pub mod wakeups;
pub mod windows;
