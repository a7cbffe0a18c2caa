//! Bit reversal: reverses the order of the bits of a node number.

use super::bits;
use super::error::PatternError;

/// Returns the destination of each node.
pub fn table(nodes: u32) -> Result<Vec<u32>, PatternError> {
    let bits = bits::count("bit-reversal", nodes)?;
    let reversed = |node: u32| (0..bits).fold(0, |to, bit| to << 1 | (node >> bit & 1));
    Ok((0..nodes).map(reversed).collect())
}
