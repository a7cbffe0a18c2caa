//! Why a program cannot be made, and the checks that several programs share.

use std::error::Error;
use std::fmt::{self, Display, Formatter};
use std::ops::RangeInclusive;

/// The largest number of ranks.
pub(super) const MOST_RANKS: u32 = 1 << 28;

/// Why a program cannot be made.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ProgramError {
    /// The experiment key, within its application.
    pub key: &'static str,
    /// What is wrong with its value, such as "= 0 is out of range"; `None` where it is missing.
    pub what: Option<String>,
    /// What to do.
    pub help: String,
}

impl ProgramError {
    /// Refuses a value; `help` says what is allowed.
    pub fn out_of_range(key: &'static str, value: impl Display, help: impl Into<String>) -> Self {
        ProgramError::wrong(key, format!("= {value} is out of range"), help)
    }

    /// Refuses a key as it is written; `what` continues its name.
    pub fn wrong(key: &'static str, what: impl Into<String>, help: impl Into<String>) -> Self {
        ProgramError { key, what: Some(what.into()), help: help.into() }
    }

    /// Asks for a key.
    pub fn missing(key: &'static str) -> Self {
        ProgramError { key, what: None, help: "write it".into() }
    }
}

impl Display for ProgramError {
    fn fmt(&self, formatter: &mut Formatter<'_>) -> fmt::Result {
        let what = self.what.as_deref().unwrap_or("is missing");
        write!(formatter, "{} {what}: {}", self.key, self.help)
    }
}

impl Error for ProgramError {}

/// Converts a share to billionths, so that no floating point decides.
pub(super) fn billionths(key: &'static str, share: f64) -> Result<u32, ProgramError> {
    if (0.0..=1.0).contains(&share) {
        #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "between 0 and a billion")]
        return Ok((share * 1e9).round() as u32);
    }
    Err(ProgramError::out_of_range(key, share, "write a number from 0.0 to 1.0"))
}

/// Refuses a number out of its range.
pub(super) fn check(key: &'static str, value: u32, range: RangeInclusive<u32>) -> Result<(), ProgramError> {
    if range.contains(&value) {
        return Ok(());
    }
    let reason = format!("write a number from {} to {}", range.start(), range.end());
    Err(ProgramError::out_of_range(key, value, reason))
}

/// Returns the logarithm of a number of ranks. Refuses numbers that are no power of two.
pub(super) fn power_of_two(ranks: u32, most: u32) -> Result<u32, ProgramError> {
    if ranks.is_power_of_two() && ranks <= most {
        return Ok(ranks.ilog2());
    }
    let reason = format!("write a power of two of at most {most}, as the program demands");
    Err(ProgramError::out_of_range("ranks", ranks, reason))
}
