//! One rank's view of a communicator.

/// One rank's view of a communicator.
#[derive(Clone, Copy, Debug)]
pub struct Member {
    /// The rank.
    pub rank: u32,
    /// The number of ranks.
    pub size: u32,
}

impl Member {
    /// Returns all ranks but one, ascending.
    pub(super) fn others(self, one: u32) -> impl Iterator<Item = u32> {
        (0..self.size).filter(move |&rank| rank != one)
    }
}

/// Returns the largest power of two up to `n`, which is at least 1.
pub(super) fn power_of_two_below(n: u32) -> u32 {
    1 << n.ilog2()
}
