//! The collectives of several ranks, call after call.

use drowse_core::workload::communicators::CommId;
use drowse_core::workload::operation::{Operation, OperationSource, SourceError};
use rustc_hash::FxHashMap;

use super::finding::At;

/// The calls of ranks in a communicator. Each rank is read as far as it is asked for.
pub(super) struct Walk {
    pub comm: CommId,
    source: Box<dyn OperationSource>,
    ranks: FxHashMap<u32, Progress>,
}

/// How far a rank was read.
#[derive(Default)]
struct Progress {
    block: Vec<Operation>,
    next: usize,
    operation: u64,
    calls: u64,
    last: Option<(At, Operation)>,
}

impl Walk {
    pub fn new(source: Box<dyn OperationSource>, comm: CommId) -> Self {
        Walk { comm, source, ranks: FxHashMap::default() }
    }

    /// Returns a call of a rank by its number, which is not below the last one that was asked for.
    pub fn call(&mut self, rank: u32, number: u64) -> Result<Option<(At, Operation)>, SourceError> {
        let progress = self.ranks.entry(rank).or_default();
        while progress.calls <= number {
            if progress.next == progress.block.len() {
                progress.block.clear();
                progress.next = 0;
                self.source.refill(rank, &mut progress.block)?;
                if progress.block.is_empty() {
                    return Ok(None);
                }
            }
            let operation = &progress.block[progress.next];
            (progress.next, progress.operation) = (progress.next + 1, progress.operation + 1);
            if operation.called().is_some() && operation.comm() == Some(self.comm) {
                progress.calls += 1;
                progress.last = Some((At { rank, operation: progress.operation }, operation.clone()));
            }
        }
        Ok(progress.last.clone())
    }
}
