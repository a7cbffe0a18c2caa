//! Quantities as integers: time in picoseconds, sizes in bytes, rates in bits per second, powers in watts.
//!
//! A user writes `"4.48 us"`, `"16 KiB"`, `"10 GB/s"`. Decimal prefixes are decimal (kB, MB, GB), `Ki`, `Mi`, `Gi` are
//! binary; `b` is a bit, `B` a byte. Text is turned into integers without passing through floating point, so that
//! `"4.48 us"` is exactly 4,480,000 ps on every machine.

use std::fmt;
use std::ops::{Add, AddAssign, Sub};
use std::str::FromStr;

use serde::{Deserialize, Deserializer, Serialize, Serializer};

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

/// A power in watts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Power(pub u64);

/// Why a text is not a quantity.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum UnitError {
    /// The text does not start with a decimal number.
    #[error("`{text}` is not a number with a unit; write it like {example}")]
    NotANumber {
        /// What was written.
        text: String,
        /// How it should look.
        example: &'static str,
    },
    /// The unit is missing or unknown.
    #[error("`{text}` has no unit that is known here (known: {known}); write it like {example}")]
    UnknownUnit {
        /// What was written.
        text: String,
        /// The units that fit.
        known: String,
        /// How it should look.
        example: &'static str,
    },
    /// The value is no whole number of the base unit.
    #[error("`{text}` is not a whole number of {base}")]
    NotWhole {
        /// What was written.
        text: String,
        /// The base unit.
        base: &'static str,
    },
    /// The value is too large for 64 bits.
    #[error("`{text}` is too large: the most is {MOST} {base}")]
    TooLarge {
        /// What was written.
        text: String,
        /// The base unit.
        base: &'static str,
    },
}

/// The largest quantity: larger ones are kept for "never", so that arithmetic on times cannot meet it by chance.
const MOST: u64 = u64::MAX / 4;

impl Time {
    /// Marks "never": later than every event.
    pub const NEVER: Time = Time(u64::MAX);
    /// The longest duration that is simulated, and the end of simulated time: 1,000,000 s. Eighteen of them fit 64
    /// bits.
    pub const LONGEST: Time = Time(1_000_000_000_000_000_000);
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

impl Add for Time {
    type Output = Time;
    fn add(self, other: Time) -> Time {
        Time(self.0 + other.0)
    }
}

impl AddAssign for Time {
    fn add_assign(&mut self, other: Time) {
        self.0 += other.0;
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

    /// Makes a rate of bytes per second.
    pub const fn from_bytes_per_second(bytes: u64) -> Self {
        BitRate(bytes * 8)
    }

    /// Returns the time that `bytes` take, rounded up to whole picoseconds.
    pub fn transfer_time(self, bytes: u64) -> Time {
        if self == Self::UNLIMITED {
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

/// A unit's name and how many base units it is.
type UnitTable = &'static [(&'static str, u64)];

const TIME_UNITS: UnitTable =
    &[("ps", 1), ("ns", 1_000), ("us", 1_000_000), ("µs", 1_000_000), ("ms", 1_000_000_000), ("s", 1_000_000_000_000)];
const SIZE_UNITS: UnitTable = &[
    ("B", 1),
    ("kB", 1_000),
    ("MB", 1_000_000),
    ("GB", 1_000_000_000),
    ("KiB", 1 << 10),
    ("MiB", 1 << 20),
    ("GiB", 1 << 30),
];
const RATE_UNITS: UnitTable = &[
    ("b/s", 1),
    ("kb/s", 1_000),
    ("Mb/s", 1_000_000),
    ("Gb/s", 1_000_000_000),
    ("Tb/s", 1_000_000_000_000),
    ("B/s", 8),
    ("kB/s", 8_000),
    ("MB/s", 8_000_000),
    ("GB/s", 8_000_000_000),
    ("TB/s", 8_000_000_000_000),
    ("KiB/s", 8 << 10),
    ("MiB/s", 8 << 20),
    ("GiB/s", 8 << 30),
];
/// Other spellings of bandwidths, as graph files and data sheets have them.
const RATE_SPELLINGS: UnitTable = &[
    ("bps", 1),
    ("kbps", 1_000),
    ("Mbps", 1_000_000),
    ("Gbps", 1_000_000_000),
    ("Tbps", 1_000_000_000_000),
    ("bit/s", 1),
    ("kbit/s", 1_000),
    ("Mbit/s", 1_000_000),
    ("Gbit/s", 1_000_000_000),
    ("Tbit/s", 1_000_000_000_000),
];
const FLOP_UNITS: UnitTable = &[
    ("flop/s", 1),
    ("kflop/s", 1_000),
    ("Mflop/s", 1_000_000),
    ("Gflop/s", 1_000_000_000),
    ("Tflop/s", 1_000_000_000_000),
];
const POWER_UNITS: UnitTable = &[("W", 1), ("kW", 1_000), ("MW", 1_000_000), ("GW", 1_000_000_000)];
/// Units of an amount of computation, for `drop_multiples`.
const WORK_UNITS: UnitTable = &[("flop", 1), ("kflop", 1_000), ("Mflop", 1_000_000), ("Gflop", 1_000_000_000)];

/// Returns the units of times.
pub fn time_units() -> Vec<&'static str> {
    names(TIME_UNITS)
}

/// Returns the units of sizes.
pub fn size_units() -> Vec<&'static str> {
    names(SIZE_UNITS)
}

/// Returns the units of bandwidths, in all spellings.
pub fn rate_units() -> Vec<&'static str> {
    [names(RATE_UNITS), names(RATE_SPELLINGS)].concat()
}

