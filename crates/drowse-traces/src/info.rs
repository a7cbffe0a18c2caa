//! What a trace holds, whatever its format.

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
    /// Floating-point operations of all computations, those inside collectives left out.
    pub compute_flops: u64,
    /// What a user must know before simulating the trace.
    pub warnings: Vec<String>,
    /// Operations that cannot be simulated.
    pub not_simulated: Vec<NotSimulated>,
    /// How the ranks' collectives differ, if they do; a simulation would not end or be wrong.
    pub different_collectives: Option<String>,
}

/// Messages between two ranks, as sent.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Messages {
    /// Their number.
    pub count: u64,
    /// Their size together.
    pub bytes: u64,
}

/// An operation that cannot be simulated.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NotSimulated {
    /// The operation's name.
    pub action: String,
    /// Why.
    pub obstacle: &'static str,
    /// Where it stands first, by rank and line.
    pub first: Place,
    /// How often it occurs.
    pub occurrences: u64,
}

impl TraceInfo {
    /// Returns the number of operations of all kinds and ranks.
    pub fn total_operations(&self) -> u64 {
        self.operations.values().sum()
    }

    /// Refuses a trace that cannot be simulated; the error says why and where.
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
