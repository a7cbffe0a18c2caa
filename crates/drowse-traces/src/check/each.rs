//! The operations of a rank, one after the other.

use drowse_core::workload::operation::{Operation, OperationSource, SourceError};

use super::finding::At;

/// Calls `visit` with each operation of a rank; returns where the rank ends.
pub(crate) fn each(
    source: &mut dyn OperationSource,
    rank: u32,
    mut visit: impl FnMut(At, &Operation),
) -> Result<At, SourceError> {
    let (mut at, mut operations) = (At { rank, operation: 0 }, Vec::new());
    loop {
        operations.clear();
        source.refill(rank, &mut operations)?;
        if operations.is_empty() {
            return Ok(at);
        }
        for operation in &operations {
            at.operation += 1;
            visit(at, operation);
        }
    }
}
