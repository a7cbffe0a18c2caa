//! Rotation: rotates the bits of a node number down by one, the inverse of a perfect shuffle.

use super::bits;
use super::error::PatternError;

/// Returns the destination of each node.
pub fn table(nodes: u32) -> Result<Vec<u32>, PatternError> {
    let bits = bits::count("bit-rotation", nodes)?;
    Ok((0..nodes).map(|node| bits::rotate(node, bits, bits.saturating_sub(1))).collect())
}

#[cfg(test)]
mod tests {
    use super::super::shuffle;
    use super::*;

    /// The lowest of three bits becomes the highest.
    #[test]
    fn three_bits() {
        assert_eq!(table(8).expect("a power of two"), [0, 4, 1, 5, 2, 6, 3, 7]);
        assert_eq!(table(2).expect("a power of two"), [0, 1]);
        assert_eq!(table(1).expect("a power of two"), [0]);
        assert!(table(12).is_err());
    }

    #[test]
    fn a_rotation_undoes_a_shuffle() {
        let (back, there) = (table(64).expect("a power of two"), shuffle::table(64).expect("a power of two"));
        assert!((0..64).all(|node| back[there[node as usize] as usize] == node));
    }
}
