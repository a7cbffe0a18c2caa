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
/// Starting and completing a request by its key take constant time. Completing a receive from any rank under the name
/// of its actual sender takes time in proportion to the number of keys.
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
        self.pending.0.entry(key).or_default().push_back(request);
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
struct Table(FxHashMap<RequestKey, VecDeque<RequestId>>);

impl Table {
    /// Takes the oldest request that a wait of `rank` names.
    fn oldest(&mut self, rank: u32, key: RequestKey) -> Option<RequestId> {
        let exact = self.take(key, VecDeque::pop_front);
        if exact.is_some() || key.to != rank {
            return exact;
        }
        let (&matching, _) = self
            .0
            .iter()
            .filter(|(_, requests)| !requests.is_empty())
            .filter(|(pending, _)| pending.to == rank && (pending.from.is_none() || pending.tag.is_none()))
            .filter(|(pending, _)| pending.from.is_none() || pending.from == key.from)
            .filter(|(pending, _)| pending.tag.is_none() || pending.tag == key.tag)
            .min_by_key(|(_, requests)| requests.front())?;
        self.take(matching, VecDeque::pop_front)
    }

    /// Takes the newest request.
    fn newest(&mut self) -> Option<RequestId> {
        let (&key, _) = self.0.iter().max_by_key(|(_, requests)| requests.back())?;
        self.take(key, VecDeque::pop_back)
    }

    /// Takes all requests.
    fn clear(&mut self) {
        if self.0.len() > KEPT_KEYS {
            self.0.clear();
        } else {
            self.0.values_mut().for_each(VecDeque::clear);
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
        let known = self.0.len();
        let requests = self.0.get_mut(&key)?;
        let request = pop(requests);
        if requests.is_empty() && known > KEPT_KEYS {
            self.0.remove(&key);
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
