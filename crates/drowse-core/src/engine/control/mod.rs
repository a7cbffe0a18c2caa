//! What decides over links from above the switch: trunks, paired channels, the commands of the runtime system.

pub mod paired;
pub mod runtime;
pub mod trunks;
