//! Error correction: shifts the deep timer until the time lost to waking meets its target (Saravanan and Carpenter
//! 2018, section 6.3).
//!
//! Bins are coarse: the timers found delay fewer messages than allowed, and the difference grows with the histogram.
//! Where it exceeds 20 messages the paper shifts the timer, but does not say by how much. Here the shift grows by one
//! bin with each idle period outside the band of 20 messages, and returns to 0 with the first period inside it.
//!
//! That keeps a stationary stream within the band, except for the few messages that a reaction takes. Below the band
//! (too few messages delayed), the timer takes in bin after bin until messages are delayed faster than the target
//! grows, and the error falls. Only a timer that is already the shortest cannot delay more. Above the band, the timer
//! grows until no period ends in deep sleep, and the target catches up.
//!
//! Inside the band the shift ends at once, not step by step. The timers found are right except for the width of a bin,
//! and a longer shift would carry the error across the band to the other side.

use super::bins::BINS;

/// The deviation from the target, in messages, that is not corrected.
pub const BAND: u64 = 20;

/// Returns the shift in bins that follows `shift`, from the actual loss and its target; `band` is in their units.
#[inline]
pub fn corrected(shift: i8, actual: u64, target: u64, band: u64) -> i8 {
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
pub fn shifted(timer: u8, shift: i8, shortest: u8) -> u8 {
    timer.saturating_add_signed(shift).clamp(shortest, BINS as u8)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Grows outside the band, away from the error; ends within; never leaves its range; turns at once where the error
    /// jumps over.
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
