//! The pending requests of one rank. A trace names them only by sender, receiver and tag.

use std::collections::VecDeque;

use drowse_core::workload::operation::RequestId;
use rustc_hash::FxHashMap;

use super::action::RequestKey;

/// Keys without requests are dropped if there are more keys than this.
const KEPT_KEYS: usize = 64;

/// Pending requests by key, oldest first.
///
/// Starting and completing a request by its key take constant time. Completing a receive from any rank under the name
/// of its actual sender takes time in proportion to the number of keys.
#[derive(Default)]
pub(crate) struct Requests {
    by_key: FxHashMap<RequestKey, VecDeque<RequestId>>,
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
        self.by_key.entry(key).or_default().push_back(request);
        request
    }

    /// Completes the oldest request that a wait of `rank` names: one with this key, else a receive from any rank.
    pub fn complete(&mut self, rank: u32, key: RequestKey) -> Option<RequestId> {
        let exact = self.take(key, VecDeque::pop_front);
        if exact.is_some() || key.to != rank {
            return exact;
        }
        let (&matching, _) = self
            .by_key
            .iter()
            .filter(|(_, requests)| !requests.is_empty())
            .filter(|(pending, _)| pending.to == rank && (pending.from.is_none() || pending.tag.is_none()))
            .filter(|(pending, _)| pending.from.is_none() || pending.from == key.from)
            .filter(|(pending, _)| pending.tag.is_none() || pending.tag == key.tag)
            .min_by_key(|(_, requests)| requests.front())?;
        self.take(matching, VecDeque::pop_front)
    }

    /// Completes the newest request.
    pub fn complete_newest(&mut self) -> Option<RequestId> {
        let (&key, _) = self.by_key.iter().max_by_key(|(_, requests)| requests.back())?;
        self.take(key, VecDeque::pop_back)
    }

    /// Completes all requests.
    pub fn complete_all(&mut self) {
        if self.by_key.len() > KEPT_KEYS {
            self.by_key.clear();
        } else {
            self.by_key.values_mut().for_each(VecDeque::clear);
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
        let known = self.by_key.len();
        let requests = self.by_key.get_mut(&key)?;
        let request = pop(requests);
        if requests.is_empty() && known > KEPT_KEYS {
            self.by_key.remove(&key);
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
        assert_eq!(requests.complete(0, key(Some(1), 0, 7)), Some(first));
        assert_eq!(requests.complete(0, key(Some(1), 0, 7)), Some(second));
        assert_eq!(requests.complete(0, key(Some(1), 0, 7)), None);
    }

    #[test]
    fn a_receive_from_any_completes_under_either_name() {
        let mut requests = Requests::default();
        let (first, second) = (requests.start(key(None, 0, 7)), requests.start(key(None, 0, 7)));
        assert_eq!(requests.complete(0, key(None, 0, 7)), Some(first));
        assert_eq!(requests.complete(0, key(Some(3), 0, 8)), None);
        assert_eq!(requests.complete(0, key(Some(3), 0, 7)), Some(second));
        assert_eq!(requests.complete(0, key(Some(3), 0, 7)), None);
        let any_tag = requests.start(RequestKey { from: Some(3), to: 0, tag: None });
        assert_eq!(requests.complete(0, key(Some(2), 0, 9)), None);
        assert_eq!(requests.complete(0, key(Some(3), 0, 9)), Some(any_tag));
    }

    #[test]
    fn sends_do_not_complete_under_other_names() {
        let mut requests = Requests::default();
        let send = requests.start(key(Some(0), 1, 7));
        assert_eq!(requests.complete(0, key(Some(0), 1, 8)), None);
        assert_eq!(requests.complete(0, key(Some(0), 2, 7)), None);
        assert_eq!(requests.complete_newest(), Some(send));
        assert_eq!(requests.complete_newest(), None);
        requests.start(key(Some(0), 1, 7));
        requests.complete_all();
        assert_eq!(requests.complete(0, key(Some(0), 1, 7)), None);
    }
}
