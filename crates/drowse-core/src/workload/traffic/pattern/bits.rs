//! Node numbers as bits, for the patterns that permute them.

use super::error::PatternError;

/// Returns the number of bits of a node number. Refuses networks whose node numbers leave values unused.
pub fn count(pattern: &'static str, nodes: u32) -> Result<u32, PatternError> {
    if nodes.is_power_of_two() {
        Ok(nodes.trailing_zeros())
    } else {
        Err(PatternError::NoPowerOfTwo { pattern, nodes })
    }
}

/// Rotates the lowest `bits` bits of a number up by `by`.
pub fn rotate(number: u32, bits: u32, by: u32) -> u32 {
    if bits == 0 { number } else { (number << by | number >> (bits - by)) & ((1 << bits) - 1) }
}
