//! Why a program cannot be made, and the checks that several programs share.

use std::ops::RangeInclusive;

/// The largest number of ranks.
pub(super) const MOST_RANKS: u32 = 1 << 28;

/// Why a program cannot be made.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{key} = {value} is out of range: {reason}")]
pub struct ProgramError {
    /// The experiment key, within its application.
    pub key: &'static str,
    /// What was given.
    pub value: String,
    /// What is allowed.
    pub reason: String,
}

/// Refuses a number out of its range.
pub(super) fn check(key: &'static str, value: u32, range: RangeInclusive<u32>) -> Result<(), ProgramError> {
    if range.contains(&value) {
        return Ok(());
    }
    let reason = format!("write a number from {} to {}", range.start(), range.end());
    Err(ProgramError { key, value: value.to_string(), reason })
}

/// Returns the logarithm of a number of ranks. Refuses numbers that are no power of two.
pub(super) fn power_of_two(ranks: u32, most: u32) -> Result<u32, ProgramError> {
    if ranks.is_power_of_two() && ranks <= most {
        return Ok(ranks.ilog2());
    }
    let reason = format!("write a power of two of at most {most}, as the program demands");
    Err(ProgramError { key: "ranks", value: ranks.to_string(), reason })
}
