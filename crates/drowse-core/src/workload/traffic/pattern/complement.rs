//! Complement: node s sends to node N - 1 - s.

/// Returns the destination of each node.
pub fn table(nodes: u32) -> Vec<u32> {
    (0..nodes).rev().collect()
}
