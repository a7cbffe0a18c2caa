//! The histogram of idle periods that policies learn from: 100 logarithmic bins between 1 us and 100 ms (Saravanan and
//! Carpenter 2018, section 6.3).
//!
//! Bin `i` counts the periods from `edge(i)` up to, but not including, `edge(i + 1)`, where `edge(i)` is
//! 1 us * 10^(i/20) in whole picoseconds. Periods under 1 us are in no bin. Periods of 100 ms and more are in the last
//! bin, which has no upper end.
//!
//! A stall timer is an index, too: of the first bin whose periods outlast it. With timer `i` a channel idles for
//! `edge(i)`, and exactly the periods in bins `i` and above end in sleep. The upper edge of a bin is therefore the
//! timer after it. That of the last bin is `NEVER`: a timer of 100 ms would delay periods that it must leave out.

use crate::model::units::Time;

/// How many bins there are.
pub const BINS: usize = 100;

/// The timer that never expires.
pub(crate) const NEVER: u8 = BINS as u8;

/// Bins in a decade.
const DECADE: usize = 20;

/// 10^6 * 10^(i/20), rounded: the edges from 1 us to 10 us in picoseconds.
const FIRST_DECADE: [u64; DECADE] = [
    1_000_000, 1_122_018, 1_258_925, 1_412_538, 1_584_893, 1_778_279, 1_995_262, 2_238_721, 2_511_886, 2_818_383,
    3_162_278, 3_548_134, 3_981_072, 4_466_836, 5_011_872, 5_623_413, 6_309_573, 7_079_458, 7_943_282, 8_912_509,
];

const EDGES: [u64; BINS + 1] = {
    let mut edges = [0; BINS + 1];
    let mut i = 0;
    while i <= BINS {
        edges[i] = FIRST_DECADE[i % DECADE] * 10u64.pow((i / DECADE) as u32);
        i += 1;
    }
    edges
};

/// Returns the lower edge of bin `i`; that of 100 is 100 ms.
///
/// # Panics
///
/// Panics where `i` is over 100.
#[inline]
pub const fn edge(i: usize) -> Time {
    Time(EDGES[i])
}

/// Returns the bin of an idle period, if it has one.
#[inline]
pub(crate) fn bin(idle: Time) -> Option<usize> {
    // Under load most periods are this short.
    if idle < edge(0) {
        return None;
    }
    EDGES[..BINS].partition_point(|&edge| edge <= idle.0).checked_sub(1)
}

/// Returns the middle of bin `i` between its edges, which stands for the length of its periods. The last bin counts as
/// ending at 100 ms.
pub(crate) const fn midpoint(i: usize) -> Time {
    Time(u64::midpoint(EDGES[i], EDGES[i + 1]))
}

/// Returns how long a channel idles with timer `i`: `edge(i)`, or for ever.
#[inline]
pub(crate) const fn stall(i: u8) -> Time {
    if i < NEVER { edge(i as usize) } else { Time::NEVER }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Against the formula: no edge is more than the rounding of its table, half a picosecond a microsecond, away.
    #[test]
    fn edges_follow_the_formula() {
        for i in 0..=BINS {
            let exact = 1e6 * 10f64.powf(i as f64 / 20.0);
            let error = (edge(i).0 as f64 - exact).abs();
            assert!(error <= 0.5e-6 * exact + 1e-9 * exact, "edge {i} is {}, not {exact}", edge(i).0);
        }
        assert_eq!((edge(0), edge(20), edge(100)), (Time::from_us(1), Time::from_us(10), Time::from_us(100_000)));
    }

    /// Every period is in the one bin between whose edges it lies; the ends as the module says.
    #[test]
    fn periods_lie_between_the_edges_of_their_bins() {
        for i in 0..BINS {
            assert_eq!(bin(edge(i)), Some(i));
            assert_eq!(bin(Time(edge(i + 1).0 - 1)), Some(i));
            assert_eq!(bin(midpoint(i)), Some(i));
        }
        assert_eq!((bin(Time::ZERO), bin(Time(999_999))), (None, None));
        assert_eq!((bin(edge(100)), bin(Time::NEVER)), (Some(99), Some(99)));
    }

    /// A period ends in sleep under a timer if, and only if, its bin is the timer's or above it.
    #[test]
    fn timers_split_the_bins() {
        for timer in 0..NEVER {
            let sleeps = |idle: Time| idle >= stall(timer);
            (0..BINS).for_each(|i| assert_eq!(sleeps(edge(i)), i >= usize::from(timer)));
            (0..BINS).for_each(|i| assert_eq!(sleeps(Time(edge(i + 1).0 - 1)), i >= usize::from(timer)));
        }
        assert_eq!(stall(NEVER), Time::NEVER);
    }
}
