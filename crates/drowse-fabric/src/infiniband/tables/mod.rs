//! What switches are told by the subnet manager: forwarding tables, and which virtual lane a packet takes.

mod bytes;
mod error;
mod forwarding;
mod heads;
mod lanes;
mod levels;

pub use error::DumpError;
pub use forwarding::{NO_PORT, SwitchTable, Tables};
pub use lanes::{DROPPED, LaneTables};
pub use levels::ServiceLevels;
