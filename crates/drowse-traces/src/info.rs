//! The contents of a trace of any format, in numbers.

use std::collections::BTreeMap;

use crate::error::{Place, TraceError};

/// The contents of a trace in numbers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TraceInfo {
    /// The format's name.
    pub format: &'static str,
    /// Number of ranks.
    pub ranks: u32,
    /// Occurrences of each operation, by the format's own names, summed over ranks.
    pub operations: BTreeMap<String, u64>,
    /// Messages between two ranks.
    pub messages: Messages,
    /// Calls of each collective, summed over ranks.
    pub collectives: BTreeMap<String, u64>,
    /// Floating-point operations of all computations, without those inside collectives.
    pub compute_flops: u64,
    /// Warnings for the user before a simulation.
    pub warnings: Vec<String>,
    /// Operations that cannot be simulated.
    pub not_simulated: Vec<NotSimulated>,
    /// How the ranks' collectives differ, if they do. A simulation of such a trace would not end or be wrong.
    pub different_collectives: Option<String>,
}

/// Messages between two ranks, counted at the sender.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Messages {
    /// Their number.
    pub count: u64,
    /// Their total size.
    pub bytes: u64,
}

/// An operation that cannot be simulated.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NotSimulated {
    /// The operation's name.
    pub action: String,
    /// Why it cannot be simulated.
    pub obstacle: &'static str,
    /// Its first occurrence, by rank and line.
    pub first: Place,
    /// The number of occurrences.
    pub occurrences: u64,
}

impl TraceInfo {
    /// Returns the number of operations of all kinds and ranks.
    pub fn total_operations(&self) -> u64 {
        self.operations.values().sum()
    }

    /// Refuses a trace that cannot be simulated. The error says why and where.
    pub fn check_simulable(&self) -> Result<(), TraceError> {
        let [first, others @ ..] = &self.not_simulated[..] else {
            let different = self.different_collectives.clone();
            return different.map_or(Ok(()), |reason| Err(TraceError::DifferentCollectives { reason }));
        };
        let others: Vec<_> =
            others.iter().map(|other| format!("`{}` {} times", other.action, other.occurrences)).collect();
        Err(TraceError::NotSimulated {
            action: first.action.clone(),
            obstacle: first.obstacle,
            first: first.first.clone(),
            occurrences: first.occurrences,
            others: if others.is_empty() { String::new() } else { format!(" (and {})", others.join(", ")) },
        })
    }
}
