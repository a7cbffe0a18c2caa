//! Neighbour: moves up by one in each dimension, around the end.

use super::digits;
use crate::topology::Network;

/// Returns the destination of each node.
pub fn table(network: &Network) -> Vec<u32> {
    digits::table(network, |digit, k| (digit + 1) % k)
}
