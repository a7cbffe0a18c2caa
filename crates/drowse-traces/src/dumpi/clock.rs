//! Time from the stamps of a file, whose seconds count modulo 65,536.

use super::record::Stamp;

const WRAP: u64 = 1 << 16;
const SECOND: u64 = 1_000_000_000;
/// How many seconds a stamp may have less than the last one, without a turn between them.
const BEHIND: i32 = -1_000;
/// How many seconds a stamp may have more; beyond, it is from before the last turn.
const AHEAD: i32 = WRAP as i32 + BEHIND;

/// Where a clock stood last.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Clock {
    /// Seconds that the stamps leave out.
    base: u64,
    /// The seconds of the last stamp.
    last: u16,
}

impl Clock {
    /// Returns the nanoseconds of the next stamp, which is a few minutes before the last at most.
    pub fn nanoseconds(&mut self, (seconds, nanoseconds): Stamp) -> u64 {
        match i32::from(seconds) - i32::from(self.last) {
            ..BEHIND => self.base += WRAP,
            AHEAD.. if self.base > 0 => self.base -= WRAP,
            _ => {}
        }
        self.last = seconds;
        (self.base + u64::from(seconds)) * SECOND + u64::from(nanoseconds)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn seconds_go_on_behind_a_turn() {
        let mut clock = Clock::default();
        let stamps = [(5, 1), (40_000, 0), (65_535, 999_999_999), (0, 3), (65_535, 5), (1, 0), (40_000, 0), (2, 0)];
        let seconds = stamps.map(|stamp| clock.nanoseconds(stamp));
        let of = |seconds: u64, rest: u64| seconds * SECOND + rest;
        let turn = WRAP;
        assert_eq!(seconds[..4], [of(5, 1), of(40_000, 0), of(65_535, 999_999_999), of(turn, 3)]);
        assert_eq!(seconds[4..6], [of(65_535, 5), of(turn + 1, 0)], "a stamp that is a little early");
        assert_eq!(seconds[6..], [of(turn + 40_000, 0), of(2 * turn + 2, 0)]);
    }
}
