//! Waits for requests that are not pending, and what they mean for the figures.

use super::requests::Waited;
use crate::info::Noted;

/// Counts waits that have no effect.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct OddWaits {
    /// Waits for what a `waitall` has completed.
    swept: u64,
    /// Waits for what the trace has not started.
    unknown: u64,
}

impl OddWaits {
    /// Counts a wait, if it has no effect.
    pub fn count(&mut self, waited: Waited) {
        match waited {
            Waited::Pending(_) => {}
            Waited::Swept => self.swept += 1,
            Waited::Unknown => self.unknown += 1,
        }
    }

    /// Says how many there are, what they are, and what they change.
    pub fn noted(&self) -> impl Iterator<Item = Noted> {
        let swept = "waits name requests that a waitall before them has completed: a trace does not tell which \
                     requests a waitall is for, so it waits for all; ranks wait there for these, too, which may be earlier than \
                     in the program, so that the run time may be too long by what they compute in between";
        let unknown = "waits name no request that the trace has started and not completed, such as MPI_REQUEST_NULL: \
                       they return at once, as in MPI; if the trace lacks the start of requests, their time is missing";
        Noted::some(self.swept, swept).into_iter().chain(Noted::some(self.unknown, unknown))
    }

    /// Returns a warning about each kind.
    pub fn warnings(&self) -> impl Iterator<Item = String> {
        self.noted().map(|noted| format!("{} {}", noted.count, noted.what))
    }
}
