//! The clock of a location, by how far it was behind the common one at some times. Between these, the difference changes
//! evenly; before the first and behind the last, as it does next to them.

/// The clock of a location.
#[derive(Debug, Default)]
pub(super) struct Clock {
    /// The last time at which the difference was measured, and the difference.
    last: Option<(u64, i64)>,
    intervals: Vec<Interval>,
    /// The interval of the last time.
    current: usize,
}

/// What lies between two measurements.
#[derive(Debug)]
struct Interval {
    begin: u64,
    end: u64,
    offset: i64,
    slope: f64,
}

impl Clock {
    /// Adds a measurement; false where it is not later than the last.
    pub fn add(&mut self, time: u64, offset: i64) -> bool {
        if let Some((begin, before)) = self.last.replace((time, offset)) {
            if begin >= time {
                return false;
            }
            let slope = (offset as f64 - before as f64) / (time - begin) as f64;
            self.intervals.push(Interval { begin, end: time, offset: before, slope });
        }
        true
    }

    /// Returns the common time at a time of the location. Times are asked for in their order.
    pub fn common(&mut self, time: u64) -> u64 {
        while self.current + 1 < self.intervals.len() && time > self.intervals[self.current].end {
            self.current += 1;
        }
        let Some(interval) = self.intervals.get(self.current) else { return time };
        let passed =
            if time >= interval.begin { (time - interval.begin) as f64 } else { -((interval.begin - time) as f64) };
        let changed = (interval.slope * passed).round_ties_even() as i64;
        time.wrapping_add_signed(interval.offset.wrapping_add(changed))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// An offset of 100 at 1,000, of 200 at 2,000 and of 100 at 2,100, by hand.
    #[test]
    fn differences_change_evenly() {
        let mut clock = Clock::default();
        assert_eq!(clock.common(5), 5);
        assert!(clock.add(1_000, 100));
        assert_eq!(clock.common(5), 5);
        assert!(clock.add(2_000, 200) && clock.add(2_100, 100));
        assert_eq!([0, 1_000, 1_500, 2_000].map(|time| clock.common(time)), [0, 1_100, 1_650, 2_200]);
        assert_eq!([2_050, 2_100, 2_200].map(|time| clock.common(time)), [2_200, 2_200, 2_200]);
        assert!(!clock.add(2_100, 7));
    }
}
