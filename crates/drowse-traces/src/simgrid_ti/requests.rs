//! The pending requests of one rank. A trace names them only by sender, receiver and tag.

use std::collections::VecDeque;

use drowse_core::workload::operation::RequestId;
use rustc_hash::FxHashMap;

use super::action::RequestKey;

/// Keys without requests are dropped if there are more keys than this.
const KEPT_KEYS: usize = 64;

/// The request that a wait names.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Waited {
    /// A pending one.
    Pending(RequestId),
    /// One that the last `waitall` has completed. A trace does not tell which requests a `waitall` is for, so it
    /// completes all.
    Swept,
    /// None that is known.
    Unknown,
}

/// Pending requests by key, oldest first.
///
/// All takes constant time, on average, however many are pending.
#[derive(Default)]
pub(crate) struct Requests {
    pending: Table,
    /// What was pending at the last `waitall`.
    swept: Table,
    next: RequestId,
}

impl Requests {
    /// Returns a request that the caller both starts and completes, outside of the table.
    pub fn fresh(&mut self) -> RequestId {
        let request = self.next;
        self.next = self.next.wrapping_add(1);
        request
    }

    /// Starts a request.
    pub fn start(&mut self, key: RequestKey) -> RequestId {
        let request = self.fresh();
        self.pending.add(key, request);
        request
    }

    /// Completes the oldest request that a wait of `rank` names: one with this key, else a receive from any rank.
    pub fn complete(&mut self, rank: u32, key: RequestKey) -> Waited {
        self.take(|table| table.oldest(rank, key))
    }

    /// Completes the newest request.
    pub fn complete_newest(&mut self) -> Waited {
        self.take(Table::newest)
    }

    fn take(&mut self, from: impl Fn(&mut Table) -> Option<RequestId>) -> Waited {
        if let Some(request) = from(&mut self.pending) {
            return Waited::Pending(request);
        }
        from(&mut self.swept).map_or(Waited::Unknown, |_| Waited::Swept)
    }

    /// Completes all requests.
    pub fn complete_all(&mut self) {
        std::mem::swap(&mut self.pending, &mut self.swept);
        self.pending.clear();
    }
}

/// Requests by key, oldest first.
#[derive(Default)]
struct Table {
    of_key: FxHashMap<RequestKey, VecDeque<RequestId>>,
    /// Their number.
    pending: usize,
    /// All in the order of their starts, and some that are complete.
    started: Vec<(RequestId, RequestKey)>,
}

impl Table {
    fn add(&mut self, key: RequestKey, request: RequestId) {
        self.of_key.entry(key).or_default().push_back(request);
        self.pending += 1;
        self.started.push((request, key));
        if self.started.len() > 2 * self.pending + KEPT_KEYS {
            let of_key = &self.of_key;
            let is_pending = |key: &RequestKey, request: &RequestId| {
                of_key.get(key).is_some_and(|requests| requests.binary_search(request).is_ok())
            };
            self.started.retain(|(request, key)| is_pending(key, request));
        }
    }

    /// Takes the oldest request that a wait of `rank` names.
    fn oldest(&mut self, rank: u32, key: RequestKey) -> Option<RequestId> {
        let exact = self.take(key, VecDeque::pop_front);
        if exact.is_some() || key.to != rank {
            return exact;
        }
        // Receives from any rank, of any tag, or both.
        let [any_rank, any_tag] = [RequestKey { from: None, ..key }, RequestKey { tag: None, ..key }];
        let any = RequestKey { from: None, ..any_tag };
        let front = |key: &RequestKey| self.of_key.get(key).and_then(VecDeque::front).copied();
        let oldest =
            [any_rank, any_tag, any].into_iter().filter_map(|key| Some((front(&key)?, key))).min_by_key(|pair| pair.0);
        self.take(oldest?.1, VecDeque::pop_front)
    }

    /// Takes the newest request.
    fn newest(&mut self) -> Option<RequestId> {
        while let Some((request, key)) = self.started.pop() {
            // What was started after it is complete, so that it is the last of its key, or complete itself.
            if self.of_key.get(&key).and_then(VecDeque::back) == Some(&request) {
                return self.take(key, VecDeque::pop_back);
            }
        }
        None
    }

    /// Takes all requests.
    fn clear(&mut self) {
        self.pending = 0;
        self.started.clear();
        if self.of_key.len() > KEPT_KEYS {
            self.of_key.clear();
        } else {
            self.of_key.values_mut().for_each(VecDeque::clear);
        }
    }

