//! Why a network cannot be built, and the checks that all topologies share.

use std::ops::RangeInclusive;

/// Why a network cannot be built.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NetworkError {
    /// A parameter is out of its range.
    #[error("{key} = {value}: {reason}")]
    OutOfRange {
        /// The experiment key.
        key: &'static str,
        /// What was given.
        value: String,
        /// What is allowed.
        reason: &'static str,
    },
    /// What was asked for does not fit together.
    #[error("{what}: {cure}")]
    Refused {
        /// The experiment key.
        key: String,
        /// What is wrong.
        what: String,
        /// What to do.
        cure: String,
    },
    /// The network does not fit the tables.
    #[error("the network would have {what}; the most is {most}: make it smaller")]
    TooLarge {
        /// What there is too much of.
        what: String,
        /// The limit.
        most: u64,
    },
}

/// Refuses a parameter that is out of its range.
pub(super) fn check_range(
    key: &'static str,
    value: u32,
    range: RangeInclusive<u32>,
    reason: &'static str,
) -> Result<(), NetworkError> {
    if range.contains(&value) {
        Ok(())
    } else {
        Err(NetworkError::OutOfRange { key, value: value.to_string(), reason })
    }
}

/// Refuses a network of so many switches of so many ports if it does not fit the 32-bit tables; returns the number of
/// ports.
pub(super) fn check_size(switches: u128, ports: u64) -> Result<u64, NetworkError> {
    let most = u64::from(u32::MAX) / 4;
    let all = switches.saturating_mul(u128::from(ports));
    match u64::try_from(all) {
        Ok(all) if all < most => Ok(all),
        _ => Err(NetworkError::TooLarge { what: format!("{all} ports"), most }),
    }
}
