//! The level of a flow: its rate per weight, as an exact fraction.

use std::cmp::Ordering;

/// A fraction that is compared exactly: what a link has left, over the weight of the flows that share it.
///
/// Both parts stand for shares of [`DENOMINATOR`](crate::DENOMINATOR), which cancels. The lower part is never zero.
#[derive(Clone, Copy, Debug)]
pub struct Level {
    /// What is shared.
    pub rest: u64,
    /// Among how much weight.
    pub weight: u64,
}

impl Level {
    /// The lowest level.
    pub const ZERO: Level = Level { rest: 0, weight: 1 };
    /// The level of a flow that nothing limits.
    pub const UNLIMITED: Level = Level { rest: u64::MAX, weight: 1 };

    /// Returns the rate of a flow of this level: weight times level, rounded down.
    pub fn rate(self, weight: u32) -> u64 {
        floor_product(u64::from(weight), self)
    }
}

/// Returns a number times a level, rounded down; the largest integer where it does not fit.
pub fn floor_product(number: u64, level: Level) -> u64 {
    if let Some(product) = number.checked_mul(level.rest) {
        return product / level.weight;
    }
    let product = u128::from(number) * u128::from(level.rest) / u128::from(level.weight);
    u64::try_from(product).unwrap_or(u64::MAX)
}

impl Ord for Level {
    fn cmp(&self, other: &Self) -> Ordering {
        let left = u128::from(self.rest) * u128::from(other.weight);
        left.cmp(&(u128::from(other.rest) * u128::from(self.weight)))
    }
}

impl PartialOrd for Level {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for Level {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other) == Ordering::Equal
    }
}

impl Eq for Level {}
