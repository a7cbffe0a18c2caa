//! How much of a flow is left, exactly: in units of which a rate of one moves one in a picosecond.
//!
//! Rates are in units of 2^-8 bytes a second, so that all usual bandwidths and their parts are whole numbers. A volume
//! is in units of 2^-8 x 10^-12 bytes. A rate times picoseconds is a volume without a remainder, so it does not matter
//! when and how often what is left is brought up to date.

use crate::model::units::BitRate;

/// Units of volume in a byte.
const BYTE: u128 = 256 * 1_000_000_000_000;

/// Returns the volume of so many bytes.
#[inline]
pub fn of_bytes(bytes: u64) -> u128 {
    u128::from(bytes) * BYTE
}

/// Returns the whole bytes of a volume.
#[inline]
pub fn bytes_of(volume: u128) -> u64 {
    u64::try_from(volume / BYTE).unwrap_or(u64::MAX)
}

/// Returns the rate of a bandwidth.
pub fn rate_of(bandwidth: BitRate) -> u64 {
    // A bit is an eighth of 256 units.
    bandwidth.0.saturating_mul(32)
}

/// Returns the rate of so many bytes in some picoseconds.
pub fn rate_in(bytes: u64, time: u64) -> u64 {
    u64::try_from(of_bytes(bytes) / u128::from(time.max(1))).unwrap_or(u64::MAX)
}

/// Returns what a rate moves in some picoseconds.
#[inline]
pub fn moved(rate: u64, time: u64) -> u128 {
    u128::from(rate) * u128::from(time)
}

/// Returns the picoseconds that a rate takes for a volume, rounded up; [`u64::MAX`] where it does not move.
#[inline]
pub fn time_for(volume: u128, rate: u64) -> u64 {
    if rate == 0 {
        return u64::MAX;
    }
    u64::try_from(volume.div_ceil(u128::from(rate))).unwrap_or(u64::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A terabyte at the usual and at the oddest bandwidths takes its bytes over the bandwidth, rounded up.
    #[test]
    fn times_are_exact() {
        for (bits, bytes) in
            [(80_000_000_000, 1), (400_000_000_000, 1 << 20), (24_000_000_000, 7), (1_000_003, 1 << 40)]
        {
            let exact = (u128::from(bytes) * 8 * 1_000_000_000_000).div_ceil(u128::from(bits));
            let time = time_for(of_bytes(bytes), rate_of(BitRate(bits)));
            assert_eq!(u128::from(time), exact, "{bytes} at {bits}");
        }
        assert_eq!(time_for(1, 0), u64::MAX);
    }

    /// What is left does not depend on how often it is counted.
    #[test]
    fn counting_twice_changes_nothing() {
        let (rate, volume) = (rate_of(BitRate(24_000_000_000)) / 7, of_bytes(100_000));
        let whole = time_for(volume, rate);
        let after = volume - moved(rate, 333) - moved(rate, 1_000_001);
        assert_eq!(time_for(after, rate) + 333 + 1_000_001, whole);
    }
}
