//! Transpose: swaps the halves of the bits of a node number.

use super::bits;
use super::error::PatternError;

/// Returns the destination of each node.
pub fn table(nodes: u32) -> Result<Vec<u32>, PatternError> {
    let bits = bits::count("transpose", nodes)?;
    if !bits.is_multiple_of(2) {
        return Err(PatternError::OddBits { nodes });
    }
    Ok((0..nodes).map(|node| bits::rotate(node, bits, bits / 2)).collect())
}
