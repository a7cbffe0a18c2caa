//! The words of a line, and the numbers and quantities among them.

use drowse_core::model::units::{Bytes, Time};
use memchr::memchr;

use super::wrong::Wrong;
use crate::error::shortened;

/// The words of a line up to a comment.
pub(crate) struct Words<'a> {
    /// What was not looked at.
    rest: &'a str,
    /// A word that was looked at.
    next: Option<&'a str>,
    /// How the line should look.
    form: &'static str,
}

impl<'a> Words<'a> {
    /// Splits a line.
    pub fn of(line: &'a [u8]) -> Result<Self, Wrong> {
        let line = memchr(b'#', line).map_or(line, |comment| &line[..comment]);
        let rest = std::str::from_utf8(line).map_err(|_| Wrong::NoText)?;
        Ok(Words { rest, next: None, form: "" })
    }

    /// Says how the line should look, for messages.
    pub fn expect(&mut self, form: &'static str) {
        self.form = form;
    }

    /// Returns the next word and leaves it there.
    pub fn peek(&mut self) -> Option<&'a str> {
        if self.next.is_none() {
            self.next = self.read();
        }
        self.next
    }

    /// Returns the next word.
    pub fn next(&mut self) -> Option<&'a str> {
        self.next.take().or_else(|| self.read())
    }

    /// Reads a word.
    fn read(&mut self) -> Option<&'a str> {
        let rest = self.rest.trim_ascii_start();
        let end = rest.bytes().position(|byte| byte.is_ascii_whitespace()).unwrap_or(rest.len());
        let (word, rest) = rest.split_at_checked(end)?;
        self.rest = rest;
        Some(word).filter(|word| !word.is_empty())
    }

    /// Returns the next word, which must be there.
    pub fn word(&mut self, what: &'static str) -> Result<&'a str, Wrong> {
        self.next().ok_or(Wrong::Missing { what, form: self.form })
    }

    /// Returns a whole number.
    pub fn number(&mut self, what: &'static str) -> Result<u32, Wrong> {
        let word = self.word(what)?;
        number(what, word)
    }

    /// Returns a whole number, or `None` for `any`.
    pub fn number_or_any(&mut self, what: &'static str) -> Result<Option<u32>, Wrong> {
        match self.word(what)? {
            "any" => Ok(None),
            word => number(what, word).map(Some),
        }
    }

    /// Returns a count of any size.
    pub fn count(&mut self, what: &'static str) -> Result<u64, Wrong> {
        let word = self.word(what)?;
        let expected = "a whole number";
        word.parse().map_err(|_| Wrong::NoNumber { what, word: shortened(word), expected })
    }

    /// Returns a size; without a unit, in bytes.
    pub fn size(&mut self) -> Result<u64, Wrong> {
        let (number, unit) = self.quantity("the size", is_size_unit)?;
        match (unit, digits(number)) {
            (None, Some(bytes)) => Ok(bytes),
            _ => quantity::<Bytes>(number, unit.unwrap_or_else(|| bare(number, "B"))).map(|bytes| bytes.0),
        }
    }

    /// Returns sizes up to the next word that is none.
    pub fn sizes(&mut self) -> Result<Box<[u64]>, Wrong> {
        let mut sizes = Vec::new();
        while self.peek().is_some_and(|word| word.starts_with(|first: char| first.is_ascii_digit() || first == '.')) {
            sizes.push(self.size()?);
        }
        Ok(sizes.into())
    }

    /// Returns a time; without a unit, in nanoseconds.
    pub fn time(&mut self) -> Result<Time, Wrong> {
        let (number, unit) = self.quantity("the time", is_time_unit)?;
        // Other forms are found slowly.
        let nanoseconds = digits(number).filter(|_| unit.is_none());
        match nanoseconds.and_then(|time| time.checked_mul(1_000)).map(Time).filter(|time| *time <= Time::LONGEST) {
            Some(time) => Ok(time),
            None => quantity(number, unit.unwrap_or_else(|| bare(number, "ns"))),
        }
    }

    /// Refuses what is left.
    pub fn end(&mut self) -> Result<(), Wrong> {
        match self.next() {
            Some(word) => Err(Wrong::Surplus { word: shortened(word), form: self.form }),
            None => Ok(()),
        }
    }

    /// Returns a number, perhaps with its unit, and the unit that stands by itself.
    fn quantity(&mut self, what: &'static str, is_unit: fn(&str) -> bool) -> Result<(&'a str, Option<&'a str>), Wrong> {
        let number = self.word(what)?;
        let unit = self.peek().filter(|word| is_unit(word));
        if unit.is_some() {
            self.next = None;
        }
        Ok((number, unit))
    }
}

/// Reads a whole number of 32 bits.
pub(crate) fn number(what: &'static str, word: &str) -> Result<u32, Wrong> {
    let expected = "a whole number below 4294967296";
    let parsed = digits(word).and_then(|number| u32::try_from(number).ok());
    parsed.ok_or_else(|| Wrong::NoNumber { what, word: shortened(word), expected })
}

/// Returns the number that digits are; nothing of other words and if it is too large.
fn digits(word: &str) -> Option<u64> {
    let add = |number: u64, byte: u8| {
        let digit = byte.wrapping_sub(b'0');
        if digit > 9 { None } else { number.checked_mul(10)?.checked_add(digit.into()) }
    };
    if word.is_empty() { None } else { word.bytes().try_fold(0, add) }
}

/// Returns the unit of a bare number, or nothing to add to a number with a unit.
fn bare(number: &str, unit: &'static str) -> &'static str {
    if number.ends_with(|last: char| last.is_ascii_digit() || last == '.') { unit } else { "" }
}

/// Reads a number with a unit.
fn quantity<Q: std::str::FromStr<Err = drowse_core::model::units::UnitError>>(
    number: &str,
    unit: &str,
) -> Result<Q, Wrong> {
    format!("{} {unit}", shortened(number)).trim_end().parse().map_err(Wrong::Quantity)
}

fn is_size_unit(word: &str) -> bool {
    matches!(word, "B" | "kB" | "MB" | "GB" | "KiB" | "MiB" | "GiB")
}

fn is_time_unit(word: &str) -> bool {
    matches!(word, "ps" | "ns" | "us" | "µs" | "ms" | "s")
}

#[cfg(test)]
mod tests {
    use super::*;
    use drowse_core::model::units::{Quantity, Time};

    #[test]
    fn sizes_and_times_have_units_or_not() {
        let sizes = |line: &'static str| Words::of(line.as_bytes()).and_then(|mut words| words.sizes());
        assert_eq!(sizes("8 8KiB 8 KiB 1.5 kB 0 # 7").as_deref(), Ok([8, 8192, 8192, 1500, 0].as_slice()));
        assert!(matches!(sizes("1.5"), Err(Wrong::Quantity(_))));
        let time = |line: &'static str| Words::of(line.as_bytes()).and_then(|mut words| words.time());
        assert_eq!(
            ["7", "1.5", "1.5 us", "1.5us", "3 ps"].map(time),
            [7_000, 1_500, 1_500_000, 1_500_000, 3].map(|ps| Ok(Time(ps)))
        );
        assert!(["0.0001", "x", "-1", "5 KiB-", "."].map(time).iter().skip(4).all(Result::is_err));
    }

    #[test]
    fn all_units_are_known() {
        assert!(Bytes::units().into_iter().all(is_size_unit));
        assert!(Time::units().into_iter().all(is_time_unit));
    }
}
