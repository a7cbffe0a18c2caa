//! Exact decimal ranges: `{ from = 0.1, to = 0.9, step = 0.1 }` is 0.1, 0.2, ... 0.9, and never 0.30000000000000004.
//!
//! Numbers are read as whole numbers of their last decimal, so every value is exact; a unit behind them is kept.
//! `{ from = 1, to = 100, factor = 10 }` goes by a factor: 1, 10, 100.

use std::cmp::Ordering;

/// Numbers with more digits than this are refused; with it all arithmetic fits 128 bits.
const MOST_DIGITS: usize = 18;
/// The first number with more digits.
const LARGEST: i128 = 10_i128.pow(MOST_DIGITS as u32);

/// One of the three numbers of a range, as it was written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Number {
    /// The value in units of `10^-decimals`.
    mantissa: i128,
    decimals: u32,
    /// What stands behind the number; empty for a number without unit.
    unit: String,
    /// Whether it was written as a decimal number, such as `1.0`.
    fraction: bool,
}

/// An exact decimal range; `to` belongs to it when a step meets it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DecimalRange {
    from: i128,
    step: i128,
    decimals: u32,
    fraction: bool,
    unit: String,
    count: u64,
}

impl Number {
    /// Reads a decimal number with an optional unit behind it; `None` when it is none, or too long.
    pub fn parse(text: &str) -> Option<Number> {
        let text = text.trim();
        let is_part = |c: char| c.is_ascii_digit() || matches!(c, '.' | '_' | '+' | '-');
        let end = text.find(|c| !is_part(c)).unwrap_or(text.len());
        let (number, unit) = text.split_at(end);
        if unit.contains(|c: char| c.is_ascii_digit()) {
            return None;
        }
        let number = number.replace('_', "");
        let (whole, decimals) = number.split_once('.').unwrap_or((&number, ""));
        let digits = format!("{whole}{decimals}");
        let bare = digits.trim_start_matches(['+', '-']);
        let written_well = !bare.is_empty() && bare.len() <= MOST_DIGITS && bare.bytes().all(|b| b.is_ascii_digit());
        let mantissa = digits.parse().ok().filter(|_| written_well)?;
        let fraction = number.contains('.');
        Some(Number { mantissa, decimals: decimals.len() as u32, unit: unit.trim().to_owned(), fraction })
    }

    /// Returns whether a unit stands behind the number.
    pub fn has_unit(&self) -> bool {
        !self.unit.is_empty()
    }

    /// Returns the value in units of `10^-decimals`, of which there are at least as many as the number's own.
    fn scaled(&self, decimals: u32) -> i128 {
        self.mantissa * 10_i128.pow(decimals - self.decimals)
    }
}

impl DecimalRange {
    /// Makes a range, or says what is wrong and what to do.
    pub fn new(from: &Number, to: &Number, step: &Number) -> Result<Self, (String, &'static str)> {
        if from.unit != to.unit || from.unit != step.unit {
            let message = "from, to and step have different units".into();
            return Err((message, "write all three in one unit, or list the values"));
        }
        let decimals = from.decimals.max(to.decimals).max(step.decimals);
        let [first, last, width] = [from, to, step].map(|number| number.scaled(decimals));
        if width == 0 {
            return Err(("a step of zero leads nowhere".into(), "write a step that leads from `from` to `to`"));
        }
        let steps = (last - first) / width;
        if (last - first).signum() * width.signum() < 0 {
            let message = "the range is empty: its steps lead away from `to`".into();
            return Err((message, "exchange from and to, or change the sign of step"));
        }
        let count = u64::try_from(steps + 1).unwrap_or(u64::MAX);
        let fraction = from.fraction || step.fraction;
        Ok(DecimalRange { from: first, step: width, decimals, fraction, unit: from.unit.clone(), count })
    }

    /// Returns the number of values.
    pub fn count(&self) -> u64 {
        self.count
    }

    /// Returns a value by its number from 0, as it is written in an experiment, without quotes.
    pub fn text(&self, index: u64) -> String {
        written(self.from + i128::from(index) * self.step, self.decimals, self.fraction, &self.unit)
    }

    /// Returns whether the values are texts with a unit rather than numbers.
    pub fn has_unit(&self) -> bool {
        !self.unit.is_empty()
    }
}

