//! Quantities as they are written: texts with a unit, read with messages that say how to write them.
//!
//! What nobody reads, such as what processes send each other, has whole numbers of base units in their place.

use std::fmt;
use std::marker::PhantomData;
use std::str::FromStr;

use serde::de::{self, Deserialize, Deserializer, Visitor};
use serde::ser::{Serialize, Serializer};

use super::{BitRate, Bytes, Duration, FlopRate, Flops, Power, Time};

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
/// The last ten are other spellings, as graph files and data sheets have them.
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
const FLOP_RATE_UNITS: UnitTable = &[
    ("flop/s", 1),
    ("kflop/s", 1_000),
    ("Mflop/s", 1_000_000),
    ("Gflop/s", 1_000_000_000),
    ("Tflop/s", 1_000_000_000_000),
];
const FLOP_UNITS: UnitTable = &[("flop", 1), ("kflop", 1_000), ("Mflop", 1_000_000), ("Gflop", 1_000_000_000)];
const POWER_UNITS: UnitTable = &[("W", 1), ("kW", 1_000), ("MW", 1_000_000), ("GW", 1_000_000_000)];
const CYCLES: [&str; 2] = ["cycles", "cycle"];

/// A quantity that is written as a text with its unit.
pub trait Quantity: Copy {
    /// What it is.
    const NAME: &'static str;
    /// How it is written.
    const EXPECTED: &'static str;

    /// Returns the units that may stand behind the number.
    fn units() -> Vec<&'static str>;

    /// Reads one that an experiment may have, or says what is wrong.
    fn read(text: &str) -> Result<Self, String>;
}

/// Declares the units of quantities, the name of the base unit, examples, and what experiments refuse.
macro_rules! quantities {
    ($($quantity:ident($units:expr, $base:literal, $example:literal, $check:expr): $name:literal;)*) => {$(
        impl FromStr for $quantity {
            type Err = UnitError;

            fn from_str(text: &str) -> Result<Self, UnitError> {
                parse(text, $units, $base, $example).map($quantity)
            }
        }

        impl Quantity for $quantity {
            const NAME: &'static str = $name;
            const EXPECTED: &'static str = concat!("a ", $name, " with its unit in quotes, such as ", $example);

            fn units() -> Vec<&'static str> {
                names($units).collect()
            }

            fn read(text: &str) -> Result<Self, String> {
                $check(text, text.parse::<Self>().map(|quantity| quantity.0)).map($quantity)
            }
        }

        /// In the largest unit of which it is a whole number; in base units where nobody reads it.
        impl Serialize for $quantity {
            fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                if serializer.is_human_readable() {
                    serializer.collect_str(&Spelt(self.0, $units))
                } else {
                    serializer.serialize_u64(self.0)
                }
            }
        }

        impl<'de> Deserialize<'de> for $quantity {
            fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                if deserializer.is_human_readable() {
                    deserializer.deserialize_str(Reader(PhantomData))
                } else {
                    u64::deserialize(deserializer).map($quantity)
                }
            }
        }
    )*};
}

quantities! {
    Time(TIME_UNITS, "picoseconds", "\"4.48 us\"", simulated): "time";
    Bytes(SIZE_UNITS, "bytes", "\"16 KiB\"", any): "size";
    BitRate(RATE_UNITS, "bits per second", "\"10 GB/s\"", positive): "bandwidth";
    FlopRate(FLOP_RATE_UNITS, "operations per second", "\"10 Gflop/s\"", positive): "computing speed";
    Flops(FLOP_UNITS, "operations", "\"1 Mflop\"", positive): "amount of computation";
    Power(POWER_UNITS, "watts", "\"20 MW\"", positive): "power";
}

impl Quantity for Duration {
    const NAME: &'static str = "time or cycles";
    const EXPECTED: &'static str = "a time or clock cycles in quotes, such as \"50 ns\" or \"5 cycles\"";

    fn units() -> Vec<&'static str> {
        CYCLES.into_iter().chain(names(TIME_UNITS)).collect()
    }

    fn read(text: &str) -> Result<Self, String> {
        let Some(count) = CYCLES.into_iter().find_map(|unit| text.trim().strip_suffix(unit)) else {
            let time = text.parse::<Time>().map(|time| time.0).map_err(with_cycles);
            return simulated(text, time).map(|time| Duration::Time(Time(time)));
        };
        let count = count.trim().replace('_', "").parse();
        count.map(Duration::Cycles).map_err(|_| format!("`{text}` is not a whole number of cycles"))
    }
}

