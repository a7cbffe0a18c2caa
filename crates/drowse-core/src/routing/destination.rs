//! Where packets go.

/// Where a packet goes: its node as leaf switch and port.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Destination {
    /// The number of the switch to which the node is attached.
    pub switch: u32,
    /// The port of it, which is the node's number among the switch's nodes.
    pub output: u16,
}
