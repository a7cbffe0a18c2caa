//! Quantities as integers: time in picoseconds, sizes in bytes, rates in bits per second, powers in watts.
//!
//! A user writes `"4.48 us"`, `"16 KiB"`, `"10 GB/s"`. Decimal prefixes are decimal (kB, MB, GB), `Ki`, `Mi`, `Gi` are
//! binary; `b` is a bit, `B` a byte. Text is turned into integers without passing through floating point, so that
//! `"4.48 us"` is exactly 4,480,000 ps on every machine.
//!
//! ```
//! use drowse_core::model::units::{BitRate, Bytes, Time};
//!
//! assert_eq!("4.48 us".parse(), Ok(Time(4_480_000)));
//! assert_eq!("16 KiB".parse(), Ok(Bytes(16 << 10)));
//! // 10 Gb/s carry 1,250 bytes in a microsecond.
//! assert_eq!("10 Gb/s".parse::<BitRate>().map(|rate| rate.transfer_time(1_250)), Ok(Time::from_us(1)));
//!
//! let said = "4.48 usec".parse::<Time>().unwrap_err().to_string();
//! assert!(said.starts_with("`4.48 usec` has no unit that is known here (known: ps, ns, us,"), "{said}");
//! assert_eq!("0.5 ps".parse::<Time>().unwrap_err().to_string(), "`0.5 ps` is not a whole number of picoseconds");
//! ```

mod text;

use std::fmt;
use std::ops::{Add, AddAssign, Sub};

pub use text::{Quantity, UnitError};

/// A point in simulated time, or a duration, in picoseconds.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Time(pub u64);

/// A size in bytes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Bytes(pub u64);

/// A bandwidth in bits per second.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct BitRate(pub u64);

/// A computing speed in floating-point operations per second.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct FlopRate(pub u64);

/// An amount of computation in floating-point operations.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Flops(pub u64);

/// A duration, also in cycles of the switch clock.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Duration {
    /// A time.
    Time(Time),
    /// A number of cycles.
    Cycles(u64),
}

/// A power in watts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Power(pub u64);

impl Time {
    /// Marks "never": later than every event.
    pub const NEVER: Time = Time(u64::MAX);
    /// The longest duration that a user may write: 1,000,000 s.
    pub const LONGEST: Time = Time(1_000_000_000_000_000_000);
    /// The end of simulated time: 200 days. What happens at a time up to here may be followed by one longest duration and
    /// by 166,744 of a second each, the longest of those that every hop, message or wake may take, before 64 bits are
    /// full. What may be longer is added by functions that stay at the end, or go on just after it.
    pub const END: Time = Time(200 * 86_400 * 1_000_000_000_000);
    /// The start of the simulation.
    pub const ZERO: Time = Time(0);

    /// Makes a time of whole nanoseconds.
    pub const fn from_ns(ns: u64) -> Self {
        Time(ns * 1_000)
    }

    /// Makes a time of whole microseconds.
    pub const fn from_us(us: u64) -> Self {
        Time(us * 1_000_000)
    }

    /// Returns the time in seconds, for reports only.
    pub fn seconds(self) -> f64 {
        self.0 as f64 / 1e12
    }

    /// Returns the time in nanoseconds, for reports only.
    pub fn nanoseconds(self) -> f64 {
        self.0 as f64 / 1e3
    }

    /// Adds, and stays at [`Time::NEVER`] when the sum does not fit.
    #[must_use]
    pub const fn saturating_add(self, other: Time) -> Time {
        Time(self.0.saturating_add(other.0))
    }

    /// Subtracts, and stays at zero when `other` is larger.
    #[must_use]
    pub const fn saturating_sub(self, other: Time) -> Time {
        Time(self.0.saturating_sub(other.0))
    }
}

/// Stays at [`Time::NEVER`] when the sum does not fit.
impl Add for Time {
    type Output = Time;
    fn add(self, other: Time) -> Time {
        self.saturating_add(other)
    }
}

/// Stays at [`Time::NEVER`] when the sum does not fit.
impl AddAssign for Time {
    fn add_assign(&mut self, other: Time) {
        *self = self.saturating_add(other);
    }
}

impl Sub for Time {
    type Output = Time;
    fn sub(self, other: Time) -> Time {
        Time(self.0 - other.0)
    }
}

impl BitRate {
    /// Bytes take no time.
    pub const UNLIMITED: Self = BitRate(u64::MAX);

    /// Returns whether bytes take no time.
    pub fn is_unlimited(&self) -> bool {
        *self == Self::UNLIMITED
    }

    /// Makes a rate of bytes per second.
    pub const fn from_bytes_per_second(bytes: u64) -> Self {
        BitRate(bytes * 8)
    }

    /// Returns the time that `bytes` take, rounded up to whole picoseconds.
    pub fn transfer_time(self, bytes: u64) -> Time {
        if self.is_unlimited() {
            return Time::ZERO;
        }
        let bits = u128::from(bytes) * 8 * 1_000_000_000_000;
        Time(u64::try_from(bits.div_ceil(u128::from(self.0.max(1)))).unwrap_or(u64::MAX))
    }
}

impl fmt::Display for Time {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (divisor, unit) = match self.0 {
            0..1_000 => (1.0, "ps"),
            1_000..1_000_000 => (1e3, "ns"),
            1_000_000..1_000_000_000 => (1e6, "us"),
            1_000_000_000..1_000_000_000_000 => (1e9, "ms"),
            _ => (1e12, "s"),
        };
        write!(f, "{} {unit}", self.0 as f64 / divisor)
    }
}

impl Duration {
    /// Returns the time; `None` when so many cycles are longer than any duration may be.
    pub fn time(self, clock: Time) -> Option<Time> {
        match self {
            Duration::Time(time) => Some(time),
            Duration::Cycles(cycles) => cycles.checked_mul(clock.0).map(Time).filter(|&time| time <= Time::LONGEST),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What [`Time::END`] says of sums, in numbers.
    #[test]
    fn sums_with_the_end_of_time_fit() {
        let second = 1_000_000_000_000;
        let left = u64::MAX - Time::END.0 - Time::LONGEST.0;
        assert_eq!((Time::END.0 / second, left / second), (200 * 24 * 3_600, 166_744));
        assert_eq!(Time::NEVER + Time::END, Time::NEVER);
    }

    #[test]
    fn transfer_times_round_up() {
        assert_eq!(BitRate::from_bytes_per_second(10_000_000_000).transfer_time(128), Time(12_800));
        assert_eq!(BitRate::from_bytes_per_second(3_000_000_000).transfer_time(1), Time(334));
        assert_eq!(BitRate::UNLIMITED.transfer_time(u64::MAX), Time::ZERO);
        assert_eq!(BitRate(u64::MAX - 1).transfer_time(1), Time(1));
    }
}