    /// Takes one request of a key.
    ///
    /// Programs reuse a few keys, so a key without requests stays while the table is small.
    fn take(
        &mut self,
        key: RequestKey,
        pop: impl FnOnce(&mut VecDeque<RequestId>) -> Option<RequestId>,
    ) -> Option<RequestId> {
        let known = self.of_key.len();
        let requests = self.of_key.get_mut(&key)?;
        let request = pop(requests);
        self.pending -= usize::from(request.is_some());
        if requests.is_empty() && known > KEPT_KEYS {
            self.of_key.remove(&key);
        }
        request
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn key(from: Option<u32>, to: u32, tag: u32) -> RequestKey {
        RequestKey { from, to, tag: Some(tag) }
    }

    #[test]
    fn equal_requests_complete_in_order() {
        let mut requests = Requests::default();
        let (first, second) = (requests.start(key(Some(1), 0, 7)), requests.start(key(Some(1), 0, 7)));
        assert_eq!(requests.complete(0, key(Some(1), 0, 7)), Waited::Pending(first));
        assert_eq!(requests.complete(0, key(Some(1), 0, 7)), Waited::Pending(second));
        assert_eq!(requests.complete(0, key(Some(1), 0, 7)), Waited::Unknown);
    }

    #[test]
    fn a_receive_from_any_completes_under_either_name() {
        let mut requests = Requests::default();
        let (first, second) = (requests.start(key(None, 0, 7)), requests.start(key(None, 0, 7)));
        assert_eq!(requests.complete(0, key(None, 0, 7)), Waited::Pending(first));
        assert_eq!(requests.complete(0, key(Some(3), 0, 8)), Waited::Unknown);
        assert_eq!(requests.complete(0, key(Some(3), 0, 7)), Waited::Pending(second));
        assert_eq!(requests.complete(0, key(Some(3), 0, 7)), Waited::Unknown);
        let any_tag = requests.start(RequestKey { from: Some(3), to: 0, tag: None });
        assert_eq!(requests.complete(0, key(Some(2), 0, 9)), Waited::Unknown);
        assert_eq!(requests.complete(0, key(Some(3), 0, 9)), Waited::Pending(any_tag));
    }

    #[test]
    fn sends_do_not_complete_under_other_names() {
        let mut requests = Requests::default();
        let send = requests.start(key(Some(0), 1, 7));
        assert_eq!(requests.complete(0, key(Some(0), 1, 8)), Waited::Unknown);
        assert_eq!(requests.complete(0, key(Some(0), 2, 7)), Waited::Unknown);
        assert_eq!(requests.complete_newest(), Waited::Pending(send));
        assert_eq!(requests.complete_newest(), Waited::Unknown);
    }

    /// Looking at all pending ones at each wait would take minutes.
    #[test]
    fn many_pending_requests() {
        let (count, mut requests) = (100_000, Requests::default());
        let start = |requests: &mut Requests| {
            (0..count).map(|tag| requests.start(key(None, 0, tag))).collect::<Vec<RequestId>>()
        };
        for request in start(&mut requests).into_iter().rev() {
            assert_eq!(requests.complete_newest(), Waited::Pending(request));
        }
        for (tag, request) in (0..).zip(start(&mut requests)) {
            assert_eq!(requests.complete(0, key(Some(3), 0, tag)), Waited::Pending(request));
        }
        assert_eq!(requests.complete_newest(), Waited::Unknown);
    }

    /// Of requests that were completed by their names, none is the newest.
    #[test]
    fn the_newest_of_those_that_are_left() {
        let mut requests = Requests::default();
        let [first, _, third] = [7, 8, 9].map(|tag| requests.start(key(Some(1), 0, tag)));
        assert!(matches!(requests.complete(0, key(Some(1), 0, 8)), Waited::Pending(_)));
        assert_eq!(requests.complete_newest(), Waited::Pending(third));
        for _ in 0..1_000 {
            requests.start(key(Some(1), 0, 9));
            requests.complete(0, key(Some(1), 0, 9));
        }
        assert_eq!(requests.complete_newest(), Waited::Pending(first));
        assert_eq!(requests.complete_newest(), Waited::Unknown);
    }

    #[test]
    fn a_waitall_completes_all_and_remembers_which() {
        let mut requests = Requests::default();
        requests.start(key(Some(0), 1, 7));
        requests.start(key(None, 0, 7));
        requests.complete_all();
        let again = requests.start(key(Some(0), 1, 7));
        assert_eq!(requests.complete(0, key(Some(0), 1, 7)), Waited::Pending(again), "a pending one comes first");
        assert_eq!(requests.complete(0, key(Some(0), 1, 7)), Waited::Swept);
        assert_eq!(requests.complete(0, key(Some(0), 1, 7)), Waited::Unknown, "each is named once");
        assert_eq!(requests.complete(0, key(Some(3), 0, 7)), Waited::Swept, "under its sender's name");
        requests.start(key(Some(0), 2, 7));
        requests.complete_all();
        requests.complete_all();
        assert_eq!(requests.complete(0, key(Some(0), 2, 7)), Waited::Unknown, "of the last waitall only");
    }
}
