//! Splits a line into fields and turns fields into numbers.

use super::context::LineContext;
use super::datatype::Datatype;
use super::name::ActionName;
use crate::error::shortened;
use crate::line_error::LineError;
use crate::numbers::{split_field, split_number};

/// The arguments of one action, taken from the front.
pub(crate) struct Fields<'a> {
    rest: &'a [u8],
    name: ActionName,
}

impl<'a> Fields<'a> {
    /// Makes the arguments of `name` from the rest of its line.
    pub fn new(name: ActionName, rest: &'a [u8]) -> Self {
        Fields { rest, name }
    }

    /// Takes the next field, if there is one.
    pub fn optional(&mut self) -> Option<&'a [u8]> {
        let (field, rest) = split_field(self.rest)?;
        self.rest = rest;
        Some(field)
    }

    /// Takes the next field.
    pub fn required(&mut self, missing: &'static str) -> Result<&'a [u8], LineError> {
        let name = self.name;
        let too_few = || LineError::TooFewArguments { action: name.text(), missing, form: name.form() };
        self.optional().ok_or_else(too_few)
    }

    /// Counts the fields that are left.
    pub fn left(&self) -> usize {
        let mut rest = self.rest;
        let mut count = 0;
        while let Some((_, after)) = split_field(rest) {
            rest = after;
            count += 1;
        }
        count
    }

    /// Returns whether none is left.
    pub fn is_empty(&self) -> bool {
        split_field(self.rest).is_none()
    }

    /// Returns whether one is left.
    pub fn is_last(&self) -> bool {
        split_field(self.rest).is_some_and(|(_, rest)| split_field(rest).is_none())
    }

    /// Takes the next field, if it is a number that is written as nearly all are.
    #[inline]
    fn plain<N: TryFrom<u64>>(&mut self) -> Option<N> {
        let (value, rest) = split_number(self.rest)?;
        let value = value.try_into().ok()?;
        self.rest = rest;
        Some(value)
    }

    /// Takes an integer.
    pub fn integer(&mut self, argument: &'static str) -> Result<i64, LineError> {
        if let Some(value) = self.plain() {
            return Ok(value);
        }
        let field = self.required(argument)?;
        integer(field).ok_or_else(|| wrong_number(argument, field, expected(field, "a number")))
    }

    /// Takes a number that is not negative.
    pub fn amount(&mut self, argument: &'static str) -> Result<u64, LineError> {
        if let Some(value) = self.plain() {
            return Ok(value);
        }
        let field = self.required(argument)?;
        integer(field)
            .and_then(|value| u64::try_from(value).ok())
            .ok_or_else(|| wrong_number(argument, field, expected(field, "a number that is not negative")))
    }

    /// Takes a list of numbers that are not negative.
    pub fn amounts(&mut self, argument: &'static str, length: u32) -> Result<Vec<u64>, LineError> {
        (0..length).map(|_| self.amount(argument)).collect()
    }

    /// Takes a rank of the trace.
    pub fn rank(&mut self, argument: &'static str, context: LineContext) -> Result<u32, LineError> {
        let found = self.integer(argument)?;
        rank_of(argument, found, context)
    }

    /// Takes a rank of the trace, or a negative number for any.
    pub fn rank_or_any(&mut self, argument: &'static str, context: LineContext) -> Result<Option<u32>, LineError> {
        let found = self.integer(argument)?;
        if found < 0 { Ok(None) } else { rank_of(argument, found, context).map(Some) }
    }

    /// Takes a root; rank 0 if it is omitted.
    pub fn root(&mut self, context: LineContext) -> Result<u32, LineError> {
        if self.is_empty() { Ok(0) } else { self.rank("the root", context) }
    }

    /// Takes a tag.
    pub fn tag(&mut self) -> Result<u32, LineError> {
        if let Some(tag) = self.plain() {
            return Ok(tag);
        }
        let field = self.required("the tag")?;
        let tag = integer(field).and_then(|value| u32::try_from(value).ok());
        tag.ok_or_else(|| wrong_number("the tag", field, "a number from 0 to 4294967295"))
    }

    /// Takes a tag, or a negative number for any.
    pub fn tag_or_any(&mut self) -> Result<Option<u32>, LineError> {
        if let Some(tag) = self.plain() {
            return Ok(Some(tag));
        }
        let field = self.required("the tag")?;
        match integer(field) {
            Some(value) if value < 0 => Ok(None),
            Some(value) if value <= i64::from(u32::MAX) => Ok(u32::try_from(value).ok()),
            _ => Err(wrong_number("the tag", field, "a number up to 4294967295")),
        }
    }

    /// Takes a time in seconds.
    pub fn seconds(&mut self, argument: &'static str) -> Result<f64, LineError> {
        let field = self.required(argument)?;
        float(field)
            .filter(|&value| value >= 0.0)
            .ok_or_else(|| wrong_number(argument, field, "a finite number that is not negative"))
    }

    /// Takes a datatype; the default if it is omitted.
    pub fn datatype(&mut self, context: LineContext) -> Result<Datatype, LineError> {
        self.optional().map_or(Ok(context.default), Datatype::parse)
    }
}

/// Checks that a number is a rank of the trace.
fn rank_of(argument: &'static str, found: i64, context: LineContext) -> Result<u32, LineError> {
    let ranks = context.ranks;
    let rank = u32::try_from(found).ok().filter(|&rank| rank < ranks);
    rank.ok_or(LineError::PeerOutOfRange { argument, found, ranks })
}

/// Parses an integer, written as one or as a float that is then truncated.
fn integer(field: &[u8]) -> Option<i64> {
    let text = std::str::from_utf8(field).ok()?;
    if let Ok(value) = text.parse::<i64>() {
        return Some(value);
    }
    float(field).filter(|value| value.abs() < 9.2e18).map(|value| value as i64)
}

/// Parses a finite float.
fn float(field: &[u8]) -> Option<f64> {
    std::str::from_utf8(field).ok()?.parse::<f64>().ok().filter(|value| value.is_finite())
}

/// Returns what is expected instead of a field that is not `usual`, or too large a number.
fn expected(field: &[u8], usual: &'static str) -> &'static str {
    let value = std::str::from_utf8(field).ok().and_then(|text| text.parse::<f64>().ok());
    if value.is_some_and(|value| value > 0.0) { "a number up to 9223372036854775807" } else { usual }
}

/// Returns the error of a field that is not a number of the expected kind.
fn wrong_number(argument: &'static str, field: &[u8], expected: &'static str) -> LineError {
    LineError::WrongNumber { argument, found: shortened(&String::from_utf8_lossy(field)), expected }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_may_be_floats() {
        for (text, value) in [("0", 0), ("42", 42), ("-333", -333), ("6e3", 6000), ("1.7658e+07", 17_658_000)] {
            assert_eq!(integer(text.as_bytes()), Some(value), "{text}");
        }
        assert_eq!(integer(b"0.11"), Some(0));
        assert_eq!(integer(b"-0.9"), Some(0));
        assert_eq!(integer(b"999999999999999999"), Some(999_999_999_999_999_999));
        assert_eq!(integer(b"9223372036854775807"), Some(i64::MAX));
        for wrong in ["", "x", "1x", "inf", "nan", "1e30", "0x10", "--1", "99999999999999999999"] {
            assert_eq!(integer(wrong.as_bytes()), None, "{wrong}");
        }
    }
}
