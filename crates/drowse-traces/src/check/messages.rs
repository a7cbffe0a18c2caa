//! Every message has a receive, and every receive a message.
//!
//! Messages of one sender, receiver, tag and communicator are received in the order in which they are sent (MPI 4.1,
//! section 3.5), so where there are too many of one kind, the last ones are those without a partner.

use std::collections::BTreeMap;

use drowse_core::workload::communicators::CommId;
use drowse_core::workload::operation::{Operation, OperationSource, SourceError};
use drowse_core::workload::operation_line::shown;
use rustc_hash::FxHashMap;

use super::each::each;
use super::finding::{At, Collected};
use super::flow::{Supply, Taker, give};

/// The most kinds of messages that are compared, which bounds memory.
const MOST_KINDS: usize = 1 << 24;

/// A kind of messages, or of receives of any sender or tag.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
struct Kind {
    comm: CommId,
    to: u32,
    from: Option<u32>,
    tag: Option<u32>,
}

/// Messages without a receive and receives without a message, by kind.
#[derive(Default)]
pub(super) struct Messages {
    /// Sends minus receives of a sender and a tag; those that are even are not kept.
    balance: FxHashMap<Kind, i64>,
    /// Receives of any sender or tag.
    any: FxHashMap<Kind, i64>,
    too_many: bool,
}

/// Returns the kind of message that an operation sends, or receives, and by how much it changes the balance.
fn kind(rank: u32, operation: &Operation) -> Option<(Kind, i64)> {
    match *operation {
        Operation::Send { to, tag, comm, .. } | Operation::Isend { to, tag, comm, .. } => {
            Some((Kind { comm, to, from: Some(rank), tag: Some(tag) }, 1))
        }
        Operation::Recv { from, tag, comm } | Operation::Irecv { from, tag, comm, .. } => {
            Some((Kind { comm, to: rank, from, tag }, -1))
        }
        _ => None,
    }
}

impl Messages {
    /// Adds an operation of a rank.
    pub fn add(&mut self, rank: u32, operation: &Operation) {
        let Some((kind, change)) = kind(rank, operation) else { return };
        let kinds = if kind.from.is_some() && kind.tag.is_some() { &mut self.balance } else { &mut self.any };
        if kinds.len() >= MOST_KINDS && !kinds.contains_key(&kind) {
            self.too_many = true;
            return;
        }
        let balance = kinds.entry(kind).or_default();
        *balance += change;
        if *balance == 0 {
            kinds.remove(&kind);
        }
    }

    /// Adds a finding for each message and receive without a partner.
    pub fn finish(
        mut self,
        open: &dyn Fn() -> Box<dyn OperationSource>,
        found: &mut Collected,
    ) -> Result<(), SourceError> {
        if self.too_many {
            let why = format!("more than {MOST_KINDS} kinds of messages are under way at once: they are not compared");
            return Err(SourceError(why));
        }
        self.match_any();
        let mut by_rank: BTreeMap<u32, FxHashMap<Kind, i64>> = BTreeMap::new();
        for (kind, balance) in self.balance.into_iter().chain(self.any).filter(|&(_, balance)| balance != 0) {
            let sender = if balance > 0 { kind.from } else { None };
            let rank = sender.unwrap_or(kind.to);
            by_rank.entry(rank).or_default().insert(kind, balance);
        }
        for (rank, kinds) in by_rank {
            if found.keeps(At { rank, operation: 0 }) {
                locate(open, rank, &kinds, found)?;
            } else {
                found.count(kinds.values().map(|balance| balance.unsigned_abs()).sum());
            }
        }
        Ok(())
    }

    /// Matches messages that are left with receives of any sender or tag.
    fn match_any(&mut self) {
        let mut takers: BTreeMap<(CommId, u32), BTreeMap<Taker, u64>> = BTreeMap::new();
        for (kind, &balance) in &self.any {
            let taker = match (kind.from, kind.tag) {
                (Some(from), _) => Taker::From(from),
                (None, Some(tag)) => Taker::Tagged(tag),
                (None, None) => continue,
            };
            takers.entry((kind.comm, kind.to)).or_default().insert(taker, balance.unsigned_abs());
        }
        // Messages to ranks that receive any.
        let mut supplies: FxHashMap<(CommId, u32), Vec<Supply>> = FxHashMap::default();
        for (kind, &balance) in &self.balance {
            let (Some(from), Some(tag)) = (kind.from, kind.tag) else { continue };
            let whole = Kind { from: None, tag: None, ..*kind };
            if balance > 0 && (takers.contains_key(&(kind.comm, kind.to)) || self.any.contains_key(&whole)) {
                let supply = Supply::new(from, tag, balance.unsigned_abs());
                supplies.entry((kind.comm, kind.to)).or_default().push(supply);
            }
        }
        for ((comm, to), mut supplies) in supplies {
            supplies.sort_unstable_by_key(|supply| (supply.from, supply.tag));
            let mut room = takers.remove(&(comm, to)).unwrap_or_default();
            give(&mut supplies, &mut room);
            for (taker, left) in room {
                let (from, tag) = match taker {
                    Taker::From(from) => (Some(from), None),
                    Taker::Tagged(tag) => (None, Some(tag)),
                };
                self.any.insert(Kind { comm, to, from, tag }, -left.cast_signed());
            }
            let any = Kind { comm, to, from: None, tag: None };
            for Supply { from, tag, left, .. } in supplies {
                let taken = self.any.get_mut(&any).map_or(0, |balance| {
                    let taken = left.min(balance.unsigned_abs());
                    *balance += taken.cast_signed();
                    taken
                });
                let kind = Kind { comm, to, from: Some(from), tag: Some(tag) };
                self.balance.insert(kind, (left - taken).cast_signed());
            }
        }
    }
}

/// Adds findings for the last messages or receives of some kinds of a rank, which is read once to count them.
fn locate(
    open: &dyn Fn() -> Box<dyn OperationSource>,
    rank: u32,
    kinds: &FxHashMap<Kind, i64>,
    found: &mut Collected,
) -> Result<(), SourceError> {
    // The sends and the receives of messages of a rank to itself are of one kind.
    let lacking = |operation: &Operation| {
        let (kind, change) = kind(rank, operation)?;
        let balance = kinds.get(&kind).copied().filter(|balance| balance.signum() == change)?;
        Some((kind, balance))
    };
    let mut left: FxHashMap<Kind, i64> = FxHashMap::default();
    each(open().as_mut(), rank, |_, operation| {
        if let Some((kind, balance)) = lacking(operation) {
            *left.entry(kind).or_insert(-balance.abs()) += 1;
        }
    })?;
    each(open().as_mut(), rank, |at, operation| {
        let Some((kind, balance)) = lacking(operation) else { return };
        let left = left.entry(kind).or_default();
        *left -= 1;
        if *left < 0 {
            let lacks = if balance > 0 { "no receive takes" } else { "no message comes for" };
            found.add(at, || format!("{lacks} `{}`", shown(operation)));
        }
    })?;
    Ok(())
}
