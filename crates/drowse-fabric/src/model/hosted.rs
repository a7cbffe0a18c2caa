//! A compute node with a name, while a network is put together.

use super::fabric::Address;

/// A compute node on a switch.
#[derive(Debug)]
pub(super) struct Hosted {
    pub name: String,
    /// The port of the switch, where the file numbers ports.
    pub port: Option<u16>,
    /// LID and GUID, where the file has them.
    pub address: Address,
}
