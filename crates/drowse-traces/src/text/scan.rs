//! Counts what a trace holds, in one pass over the sections of each rank.

use std::collections::BTreeMap;

use drowse_core::workload::operation::Operation;

use super::forms::name;
use super::source::RankState;
use super::trace::{NAME, TextTrace};
use crate::agreement::Agreement;
use crate::compute::ComputeModel;
use crate::error::TraceError;
use crate::files::LineBlock;
use crate::info::{Computing, Coverage, Messages, TraceInfo};

/// Counts what a trace holds.
pub(crate) fn scan(trace: &TextTrace) -> Result<TraceInfo, TraceError> {
    let head = &trace.outline.head;
    let (mut block, mut operations) = (LineBlock::default(), Vec::new());
    let mut agreement = Agreement::default();
    let (mut counts, mut collectives) = (BTreeMap::<&str, u64>::new(), BTreeMap::<&str, u64>::new());
    let (mut messages, mut computed, mut total) = (Messages::default(), 0, 0);
    for rank in 0..head.ranks {
        let mut state = RankState::default();
        while state.read_block(
            trace,
            rank,
            &ComputeModel::TEN_GIGAFLOPS,
            &mut block,
            &mut operations,
            &mut |_, _| {},
        )? {
            for operation in operations.drain(..) {
                let name = name(&operation);
                *counts.entry(name).or_default() += 1;
                total += 1;
                if operation.called().is_some() {
                    *collectives.entry(name).or_default() += 1;
                }
                match operation {
                    Operation::Send { bytes, .. } | Operation::Isend { bytes, .. } => {
                        messages.count += 1;
                        messages.bytes = messages.bytes.saturating_add(bytes);
                    }
                    Operation::Compute(time) => computed += u128::from(time.0),
                    _ => {}
                }
                agreement.add(rank, &operation);
            }
        }
        agreement.end_rank(rank);
    }
    let (different_collectives, unpaired) = agreement.finish(&head.communicators);
    let named =
        |counts: BTreeMap<&str, u64>| counts.into_iter().map(|(name, count)| (name.to_owned(), count)).collect();
    Ok(TraceInfo {
        format: NAME,
        ranks: head.ranks,
        operations: named(counts),
        messages,
        collectives: named(collectives),
        compute: Computing::Picoseconds(computed),
        coverage: Coverage { simulated: total, ..Coverage::default() },
        warnings: different_collectives.iter().cloned().chain(unpaired).collect(),
        not_simulated: Vec::new(),
        different_collectives,
    })
}
