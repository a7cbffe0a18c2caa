//! What a channel has done, up to a time or between two.

use crate::model::link_state::LinkState;

use super::ratio::Ratio;

/// What is counted of a channel.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// Time in all states but on, in their order.
    pub asleep: [u64; LinkState::COUNT - 1],
    /// How often it was woken.
    pub wakes: u64,
    /// Messages that waited for that.
    pub delayed: u64,
    /// How long they waited.
    pub lost: u64,
    /// Packets sent.
    pub packets: u64,
    /// Flits sent.
    pub flits: u64,
}

impl Counts {
    /// Returns what has been counted since earlier counts.
    #[must_use]
    pub fn minus(self, earlier: Counts) -> Counts {
        self.with(earlier, u64::saturating_sub)
    }

    /// Returns the sums with other counts.
    #[must_use]
    pub fn plus(self, other: Counts) -> Counts {
        self.with(other, u64::saturating_add)
    }

    /// Returns so many times these counts.
    #[must_use]
    pub fn times(self, factor: Ratio) -> Counts {
        self.with(self, |count, _| factor.of(count))
    }

    /// Returns in which share of the time, in billionths, a channel was in another state in one of two spans of these
    /// lengths than in the other.
    pub fn difference(&self, length: u64, other: &Counts, other_length: u64) -> u64 {
        const BILLION: u64 = 1_000_000_000;
        let (own, theirs) = (Ratio::new(BILLION, length), Ratio::new(BILLION, other_length));
        let share = |counts: &Counts, of: Ratio, state: usize| of.of(counts.asleep[state]);
        let states = 0..self.asleep.len();
        let asleep = states.clone().map(|state| share(self, own, state).abs_diff(share(other, theirs, state)));
        let on = |counts: &Counts, of: Ratio| states.clone().map(|state| share(counts, of, state)).sum::<u64>();
        u64::midpoint(asleep.sum(), on(self, own).abs_diff(on(other, theirs)))
    }

    fn with(self, other: Counts, of: impl Fn(u64, u64) -> u64) -> Counts {
        let mut asleep = self.asleep;
        asleep.iter_mut().zip(other.asleep).for_each(|(time, other)| *time = of(*time, other));
        Counts {
            asleep,
            wakes: of(self.wakes, other.wakes),
            delayed: of(self.delayed, other.delayed),
            lost: of(self.lost, other.lost),
            packets: of(self.packets, other.packets),
            flits: of(self.flits, other.flits),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Half of 100 in deep sleep against a fifth of 200: three tenths of the time are spent otherwise.
    #[test]
    fn a_difference_by_hand() {
        let deep = |time| {
            let mut counts = Counts::default();
            counts.asleep[LinkState::Deep as usize - 1] = time;
            counts
        };
        assert_eq!(deep(50).difference(100, &deep(40), 200), 300_000_000);
        assert_eq!(deep(50).difference(100, &deep(100), 200), 0);
        let mut shallow = Counts::default();
        shallow.asleep[LinkState::Shallow as usize - 1] = 50;
        assert_eq!(deep(50).difference(100, &shallow, 100), 500_000_000, "asleep as long, but otherwise");
    }
}
