//! Uniform traffic: every node is an equally likely destination.

use crate::model::rng::Stream;

/// All nodes of a network as destinations.
#[derive(Clone, Copy, Debug)]
pub struct Uniform {
    /// Nodes of the network.
    pub nodes: u32,
    /// A node may send to itself.
    pub include_self: bool,
}

impl Uniform {
    /// Draws a destination for a node.
    #[inline]
    pub fn draw(self, node: u32, stream: &mut Stream) -> u32 {
        if self.include_self {
            return stream.below(self.nodes);
        }
        let other = stream.below(self.nodes - 1);
        other + u32::from(other >= node)
    }
}
