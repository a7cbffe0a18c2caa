//! Times as the profiler writes them: microseconds with decimals. They are read as text, since a double holds a time of
//! today to a quarter of a microsecond only.

use serde::de::{Deserialize, Deserializer, Error};
use serde_json::value::RawValue;

/// A time or a duration in nanoseconds; what is below one is rounded.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Nanoseconds(pub i64);

/// The most nanoseconds that are read, 126 years: the sum of two has room.
const MOST: i128 = 4_000_000_000_000_000_000;

/// The longest text of a number.
const LONGEST: usize = 1000;

impl Nanoseconds {
    /// Reads microseconds, as JSON has them or in quotes; `None` if it is no number, or too large.
    pub fn of_microseconds(text: &str) -> Option<Self> {
        let text = Some(text.trim_matches('"').trim()).filter(|text| text.len() <= LONGEST)?;
        let (digits, negative) = text.strip_prefix('-').map_or((text, false), |digits| (digits, true));
        let (mantissa, exponent) = digits.split_once(['e', 'E']).unwrap_or((digits, "0"));
        let exponent: i32 = exponent.parse().ok().filter(|exponent: &i32| exponent.abs() < 100)?;
        let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
        if whole.is_empty() || !whole.bytes().chain(fraction.bytes()).all(|byte| byte.is_ascii_digit()) {
            return None;
        }
        let (mut number, point) = (0_i128, i32::try_from(whole.len()).ok()?);
        // Places of digits that count, in powers of ten of nanoseconds; the one behind them rounds.
        for (place, digit) in (0..).zip(whole.bytes().chain(fraction.bytes())) {
            let power = point - 1 - place + exponent + 3;
            let digit = i128::from(digit - b'0');
            if power < 0 {
                number += i128::from(power == -1 && digit >= 5);
                break;
            }
            let times = 10_i128.checked_pow(power.unsigned_abs());
            let added = if digit == 0 { Some(0) } else { times.and_then(|times| times.checked_mul(digit)) };
            number = number.checked_add(added?)?;
        }
        let number = if negative { -number } else { number };
        i64::try_from(number).ok().filter(|number| i128::from(*number).abs() <= MOST).map(Nanoseconds)
    }
}

impl<'de> Deserialize<'de> for Nanoseconds {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let raw = Box::<RawValue>::deserialize(deserializer)?;
        Nanoseconds::of_microseconds(raw.get()).ok_or_else(|| {
            let found = crate::error::shortened(raw.get());
            D::Error::custom(format!("`{found}` is no time in microseconds of less than 126 years; record it again"))
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn decimals_are_exact() {
        let of = |text| Nanoseconds::of_microseconds(text).map(|time| time.0);
        assert_eq!(of("4458676522690.655"), Some(4_458_676_522_690_655));
        assert_eq!(of("1712867402348628"), Some(1_712_867_402_348_628_000));
        // More digits than a double has.
        assert_eq!(of("1711964646000123.001"), Some(1_711_964_646_000_123_001));
        assert_eq!([of("0.0004"), of("0.0005"), of("2.25"), of("-1.5")], [Some(0), Some(1), Some(2250), Some(-1500)]);
        assert_eq!(
            [of("1.7e3"), of("17E-1"), of("\"5\""), of("0e99")],
            [Some(1_700_000), Some(1700), Some(5000), Some(0)]
        );
        assert_eq!([of("4e15"), of("4000000000000001")], [Some(4_000_000_000_000_000_000), None]);
        for wrong in ["", ".", "-", "1e", "1e999", "NaN", "null", "1.2.3", "9e30", "0x1", "1 2"] {
            assert_eq!(of(wrong), None, "{wrong}");
        }
    }
}
