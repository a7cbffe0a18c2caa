//! The ranks of a communicator call the same collectives, with the same roots, and the same sizes where they must.
//!
//! Each rank's calls of a communicator are hashed in order. For gatherv and scatterv, the root's list names a size for
//! each rank, which must be that rank's own: these sizes are hashed with their call and rank, the root's are added and
//! the others' are taken away, so that nothing is left where they agree. Ranks that differ are read again, together
//! with a rank that most agree with, up to the first call that differs.

use std::collections::BTreeMap;
use std::hash::{Hash, Hasher};
use std::mem::discriminant;
use std::sync::Arc;

use drowse_core::workload::communicators::{ALL, CommId, Communicators};
use drowse_core::workload::operation::{Collective, Operation, OperationSource, SourceError};
use drowse_core::workload::operation_line::shown;
use rustc_hash::{FxHashMap, FxHasher};

use super::finding::{At, Collected};
use super::walk::Walk;

/// The calls of a rank in a communicator.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
struct Calls {
    count: u64,
    hash: u64,
}

/// The calls of all ranks.
pub(super) struct Collectives {
    communicators: Arc<Communicators>,
    calls: BTreeMap<CommId, FxHashMap<u32, Calls>>,
    /// What is left of the sizes that roots name for a rank of their communicator, and that rank itself.
    sizes: FxHashMap<(CommId, u32), u64>,
    /// Where each rank ends.
    ends: Vec<At>,
}

impl Collectives {
    pub fn new(communicators: Arc<Communicators>) -> Self {
        Collectives { communicators, calls: BTreeMap::new(), sizes: FxHashMap::default(), ends: Vec::new() }
    }

    /// Adds an operation of a rank.
    pub fn add(&mut self, rank: u32, operation: &Operation) {
        let (Some(comm), Some(collective)) = (operation.comm(), operation.called()) else { return };
        let Some(member) = self.communicators.member(comm, rank) else { return };
        let calls = self.calls.entry(comm).or_default().entry(rank).or_default();
        let number = calls.count;
        *calls = Calls { count: number + 1, hash: hash(&(calls.hash, Common::of(operation, collective))) };
        if let Collective::Gatherv { root, bytes } | Collective::Scatterv { root, bytes } = collective {
            let mut add = |place: u32, sign: u64| {
                let size = bytes.get(place as usize).copied().unwrap_or(0);
                let left = self.sizes.entry((comm, place)).or_default();
                *left = left.wrapping_add(hash(&(number, place, size)).wrapping_mul(sign));
            };
            add(member.rank, 1_u64.wrapping_neg());
            if *root == member.rank {
                (0..member.size).for_each(|place| add(place, 1));
            }
        }
    }

    /// Ends a rank.
    pub fn end_rank(&mut self, end: At) {
        self.ends.push(end);
    }

    /// Adds a finding for each rank and communicator that differs.
    pub fn finish(self, open: &dyn Fn() -> Box<dyn OperationSource>, found: &mut Collected) -> Result<(), SourceError> {
        for (&comm, calls) in &self.calls {
            let size = self.communicators.size(comm).unwrap_or(0);
            let ranks = (0..size).filter_map(|place| self.communicators.rank(comm, place));
            let of = |rank| calls.get(&rank).copied().unwrap_or_default();
            let usual = most_frequent(ranks.clone().map(of));
            let Some(like) = ranks.clone().find(|&rank| of(rank) == usual) else { continue };
            for (place, rank) in (0..).zip(ranks) {
                let same_sizes = self.sizes.get(&(comm, place)).is_none_or(|&left| left == 0);
                if of(rank) == usual && same_sizes {
                    continue;
                }
                if found.keeps(At { rank, operation: 0 }) {
                    let mut walk = Walk::new(open(), comm);
                    self.compare(&mut walk, like, rank, found)?;
                } else {
                    found.count(1);
                }
            }
        }
        Ok(())
    }

