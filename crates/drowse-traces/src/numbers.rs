//! Numbers in the records of text formats.

use drowse_core::workload::operation::MOST_BYTES;

use crate::error::shortened;
use crate::line_error::LineError;

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
