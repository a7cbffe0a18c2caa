//! What a program sends, calls and computes, counted from its operations, so that all formats are counted alike.
//!
//! Sizes are counted in classes: 0 bytes, 1 byte, 2, up to 4, up to 8 and so on. The size of a collective is what the
//! operation names: one rank's data, or what one rank sends to one other; where a rank names a list, it is the sum.
//! The messages that collectives are made of are not counted as messages.

use std::collections::BTreeMap;
use std::sync::Arc;

use drowse_core::usage::{Matrix, Traffic};
use drowse_core::workload::communicators::Communicators;
use drowse_core::workload::operation::{Collective, Operation, OperationSource, SourceError};
use drowse_core::workload::operation_kind::OperationKind;
use rustc_hash::FxHashSet;

use crate::info::Messages;

/// What a program holds, in numbers.
#[derive(Clone, Debug)]
pub struct Profile {
    /// Messages between two ranks, by the largest size of their class.
    pub sizes: BTreeMap<u64, Messages>,
    /// Calls of collectives, summed over ranks, and the bytes that they name; by name and largest size of the class.
    pub collectives: BTreeMap<(&'static str, u64), Messages>,
    /// The number of communicators of so many ranks; that of all ranks is one.
    pub communicators: BTreeMap<u32, u32>,
    /// What each rank computes, in picoseconds, without what is computed inside collectives.
    pub computed: Vec<u128>,
    /// The iterations that each rank marks.
    pub marked: Vec<u64>,
    /// Pairs of a sender and a receiver of messages.
    pub pairs: u64,
    /// Messages from each block of ranks to each.
    pub matrix: Matrix,
}

impl Profile {
    /// Returns the number of iterations that each rank marks, if all that mark any mark as many.
    pub fn iterations(&self) -> Option<u64> {
        let mut marking = self.marked.iter().copied().filter(|&count| count > 0);
        let first = marking.next()?;
        marking.all(|count| count == first).then_some(first)
    }
}

/// A program that is counted while it is read, rank after rank.
pub struct Profiling {
    source: Box<dyn OperationSource>,
    profile: Profile,
    /// The ranks to which the rank that is being read has sent.
    receivers: FxHashSet<u32>,
    /// The rank that is being read.
    rank: u32,
}

/// Returns the largest size of the class of a size: the next power of two.
pub fn class(bytes: u64) -> u64 {
    if bytes == 0 { 0 } else { bytes.checked_next_power_of_two().unwrap_or(u64::MAX) }
}

impl Profiling {
    /// Begins to count a program.
    pub fn new(source: Box<dyn OperationSource>) -> Self {
        let (ranks, communicators) = (source.ranks(), source.communicators());
        let mut sizes = BTreeMap::new();
        for comm in 0..communicators.count() {
            *sizes.entry(communicators.size(comm).unwrap_or(0)).or_default() += 1;
        }
        let profile = Profile {
            sizes: BTreeMap::new(),
            collectives: BTreeMap::new(),
            communicators: sizes,
            computed: vec![0; ranks as usize],
            marked: vec![0; ranks as usize],
            pairs: 0,
            matrix: Matrix::new(ranks),
        };
        Profiling { source, profile, receivers: FxHashSet::default(), rank: 0 }
    }

    /// Reads what is left of all ranks, and returns the counts.
    pub fn finish(mut self) -> Result<Profile, SourceError> {
        let mut operations = Vec::new();
        for rank in 0..self.ranks() {
            loop {
                operations.clear();
                self.refill(rank, &mut operations)?;
                if operations.is_empty() {
                    break;
                }
            }
        }
        self.end_rank();
        Ok(self.profile)
    }

    fn end_rank(&mut self) {
        self.profile.pairs += self.receivers.len() as u64;
        self.receivers.clear();
    }

    fn add(&mut self, rank: u32, operation: &Operation) {
        match operation {
            Operation::Iteration => self.profile.marked[rank as usize] += 1,
            Operation::Compute(time) => self.profile.computed[rank as usize] += u128::from(time.0),
            Operation::Send { to, bytes, .. } | Operation::Isend { to, bytes, .. } => {
                self.profile.sizes.entry(class(*bytes)).or_default().add(*bytes);
                self.profile.matrix.add(rank, *to, Traffic { messages: 1, bytes: *bytes, packets: 0 });
                self.receivers.insert(*to);
            }
            _ => {}
        }
        if let Some(collective) = operation.called() {
            let bytes = named(collective);
            self.profile.collectives.entry((OperationKind::of(operation).name(), class(bytes))).or_default().add(bytes);
        }
    }
}

/// Returns the bytes that a collective names.
fn named(collective: &Collective) -> u64 {
    let sum = |sizes: &[u64]| sizes.iter().fold(0_u64, |sum, &size| sum.saturating_add(size));
    collective.sizes().map_or_else(|| collective.largest(), sum)
}

impl OperationSource for Profiling {
    fn ranks(&self) -> u32 {
        self.source.ranks()
    }

    fn communicators(&self) -> Arc<Communicators> {
        self.source.communicators()
    }

    fn refill(&mut self, rank: u32, operations: &mut Vec<Operation>) -> Result<(), SourceError> {
        let before = operations.len();
        self.source.refill(rank, operations)?;
        if rank != self.rank && operations.len() > before {
            self.end_rank();
            self.rank = rank;
        }
        operations[before..].iter().for_each(|operation| self.add(rank, operation));
        Ok(())
    }
}
