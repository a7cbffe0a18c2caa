//! What formats do not tell of a program.

use drowse_core::workload::operation::SendMode;

/// What a format does not tell of the operations that were written, in numbers.
#[derive(Default)]
pub(crate) struct Untold(Vec<(&'static str, u64)>);

impl Untold {
    /// Counts operations.
    pub fn add(&mut self, what: &'static str, count: u64) {
        match self.0.iter_mut().find(|(known, _)| *known == what) {
            _ if count == 0 => {}
            Some((_, sum)) => *sum += count,
            None => self.0.push((what, count)),
        }
    }

    /// Says what is not told.
    pub fn notes(self) -> Vec<String> {
        self.0.into_iter().map(|(what, count)| format!("{count} {what}")).collect()
    }
}

/// Returns whether a send may wait for its receive. One that does not, and is written as one that does, may wait for
/// ever.
pub(crate) const fn waits_for_receive(mode: SendMode) -> bool {
    matches!(mode, SendMode::Standard | SendMode::Synchronous)
}

/// Modes of sends that most formats do not have.
pub(crate) const MODES: &str = "sends are buffered, ready or synchronous ones, which are written as usual ones";

/// Synchronous sends of formats that have none.
pub(crate) const SYNCHRONOUS: &str =
    "sends are synchronous ones, which are written as usual ones: small ones do not wait";

/// Buffered and ready sends of formats that have none. As usual sends they would wait for their receives.
pub(crate) const UNWAITED: &str = "sends are buffered or ready ones, which are written as immediate ones: their ranks \
                                   do not wait until they have left, and large ones ask their receivers first";

/// Marks of iterations.
pub(crate) const MARKS: &str = "marks of iterations are left out";

/// Elements of collectives.
pub(crate) const ELEMENTS: &str =
    "collectives name a number of elements, which is not written: choices that depend on it see bytes";
