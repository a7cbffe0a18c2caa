//! Whether ranks agree: on the collective operations of each communicator, and on the messages between them.

use std::hash::{Hash, Hasher};
use std::mem::discriminant;

use drowse_core::workload::communicators::{ALL, CommId, Communicators};
use drowse_core::workload::operation::Operation;
use rustc_hash::{FxHashMap, FxHasher};

use crate::pairs::Pairs;

/// What ranks have in common.
#[derive(Default)]
pub(crate) struct Agreement {
    pairs: Pairs,
    /// The calls of the rank that is being read.
    calls: FxHashMap<CommId, Calls>,
    /// The first rank that calls operations of a communicator, its calls, and the number of ranks that do.
    first: FxHashMap<CommId, (u32, Calls, u32)>,
    different: Option<String>,
}

/// The collective operations that a rank calls in a communicator.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Calls {
    count: u64,
    /// A hash of their kinds and roots in order.
    hash: u64,
}

impl Agreement {
    /// Adds an operation of a rank.
    pub fn add(&mut self, rank: u32, operation: &Operation) {
        match operation {
            Operation::Send { to, .. } | Operation::Isend { to, .. } => self.pairs.send(rank, *to),
            Operation::Recv { from, .. } | Operation::Irecv { from, .. } => self.pairs.receive(*from, rank),
            _ => {}
        }
        if let (Some(comm), Some(collective)) = (operation.comm(), operation.called()) {
            let calls = self.calls.entry(comm).or_default();
            let mut hasher = FxHasher::default();
            (calls.hash, discriminant(operation), discriminant(collective), collective.root()).hash(&mut hasher);
            *calls = Calls { count: calls.count + 1, hash: hasher.finish() };
        }
    }

    /// Compares the calls of a rank with those of the first that is in the same communicators.
    pub fn end_rank(&mut self, rank: u32) {
        let mut calls: Vec<_> = self.calls.drain().collect();
        calls.sort_unstable_by_key(|&(comm, _)| comm);
        for (comm, calls) in calls {
            let (first, theirs, ranks) = self.first.entry(comm).or_insert((rank, calls, 0));
            *ranks += 1;
            if *theirs != calls && self.different.is_none() {
                let of = of(comm);
                self.different = Some(if theirs.count == calls.count {
                    format!("rank {rank} calls collectives{of} in another order or with other roots than rank {first}")
                } else {
                    let (one, other) = (theirs.count, calls.count);
                    format!("rank {first} calls {one} collectives{of}, rank {rank} calls {other}: the trace is cut off")
                });
            }
        }
    }

    /// Returns how collectives differ, and warnings about messages without a partner.
    pub fn finish(mut self, communicators: &Communicators) -> (Option<String>, Vec<String>) {
        let mut calls: Vec<_> = self.first.into_iter().collect();
        calls.sort_unstable_by_key(|&(comm, _)| comm);
        for (comm, (first, theirs, ranks)) in calls {
            let size = communicators.size(comm).unwrap_or(0);
            if ranks < size && self.different.is_none() {
                let (count, of) = (theirs.count, of(comm));
                self.different = Some(format!(
                    "rank {first} calls {count} collectives{of}, but only {ranks} of {size} ranks call any"
                ));
            }
        }
        (self.different, self.pairs.warnings())
    }
}

/// Names a communicator, unless it is that of all ranks.
fn of(comm: CommId) -> String {
    if comm == ALL { String::new() } else { format!(" of communicator {comm}") }
}

#[cfg(test)]
mod tests {
    use super::*;
    use drowse_core::workload::operation::Collective;

    /// Returns how the calls of ranks differ, each a list of communicators and roots.
    fn different(ranks: &[&[(CommId, u32)]]) -> Option<String> {
        let mut communicators = Communicators::of(ranks.len() as u32);
        let _ = communicators.add(vec![0, 1]);
        let mut agreement = Agreement::default();
        for (rank, calls) in (0..).zip(ranks) {
            for &(comm, root) in *calls {
                let collective = Collective::Bcast { root, bytes: 1, count: 1 };
                agreement.add(rank, &Operation::Collective { comm, collective });
            }
            agreement.end_rank(rank);
        }
        agreement.finish(&communicators).0
    }

    #[test]
    fn the_ranks_of_a_communicator_must_agree() {
        assert_eq!(different(&[&[(0, 1), (1, 0)], &[(0, 1), (1, 0)], &[(0, 1)]]), None);
        assert_eq!(different(&[&[(0, 1), (1, 0)], &[(1, 0), (0, 1)], &[(0, 1)]]), None, "an order within each only");
        let order = different(&[&[(0, 1), (0, 2)], &[(0, 2), (0, 1)], &[(0, 1), (0, 2)]]);
        assert!(order.is_some_and(|why| why.contains("another order")));
        let fewer = different(&[&[(1, 0), (1, 0)], &[(1, 0)], &[]]);
        assert!(fewer.is_some_and(|why| why.contains("2 collectives of communicator 1, rank 1 calls 1")));
        let none = different(&[&[(0, 0)], &[(0, 0)], &[]]);
        assert!(none.is_some_and(|why| why.contains("only 2 of 3 ranks")));
    }
}
