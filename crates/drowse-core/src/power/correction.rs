//! Error correction: shifts the deep timer until what has been lost to waking is what may be (Saravanan and Carpenter 2018, section 6.3).
//!
//! Bins are coarse, so that the timers found delay fewer messages than they may, and the difference grows for as long as the
//! histogram does. Where it exceeds 20 messages the paper shifts the timer, by how much it does not say. Here the shift grows by a bin
//! with each idle period outside the band, and ends with the first within it.
//!
//! That holds the band on a stationary stream, but for the few messages that it takes to react. Below it (too few delayed), bin after
//! bin is taken in until messages are delayed faster than the target grows, and the error turns. (PerfBound's first step already
//! helps: the bin below the timer it finds always has periods.) It turns unless the timer is the shortest, and then no timer at all
//! delays enough. Above it, the timer grows until nothing sleeps deeply, and the target catches up.
//!
//! The shift ends at once within the band rather than step by step: the timers found are right but for the width of their bin, and a
//! shift that outlives its error would carry it across the band to the other side.

use super::bins::BINS;

/// How many messages more or fewer than the target are left alone.
pub const BAND: u64 = 20;

/// Returns the shift in bins that follows `shift`, where so much has been lost and the target is so much; `band` is in their units.
#[inline]
pub(super) fn corrected(shift: i8, actual: u64, target: u64, band: u64) -> i8 {
    const MOST: i8 = BINS as i8;
    if actual > target.saturating_add(band) {
        (shift.max(0) + 1).min(MOST)
    } else if target > actual.saturating_add(band) {
        (shift.min(0) - 1).max(-MOST)
    } else {
        0
    }
}

/// Returns a timer with its shift, no shorter than `shortest`.
#[inline]
pub(super) fn shifted(timer: u8, shift: i8, shortest: u8) -> u8 {
    timer.saturating_add_signed(shift).clamp(shortest, BINS as u8)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Grows outside the band, away from the error; ends within; never leaves its range; turns at once where the error jumps over.
    #[test]
    fn shifts_by_hand() {
        assert_eq!(corrected(0, 120, 100, BAND), 0);
        assert_eq!(corrected(0, 121, 100, BAND), 1);
        assert_eq!(corrected(1, 121, 100, BAND), 2);
        assert_eq!(corrected(7, 120, 100, BAND), 0);
        assert_eq!(corrected(-7, 79, 100, BAND), -8);
        assert_eq!(corrected(-7, 80, 100, BAND), 0);
        assert_eq!(corrected(-7, 121, 100, BAND), 1);
        assert_eq!((corrected(100, 121, 100, BAND), corrected(-100, 0, 100, BAND)), (100, -100));
        assert_eq!((shifted(30, -100, 1), shifted(30, 100, 1), shifted(30, -4, 1)), (1, 100, 26));
    }
}
