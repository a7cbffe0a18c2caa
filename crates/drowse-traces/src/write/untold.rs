//! What formats do not tell of a program.

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

/// Modes of sends that most formats do not have.
pub(crate) const MODES: &str = "sends are buffered, ready or synchronous ones, which are written as usual ones";

/// Marks of iterations.
pub(crate) const MARKS: &str = "marks of iterations are left out";

/// Elements of collectives.
pub(crate) const ELEMENTS: &str =
    "collectives name a number of elements, which is not written: choices that depend on it see bytes";
