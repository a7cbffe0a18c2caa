//! Scales: numbers to places between 0 and 1, the ticks of an axis, and how they are written.

use std::ops::RangeInclusive;

use drowse_tables::number::grouped;

use crate::units;

/// An axis of numbers.
#[derive(Clone, Debug)]
pub struct Scale {
    /// Its title.
    pub title: String,
    /// Its least and its largest value.
    pub ends: [f64; 2],
    /// Whether equal ways are equal ratios; both ends are above 0 then.
    pub log: bool,
    /// Whether its numbers are shown.
    pub numbered: bool,
    /// Whether they are microseconds, each of which is told in the unit that fits it.
    pub us: bool,
}

/// The exponents of numbers that are written without a power of ten.
const PLAIN: RangeInclusive<i32> = -4..=6;

impl Scale {
    /// Makes a scale of numbers.
    pub fn new(title: &str, ends: [f64; 2], log: bool) -> Self {
        Scale { title: title.into(), ends: apart(ends, log), log, numbered: true, us: false }
    }

    /// Returns the place of a value: 0 at the least, 1 at the largest, outside for values beyond them. `None` where the
    /// value has no logarithm.
    pub fn place(&self, value: f64) -> Option<f64> {
        let [low, high] = self.ends;
        if !self.log {
            return Some((value - low) / (high - low));
        }
        (value > 0.0).then(|| (log10(value) - log10(low)) / (log10(high) - log10(low)))
    }

    /// Returns the values of at most so many ticks.
    pub fn ticks(&self, most: usize) -> Vec<f64> {
        if self.log { self.ratios(most) } else { self.steps(most) }
    }

    /// Returns multiples of 1, 2 or 5 times a power of ten.
    fn steps(&self, most: usize) -> Vec<f64> {
        let [low, high] = self.ends;
        let step = step(high - low, most);
        let (first, last) = ((low / step - 1e-9).ceil(), (high / step + 1e-9).floor());
        if !(last - first).is_finite() || last - first > 100.0 {
            return vec![low, high];
        }
        (0..=whole(last - first)).map(|at| rounded((first + at as f64) * step)).collect()
    }

    /// Returns powers of ten, and their multiples by 2 and 5 where there is room.
    fn ratios(&self, most: usize) -> Vec<f64> {
        let [low, high] = self.ends;
        let decades = exponent(low)..=exponent(high);
        let within = |value: &f64| *value >= low * (1.0 - 1e-9) && *value <= high * (1.0 + 1e-9);
        let of = |multiples: &'static [f64]| {
            let values = decades.clone().flat_map(move |power| multiples.iter().map(move |by| by * ten(power)));
            values.filter(within).collect::<Vec<f64>>()
        };
        let tens = of(&[1.0]);
        let finer = [&[1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 9.0][..], &[1.0, 2.0, 5.0], &[1.0, 3.0]];
        if let Some(values) = finer.into_iter().map(of).find(|values| values.len() <= most)
            && (values.len() > tens.len() || tens.len() < 2)
        {
            return if values.len() < 2 { self.steps(most) } else { values };
        }
        tens.iter().copied().step_by(tens.len().div_ceil(most.max(1)).max(1)).collect()
    }

    /// Writes the number of a tick.
    pub fn written(&self, value: f64) -> String {
        if self.us {
            let unit = units::time(value * 1e6);
            return format!("{} {}", plain(value * 1e6 / unit.size), unit.name);
        }
        plain(value)
    }
}

/// Writes a number with at most four significant digits, a power of ten where it would be long.
pub fn plain(value: f64) -> String {
    let value = rounded(value);
    if value == 0.0 {
        return "0".into();
    }
    if !PLAIN.contains(&exponent(value.abs())) {
        return format!("{value:e}");
    }
    let text = value.to_string();
    if value.abs() >= 10_000.0 { grouped(&text) } else { text }
}

/// Rounds to four significant digits.
fn rounded(value: f64) -> f64 {
    let short: f64 = format!("{value:.3e}").parse().unwrap_or(value);
    if (short - value).abs() <= value.abs() * 1e-9 { short } else { format!("{value:.6e}").parse().unwrap_or(value) }
}

