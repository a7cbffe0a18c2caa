//! What a governor has done.

use crate::model::units::Time;

/// What a governor has done.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct GovernorRecord {
    /// Times that a rank has told it how late it is.
    pub reports: u64,
    /// Times that it has commanded all channels to stay on, to sleep, or to keep another bound.
    pub commands: u64,
    /// How often all channels were turned on.
    pub turned_on: u64,
    /// By how much a rank was late at most.
    pub latest: Time,
}
