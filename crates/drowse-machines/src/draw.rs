//! Draws from a seed: numbers, choices, and quantities as experiments write them.

use std::ops::RangeInclusive;

use rand_core::{Rng, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

/// A stream of draws.
pub struct Draw(Xoshiro256PlusPlus);

impl Draw {
    /// Begins the stream of a seed.
    pub fn new(seed: u64) -> Self {
        Draw(Xoshiro256PlusPlus::seed_from_u64(seed))
    }

    /// Draws a number below `bound`, which is at least 1. The bias of the remainder does not matter here.
    pub fn below(&mut self, bound: u64) -> u64 {
        self.0.next_u64() % bound
    }

    /// Draws a number of a range.
    pub fn within(&mut self, range: RangeInclusive<u64>) -> u64 {
        range.start() + self.below(range.end() - range.start() + 1)
    }

    /// Returns true in so many per cent of cases.
    pub fn chance(&mut self, percent: u64) -> bool {
        self.below(100) < percent
    }

    /// Draws one of several; there is at least one.
    pub fn pick<T: Copy>(&mut self, choices: &[T]) -> T {
        choices[self.below(choices.len() as u64) as usize]
    }

    /// Draws a number of the order of any power of two between the ends, both of which occur.
    pub fn scaled(&mut self, range: RangeInclusive<u64>) -> u64 {
        let (least, most) = range.into_inner();
        let octaves = u64::from((most / least.max(1)).max(1).ilog2());
        match self.below(octaves + 3) {
            0 => least,
            1 => most,
            octave => {
                let low = (least.max(1) << (octave - 2)).min(most);
                self.within(low..=(2 * low).min(most))
            }
        }
    }

    /// Draws a share in steps of a thousandth; the ends occur more often.
    pub fn share(&mut self) -> f64 {
        match self.below(10) {
            0 => 0.0,
            1 => 1.0,
            _ => self.below(1001) as f64 / 1000.0,
        }
    }

    /// Draws a time in picoseconds, written with its unit.
    pub fn time(&mut self, range: RangeInclusive<u64>) -> String {
        time(self.scaled(range))
    }

    /// Draws a bandwidth by which a flit of whole bytes takes a time that is told exactly.
    pub fn bandwidth(&mut self) -> String {
        match self.below(3) {
            0 => self.pick(&["10 GB/s", "12.5 GB/s", "25 Gb/s", "100 Gb/s", "4 GB/s"]).to_owned(),
            1 => format!("{} Gb/s", self.pick(&[1, 10, 40, 56, 200, 400])),
            _ => format!("{} MB/s", 10 * self.within(50..=3_000)),
        }
    }
}

/// Writes a time of picoseconds in the largest unit in which it is whole.
pub fn time(picoseconds: u64) -> String {
    match picoseconds {
        0 => "0 ns".to_owned(),
        whole if whole.is_multiple_of(1_000_000) => format!("{} us", whole / 1_000_000),
        whole if whole.is_multiple_of(1_000) => format!("{} ns", whole / 1_000),
        odd => format!("{odd} ps"),
    }
}
