//! How much delay a channel may add: the bound of Saravanan and Carpenter 2018, section 5.1, and its split among the
//! channels of a route.
//!
//! A bound B allows the share B of the time that passes to be lost to waking. A message may meet a sleeping channel at
//! every hop, so each channel takes a share. With the paper's ratio that is the mean of B / hops over the messages that
//! have crossed the channel, `l = sum over h of (messages with h hops) / messages * B / h`. The paper counts messages
//! by the level of their route, 2 (L + 1) hops up to level L; counting hops serves any topology.

use std::num::NonZeroU8;

use crate::model::units::Time;

/// A limit on the time lost to waking, and the share of it that each channel takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Bound {
    /// The limit in billionths of the time that passes: 1 % is 10,000,000.
    pub billionths: u32,
    /// Which share of the limit each channel of a route takes.
    pub split: Split,
}

/// How the bound is split among the channels of a route.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Split {
    /// By the hops of the messages that have crossed a channel (PerfBoundRatio). Before the first, no delay is allowed.
    Ratio,
    /// Equally among the channels of the longest route.
    Equal {
        /// The largest number of channels that may sleep on a minimal route.
        hops: NonZeroU8,
    },
    /// Not at all: every channel may use the whole bound.
    Local,
}

/// A ratio of integers, reduced.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Fraction {
    /// Above the line.
    pub numerator: u128,
    /// Below the line.
    pub denominator: u128,
}

/// The messages that have crossed a channel; packed, because each channel has one.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[repr(Rust, packed(4))]
pub struct Messages {
    /// Sum of 1 / hops in units of 1 / [`UNIT`].
    inverse_hops: u64,
    /// Their number. At the end of its range counting stops, and the mean stays.
    count: u32,
}

/// The least common multiple of 1 to 16, so that 1 / hops is a whole number of units.
const UNIT: u32 = 720_720;

/// 1 / hops in units of 1 / [`UNIT`], rounded down; no hops count as one.
const INVERSE: [u32; 256] = {
    let mut inverse = [UNIT; 256];
    let mut hops = 1;
    while hops < inverse.len() {
        inverse[hops] = UNIT / hops as u32;
        hops += 1;
    }
    inverse
};

const BILLION: u32 = 1_000_000_000;

impl Messages {
    /// Counts a message with `hops` channels on its route that may sleep. Above 16, 1 / hops is rounded down to a
    /// multiple of 1 / 720,720.
    #[inline]
    pub fn add(&mut self, hops: u8) {
        if let Some(count) = self.count.checked_add(1) {
            self.count = count;
            self.inverse_hops += u64::from(INVERSE[usize::from(hops)]);
        }
    }
}

impl Bound {
    /// Returns the local bound `l` of a channel which these messages have crossed.
    pub fn local(&self, messages: &Messages) -> Fraction {
        let (part, of) = self.part(messages);
        let (numerator, denominator) =
            (u128::from(part) * u128::from(self.billionths), u128::from(of) * u128::from(BILLION));
        let divisor = common_divisor(numerator, denominator);
        Fraction { numerator: numerator / divisor, denominator: denominator / divisor }
    }

    /// Returns `l` times the time that has passed, rounded down: the time that may have been lost to waking.
    #[inline]
    pub fn allowance(&self, messages: &Messages, passed: Time) -> Time {
        let (part, of) = self.part(messages);
        // No share is over 1, so it fits; rounding here costs a picosecond at most.
        let share = (u128::from(passed.0) * u128::from(part) / u128::from(of)) as u64;
        let (whole, rest) = (share / u64::from(BILLION), share % u64::from(BILLION));
        let billionths = u64::from(self.billionths);
        Time(whole.saturating_mul(billionths).saturating_add(rest * billionths / u64::from(BILLION)))
    }

    /// Returns the channel's share of the bound as a fraction.
    fn part(self, messages: &Messages) -> (u64, u64) {
        match self.split {
            Split::Ratio if messages.count == 0 => (0, 1),
            Split::Ratio => (messages.inverse_hops, u64::from(messages.count) * u64::from(UNIT)),
            Split::Equal { hops } => (1, u64::from(hops.get())),
            Split::Local => (1, 1),
        }
    }
}

