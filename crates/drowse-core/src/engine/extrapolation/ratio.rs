//! A factor for what has been counted.

/// A factor of whole numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Ratio {
    numerator: u64,
    denominator: u64,
}

impl Ratio {
    /// Makes the factor by which one number is larger than another; 1 is taken in place of a `denominator` of 0.
    pub fn new(numerator: u64, denominator: u64) -> Self {
        Ratio { numerator, denominator: denominator.max(1) }
    }

    /// Returns a number so many times, rounded down.
    pub fn of(self, value: u64) -> u64 {
        let product = u128::from(value) * u128::from(self.numerator) / u128::from(self.denominator);
        u64::try_from(product).unwrap_or(u64::MAX)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn products_are_rounded_once() {
        assert_eq!(Ratio::new(7, 3).of(6), 14);
        assert_eq!(Ratio::new(7, 3).of(5), 11);
        assert_eq!(Ratio::new(1 << 50, 1 << 49).of(1 << 60), 1 << 61);
        assert_eq!((Ratio::new(5, 0).of(2), Ratio::new(u64::MAX, 1).of(2)), (10, u64::MAX));
    }
}
