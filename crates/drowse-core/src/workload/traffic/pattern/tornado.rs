//! Tornado: moves up by ceil(k/2) - 1 in each dimension of k switches, the worst case of rings.

use super::digits;
use crate::topology::Network;

/// Returns the destination of each node.
pub fn table(network: &Network) -> Vec<u32> {
    digits::table(network, up)
}

/// Moves one digit of radix `k`.
pub fn up(digit: u32, k: u32) -> u32 {
    (digit + k.div_ceil(2) - 1) % k
}
