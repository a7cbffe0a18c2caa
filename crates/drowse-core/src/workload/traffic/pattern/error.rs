//! Why a pattern cannot be used on a network.

/// Why a pattern cannot be used on a network.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum PatternError {
    /// A bit pattern needs a number of nodes that is a power of two.
    #[error("{pattern} permutes the bits of node numbers, and {nodes} nodes are no power of two")]
    NoPowerOfTwo {
        /// The pattern.
        pattern: &'static str,
        /// Nodes of the network.
        nodes: u32,
    },
    /// Transpose needs node numbers with an even number of bits.
    #[error("transpose swaps the halves of node numbers, and those of {nodes} nodes have an odd number of bits")]
    OddBits {
        /// Nodes of the network.
        nodes: u32,
    },
    /// No hot node was named.
    #[error("a hot spot needs at least one node")]
    NoHotNode,
    /// A hot node does not exist.
    #[error("there is no node {node}: the network has {nodes}, the first is 0")]
    NoSuchNode {
        /// Its position in the list.
        position: usize,
        /// What was named.
        node: u32,
        /// Nodes of the network.
        nodes: u32,
    },
    /// A hot node was named twice.
    #[error("node {node} is named twice")]
    NamedTwice {
        /// Its position in the list, the second time.
        position: usize,
        /// The node.
        node: u32,
    },
    /// The share of hot messages is out of range.
    #[error("a share of {share} is out of range: it is 0.0 to 1.0")]
    Share {
        /// What was given.
        share: f64,
    },
    /// Hot nodes are named, and only some nodes may be sent to.
    #[error("a hot spot names its nodes, so that it cannot be kept to those without a job")]
    HotSpotAmong,
    /// Every node would send to itself only.
    #[error("no node has another to send to")]
    NobodyElse,
    /// A pattern of another crate cannot be had on this network.
    #[error("{what}")]
    Refused {
        /// Why not.
        what: String,
        /// What to do about it.
        cure: String,
    },
}
