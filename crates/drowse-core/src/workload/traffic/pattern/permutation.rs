//! Permutation: a random permutation of the nodes, the same for a whole run.

use crate::model::rng::{Purpose, Stream};

/// Draws the destination of each node by the Fisher-Yates shuffle.
pub fn table(nodes: u32, seed: u64) -> Vec<u32> {
    let mut stream = Stream::new(seed, Purpose::Permutation, 0);
    let mut drawn: Vec<u32> = (0..nodes).collect();
    for last in (1..nodes).rev() {
        drawn.swap(last as usize, stream.below(last + 1) as usize);
    }
    drawn
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Computed by an independent implementation of the generator and of the shuffle.
    #[test]
    fn frozen_permutation() {
        assert_eq!(table(8, 1), [3, 0, 1, 2, 4, 7, 6, 5]);
        assert_eq!(table(8, 2), [7, 0, 3, 1, 2, 5, 4, 6]);
    }
}
