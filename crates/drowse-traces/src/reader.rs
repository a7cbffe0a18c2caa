//! What every trace format provides once a trace is open.

use std::sync::Arc;

use drowse_core::workload::operation::{Operation, OperationSource, SourceError};

use crate::compute::ComputeModel;
use crate::error::TraceError;
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
}

/// A trace that was read and counted when it was opened.
pub(crate) trait Counted: Send + Sync + 'static {
    /// Returns what it holds.
    fn info(&self) -> &TraceInfo;

    /// Returns a hash of all that it holds.
    fn fingerprint(&self) -> u64;

    /// Returns its operations, from the beginning.
    fn source(self: Arc<Self>, compute: ComputeModel) -> Box<dyn OperationSource>;
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