/// Returns ends that differ, so that a scale has a length.
fn apart([low, high]: [f64; 2], log: bool) -> [f64; 2] {
    match (high > low, log) {
        (true, _) => [low, high],
        (false, true) => [low / 2.0, low * 2.0],
        (false, false) => {
            let room = if low == 0.0 { 1.0 } else { low.abs() * 0.1 };
            [low - room, low + room]
        }
    }
}

/// Returns the shortest nice step with which a length has at most so many ticks.
fn step(length: f64, most: usize) -> f64 {
    let least = length / (most.max(2) - 1) as f64;
    let power = exponent(least);
    let fits = |step: &f64| *step >= least * (1.0 - 1e-9);
    [1.0, 2.0, 5.0].map(|by| by * ten(power)).into_iter().find(fits).unwrap_or_else(|| ten(power + 1))
}

/// Returns a whole number that is not below 0.
#[expect(clippy::cast_sign_loss, reason = "below 0 there is nothing")]
pub fn whole(value: f64) -> usize {
    value.max(0.0) as usize
}

/// Returns the power of ten that a number above 0 has.
pub fn exponent(value: f64) -> i32 {
    // Read from its text: logarithms are not the same on every system.
    format!("{value:e}").rsplit_once('e').and_then(|(_, digits)| digits.parse().ok()).unwrap_or(0)
}

/// Returns a power of ten.
pub fn ten(power: i32) -> f64 {
    format!("1e{power}").parse().unwrap_or(1.0)
}

/// Returns the logarithm to base 10 of a number above 0: the same on every system, which that of its mathematical
/// library is not.
fn log10(value: f64) -> f64 {
    let power = exponent(value);
    // Between 1 and 10; five square roots bring it near to 1, where the series is short.
    let near = (0..5).fold(value / ten(power), |near, _| near.sqrt());
    let of = (near - 1.0) / (near + 1.0);
    let series: f64 = (0..12).rev().fold(0.0, |sum, term| sum * of * of + 1.0 / f64::from(2 * term + 1));
    f64::from(power) + 2.0 * of * series * 32.0 / std::f64::consts::LN_10
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn logarithms_are_those_of_the_library() {
        for value in [1e-9, 0.03, 0.999, 1.0, 2.0, 9.99, 10.0, 12_345.678, 7e18] {
            assert!((log10(value) - f64::log10(value)).abs() < 1e-14 * 20.0, "{value}");
        }
    }

    #[test]
    fn ticks_are_round_numbers_within_the_ends() {
        let ticks = |ends: [f64; 2], log, most| Scale::new("", ends, log).ticks(most);
        assert_eq!(ticks([0.0, 10.0], false, 6), [0.0, 2.0, 4.0, 6.0, 8.0, 10.0]);
        assert_eq!(ticks([0.98, 1.31], false, 5), [1.0, 1.1, 1.2, 1.3]);
        assert_eq!(ticks([-3.0, 3.0], false, 3), [0.0], "steps of 5");
        assert_eq!(ticks([1.0, 1000.0], true, 5), [1.0, 10.0, 100.0, 1000.0]);
        assert_eq!(ticks([10.0, 500.0], true, 6), [10.0, 20.0, 50.0, 100.0, 200.0, 500.0]);
        assert_eq!(ticks([1.0, 1e12], true, 5).len(), 5);
        assert_eq!(ticks([4.2, 4.8], true, 5), [4.2, 4.4, 4.6, 4.8], "no power of ten among them");
        assert_eq!(ticks([5.0, 5.0], false, 3), [4.5, 5.0, 5.5], "a single value");
    }

    #[test]
    fn numbers_are_written_short() {
        let written = [0.0, 0.1 + 0.2, 12_000.0, 2e9, -0.5, 3e-7].map(plain);
        assert_eq!(written, ["0", "0.3", "12,000", "2e9", "-0.5", "3e-7"]);
        let us = Scale { us: true, ..Scale::new("", [0.001, 1e6], true) };
        assert_eq!([0.001, 10.0, 900_000.0].map(|value| us.written(value)), ["1 ns", "10 us", "900 ms"]);
    }

    #[test]
    fn places_are_shares_of_the_length() {
        let scale = Scale::new("", [10.0, 1000.0], true);
        assert!((scale.place(100.0).unwrap() - 0.5).abs() < 1e-12 && scale.place(0.0).is_none());
        assert_eq!(Scale::new("", [2.0, 4.0], false).place(5.0), Some(1.5));
    }
}
