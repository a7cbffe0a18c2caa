//! The requests of a task that it has started and not waited for.

use std::collections::VecDeque;

use rustc_hash::FxHashMap;

use drowse_core::workload::operation::RequestId;

use super::kind::Kind;
use super::record::ReceiveKey;

/// What a request is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Key {
    Receive(ReceiveKey),
    Collective(Kind, u64),
}

/// The pending requests of a task.
#[derive(Default)]
pub(super) struct Pending {
    requests: FxHashMap<Key, VecDeque<RequestId>>,
    next: RequestId,
}

impl Pending {
    /// Starts a request.
    pub fn start(&mut self, key: Key) -> RequestId {
        let request = self.next;
        self.next = self.next.wrapping_add(1);
        self.requests.entry(key).or_default().push_back(request);
        request
    }

    /// Ends the oldest request of this kind; `None` if there is none.
    pub fn end(&mut self, key: Key) -> Option<RequestId> {
        let queue = self.requests.get_mut(&key)?;
        let request = queue.pop_front();
        // Tags of some traces never come again.
        if queue.is_empty() {
            self.requests.remove(&key);
        }
        request
    }
}
