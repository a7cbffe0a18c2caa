//! Where the lines of ranks are, and the error of a line.

use super::wrong::Wrong;
use crate::error::{Place, TraceError};
use crate::files::{Extent, Stored};
use crate::line_error::LineError;

/// Lines that belong to some ranks.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Section {
    pub extent: Extent,
    pub lines_before: u64,
}

/// Returns the error of a line.
pub(crate) fn at(stored: &Stored, line: u64, wrong: Wrong) -> TraceError {
    TraceError::Line { place: Place { file: stored.text.label.clone(), line }, problem: LineError::Text(wrong) }
}