/// Returns the values of a range by a factor, as they are written in an experiment, or says what is wrong and what to do.
pub fn by_factor(from: &Number, to: &Number, factor: &Number) -> Result<Vec<String>, (String, &'static str)> {
    if from.unit != to.unit || factor.has_unit() {
        let message = "from and to have different units, or the factor has one".into();
        return Err((message, "write from and to in one unit, such as \"1 us\" and \"1000 us\", and factor without"));
    }
    if from.mantissa <= 0 || to.mantissa <= 0 || factor.mantissa <= 0 {
        return Err(("a range by a factor is of numbers above 0".into(), "start above 0, or give a step"));
    }
    let grows = factor.mantissa.cmp(&10_i128.pow(factor.decimals));
    if grows.is_eq() {
        return Err(("a factor of one leads nowhere".into(), "write a factor that leads from `from` to `to`"));
    }
    let fraction = from.fraction || factor.fraction;
    let (mut value, mut decimals, mut texts) = (from.mantissa, from.decimals, Vec::new());
    loop {
        // Trailing zeros of decimals would soon be more than the digits that fit.
        while decimals > 0 && value % 10 == 0 {
            (value, decimals) = (value / 10, decimals - 1);
        }
        match is_beyond(value, decimals, to, grows) {
            Some(true) => break,
            Some(false) if value < LARGEST && decimals <= MOST_DIGITS as u32 => {}
            _ => {
                let message = format!("value {} of the range has more than {MOST_DIGITS} digits", texts.len() + 1);
                return Err((message, "write a factor with fewer decimals, or list the values"));
            }
        }
        texts.push(written(value, decimals, fraction, &from.unit));
        (value, decimals) = (value * factor.mantissa, decimals + factor.decimals);
    }
    if texts.is_empty() {
        let message = "the range is empty: its factor leads away from `to`".into();
        return Err((message, "exchange from and to, or write a factor on the other side of 1"));
    }
    Ok(texts)
}

/// Returns whether a value lies beyond the end of a range that grows or shrinks; `None` where it has too many digits.
fn is_beyond(value: i128, decimals: u32, to: &Number, grows: Ordering) -> Option<bool> {
    let common = decimals.max(to.decimals);
    let scaled = |value: i128, decimals: u32| value.checked_mul(10_i128.checked_pow(common - decimals)?);
    Some(scaled(value, decimals)?.cmp(&scaled(to.mantissa, to.decimals)?) == grows)
}

