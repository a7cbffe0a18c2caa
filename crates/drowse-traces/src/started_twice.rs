//! Refuses requests that are started again while they are pending: a wait would not tell which of the two it is for.
//!
//! [`crate::check`] says all of them. A run ends at the first.

use std::sync::Arc;

use drowse_core::workload::communicators::Communicators;
use drowse_core::workload::operation::{Operation, OperationSource, RequestId, SourceError};
use drowse_core::workload::operation_line::shown;
use rustc_hash::FxHashMap;

use crate::reader::Reader;

/// The operations of a trace whose texts name requests.
pub(crate) struct StartedOnce {
    reader: Arc<dyn Reader>,
    source: Box<dyn OperationSource>,
    ranks: Vec<Pending>,
}

/// The pending requests of a rank.
#[derive(Default)]
struct Pending {
    /// How many operations there were.
    operations: u64,
    /// By request, the operation that started it.
    requests: FxHashMap<RequestId, u64>,
}

impl StartedOnce {
    pub fn new(reader: Arc<dyn Reader>, source: Box<dyn OperationSource>) -> Self {
        let ranks = (0..source.ranks()).map(|_| Pending::default()).collect();
        StartedOnce { reader, source, ranks }
    }

    /// Returns the error of an operation that starts a request again.
    fn refuse(&self, rank: u32, operation: &Operation, request: RequestId, [before, at]: [u64; 2]) -> SourceError {
        let what = format!("`{}` starts request {request}, which is pending since", shown(operation));
        let cure = "wait for it first, or choose another number";
        SourceError(match self.reader.places(rank, &[before, at]).unwrap_or_default().as_slice() {
            [before, at] => format!("{at}: {what} line {}; {cure}", before.line),
            _ => format!("rank {rank}, operation {at}: {what} operation {before}; {cure}"),
        })
    }
}

impl Pending {
    /// Adds an operation; returns a request that it starts again, and the operation that started it.
    fn add(&mut self, operation: &Operation) -> Option<(RequestId, u64)> {
        self.operations += 1;
        match operation {
            Operation::Isend { request: Some(request), .. }
            | Operation::Irecv { request, .. }
            | Operation::Icollective { request, .. } => {
                let before = self.requests.insert(*request, self.operations);
                return before.map(|before| (*request, before));
            }
            Operation::Wait { request } => {
                self.requests.remove(request);
            }
            Operation::WaitAll => self.requests.clear(),
            // It may have completed any of them.
            Operation::WaitAny(requests) | Operation::WaitSome(requests) => {
                for request in requests {
                    self.requests.remove(request);
                }
            }
            _ => {}
        }
        None
    }
}

impl OperationSource for StartedOnce {
    fn ranks(&self) -> u32 {
        self.source.ranks()
    }

    fn communicators(&self) -> Arc<Communicators> {
        self.source.communicators()
    }

    fn refill(&mut self, rank: u32, operations: &mut Vec<Operation>) -> Result<(), SourceError> {
        let begin = operations.len();
        self.source.refill(rank, operations)?;
        let Some(pending) = self.ranks.get_mut(rank as usize) else { return Ok(()) };
        for operation in &operations[begin..] {
            if let Some((request, before)) = pending.add(operation) {
                let at = pending.operations;
                return Err(self.refuse(rank, operation, request, [before, at]));
            }
        }
        Ok(())
    }

    fn warnings(&self) -> Vec<String> {
        self.source.warnings()
    }
}
