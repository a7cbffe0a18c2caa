//! What every trace format provides once a trace is open.

use drowse_core::workload::operation::OperationSource;

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
