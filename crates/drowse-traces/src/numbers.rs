//! Fields and numbers in the records of text formats.

use drowse_core::workload::operation::MOST_BYTES;

use crate::error::shortened;
use crate::line_error::LineError;

/// Splits the first field off a text.
pub(crate) fn split_field(text: &[u8]) -> Option<(&[u8], &[u8])> {
    let text = text.trim_ascii_start();
    let end = text.iter().position(u8::is_ascii_whitespace).unwrap_or(text.len());
    (end > 0).then(|| text.split_at(end))
}

/// Splits the first field off a text, if it is a number of up to 18 digits, as nearly all are: each byte is looked at
/// once.
#[inline]
pub(crate) fn split_number(text: &[u8]) -> Option<(u64, &[u8])> {
    let text = text.trim_ascii_start();
    let (mut value, mut rest) = (0_u64, text);
    while let [byte, behind @ ..] = rest {
        let digit = byte.wrapping_sub(b'0');
        if digit > 9 {
            if !byte.is_ascii_whitespace() {
                return None;
            }
            break;
        }
        // Wraps in numbers that are too long only.
        value = value.wrapping_mul(10).wrapping_add(u64::from(digit));
        rest = behind;
    }
    (1..=18).contains(&(text.len() - rest.len())).then_some((value, rest))
}

/// Parses a number of digits only.
pub(crate) fn number(field: &[u8], argument: &'static str) -> Result<u64, LineError> {
    let digits = field.iter().all(u8::is_ascii_digit);
    let text = std::str::from_utf8(field).ok().filter(|_| digits);
    text.and_then(|text| text.parse().ok()).ok_or_else(|| wrong(field, argument, "a whole number that is not negative"))
}

/// Parses a size, which must be one that can be sent at once.
pub(crate) fn size(field: &[u8], argument: &'static str) -> Result<u64, LineError> {
    let bytes = number(field, argument)?;
    if bytes > MOST_BYTES { Err(LineError::TooManyBytes { bytes: bytes.into() }) } else { Ok(bytes) }
}

/// Parses a rank below `ranks`.
pub(crate) fn rank(field: &[u8], argument: &'static str, ranks: u32) -> Result<u32, LineError> {
    let rank = number(field, argument)?;
    u32::try_from(rank).ok().filter(|&rank| rank < ranks).ok_or_else(|| {
        LineError::Record(format!("{argument} is {rank}, but the header names {ranks}, from 0; correct one of them"))
    })
}

/// Returns the error of a field that is no such number.
pub(crate) fn wrong(field: &[u8], argument: &'static str, expected: &'static str) -> LineError {
    LineError::WrongNumber { argument, found: shortened(&String::from_utf8_lossy(field)), expected }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fields_are_split_off_the_front() {
        assert_eq!(split_field(b"  p12\tinit\r"), Some((b"p12".as_slice(), b"\tinit\r".as_slice())));
        assert_eq!(split_field(b" \r"), None);
        assert_eq!(split_number(b"  12\tinit"), Some((12, b"\tinit".as_slice())));
        assert_eq!(split_number(b"999999999999999999"), Some((999_999_999_999_999_999, b"".as_slice())));
        for odd in ["", " ", "-1", "1x", "x1", "1e3", "1.0", "0999999999999999999"] {
            assert_eq!(split_number(odd.as_bytes()), None, "{odd}");
        }
    }
}