    /// Adds a finding at the first call of a rank that differs from another rank's.
    fn compare(&self, walk: &mut Walk, like: u32, rank: u32, found: &mut Collected) -> Result<(), SourceError> {
        let in_comm = if walk.comm == ALL {
            String::new()
        } else {
            format!(" in communicator {}", self.communicators.name(walk.comm))
        };
        for number in 0.. {
            let (theirs, own) = (walk.call(like, number)?, walk.call(rank, number)?);
            let (theirs_at, theirs) = theirs.unzip();
            let theirs_at = theirs_at.map_or(0, |at| at.operation);
            match (theirs, own) {
                (None, None) => break,
                (Some(theirs), None) => {
                    let end = self.ends.get(rank as usize).copied().unwrap_or(At { rank, operation: 0 });
                    let theirs = shown(&theirs);
                    found.add(end, || {
                        format!(
                            "ends after {number} collectives{in_comm}, and rank {like} goes on with `{theirs}` \
                             (operation {theirs_at})"
                        )
                    });
                    return Ok(());
                }
                (None, Some((at, own))) => {
                    let own = shown(&own);
                    found
                        .add(at, || format!("calls `{own}`, and rank {like} ends after {number} collectives{in_comm}"));
                    return Ok(());
                }
                (Some(theirs), Some((at, own))) => {
                    if !same(&theirs, &own) {
                        let (own, theirs) = (shown(&own), shown(&theirs));
                        found.add(at, || {
                            format!("calls `{own}` where rank {like} calls `{theirs}` (operation {theirs_at})")
                        });
                        return Ok(());
                    }
                    if let Some((root, size, named)) = self.other_size(walk, number, rank, &own)? {
                        let own = shown(&own);
                        found.add(at, || {
                            format!(
                                "calls `{own}` with {size} B of its own, and the root, rank {root}, names {named} B"
                            )
                        });
                        return Ok(());
                    }
                }
            }
        }
        Ok(())
    }

    /// Returns the root, the size of a rank and what the root names for it, where these differ.
    fn other_size(
        &self,
        walk: &mut Walk,
        number: u64,
        rank: u32,
        own: &Operation,
    ) -> Result<Option<(u32, u64, u64)>, SourceError> {
        let Some(Collective::Gatherv { root, bytes } | Collective::Scatterv { root, bytes }) = own.called() else {
            return Ok(None);
        };
        let Some(place) = self.communicators.member(walk.comm, rank).map(|member| member.rank as usize) else {
            return Ok(None);
        };
        let Some(root) = self.communicators.rank(walk.comm, *root) else { return Ok(None) };
        let of_root = walk.call(root, number)?;
        let named = of_root.as_ref().and_then(|(_, operation)| operation.called()).and_then(Collective::sizes);
        let (own, named) = (bytes.get(place).copied(), named.and_then(|sizes| sizes.get(place).copied()));
        Ok(own.zip(named).filter(|(own, named)| own != named).map(|(own, named)| (root, own, named)))
    }
}

/// What all ranks of a call must have in common.
#[derive(Hash, PartialEq, Eq)]
struct Common<'a> {
    kinds: (std::mem::Discriminant<Operation>, std::mem::Discriminant<Collective>),
    root: Option<u32>,
    bytes: u64,
    list: &'a [u64],
}

impl<'a> Common<'a> {
    fn of(operation: &Operation, collective: &'a Collective) -> Self {
        let kinds = (discriminant(operation), discriminant(collective));
        let (bytes, list) = match collective {
            Collective::Allgatherv { bytes } | Collective::ReduceScatter { bytes, .. } => (0, &**bytes),
            // Each rank has a list of its own.
            Collective::Gatherv { .. } | Collective::Scatterv { .. } | Collective::Alltoallv { .. } => (0, &[][..]),
            other => (other.largest(), &[][..]),
        };
        Common { kinds, root: collective.root(), bytes, list }
    }
}

/// Returns whether two calls agree.
fn same(one: &Operation, other: &Operation) -> bool {
    match (one.called(), other.called()) {
        (Some(first), Some(second)) => Common::of(one, first) == Common::of(other, second),
        _ => false,
    }
}

fn hash(value: &impl Hash) -> u64 {
    let mut hasher = FxHasher::default();
    value.hash(&mut hasher);
    hasher.finish()
}

/// Returns the calls that most ranks have; of several, the longest.
fn most_frequent(values: impl Iterator<Item = Calls>) -> Calls {
    let mut counts: BTreeMap<Calls, u64> = BTreeMap::new();
    values.for_each(|value| *counts.entry(value).or_default() += 1);
    let most = counts.into_iter().max_by_key(|&(calls, count)| (count, calls));
    most.map(|(calls, _)| calls).unwrap_or_default()
}
