//! What every trace format provides once a trace is open.

use std::sync::Arc;

use drowse_core::model::units::Time;
use drowse_core::workload::operation::{Operation, OperationSource, SourceError};

use crate::compute::ComputeModel;
use crate::error::{Place, TraceError};
use crate::info::TraceInfo;

/// An open trace of some format. Any number of simulations can read from it at the same time.
pub(crate) trait Reader: Send + Sync {
    /// Returns the number of ranks.
    fn ranks(&self) -> u32;

    /// Counts what the trace holds, in one pass, and checks every line on the way.
    fn info(&self) -> Result<TraceInfo, TraceError>;

    /// Returns a hash of all ranks' texts, in one pass. It does not depend on how the trace is stored.
    fn fingerprint(&self) -> Result<u64, TraceError>;

    /// Returns the operations, from the beginning.
    fn operations(&self, compute: ComputeModel) -> Box<dyn OperationSource>;

    /// Returns how long each rank ran when it was recorded. Most formats do not say.
    fn recorded(&self) -> Option<Vec<Time>> {
        None
    }

    /// Returns whether the trace itself names requests. Other readers name each differently while it is pending.
    fn names_requests(&self) -> bool {
        false
    }

    /// Returns on which lines operations of a rank stand, by their ascending numbers from 1, with computations at 10
    /// Gflop/s. Formats without lines return nothing.
    fn places(&self, _rank: u32, _operations: &[u64]) -> Result<Vec<Place>, TraceError> {
        Ok(Vec::new())
    }
}

/// A trace that was read and counted when it was opened.
pub(crate) trait Counted: Send + Sync + 'static {
    /// Returns what it holds.
    fn info(&self) -> &TraceInfo;

    /// Returns a hash of all that it holds.
    fn fingerprint(&self) -> u64;

    /// Returns its operations, from the beginning.
    fn source(self: Arc<Self>, compute: ComputeModel) -> Box<dyn OperationSource>;

    /// Returns how long each rank ran when it was recorded. Most formats do not say.
    fn recorded(&self) -> Option<Vec<Time>> {
        None
    }

    /// Returns on which lines operations of a rank stand, as [`Reader::places`].
    fn places(self: Arc<Self>, _rank: u32, _operations: &[u64]) -> Result<Vec<Place>, TraceError> {
        Ok(Vec::new())
    }
}

/// The reader of such a trace.
pub(crate) struct Opened<T>(pub Arc<T>);

impl<T: Counted> Reader for Opened<T> {
    fn ranks(&self) -> u32 {
        self.0.info().ranks
    }

    fn info(&self) -> Result<TraceInfo, TraceError> {
        Ok(self.0.info().clone())
    }

    fn fingerprint(&self) -> Result<u64, TraceError> {
        Ok(self.0.fingerprint())
    }

    fn operations(&self, compute: ComputeModel) -> Box<dyn OperationSource> {
        Arc::clone(&self.0).source(compute)
    }

    fn recorded(&self) -> Option<Vec<Time>> {
        self.0.recorded()
    }

    fn places(&self, rank: u32, operations: &[u64]) -> Result<Vec<Place>, TraceError> {
        Arc::clone(&self.0).places(rank, operations)
    }
}

/// Finds the lines of operations while the text of their rank is read.
pub(crate) struct LinesOf<'a> {
    /// Their ascending numbers, from 1.
    wanted: &'a [u64],
    read: u64,
    lines: Vec<u64>,
}

impl<'a> LinesOf<'a> {
    pub fn new(wanted: &'a [u64]) -> Self {
        LinesOf { wanted, read: 0, lines: Vec::new() }
    }

    /// Notes that a line has so many operations.
    pub fn line(&mut self, line: u64, operations: usize) {
        self.read += operations as u64;
        while self.wanted.get(self.lines.len()).is_some_and(|&wanted| wanted <= self.read) {
            self.lines.push(line);
        }
    }

    /// Returns whether all are found.
    pub fn is_complete(&self) -> bool {
        self.lines.len() == self.wanted.len()
    }

    /// Returns the places in a file.
    pub fn places(self, file: &str) -> Vec<Place> {
        self.lines.into_iter().map(|line| Place { file: file.to_owned(), line }).collect()
    }
}

/// Appends operations: calls `read` until it has appended some, or says by `false` that nothing is left.
pub(crate) fn refill(
    operations: &mut Vec<Operation>,
    mut read: impl FnMut(&mut Vec<Operation>) -> Result<bool, TraceError>,
) -> Result<(), SourceError> {
    let before = operations.len();
    while operations.len() == before {
        if !read(operations).map_err(|error| SourceError(error.to_string()))? {
            break;
        }
    }
    Ok(())
}
