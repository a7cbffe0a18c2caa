//! The contents of a trace of any format, in numbers.

use std::collections::BTreeMap;

use drowse_core::model::units::FlopRate;

use crate::error::{Place, TraceError};

/// The contents of a trace in numbers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TraceInfo {
    /// The format's name.
    pub format: &'static str,
    /// How many ranks the program has.
    pub ranks: u32,
    /// Occurrences of each operation, by the format's own names, summed over ranks.
    pub operations: BTreeMap<String, u64>,
    /// Messages between two ranks.
    pub messages: Messages,
    /// Calls of each collective, summed over ranks.
    pub collectives: BTreeMap<String, u64>,
    /// All computations, without those inside collectives.
    pub compute: Computing,
    /// How much of the trace a simulation honours.
    pub coverage: Coverage,
    /// Warnings for the user before a simulation.
    pub warnings: Vec<String>,
    /// Operations that cannot be simulated.
    pub not_simulated: Vec<NotSimulated>,
    /// How the ranks' collectives differ, if they do. A simulation of such a trace would not end or be wrong.
    pub different_collectives: Option<String>,
}

/// The computations of all ranks: what the format holds, before any scaling.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Computing {
    /// Floating-point operations.
    Flops(u64),
    /// Picoseconds.
    Picoseconds(u128),
}

/// How much of a trace a simulation honours, in calls or records.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Coverage {
    /// Those that are simulated as they are.
    pub simulated: u64,
    /// Those that are simulated, but not quite as they were.
    pub approximated: Vec<Noted>,
    /// Those that are left out.
    pub ignored: Vec<Noted>,
}

/// Calls or records of which something is to be said.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Noted {
    /// How many there are.
    pub count: u64,
    /// What they are and what becomes of them; completes a sentence that begins with their number.
    pub what: String,
}

/// Messages between two ranks, counted at the sender.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Messages {
    /// Their number.
    pub count: u64,
    /// Their total size.
    pub bytes: u64,
}

impl Messages {
    /// Adds one of a size.
    pub(crate) fn add(&mut self, bytes: u64) {
        self.count += 1;
        self.bytes = self.bytes.saturating_add(bytes);
    }
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

impl Computing {
    /// Returns the time in seconds; operations at a speed.
    pub fn seconds(self, speed: FlopRate) -> f64 {
        match self {
            Computing::Flops(flops) => flops as f64 / speed.0 as f64,
            Computing::Picoseconds(time) => time as f64 / 1e12,
        }
    }
}

impl Noted {
    /// Notes a number of calls; `None` if there are none.
    pub fn some(count: u64, what: impl Into<String>) -> Option<Self> {
        (count > 0).then(|| Noted { count, what: what.into() })
    }
}

impl Coverage {
    /// Returns a warning about all that is not simulated as it was.
    pub fn warnings(&self) -> impl Iterator<Item = String> {
        self.ignored.iter().chain(&self.approximated).map(|noted| format!("{} {}", noted.count, noted.what))
    }

    /// Returns the number of calls that are approximated.
    pub fn approximations(&self) -> u64 {
        self.approximated.iter().map(|noted| noted.count).sum()
    }

    /// Returns the number of calls that are left out.
    pub fn omissions(&self) -> u64 {
        self.ignored.iter().map(|noted| noted.count).sum()
    }
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
