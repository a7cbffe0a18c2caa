//! Placements: which node each rank runs on.

use crate::ids::NodeId;

/// Fills a node's cores before the next node, in ascending order (paper 000, section 3.3).
///
/// Gives `None` when the ranks do not fit.
pub fn linear(ranks: u32, cores: u32, nodes: u32) -> Option<Vec<NodeId>> {
    let fits = u64::from(ranks) <= u64::from(cores) * u64::from(nodes);
    fits.then(|| (0..ranks).map(|rank| NodeId(rank / cores)).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn linear_fills_cores_first() {
        assert_eq!(linear(5, 2, 3).unwrap(), [0, 0, 1, 1, 2].map(NodeId));
        assert_eq!(linear(7, 2, 3), None);
    }
}
