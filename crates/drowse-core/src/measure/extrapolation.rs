//! What of a run was not simulated, because it was like what came before.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

/// What was extrapolated.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ExtrapolationRecord {
    /// By job, the picoseconds of its run time that were not simulated; those of which all was are not there.
    pub skipped: BTreeMap<u32, u64>,
    /// How often a group of jobs that share channels was extrapolated.
    pub intervals: u64,
    /// By how much iterations differed at most that were taken to be alike, in billionths.
    pub difference_billionths: u64,
}

impl ExtrapolationRecord {
    /// Joins what two parts of a run say, each of other jobs.
    #[must_use]
    pub fn plus(mut self, other: Self) -> Self {
        self.skipped.extend(other.skipped);
        self.intervals += other.intervals;
        self.difference_billionths = self.difference_billionths.max(other.difference_billionths);
        self
    }
}
