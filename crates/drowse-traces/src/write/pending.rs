//! Requests by what formats name instead of a number: formats whose waits name no request complete the oldest one of a
//! kind.

use std::collections::VecDeque;
use std::hash::Hash;

use drowse_core::workload::operation::RequestId;
use rustc_hash::FxHashMap;

/// The pending requests of a rank.
pub(crate) struct Pending<K> {
    kinds: FxHashMap<RequestId, K>,
    /// The requests of each kind, oldest first; `None` is one that nothing waits for.
    queues: FxHashMap<K, VecDeque<Option<RequestId>>>,
    /// All of them in the order of their starts.
    order: VecDeque<RequestId>,
    /// Those whose order does not matter.
    unordered: FxHashMap<RequestId, K>,
}

impl<K: Copy + Eq + Hash> Pending<K> {
    pub fn new() -> Self {
        let (kinds, queues, unordered) = (FxHashMap::default(), FxHashMap::default(), FxHashMap::default());
        Pending { kinds, queues, order: VecDeque::new(), unordered }
    }

    /// Starts a request.
    pub fn start(&mut self, kind: K, request: Option<RequestId>) {
        self.queues.entry(kind).or_default().push_back(request);
        if let Some(request) = request {
            self.kinds.insert(request, kind);
            self.order.push_back(request);
        }
    }

    /// Starts a request whose wait names nothing, so that any order will do.
    pub fn forget(&mut self, kind: K, request: RequestId) {
        self.unordered.insert(request, kind);
    }

    /// Ends a request. Returns its kind, `None` if it is not pending, and an error if it is not the oldest of its kind.
    pub fn end(&mut self, request: RequestId) -> Result<Option<K>, ()> {
        if let Some(kind) = self.unordered.remove(&request) {
            return Ok(Some(kind));
        }
        let Some(kind) = self.kinds.remove(&request) else { return Ok(None) };
        let Some(queue) = self.queues.get_mut(&kind) else { return Err(()) };
        if queue.pop_front() != Some(Some(request)) {
            return Err(());
        }
        if queue.is_empty() {
            self.queues.remove(&kind);
        }
        while self.order.front().is_some_and(|first| !self.kinds.contains_key(first)) {
            self.order.pop_front();
        }
        Ok(Some(kind))
    }

    /// Returns whether nothing waits for some that have started.
    pub fn has_forgotten(&self) -> bool {
        self.queues.values().flatten().any(Option::is_none)
    }

    /// Returns the requests that are waited for and pending, in the order of their starts.
    pub fn requests(&self) -> Vec<RequestId> {
        self.order.iter().filter(|request| self.kinds.contains_key(request)).copied().collect()
    }

    /// Returns the kinds of those that nothing waits for, in no order, each as often as it has started.
    pub fn forgotten(&self) -> impl Iterator<Item = K> {
        let all = self.queues.iter().flat_map(|(kind, queue)| queue.iter().map(move |request| (*kind, request)));
        all.filter(|(_, request)| request.is_none()).map(|(kind, _)| kind)
    }

    /// Ends all; returns their kinds, those whose order matters in the order of their starts.
    pub fn end_all(&mut self) -> Vec<K> {
        let kinds = std::mem::take(&mut self.kinds);
        self.queues.clear();
        let ordered = self.order.drain(..).filter_map(|request| kinds.get(&request).copied());
        ordered.chain(self.unordered.drain().map(|(_, kind)| kind)).collect()
    }
}
