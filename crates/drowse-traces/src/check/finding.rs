//! What a check finds.

use crate::error::Place;

/// An operation of a rank.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct At {
    /// The number of the rank, from 0.
    pub rank: u32,
    /// The number of its operation, from 1, as `drowse trace convert` writes them.
    pub operation: u64,
}

/// Something that is wrong with a program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Finding {
    /// The operation; `None` where only the place is known.
    pub at: Option<At>,
    /// The line of the file, where the format has lines.
    pub place: Option<Place>,
    /// What is wrong, as the end of a sentence that begins with the place.
    pub what: String,
}

/// What a check has found.
///
/// ```
/// use drowse_traces::{At, Trace};
///
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// # let folder = tempfile::tempdir()?;
/// # let path = folder.path().join("lost.drowse");
/// std::fs::write(&path, "drowse-trace 1\nranks 2\nrank 0\ncompute 1 us\nsend 1 8 B\nrank 1\ncompute 1 us\n")?;
/// let findings = Trace::open(&path)?.check(10)?;
/// // The second operation of rank 0 sends what nobody receives.
/// assert_eq!((findings.total, findings.first[0].at), (1, Some(At { rank: 0, operation: 2 })));
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Findings {
    /// The number of findings.
    pub total: u64,
    /// The first of them, by rank and operation.
    pub first: Vec<Finding>,
    /// What else is to be known of the trace.
    pub notes: Vec<String>,
    /// The largest message that must be sent eagerly, or ranks wait for each other's receives in a circle.
    pub eager: Option<u64>,
}

/// Findings while they are collected: the first ones, and the number of all.
pub(super) struct Collected {
    most: usize,
    total: u64,
    first: Vec<Finding>,
    /// The last of them, once there are enough.
    last: Option<At>,
}

impl Collected {
    pub fn new(most: usize) -> Self {
        Collected { most, total: 0, first: Vec::new(), last: None }
    }

    /// Adds a finding, which is put into words only if it is kept.
    pub fn add(&mut self, at: At, what: impl FnOnce() -> String) {
        self.total += 1;
        if self.keeps(at) {
            self.first.push(Finding { at: Some(at), place: None, what: what() });
            if self.first.len() >= self.most.saturating_mul(2) {
                self.shorten();
            }
        }
    }

    /// Adds findings of which only the first place is known.
    pub fn place(&mut self, place: Place, occurrences: u64, what: String) {
        self.total += occurrences;
        let what = if occurrences > 1 { format!("{what} ({occurrences} times)") } else { what };
        self.first.push(Finding { at: None, place: Some(place), what });
    }

    /// Adds to the number of findings without one of them.
    pub fn count(&mut self, findings: u64) {
        self.total += findings;
    }

    /// Returns the number of findings so far.
    pub fn total(&self) -> u64 {
        self.total
    }

    /// Returns whether a finding there would be among the first.
    pub fn keeps(&self, at: At) -> bool {
        self.most > 0 && self.last.is_none_or(|last| at < last)
    }

    fn shorten(&mut self) {
        self.first.sort_by_key(|finding| finding.at);
        self.first.truncate(self.most);
        if self.first.len() == self.most {
            self.last = self.first.last().and_then(|finding| finding.at);
        }
    }

    pub fn finish(mut self) -> Findings {
        self.shorten();
        Findings { total: self.total, first: self.first, notes: Vec::new(), eager: None }
    }
}
