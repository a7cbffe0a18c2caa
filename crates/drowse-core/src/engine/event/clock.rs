//! The switches' clock: its edges, and divisions by its period that need no division.

/// Turns times into numbers of clock edges.
#[derive(Clone, Copy, Debug)]
pub struct Clock {
    period: u64,
    /// 2^64 / period, rounded down.
    reciprocal: u64,
}

/// One clock edge: what is granted at it may start until the next.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Edge {
    /// Counts edges; also the bucket of the event queue that ends here.
    pub number: u64,
    /// When it is.
    pub time: u64,
    /// When the next one is.
    pub next: u64,
}

impl Clock {
    /// Creates a clock; the period is at least 1.
    pub fn new(period: u64) -> Self {
        Clock { period, reciprocal: u64::MAX / period }
    }

    /// Returns the period.
    pub fn period(self) -> u64 {
        self.period
    }

    /// Returns an edge by its number.
    #[inline]
    pub fn edge(self, number: u64) -> Edge {
        let time = number * self.period;
        Edge { number, time, next: time + self.period }
    }

    /// Returns the number of the last edge at or before time `t`.
    #[inline]
    pub fn last_by(self, t: u64) -> u64 {
        // The product is at most one too small: the reciprocal's error is below 2^-64 of the true value for each unit
        // of t.
        let quotient = ((u128::from(t) * u128::from(self.reciprocal)) >> 64) as u64;
        quotient + u64::from(t - quotient * self.period >= self.period)
    }

    /// Returns the number of the first edge at or after time `t`.
    #[inline]
    pub fn first_from(self, t: u64) -> u64 {
        let last = self.last_by(t);
        last + u64::from(last * self.period != t)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equals_division() {
        for period in [1, 2, 3, 7, 1_000, 1_600, 6_400, 999_999_937, u64::MAX / 2, u64::MAX] {
            let clock = Clock::new(period);
            let near = |t: u64| [t.saturating_sub(1), t, t.saturating_add(1)];
            let multiples = [0, 1, 2, 1_000, 123_456_789, u64::MAX / period / 2, u64::MAX / period];
            let times = multiples.iter().flat_map(|&m| near(m.saturating_mul(period)));
            for t in times.chain(near(u64::MAX / 3)).chain(near(u64::MAX)) {
                assert_eq!(clock.last_by(t), t / period, "{t} / {period}");
                assert_eq!(clock.first_from(t), t.div_ceil(period), "{t} / {period}, up");
            }
        }
    }
}
