//! Distances in a network.

/// Distances count switch-to-switch channels (H); a packet makes H + 1 hops, one through each switch.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Metrics {
    /// The largest distance between two nodes.
    pub diameter: u32,
    /// Mean distance over all ordered pairs of nodes, a node with itself included (the convention of Andújar et al.
    /// 2019).
    pub mean_distance: f64,
    /// Mean distance over all ordered pairs of different nodes.
    pub mean_distance_distinct: f64,
}
