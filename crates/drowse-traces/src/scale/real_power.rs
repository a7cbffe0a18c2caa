//! A power of the number of ranks with any exponent, in whole numbers: no mathematical library decides what it is.

/// How a measured quantity changes with the number of ranks: by the power that two measurements tell.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct RealPower {
    /// Binary logarithms: of the ratio of both measurements, and of that of their ranks.
    measured: i64,
    ranks: i64,
}

/// What the quantity is multiplied by: a number from 1 to 2, with [`POINT`] bits behind the point, times a power of two.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Growth {
    mantissa: u64,
    exponent: i32,
}

/// Bits of logarithms behind the point.
const LOG_POINT: u32 = 40;

/// Bits of mantissas behind the point.
const POINT: u32 = 63;

impl RealPower {
    /// Returns the power by which a quantity goes from one number of ranks to another; nothing if one is zero, or if the
    /// ranks are as many.
    pub fn of([from, to]: [u128; 2], [few, many]: [u32; 2]) -> Option<Self> {
        let power = RealPower { measured: log2_of(to, from)?, ranks: log2_of(many.into(), few.into())? };
        (power.ranks != 0).then_some(power)
    }

    /// Returns the exponent.
    pub fn exponent(self) -> f64 {
        self.measured as f64 / self.ranks as f64
    }

    /// Returns how the quantity grows from some ranks to others; nothing if there are none.
    pub fn growth(self, few: u32, many: u32) -> Option<Growth> {
        let ranks = i128::from(log2_of(many.into(), few.into())?);
        let doubled = 2 * ranks * i128::from(self.measured) / i128::from(self.ranks);
        // Too large a power is cut off: times end long before.
        let logarithm = (doubled + 1).div_euclid(2).clamp(-(64 << LOG_POINT), 63 << LOG_POINT);
        Some(Growth::power_of_two(logarithm as i64))
    }
}

impl Growth {
    /// Returns two to the power of a logarithm.
    fn power_of_two(logarithm: i64) -> Self {
        let mut mantissa = 1_u128 << POINT;
        // The root of two, the root of that, and so on.
        let mut root = 2_u128 << POINT;
        for bit in (0..LOG_POINT).rev() {
            root = (root << POINT).isqrt();
            if (logarithm >> bit) & 1 == 1 {
                mantissa = (mantissa * root) >> POINT;
            }
        }
        Growth { mantissa: mantissa as u64, exponent: (logarithm >> LOG_POINT) as i32 }
    }

    /// Returns so many times a value, rounded.
    pub fn times(self, value: u64) -> u64 {
        let product = u128::from(value) * u128::from(self.mantissa);
        // From 0 to 127.
        let shift = POINT.saturating_add_signed(-self.exponent);
        let rounded = if shift == 0 { product } else { ((product >> (shift - 1)) + 1) >> 1 };
        u64::try_from(rounded).unwrap_or(u64::MAX)
    }
}

/// Returns the binary logarithm of a ratio; nothing if one of both is zero.
fn log2_of(over: u128, under: u128) -> Option<i64> {
    Some(log2(over)? - log2(under)?)
}

/// Returns a binary logarithm, rounded down.
fn log2(number: u128) -> Option<i64> {
    let whole = number.checked_ilog2()?;
    let mut mantissa = if whole > POINT { number >> (whole - POINT) } else { number << (POINT - whole) };
    let mut logarithm = i64::from(whole);
    for _ in 0..LOG_POINT {
        // The square of what is below two is below four; the next bit says whether it is above two.
        mantissa = (mantissa * mantissa) >> POINT;
        let bit = (mantissa >> (POINT + 1)) as u32;
        mantissa >>= bit;
        logarithm = 2 * logarithm + i64::from(bit);
    }
    Some(logarithm)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn times(measured: [u128; 2], ranks: [u32; 2], to: u32, value: u64) -> u64 {
        RealPower::of(measured, ranks).and_then(|power| power.growth(ranks[0], to)).unwrap().times(value)
    }

    #[test]
    fn powers_by_hand() {
        assert_eq!(times([100, 25], [4, 16], 64, 1 << 40), 1 << 36, "1/4 of 1/4");
        assert_eq!(times([7, 7], [16, 64], 1 << 20, 12_345), 12_345, "nothing changes");
        assert_eq!(times([9, 3], [16, 64], 16, u64::MAX), u64::MAX, "at the ranks of the first");
        assert_eq!(times([1, 2], [4, 16], 8, 1_000_000), 1_414_214, "the root of 2");
        assert_eq!(times([1, 3], [3, 9], 81, 1_000_000), 27_000_000);
        assert_eq!(times([1, 1 << 40], [1, 2], 1 << 20, 2), u64::MAX, "too large");
        assert_eq!(times([1 << 40, 1], [1, 2], 1 << 20, u64::MAX), 1, "too small");
        let power = RealPower::of([1_000, 655], [16, 64]).unwrap();
        assert_eq!(format!("{:.3}", power.exponent()), "-0.305");
        assert_eq!([[0, 1], [1, 0]].map(|measured| RealPower::of(measured, [1, 2])), [None; 2]);
        assert_eq!(RealPower::of([1, 2], [3, 3]), None);
    }

    /// Both measurements are met, and another number of ranks has what the formula says.
    #[test]
    fn powers_by_the_formula() {
        let value = 1_000_000_000_000_u64;
        for ratio in [[1_000_u32, 655], [999_983, 31], [3, 1_000_003], [1, 1]] {
            for ranks in [[16, 64], [64, 16], [27, 125], [1, 2], [1_000, 999]] {
                let measured = ratio.map(|part| u128::from(part) << 60);
                for to in [ranks[1], 1, 8, 4_096] {
                    let exponent = (f64::from(ratio[1]) / f64::from(ratio[0])).ln()
                        / (f64::from(ranks[1]) / f64::from(ranks[0])).ln();
                    let growth = (f64::from(to) / f64::from(ranks[0])).powf(exponent);
                    if !(1e-6..1e6).contains(&growth) {
                        continue;
                    }
                    let (found, expected) = (times(measured, ranks, to, value) as f64, growth * value as f64);
                    let off = (found / expected - 1.0).abs();
                    assert!(off < 1e-6, "{ratio:?} {ranks:?} to {to}: {found} and {expected}");
                    assert!(to != ranks[1] || off < 1e-9, "{ratio:?} {ranks:?}: {found} and {expected}");
                }
            }
        }
    }
}