/// Writes a number of so many decimals, with its unit.
fn written(value: i128, decimals: u32, fraction: bool, unit: &str) -> String {
    let one = 10_i128.pow(decimals);
    let sign = if value < 0 { "-" } else { "" };
    let (whole, rest) = (value.abs() / one, value.abs() % one);
    let decimals = format!("{rest:0width$}", width = decimals as usize);
    let decimals = decimals.trim_end_matches('0');
    // A range of decimal numbers stays one where it meets a whole number.
    let decimals = if decimals.is_empty() && fraction && unit.is_empty() { "0" } else { decimals };
    let point = if decimals.is_empty() { "" } else { "." };
    let space = if unit.is_empty() { "" } else { " " };
    format!("{sign}{whole}{point}{decimals}{space}{unit}")
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn range(from: &str, to: &str, step: &str) -> Result<DecimalRange, (String, &'static str)> {
        let number = |text| Number::parse(text).unwrap();
        DecimalRange::new(&number(from), &number(to), &number(step))
    }

    fn texts(from: &str, to: &str, step: &str) -> Vec<String> {
        let range = range(from, to, step).unwrap();
        (0..range.count()).map(|index| range.text(index)).collect()
    }

    #[test]
    fn tenths_are_exact() {
        let tenths = ["0.1", "0.2", "0.3", "0.4", "0.5", "0.6", "0.7", "0.8", "0.9"];
        assert_eq!(texts("0.1", "0.9", "0.1"), tenths);
    }

    #[test]
    fn numbers_keep_their_kind() {
        assert_eq!(texts("1", "5", "2"), ["1", "3", "5"]);
        assert_eq!(texts("0", "1", "0.5"), ["0.0", "0.5", "1.0"]);
        assert_eq!(texts("5", "1", "-2"), ["5", "3", "1"]);
        assert_eq!(texts("-0.5", "0.5", "0.5"), ["-0.5", "0.0", "0.5"]);
        assert_eq!(texts("1_000", "3_000", "1_000"), ["1000", "2000", "3000"]);
    }

    fn factors(from: &str, to: &str, factor: &str) -> Result<Vec<String>, (String, &'static str)> {
        let number = |text| Number::parse(text).unwrap();
        by_factor(&number(from), &number(to), &number(factor))
    }

    #[test]
    fn factors_are_exact() {
        assert_eq!(factors("1 us", "1000 us", "10").unwrap(), ["1 us", "10 us", "100 us", "1000 us"]);
        assert_eq!(factors("0.1", "1", "2").unwrap(), ["0.1", "0.2", "0.4", "0.8"]);
        assert_eq!(factors("1", "3", "1.5").unwrap(), ["1.0", "1.5", "2.25"]);
        assert_eq!(factors("100", "1", "0.1").unwrap(), ["100.0", "10.0", "1.0"]);
        assert_eq!(factors("1 ms", "0.2 ms", "0.5").unwrap(), ["1 ms", "0.5 ms", "0.25 ms"]);
        assert_eq!(factors("7", "7", "2").unwrap(), ["7"]);
        assert_eq!(factors("1", "100_000_000_000_000_000", "10").unwrap().len(), 18);
    }

    #[test]
    fn what_is_no_range_by_a_factor() {
        for [from, to, factor] in [
            ["1", "8", "1"],
            ["0", "8", "2"],
            ["1", "8", "0"],
            ["1", "8", "0.5"],
            ["8", "1", "2"],
            ["1 us", "1 ms", "10"],
            ["1 us", "8 us", "2 us"],
            ["1", "999", "1.0000001"],
        ] {
            assert!(factors(from, to, factor).is_err(), "{from} {to} {factor}");
        }
    }

    #[test]
    fn units_stay() {
        assert_eq!(texts("10 us", "50 us", "20 us"), ["10 us", "30 us", "50 us"]);
        assert_eq!(texts("0.5us", "1.5 us", "0.5 us"), ["0.5 us", "1 us", "1.5 us"]);
    }

    #[test]
    fn the_end_belongs_to_the_range_only_when_it_is_met() {
        assert_eq!(texts("1", "6", "2"), ["1", "3", "5"]);
        assert_eq!(texts("3", "3", "1"), ["3"]);
    }

    #[test]
    fn what_is_no_number() {
        for text in ["", "us", "1.2.3", "--1", "1-2", "1e5", "inf", "0.1234567890123456789"] {
            assert_eq!(Number::parse(text), None, "{text}");
        }
    }

    #[test]
    fn what_is_no_range() {
        assert!(range("1", "5", "0").is_err() && range("5", "1", "1").is_err() && range("1", "5", "-1").is_err());
        assert!(range("10 us", "1 ms", "10 us").is_err() && range("1", "5 us", "1").is_err());
    }

    proptest! {
        /// Counts in thousandths, as somebody else would: by going from value to value.
        #[test]
        fn count_and_last_value(from in -5_000i64..5_000, length in 0i64..3_000, step in 1u16..700) {
            let written = |thousandths: i64| {
                let sign = if thousandths < 0 { "-" } else { "" };
                format!("{sign}{}.{:03}", thousandths.abs() / 1000, thousandths.abs() % 1000)
            };
            let texts = texts(&written(from), &written(from + length), &written(i64::from(step)));
            let expected: Vec<i64> = (from..=from + length).step_by(usize::from(step)).collect();
            prop_assert_eq!(texts.len(), expected.len());
            for (text, thousandths) in texts.iter().zip(expected) {
                // Texts of one decimal number are read as the same float, bit by bit.
                let [ours, theirs] = [text, &written(thousandths)].map(|text| text.parse::<f64>().unwrap());
                prop_assert_eq!(ours.abs().to_bits(), theirs.abs().to_bits());
                prop_assert_eq!(text.starts_with('-'), thousandths < 0);
                prop_assert!(text.contains('.') && (text.ends_with(".0") || !text.ends_with('0')), "{}", text);
            }
        }
    }
}
