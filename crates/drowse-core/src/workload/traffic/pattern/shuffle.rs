//! Shuffle: rotates the bits of a node number up by one (a perfect shuffle).

use super::bits;
use super::error::PatternError;

/// Returns the destination of each node.
pub fn table(nodes: u32) -> Result<Vec<u32>, PatternError> {
    let bits = bits::count("shuffle", nodes)?;
    Ok((0..nodes).map(|node| bits::rotate(node, bits, 1)).collect())
}