/// Euclid's algorithm.
fn common_divisor(a: u128, b: u128) -> u128 {
    if b == 0 { a.max(1) } else { common_divisor(b, a % b) }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// 1 %, split by ratio.
    const PAPER: Bound = Bound { billionths: 10_000_000, split: Split::Ratio };

    /// Messages by the level that they reach: 2, 4 and 6 hops.
    fn by_level(levels: [u32; 3]) -> Messages {
        let mut messages = Messages::default();
        for (hops, count) in [2, 4, 6].into_iter().zip(levels) {
            (0..count).for_each(|_| messages.add(hops));
        }
        messages
    }

    fn local(bound: Bound, levels: [u32; 3]) -> (u128, u128) {
        let Fraction { numerator, denominator } = bound.local(&by_level(levels));
        (numerator, denominator)
    }

    /// Saravanan and Carpenter 2018, Table 2: its rows, and their local bounds by the equation of section 5.1, by hand.
    /// The paper works out the third: .8 * .01/4 + .2 * .01/6 = 0.00233333.
    #[test]
    fn local_bounds_of_table_2() {
        let rows = [
            ("T to L0_0", [500, 400, 100], (11, 3_000)),
            ("L0_0 to S_0", [500, 0, 0], (1, 200)),
            ("L0_0 to L1_0", [0, 400, 100], (7, 3_000)),
            ("L1_0 to L0_1", [0, 400, 0], (1, 400)),
            ("L0_1 to S_1", [0, 400, 0], (1, 400)),
            ("L1_0 to L2", [0, 0, 100], (1, 600)),
            ("L2 to L1_1", [0, 0, 100], (1, 600)),
            ("L1_1 to L0_2", [0, 0, 100], (1, 600)),
            ("L0_2 to S_2", [0, 0, 100], (1, 600)),
        ];
        for (link, levels, bound) in rows {
            assert_eq!(local(PAPER, levels), bound, "{link}");
        }
    }

    /// Section 5.1: an equal split among six hops is 0.166 %, at one hop the whole is local.
    #[test]
    fn other_splits() {
        let hops = NonZeroU8::new(6).unwrap();
        assert_eq!(local(Bound { split: Split::Equal { hops }, ..PAPER }, [0, 0, 0]), (1, 600));
        assert_eq!(local(Bound { split: Split::Local, ..PAPER }, [0, 0, 0]), (1, 100));
        assert_eq!(local(PAPER, [0, 0, 0]), (0, 1));
    }

    /// The allowance is the local bound's share of the time, a picosecond less at most; nothing overflows.
    #[test]
    fn allowances() {
        for levels in [[500, 400, 100], [0, 400, 100], [1, 1, 1], [7, 0, 3]] {
            let (numerator, denominator) = local(PAPER, levels);
            for passed in [0, 1, 999_999, 12_345_678_901, 480_000_000_000] {
                let exact = u128::from(passed) * numerator / denominator;
                let allowance = u128::from(PAPER.allowance(&by_level(levels), Time(passed)).0);
                assert!(allowance <= exact && exact <= allowance + 1, "{allowance} of {exact}");
            }
        }
        let all = Bound { billionths: u32::MAX, split: Split::Local };
        assert_eq!(all.allowance(&Messages::default(), Time::NEVER), Time::NEVER);
        let full = Messages { inverse_hops: u64::from(u32::MAX) * u64::from(UNIT), count: u32::MAX };
        let mut more = full;
        more.add(1);
        assert_eq!(more, full);
    }

    /// 1 / hops is exact up to 16 hops, and never too large above.
    #[test]
    fn inverse_hops() {
        for hops in 1..=u8::MAX {
            let mut messages = Messages::default();
            messages.add(hops);
            let error = u64::from(UNIT) - messages.inverse_hops * u64::from(hops);
            assert!(if hops <= 16 { error == 0 } else { error < u64::from(hops) });
        }
    }
}