impl<'de> Deserialize<'de> for Duration {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_str(Reader(PhantomData))
    }
}

/// Allows all.
fn any(_: &str, read: Result<u64, UnitError>) -> Result<u64, String> {
    read.map_err(|error| error.to_string())
}

/// Refuses zero.
fn positive(text: &str, read: Result<u64, UnitError>) -> Result<u64, String> {
    match any(text, read)? {
        0 => Err(format!("`{text}` is zero; give more")),
        number => Ok(number),
    }
}

/// Refuses what is longer than any simulation.
fn simulated(text: &str, read: Result<u64, UnitError>) -> Result<u64, String> {
    match read {
        Ok(time) if time <= Time::LONGEST.0 => Ok(time),
        Ok(_) | Err(UnitError::TooLarge { .. }) => {
            Err(format!("`{text}` is longer than {}, the longest time", Time::LONGEST))
        }
        Err(error) => Err(error.to_string()),
    }
}

/// Names cycles among the units that are known.
fn with_cycles(error: UnitError) -> UnitError {
    match error {
        UnitError::UnknownUnit { text, known, example } => {
            UnitError::UnknownUnit { text, known: format!("{}, {known}", CYCLES[0]), example }
        }
        error => error,
    }
}

/// Reads a quantity.
struct Reader<Q>(PhantomData<Q>);

impl<Q: Quantity> Visitor<'_> for Reader<Q> {
    type Value = Q;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(Q::EXPECTED)
    }

    fn visit_str<E: de::Error>(self, text: &str) -> Result<Q, E> {
        Q::read(text).map_err(E::custom)
    }
}

/// A number of base units in the largest unit of which it is a whole number, the first of several as large.
struct Spelt(u64, UnitTable);

impl fmt::Display for Spelt {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Spelt(number, units) = *self;
        let whole = units.iter().rev().filter(|(_, size)| number.is_multiple_of(*size));
        let (name, size) = whole.max_by_key(|(_, size)| size).unwrap_or(&units[0]);
        write!(f, "{} {name}", number / size)
    }
}

#[cfg(feature = "schema")]
mod schema {
    use std::borrow::Cow;

    use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};

    use super::{BitRate, Bytes, Duration, FlopRate, Flops, Power, Quantity, Time};

    /// Returns the schema of a quantity: a text with one of its units.
    fn of<Q: Quantity>() -> Schema {
        let units = Q::units().join("|");
        json_schema!({
            "type": "string",
            "x-quantity": Q::NAME,
            "pattern": format!("^\\s*[0-9_]*\\.?[0-9_]*\\s*({units})\\s*$"),
        })
    }

    macro_rules! schemas {
        ($($quantity:ty),*) => {$(
            impl JsonSchema for $quantity {
                fn inline_schema() -> bool {
                    true
                }

                fn schema_name() -> Cow<'static, str> {
                    Self::NAME.into()
                }

                fn json_schema(_: &mut SchemaGenerator) -> Schema {
                    of::<Self>()
                }
            }
        )*};
    }

    schemas!(Time, Duration, Bytes, BitRate, FlopRate, Flops, Power);
}

fn names(units: UnitTable) -> impl Iterator<Item = &'static str> {
    units.iter().map(|(name, _)| *name)
}

/// The largest quantity: larger ones are kept for "never", so that arithmetic on times cannot meet it by chance.
const MOST: u64 = u64::MAX / 4;

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
        let known = names(units).collect::<Vec<_>>().join(", ");
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
        assert_eq!("1 Mflop".parse(), Ok(Flops(1_000_000)));
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

    /// What is spelt is read again as the same quantity.
    #[test]
    fn quantities_are_spelt_in_their_largest_unit() {
        for (number, units, text) in [
            (4_480_000, TIME_UNITS, "4480 ns"),
            (1_000_000, TIME_UNITS, "1 us"),
            (16_384, SIZE_UNITS, "16 KiB"),
            (100_000_000_000, RATE_UNITS, "100 Gb/s"),
            (80_000_000_000, RATE_UNITS, "10 GB/s"),
            (8_000, RATE_UNITS, "1 kB/s"),
        ] {
            assert_eq!(Spelt(number, units).to_string(), text);
            assert_eq!(parse(text, units, "", ""), Ok(number));
        }
    }
}