/// Returns the units of computing speeds.
pub fn flop_rate_units() -> Vec<&'static str> {
    names(FLOP_UNITS)
}

/// Returns the units of amounts of computation.
pub fn flop_units() -> Vec<&'static str> {
    names(WORK_UNITS)
}

/// Returns the units of powers.
pub fn power_units() -> Vec<&'static str> {
    names(POWER_UNITS)
}

fn names(units: UnitTable) -> Vec<&'static str> {
    units.iter().map(|(name, _)| *name).collect()
}

/// Parses an amount of computation such as `"1 Mflop"` into floating-point operations.
pub fn parse_flops(text: &str) -> Result<u64, UnitError> {
    parse(text, WORK_UNITS, "operations", "\"1 Mflop\"")
}

impl FromStr for Time {
    type Err = UnitError;
    fn from_str(text: &str) -> Result<Self, UnitError> {
        parse(text, TIME_UNITS, "picoseconds", "\"4.48 us\"").map(Time)
    }
}

impl FromStr for Bytes {
    type Err = UnitError;
    fn from_str(text: &str) -> Result<Self, UnitError> {
        parse(text, SIZE_UNITS, "bytes", "\"16 KiB\"").map(Bytes)
    }
}

impl FromStr for BitRate {
    type Err = UnitError;
    fn from_str(text: &str) -> Result<Self, UnitError> {
        let spelt = parse(text, RATE_SPELLINGS, "bits per second", "\"10 GB/s\"");
        let known = match spelt {
            Err(UnitError::UnknownUnit { .. }) => parse(text, RATE_UNITS, "bits per second", "\"10 GB/s\""),
            spelt => spelt,
        };
        known.map(BitRate).map_err(|error| match error {
            UnitError::UnknownUnit { text, example, .. } => {
                UnitError::UnknownUnit { text, known: rate_units().join(", "), example }
            }
            error => error,
        })
    }
}

impl FromStr for FlopRate {
    type Err = UnitError;
    fn from_str(text: &str) -> Result<Self, UnitError> {
        parse(text, FLOP_UNITS, "operations per second", "\"10 Gflop/s\"").map(FlopRate)
    }
}

impl FromStr for Power {
    type Err = UnitError;
    fn from_str(text: &str) -> Result<Self, UnitError> {
        parse(text, POWER_UNITS, "watts", "\"20 MW\"").map(Power)
    }
}

/// In picoseconds: what shards in different processes send each other, which nobody reads.
impl Serialize for Time {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_u64(self.0)
    }
}

/// From its text form, or from picoseconds where nobody reads them.
impl<'de> Deserialize<'de> for Time {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        if deserializer.is_human_readable() {
            from_text(deserializer)
        } else {
            u64::deserialize(deserializer).map(Time)
        }
    }
}

/// Deserializes a quantity from its text form.
fn from_text<'de, D: Deserializer<'de>, T: FromStr<Err = UnitError>>(deserializer: D) -> Result<T, D::Error> {
    let text = String::deserialize(deserializer)?;
    text.parse().map_err(serde::de::Error::custom)
}

