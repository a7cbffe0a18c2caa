//! Counts the operations of a program for [`TraceInfo`], rank after rank.

use std::collections::BTreeMap;

use drowse_core::workload::communicators::Communicators;
use drowse_core::workload::operation::Operation;
use drowse_core::workload::operation_kind::OperationKind;

use crate::agreement::Agreement;
use crate::info::{Computing, Coverage, Messages, TraceInfo};

/// The counts of the operations that were read.
#[derive(Default)]
pub(crate) struct Counting {
    operations: BTreeMap<OperationKind, u64>,
    messages: Messages,
    /// What all ranks compute, in picoseconds.
    computed: u128,
    agreement: Agreement,
}

impl Counting {
    /// Adds an operation of a rank.
    pub fn add(&mut self, rank: u32, operation: &Operation) {
        *self.operations.entry(OperationKind::of(operation)).or_default() += 1;
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
        let named = |(kind, count): (&OperationKind, &u64)| (kind.name().to_owned(), *count);
        let is_collective =
            |kind: OperationKind| matches!(kind, OperationKind::Collective(_) | OperationKind::Icollective(_));
        let total = self.operations.values().sum();
        TraceInfo {
            format,
            ranks,
            operations: self.operations.iter().map(named).collect(),
            messages: self.messages,
            collectives: self.operations.iter().filter(|(kind, _)| is_collective(**kind)).map(named).collect(),
            compute: Computing::Picoseconds(self.computed),
            coverage: Coverage { simulated: total, ..Coverage::default() },
            warnings: different_collectives.iter().cloned().chain(unpaired).collect(),
            not_simulated: Vec::new(),
            different_collectives,
        }
    }
}
