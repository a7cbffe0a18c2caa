//! Powers of the number of ranks, in whole numbers.

use std::fmt;

/// A power of the number of ranks, by its exponent as a fraction.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) struct Power {
    times: i32,
    root: u32,
}

/// What sizes are multiplied by.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Fraction {
    over: u64,
    under: u64,
}

impl Power {
    /// What sizes of programs go with: volumes, faces of two and three dimensions, and what all send to all.
    pub const ALL: [Power; 13] = [
        Power { times: 0, root: 1 },
        Power { times: 1, root: 1 },
        Power { times: -1, root: 1 },
        Power { times: 1, root: 2 },
        Power { times: -1, root: 2 },
        Power { times: 1, root: 3 },
        Power { times: -1, root: 3 },
        Power { times: 2, root: 3 },
        Power { times: -2, root: 3 },
        Power { times: 2, root: 1 },
        Power { times: -2, root: 1 },
        Power { times: 3, root: 2 },
        Power { times: -3, root: 2 },
    ];

    /// Returns by what a size grows from some ranks to others; nothing if that is no fraction.
    pub fn growth(self, from: u32, to: u32) -> Option<Fraction> {
        let divisor = greatest_divisor(from, to);
        let times = |ranks: u32| root(ranks / divisor, self.root)?.checked_pow(self.times.unsigned_abs());
        let (over, under) = (times(to)?, times(from)?);
        Some(if self.times < 0 { Fraction { over: under, under: over } } else { Fraction { over, under } })
    }

    /// Returns whether nothing changes.
    pub fn is_constant(self) -> bool {
        self.times == 0
    }
}

impl fmt::Display for Power {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.root {
            1 => write!(formatter, "ranks^{}", self.times),
            root => write!(formatter, "ranks^({}/{root})", self.times),
        }
    }
}

impl Fraction {
    /// Returns so many times a size, if that is whole.
    pub fn of(self, size: u64) -> Option<u64> {
        let over = u128::from(size) * u128::from(self.over);
        let is_whole = over.is_multiple_of(self.under.into());
        u64::try_from(over / u128::from(self.under)).ok().filter(|_| is_whole)
    }
}

/// Returns a root, if it is whole.
fn root(number: u32, root: u32) -> Option<u64> {
    let is_root = |base: &u32| u64::from(*base).checked_pow(root) == Some(number.into());
    // The first root is the number itself.
    let base = if root == 1 { Some(number) } else { (1..=1 << 16).find(is_root) };
    base.map(u64::from)
}

fn greatest_divisor(one: u32, other: u32) -> u32 {
    if other == 0 { one } else { greatest_divisor(other, one % other) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn powers_by_hand() {
        let of =
            |times, root, from, to, size| Power { times, root }.growth(from, to).and_then(|growth| growth.of(size));
        assert_eq!(of(0, 1, 3, 7, 5), Some(5));
        assert_eq!(of(-1, 2, 16, 64, 28_000), Some(14_000));
        assert_eq!(of(-1, 2, 16, 36, 30), Some(20));
        assert_eq!(of(-1, 2, 16, 36, 31), None, "20.67 bytes");
        assert_eq!(of(-1, 2, 16, 32, 28_000), None, "the root of 2 is no fraction");
        assert_eq!(of(-2, 1, 16, 64, 524_288), Some(32_768));
        assert_eq!(of(-2, 3, 8, 64, 400), Some(100));
        assert_eq!(of(2, 3, 27, 8, 90), Some(40));
        assert_eq!(of(3, 2, 4, 16, 10), Some(80));
        assert_eq!(of(2, 1, 1, 1 << 20, u64::MAX), None, "too large");
        assert_eq!(Power { times: -1, root: 2 }.to_string(), "ranks^(-1/2)");
    }

    /// Two sizes tell the power, but for zero.
    #[test]
    fn no_two_powers_are_the_same() {
        for (from, to) in [(16, 64), (64, 16), (27, 8), (6, 12), (1, 2)] {
            let mut grown: Vec<_> = Power::ALL
                .iter()
                .filter_map(|power| power.growth(from, to))
                .map(|growth| (growth.over << 32) / growth.under)
                .collect();
            let all = grown.len();
            grown.sort_unstable();
            grown.dedup();
            assert_eq!(grown.len(), all, "{from} to {to}");
        }
    }
}