macro_rules! deserialize_from_text {
    ($($quantity:ty),*) => {$(
        impl<'de> Deserialize<'de> for $quantity {
            fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                from_text(deserializer)
            }
        }
    )*};
}
deserialize_from_text!(Bytes, BitRate, FlopRate);

/// Reads `number unit` exactly: the decimal fraction is scaled as an integer.
fn parse(text: &str, units: UnitTable, base: &'static str, example: &'static str) -> Result<u64, UnitError> {
    let trimmed = text.trim();
    let split = trimmed.find(|c: char| !(c.is_ascii_digit() || c == '.' || c == '_')).unwrap_or(trimmed.len());
    let (number, unit) = (trimmed[..split].replace('_', ""), trimmed[split..].trim());
    let (whole, fraction) = number.split_once('.').unwrap_or((&number, ""));
    let digits = format!("{whole}{fraction}");
    if digits.is_empty() || fraction.contains('.') {
        return Err(UnitError::NotANumber { text: text.into(), example });
    }
    let Some(&(_, scale)) = units.iter().find(|(name, _)| *name == unit) else {
        let known = names(units).join(", ");
        return Err(UnitError::UnknownUnit { text: text.into(), known, example });
    };
    let too_large = || UnitError::TooLarge { text: text.into(), base };
    let not_whole = || UnitError::NotWhole { text: text.into(), base };
    let value: u128 = digits.parse().map_err(|_| too_large())?;
    let divisor = 10u128.checked_pow(fraction.len() as u32).ok_or_else(not_whole)?;
    let scaled = value.checked_mul(u128::from(scale)).ok_or_else(too_large)?;
    if scaled % divisor != 0 {
        return Err(not_whole());
    }
    u64::try_from(scaled / divisor).ok().filter(|&value| value <= MOST).ok_or_else(too_large)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quantities_are_exact() {
        assert_eq!("4.48 us".parse(), Ok(Time(4_480_000)));
        assert_eq!("1.6ns".parse(), Ok(Time(1_600)));
        assert_eq!("0 ns".parse(), Ok(Time::ZERO));
        assert_eq!("16 KiB".parse(), Ok(Bytes(16_384)));
        assert_eq!("10 kB".parse(), Ok(Bytes(10_000)));
        assert_eq!("10 GB/s".parse(), Ok(BitRate(80_000_000_000)));
        assert_eq!("100 Gb/s".parse(), Ok(BitRate(100_000_000_000)));
        assert_eq!("100 Gbps".parse(), Ok(BitRate(100_000_000_000)));
        assert_eq!("2.5 Gbit/s".parse(), Ok(BitRate(2_500_000_000)));
        assert_eq!("10 Gflop/s".parse(), Ok(FlopRate(10_000_000_000)));
        assert_eq!("18.5 MW".parse(), Ok(Power(18_500_000)));
        assert_eq!(parse_flops("1 Mflop"), Ok(1_000_000));
    }

    #[test]
    fn wrong_quantities_say_what_is_wrong() {
        assert!(matches!("fast".parse::<Time>(), Err(UnitError::NotANumber { .. })));
        assert!(matches!("5".parse::<Time>(), Err(UnitError::UnknownUnit { .. })));
        assert!(matches!("5 GB".parse::<Time>(), Err(UnitError::UnknownUnit { .. })));
        assert!(matches!("-5 ns".parse::<Time>(), Err(UnitError::NotANumber { .. })));
        assert!(matches!("0.0001 ps".parse::<Time>(), Err(UnitError::NotWhole { .. })));
        assert!(matches!("99999999999 s".parse::<Time>(), Err(UnitError::TooLarge { .. })));
        assert!(matches!("1.2.3 ns".parse::<Time>(), Err(UnitError::NotANumber { .. })));
        let message = "5 Gbit".parse::<BitRate>().map_err(|error| error.to_string());
        assert!(message.as_ref().is_err_and(|message| message.contains("GB/s, ") && message.contains(" Gbps, ")));
    }

    #[test]
    fn transfer_times_round_up() {
        assert_eq!(BitRate::from_bytes_per_second(10_000_000_000).transfer_time(128), Time(12_800));
        assert_eq!(BitRate::from_bytes_per_second(3_000_000_000).transfer_time(1), Time(334));
        assert_eq!(BitRate::UNLIMITED.transfer_time(u64::MAX), Time::ZERO);
        assert_eq!(BitRate(u64::MAX - 1).transfer_time(1), Time(1));
    }
}
