//! Counts the operations of a program for [`TraceInfo`], rank after rank.

use std::collections::BTreeMap;

use drowse_core::workload::communicators::Communicators;
use drowse_core::workload::operation::Operation;

use crate::agreement::Agreement;
use crate::info::{Computing, Coverage, Messages, TraceInfo};

/// The counts of the operations that were read.
#[derive(Default)]
pub(crate) struct Counting {
    operations: BTreeMap<&'static str, u64>,
    collectives: BTreeMap<&'static str, u64>,
    messages: Messages,
    /// What all ranks compute, in picoseconds.
    computed: u128,
    agreement: Agreement,
}

impl Counting {
    /// Adds an operation of a rank, by the name that the format has for it.
    pub fn add(&mut self, rank: u32, name: &'static str, operation: &Operation) {
        *self.operations.entry(name).or_default() += 1;
        if operation.called().is_some() {
            *self.collectives.entry(name).or_default() += 1;
        }
        match operation {
            Operation::Send { bytes, .. } | Operation::Isend { bytes, .. } => self.messages.add(*bytes),
            Operation::Compute(time) => self.computed += u128::from(time.0),
            _ => {}
        }
        self.agreement.add(rank, operation);
    }

    /// Ends a rank.
    pub fn end_rank(&mut self, rank: u32) {
        self.agreement.end_rank(rank);
    }

    /// Returns what was counted of a program that is told whole.
    pub fn finish(self, format: &'static str, ranks: u32, communicators: &Communicators) -> TraceInfo {
        let (different_collectives, unpaired) = self.agreement.finish(communicators);
        let named =
            |counts: BTreeMap<&str, u64>| counts.into_iter().map(|(name, count)| (name.to_owned(), count)).collect();
        let total = self.operations.values().sum();
        TraceInfo {
            format,
            ranks,
            operations: named(self.operations),
            messages: self.messages,
            collectives: named(self.collectives),
            compute: Computing::Picoseconds(self.computed),
            coverage: Coverage { simulated: total, ..Coverage::default() },
            warnings: different_collectives.iter().cloned().chain(unpaired).collect(),
            not_simulated: Vec::new(),
            different_collectives,
        }
    }
}
