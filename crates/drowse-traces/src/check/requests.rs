//! Every request has its wait.

use drowse_core::workload::operation::{Operation, RequestId};
use rustc_hash::FxHashMap;

use super::finding::{At, Collected};

/// The most requests of a rank that are followed at a time.
const MOST_PENDING: usize = 1 << 22;

/// The pending requests of a rank.
#[derive(Default)]
pub(super) struct Requests {
    pending: FxHashMap<RequestId, Pending>,
    /// Whether there were more than are followed.
    too_many: bool,
}

/// A request that has started.
struct Pending {
    at: At,
    /// Whether a wait for some of several requests may have completed it.
    doubtful: bool,
}

impl Requests {
    /// Adds an operation.
    pub fn add(&mut self, at: At, operation: &Operation, found: &mut Collected) {
        match operation {
            Operation::Isend { request: Some(request), .. }
            | Operation::Irecv { request, .. }
            | Operation::Icollective { request, .. } => self.start(at, *request, found),
            Operation::Wait { request } => {
                let pending = self.pending.remove(request).is_some() || self.too_many;
                let lacking = || format!("waits for request {request}, which is not pending");
                (!pending).then(|| found.add(at, lacking));
            }
            Operation::WaitAny(requests) | Operation::WaitSome(requests) => {
                for request in requests {
                    if let Some(pending) = self.pending.get_mut(request) {
                        pending.doubtful = true;
                    }
                }
            }
            Operation::WaitAll => self.pending.clear(),
            _ => {}
        }
    }

    fn start(&mut self, at: At, request: RequestId, found: &mut Collected) {
        if self.pending.len() >= MOST_PENDING {
            self.too_many = true;
        }
        if self.too_many {
            return;
        }
        if let Some(before) = self.pending.insert(request, Pending { at, doubtful: false })
            && !before.doubtful
        {
            let operation = before.at.operation;
            found.add(at, || {
                format!(
                    "starts request {request}, which is pending since operation {operation}: nothing waits for that"
                )
            });
        }
    }

    /// Adds the requests that nothing waits for, at the end of the rank.
    pub fn finish(self, found: &mut Collected) {
        if self.too_many {
            return;
        }
        for (request, Pending { at, .. }) in self.pending.into_iter().filter(|(_, pending)| !pending.doubtful) {
            found.add(at, || format!("nothing waits for its request {request}"));
        }
    }
}
